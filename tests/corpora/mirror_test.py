#!/usr/bin/env python3
"""Every session of a protocol's SDK can be played in both roles: a replay against a mock of the same session.

Usage: mirror_test.py MIDWIRE NAME

The replay plays the host, the mock the plugin, each from corpora/NAME/sessions/SESSION.jsonl. Neither finds a
difference; both detect the protocol. With the dialect named, there is none either if the plugin's messages
are of another day: the dialect says where the protocol has times. Standard library only.
"""

import datetime
import pathlib
import re
import subprocess
import sys
import tempfile

from cassette import CORPORA
from record_sdk import sessions


def play(midwire, options, session, other):
    command = [midwire, "replay", *options, session, "--no-stderr", "--", midwire, "mock", other]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, f"{session}: exit {run.returncode}\n{run.stdout}{run.stderr}"
    assert "\nsame: " in "\n" + run.stdout, f"{session}\n{run.stdout}"
    return run.stdout.splitlines()[-1]


def another_day(line):
    def later(date):
        return str(datetime.date.fromisoformat(date[0]) + datetime.timedelta(days=400))

    return re.sub(r"\d{4}-\d\d-\d\d(?=T\d)", later, line) if '{"from":"plugin"' in line else line


def main(midwire, name):
    for each in sessions(name):
        session = CORPORA / name / "sessions" / f"{each['session']}.jsonl"
        print(f"{name}: {each['session']}: {play(midwire, [], session, session)}")
        lines = session.read_text(encoding="utf-8").splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as work:
            other = pathlib.Path(work) / "another-day.jsonl"
            other.write_text("".join(map(another_day, lines)), encoding="utf-8")
            play(midwire, ["--dialect", name], session, other)


if __name__ == "__main__":
    main(*sys.argv[1:])
