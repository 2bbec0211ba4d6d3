"""Records a session of a real plugin, makes a cassette of it, and replays that against the plugin.

Used by replay_*_test.py. Paths differ from machine to machine, so what is replayed is recorded first.
"""

import json
import os
import pathlib
import shutil
import subprocess

from scripted_host import ScriptedHost

# How often a CI run replays. MIDWIRE_REPEAT=50 is what was promised, and takes some minutes.
REPEAT = int(os.environ.get("MIDWIRE_REPEAT", "5"))


def run(*command, code=0, **options):
    done = subprocess.run(command, capture_output=True, timeout=120, **options)
    assert done.returncode == code, (
        f"{command}: exit {done.returncode}, not {code}\n{done.stdout.decode()}{done.stderr.decode()}"
    )
    return done


def fresh_folder(work):
    folder = pathlib.Path(work).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def numbered(cassette, role, usual):
    """Usual number of each of the role's messages -> its number in this recording. A message that
    crossed another one on the wire may have the other's number; the role's own keep their order."""
    lines = pathlib.Path(cassette).read_text(encoding="utf-8").splitlines()
    said = [line["from"] for line in map(json.loads, lines) if "message" in line]
    numbers = [n for n, who in enumerate(said, 1) if who == role]
    assert len(numbers) == len(usual), numbers
    return dict(zip(usual, numbers))


def record(midwire, tape, plugin, framing, session, cwd, signal=0):
    """session(host) talks. Then stdin is closed, and `signal` sent if the plugin needs one to end."""
    host = ScriptedHost([midwire, "record", "-o", str(tape), "--", *plugin], framing, cwd=cwd)
    try:
        session(host)
        if signal:
            host.process.stdin.close()
            host.process.send_signal(signal)
        assert host.close() == -signal, f"{host.process.returncode}; log:\n{host.log.decode()}"
    finally:
        host.kill()
    return host


def to_cassette(midwire, tape, cassette, **header):
    """What a user does: convert, and write into the first line what does not matter."""
    run(midwire, "convert", str(tape), str(cassette))
    set_header(cassette, **header)


def set_header(cassette, **header):
    cassette = pathlib.Path(cassette)
    lines = cassette.read_text(encoding="utf-8").split("\n")
    first = {**json.loads(lines[0]), **header}
    assert first["midwire"] == "cassette", lines[0]
    lines[0] = json.dumps(first)
    cassette.write_text("\n".join(lines), encoding="utf-8")


def report_of(done):
    report = json.loads(done.stdout)
    assert report["midwire"] == "report", report
    return report


def replay(midwire, trace, plugin, *options, cwd, code=0):
    command = [midwire, "replay", str(trace), "--json", *options, "--", *plugin]
    done = subprocess.run(command, capture_output=True, timeout=120, cwd=cwd)
    assert done.returncode == code, (
        f"replay: exit {done.returncode}, not {code}\n"
        f"{json.dumps(json.loads(done.stdout or b'null'), indent=1)}\n{done.stderr.decode()}"
    )
    return report_of(done)


def replay_green(midwire, cassette, plugin, cwd, ending="exit 0", times=REPEAT):
    for i in range(times):
        report = replay(midwire, cassette, plugin, cwd=cwd)
        assert report["same"] and report["finding_count"] == 0, f"run {i + 1}: {report}"
        assert report["sent"] == report["to_send"] > 0, f"run {i + 1}: {report}"
        assert report["ending"] == ending, f"run {i + 1}: {report}"
    print(f"{times} of {times} replays the same: {report['sent']} messages sent, "
          f"{report['matched']} received as recorded, {len(report['bindings'])} bindings")
    return report


def nothing_to_suggest(midwire, cassette, plugin, cwd):
    command = [midwire, "replay", str(cassette), "--suggest-ignores", "3", "--", *plugin]
    said = run(*command, cwd=cwd).stdout.decode()
    assert said == "nothing changes from run to run (3 runs)\n", said
