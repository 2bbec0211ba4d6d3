#!/usr/bin/env python3
"""Every session of a protocol's SDK can be played in both roles: a replay against a mock of the same session.

Usage: mirror_test.py MIDWIRE NAME

The replay plays the host, the mock the plugin, each from corpora/NAME/sessions/SESSION.jsonl. Neither finds a
difference; both detect the protocol. Standard library only.
"""

import subprocess
import sys

from cassette import CORPORA
from record_sdk import sessions


def main(midwire, name):
    for each in sessions(name):
        session = str(CORPORA / name / "sessions" / f"{each['session']}.jsonl")
        command = [midwire, "replay", session, "--no-stderr", "--", midwire, "mock", session]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, f"{session}: exit {run.returncode}\n{run.stdout}{run.stderr}"
        assert "\nsame: " in "\n" + run.stdout, f"{session}\n{run.stdout}"
        print(f"{name}: {each['session']}: {run.stdout.splitlines()[-1]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
