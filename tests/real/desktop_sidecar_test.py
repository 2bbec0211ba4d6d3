"""The example host behaves the same with midwire in between as without. Usage: MIDWIRE WORK_FOLDER
"""

import pathlib
import re
import shutil
import subprocess
import sys

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "corpora" / "desktop-sidecar"
PLUGIN = [sys.executable, str(EXAMPLE / "plugin.py")]


def run_host(command):
    host = [sys.executable, str(EXAMPLE / "host.py"), "--"]
    return subprocess.run(host + command, capture_output=True, timeout=60)


def main(midwire, work):
    shutil.rmtree(work, ignore_errors=True)
    pathlib.Path(work).mkdir(parents=True)
    tape = f"{work}/session.pcapng"

    direct = run_host(PLUGIN)
    recorded = run_host([midwire, "record", "-o", tape, "--"] + PLUGIN)
    for name, run in ("direct", direct), ("recorded", recorded):
        assert run.returncode == 0, f"{name}: exit {run.returncode}\n{run.stderr.decode()}"
    assert direct.stdout.endswith(b"all answers as expected\n"), direct.stdout
    assert recorded.stdout == direct.stdout, recorded.stdout
    # The plugin's log comes through too, untouched.
    assert b"plugin: shutting down" in direct.stderr
    assert recorded.stderr == direct.stderr, recorded.stderr

    shown = subprocess.run([midwire, "show", tape], capture_output=True, check=True).stdout.decode()
    for method in "plugin/health", "host/request_approval", "notes/progress", "plugin/shutdown":
        assert re.search(method, shown), f"{method} is not in the timeline:\n{shown}"
    print(f"same output both ways; {len(shown.splitlines())} lines of timeline")


if __name__ == "__main__":
    main(*sys.argv[1:])
