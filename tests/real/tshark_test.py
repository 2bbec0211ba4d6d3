"""tshark and capinfos against the golden tape: that it opens as it is, in both framings.

Usage: tshark_test.py MIDWIRE SCRATCH_FOLDER. Exits 77 where there is no tshark.
"""

import pathlib
import shutil
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


def run(*command):
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace",
                          check=False)
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


def fields(tape, *names, where=""):
    command = ["tshark", "-r", tape, "-T", "fields"]
    for name in names:
        command += ["-e", name]
    if where:
        command += ["-Y", where]
    return [line.split("\t") for line in run(*command).splitlines()]


def check(tape):
    rows = fields(tape, "frame.interface_name", "frame.p2p_dir", "json.value.string")
    assert len(rows) == 17, rows
    directions = {(name, direction) for name, direction, _ in rows}
    assert directions == {
        ("host-to-plugin", "0"),  # sent, as the host sees it
        ("plugin-to-host", "1"),
        ("stderr", ""),
        ("events", ""),
    }, directions

    # A request in line framing and its answer in content-length framing, both dissected.
    found = fields(tape, "frame.interface_name", where='json.path_with_value == "/method:initialize"')
    assert found == [["host-to-plugin"]], found
    found = fields(tape, "json.path_with_value", where="frame.p2p_dir == 1 && json.member == \"result\"")
    assert any("/id:1" in row[0] for row in found), found

    # What is no JSON goes to a dissector that shows text; nothing is malformed.
    text = run("tshark", "-r", tape, "-Y", 'frame.interface_name == "stderr"', "-V")
    assert "warning: no config" in text, text
    assert fields(tape, "frame.number", where="_ws.malformed") == []

    # The flags of the packet agree with the tag inside it.
    flags = fields(tape, "frame.p2p_dir", "frame.packet_flags_direction")
    assert {tuple(row) for row in flags} == {
        ("0", "0x00000002"),
        ("1", "0x00000001"),
        ("", "0x00000000"),
    }, flags

    names = [line.split("=")[1].strip() for line in run("capinfos", tape).splitlines() if "Name =" in line]
    assert names == ["host-to-plugin", "plugin-to-host", "stderr", "events"], names


def main():
    midwire, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
    for tool in ("tshark", "capinfos"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            return 77
    check(str(GOLDEN / "basic.pcapng"))

    # A tape that came back from a cassette is no less a tape, and one of the largest segments opens.
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    again = scratch / "again.pcapng"
    run(midwire, "convert", str(GOLDEN / "basic-times.jsonl"), str(again))
    check(str(again))
    large = scratch / "large.jsonl"
    method = "x" * 400_000
    large.write_text('{"midwire":"cassette","version":1}\n'
                     '{"from":"host","message":{"method":"' + method + '"}}\n', encoding="utf-8")
    run(midwire, "convert", str(large), str(scratch / "large.pcapng"))
    assert len(fields(str(scratch / "large.pcapng"), "frame.number")) == 7
    print("tshark and capinfos read the tape")
    return 0


if __name__ == "__main__":
    sys.exit(main())
