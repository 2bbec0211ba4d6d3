"""The dissector for Wireshark under tshark: fields and pairs of recorded tapes in both framings, and
hostile tapes. Usage: wireshark_test.py MIDWIRE SOURCE_TREE"""

import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

MIDWIRE, TREE = sys.argv[1], pathlib.Path(sys.argv[2])
SCRIPT = TREE / "packaging/wireshark/midwire.lua"
FIELDS = ["frame.number", "midwire.kind", "midwire.direction", "midwire.method", "midwire.label",
          "midwire.id", "midwire.latency", "midwire.request_in", "midwire.response_in"]


def tshark(tape, fields, script=SCRIPT):
    argv = ["tshark", "-2", "-X", f"lua_script:{script}", "-r", tape, "-T", "fields"]
    for field in fields:
        argv += ["-e", field]
    done = subprocess.run(argv, capture_output=True, timeout=250)
    assert done.returncode == 0, done
    noise = [line for line in done.stderr.decode().splitlines() if not line.startswith("Running as user")]
    assert not [line for line in noise if "Lua" in line or "lua" in line], noise
    return [line.split("\t") for line in done.stdout.decode(errors="replace").splitlines()]


def block(kind, body):
    body += b"\0" * (-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def tape(packets):
    out = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    for _ in range(4):
        out += block(1, struct.pack("<HHI", 252, 0, 262144))
    for number, packet in enumerate(packets):
        out += block(6, struct.pack("<IIIII", 0, 0, number * 1000, len(packet), len(packet)) + packet)
    return out


def packet(body, direction=0, head=b""):
    tags = b"\0\x0c\0\x04json" + b"\0\x23\0\x04" + struct.pack(">I", direction)
    if head:
        tags += b"mw" + struct.pack(">H", len(head)) + head
    return tags + b"\0\0\0\0" + body


def test_recorded():
    for name in ("mcp", "lsp", "dap"):
        recorded = TREE / f"corpora/{name}/sessions/golden.pcapng"
        rows = tshark(recorded, FIELDS)
        by_number = {row[0]: row for row in rows}
        requests = [row for row in rows if row[1] == "request"]
        assert requests, name
        paired = 0
        for row in requests:
            if row[8]:
                answer = by_number[row[8]]
                assert answer[7] == row[0] and answer[3] == row[3], (name, row, answer)
                assert answer[2] != row[2] and float(answer[6]) >= 0, (name, row, answer)
                paired += 1
        shown = subprocess.run([MIDWIRE, "show", recorded, "--json", "kind=request"],
                               capture_output=True, check=True)
        assert len(requests) == shown.stdout.count(b"\n"), (name, len(requests))
        assert paired >= len(requests) * 0.8, (name, paired, len(requests))
    rows = tshark(TREE / "corpora/mcp/sessions/golden.pcapng", FIELDS)
    labels = {row[4] for row in rows if row[3] == "tools/call"}
    assert labels and "" not in labels, labels


def test_columns(folder):
    path = folder / "columns.pcapng"
    call = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x\\u001by"}}\n'
    path.write_bytes(tape([packet(call), packet(b'{"jsonrpc":"2.0","id":7,"error":{"code":1}}\n', 1)]))
    rows = tshark(path, ["_ws.col.Protocol", "_ws.col.Info"])
    assert rows[0] == ["JSON-RPC", "-> request tools/call x\\u001by id=7"], rows
    assert rows[1][1].startswith("<- error tools/call "), rows


def test_split(folder):
    """A Content-Length message whose header and body come in pieces."""
    path = folder / "split.pcapng"
    path.write_bytes(tape([packet(b"", 0, b"Content-Le"), packet(b'{"id":1,', 0, b"ngth: 21\r\n\r\n"),
                           packet(b'"method":"a"}', 0), packet(b'{"id":1,"result":0}', 1,
                                                               b"Content-Length: 19\r\n\r\n")]))
    rows = tshark(path, FIELDS)
    assert [row[1] for row in rows] == ["part", "part", "request", "response"], rows
    assert rows[3][7] == "3" and rows[2][8] == "4", rows


def test_hostile(folder):
    rng = random.Random(17)
    deep = b'{"id":' + b"[" * 60000 + b'\n'
    packets = [packet(deep), packet(b'{"a":"' + b"\\" * 60001), packet(b"{" * 1000 + b"\n"),
               packet(b'{"id":null,"result":1}\n', 1), packet(b'{"method":"\xff\x00\n%s%n","id":{}}\n'),
               packet(b"x", 0, b"Content-Length: 99999999999999999999999\r\n\r\n"),
               packet(b'{"type":"response","seq":1,"request_seq":[]}\n'), packet(b""), b"", b"\0",
               b"\0\x0c\0\x04json", b"\0\x0c\0\x04json\0\x23\xff\xff", b"\0\x0c\0\x04json\0\0"]
    packets += [packet(b'{"id":1,"method":"again"}\n') for _ in range(2000)]
    call = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n"}}\n'
    whole = packet(call, 1, b"Content-Length: 9\r\n\r\n")
    for _ in range(3000):
        changed = bytearray(whole)
        for _ in range(rng.randrange(1, 6)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        packets.append(bytes(changed[:rng.randrange(len(changed) + 1)]))
    path = folder / "hostile.pcapng"
    path.write_bytes(tape(packets))
    # An error in the script would be swallowed by its pcall, so it is made to print.
    loud = folder / "loud.lua"
    text = SCRIPT.read_text()
    assert "shown[pinfo.number] = ok and message or nil" in text
    loud.write_text(text.replace("shown[pinfo.number] = ok and message or nil",
                                 'if not ok then print("FAILED " .. message) end\n'
                                 "    shown[pinfo.number] = ok and message or nil"))
    rows = tshark(path, FIELDS, loud)
    failed = [row for row in rows if row[0].startswith("FAILED")]
    assert not failed, failed[:3]
    assert len(rows) == len(packets), (len(rows), len(packets))


def test_other_captures_are_left_alone(folder):
    path = folder / "ethernet.pcapng"
    frame = bytes(range(60))
    data = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    data += block(1, struct.pack("<HHI", 1, 0, 0))
    path.write_bytes(data + block(6, struct.pack("<IIIII", 0, 0, 0, 60, 60) + frame))
    assert tshark(path, FIELDS)[0][1:] == [""] * 8


def main():
    if not shutil.which("tshark"):
        print("not installed, not tested: tshark")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_recorded()
        test_columns(folder)
        test_split(folder)
        test_hostile(folder)
        test_other_captures_are_left_alone(folder)


main()
