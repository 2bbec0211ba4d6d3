"""The example of doc/replay-in-tests.md. Run by wheel_test.sh."""
import subprocess
import sys


def test_session(midwire_replay):
    midwire_replay("sessions/notes.jsonl", [sys.executable, "plugin.py"])


def test_host(midwire_mock):
    plugin = midwire_mock("sessions/notes.jsonl", [sys.executable, "plugin.py"])
    subprocess.run([sys.executable, "host.py", "--", *plugin], check=True)
