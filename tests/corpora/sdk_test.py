#!/usr/bin/env python3
"""The sessions of a protocol's official SDK (corpora/NAME/sdk/sessions.json) check clean, named and detected.

Usage: sdk_test.py MIDWIRE NAME

Clean is a session with notes at most. Standard library only.
"""

import json
import subprocess
import sys

from cassette import CORPORA
from record_sdk import sessions


def check(midwire, session, *options):
    command = [midwire, "check", str(session), "--json", *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, f"{session}: exit {run.returncode}\n{run.stdout}{run.stderr}"
    return json.loads(run.stdout)


def main(midwire, name):
    for each in sessions(name):
        session = CORPORA / name / "sessions" / f"{each['session']}.jsonl"
        named, detected = check(midwire, session, "--dialect", name), check(midwire, session)
        assert detected["dialect"] == name, f"{session}: detected as {detected['dialect']}"
        found = [finding for finding in named["findings"] if finding["severity"] != "note"]
        assert not found, f"{session}: {json.dumps(found, indent=1)}"
        assert named["findings"] == detected["findings"], session
        print(f"{name}: {each['session']}: clean, {named['messages']} messages, {named['note']} notes")


if __name__ == "__main__":
    main(*sys.argv[1:])
