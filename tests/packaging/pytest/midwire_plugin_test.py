"""The fixtures of the pytest plugin, in runs of pytest of their own. Run by wheel_test.sh."""
import pathlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent
REPLAY = """
import sys
def test_session(midwire_replay):
    midwire_replay("notes.jsonl", [sys.executable, "plugin.py"])
"""
MOCK = """
import subprocess, sys
def test_host(midwire_mock):
    words = midwire_mock("notes.jsonl", [sys.executable, "plugin.py"])
    subprocess.run([sys.executable, "host.py", "--", *words], check=True, stdout=subprocess.DEVNULL)
"""

IDLE = """
import subprocess
def test_host(midwire_mock):
    words = midwire_mock("notes.jsonl", None, "--lenient")
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
"""


@pytest.fixture
def project(pytester):
    for name in ("notes.jsonl", "plugin.py", "host.py"):
        (pytester.path / name).write_bytes((HERE / name).read_bytes())
    return pytester


def outcomes(project, source, *options):
    project.makepyfile(source)
    return project.runpytest_subprocess("-p", "no:cacheprovider", *options)


def change(name, old, new):
    file = pathlib.Path(name)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_the_same_plugin_passes(project):
    outcomes(project, REPLAY).assert_outcomes(passed=1)


def test_a_changed_plugin_fails_with_the_report(project):
    change("plugin.py", '"characters": len', '"characters": 1 + len')
    run = outcomes(project, REPLAY)
    run.assert_outcomes(failed=1)
    run.stdout.fnmatch_lines(["*/result/characters: expected *"])


def test_the_same_host_passes(project):
    outcomes(project, MOCK).assert_outcomes(passed=1)


def test_a_host_that_differs_fails_with_the_report(project):
    run = outcomes(project, IDLE)
    run.assert_outcomes(passed=1, errors=1)
    run.stdout.fnmatch_lines(["*missing: not received*"])


def test_a_host_that_does_not_start_its_plugin_errs(project):
    outcomes(project, MOCK.replace("*words", "true")).assert_outcomes(failed=1, errors=1)


def test_no_cassette_is_an_error_that_names_the_mode(project):
    pathlib.Path("notes.jsonl").unlink()
    run = outcomes(project, MOCK)
    run.assert_outcomes(failed=1)
    run.stdout.fnmatch_lines(["*no such cassette (try --midwire-record=once)"])


def test_once_records_what_is_missing_and_then_plays_it(project):
    pathlib.Path("notes.jsonl").unlink()
    outcomes(project, MOCK, "--midwire-record=once").assert_outcomes(passed=1)
    recorded = pathlib.Path("notes.jsonl").read_text()
    outcomes(project, MOCK, "--midwire-record=once").assert_outcomes(passed=1)
    assert pathlib.Path("notes.jsonl").read_text() == recorded


def test_all_accepts_what_a_changed_plugin_sends(project):
    change("plugin.py", '"characters": len', '"characters": 1 + len')
    outcomes(project, REPLAY, "--midwire-record=all").assert_outcomes(passed=1)
    outcomes(project, REPLAY).assert_outcomes(passed=1)
