"""Replays every recorded session against the plugin: one test per session."""

import pathlib
import subprocess
import sys

import pytest

SESSIONS = sorted(pathlib.Path("sessions").glob("*.jsonl"))
assert SESSIONS, "no sessions to replay"


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_session(session):
    plugin = [sys.executable, "plugin.py"]
    run = subprocess.run(
        ["midwire", "replay", session, "--", *plugin], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
