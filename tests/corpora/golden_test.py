#!/usr/bin/env python3
"""The golden session of a protocol checks clean, converts both ways, replays and mocks green.

Usage: golden_test.py MIDWIRE NAME

Clean is a session with notes at most: what its dialect tolerates. Of corpora/NAME:
sessions/golden.pcapng and golden.jsonl are one session in both formats; plugin.py and host.py are
example programs that say what stands there (where there are none, nothing is replayed or mocked);
messages/ and fuzz.dict are what `midwire corpus` makes of the session and the dialect now, and have
every method. Standard library only.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import corpus
from cassette import CORPORA, Cassette, Line, golden
from violations_test import check


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(
            f"{' '.join(map(str, command))}: exit {done.returncode}\n"
            f"{done.stdout.decode(errors='replace')}{done.stderr.decode(errors='replace')}"
        )
    return done.stdout


def without_writer(tape):
    """A tape names the version that wrote it; golden tapes keep the one of their recording."""
    return re.sub(rb"midwire \d+\.\d+\.\d+", b"midwire", tape, count=1)


def converts(midwire, tape, cassette, work):
    run(midwire, "convert", tape, work / "from-tape.jsonl")
    assert (work / "from-tape.jsonl").read_bytes() == cassette.read_bytes(), "tape to cassette"
    run(midwire, "convert", cassette, work / "from-cassette.pcapng")
    run(midwire, "convert", work / "from-cassette.pcapng", work / "back.jsonl")
    assert (work / "back.jsonl").read_bytes() == cassette.read_bytes(), "cassette to tape and back"
    run(midwire, "convert", "--times", tape, work / "times.jsonl")
    run(midwire, "convert", work / "times.jsonl", work / "back.pcapng")
    back = without_writer((work / "back.pcapng").read_bytes())
    assert back == without_writer(tape.read_bytes()), "tape to cassette and back"


def replays(midwire, session, folder):
    run(midwire, "replay", session, "--", sys.executable, folder / "plugin.py")


def mocks(midwire, session, folder, work):
    report = work / "report.json"
    mock = [midwire, "mock", session, "--json", "--report", report]
    run(sys.executable, folder / "host.py", "--", *mock)
    told = json.loads(report.read_text())
    assert told["same"], json.dumps(told["findings"], indent=1)


def has_messages(session, folder):
    """The methods of messages/ are those of the session."""
    said = {line.method for line in Cassette(session).lines if line.is_message}
    files = (folder / "messages").glob("*.json")
    texts = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    kept = {Line.of({"message": text}).method for text in texts}
    assert kept | {None} == said | {None}, f"not in both: {sorted((kept ^ said) - {None})}"


def has_words(folder):
    """Every method of the dialect is in the dictionary."""
    methods = json.loads((folder / "dialect.json").read_text(encoding="utf-8")).get("methods", {})
    words = (folder / "fuzz.dict").read_text(encoding="ascii")
    missing = [method for method in methods if method.rstrip("*") not in words]
    assert not missing, f"not in fuzz.dict: {missing}"


def is_up_to_date(midwire, name, work):
    made, kept = corpus.make(midwire, name, work), corpus.kept(name)
    other = sorted(path for path in made.keys() | kept.keys() if made.get(path) != kept.get(path))
    assert not other, f"out of date, run tests/corpora/corpus.py MIDWIRE {name}: {other}"


def main(midwire, name):
    folder, session = CORPORA / name, golden(name)
    findings = check(midwire, name, session)
    findings = sorted(finding for finding in findings if finding[1] != "note")
    assert not findings, f"not clean: {findings}"
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        converts(midwire, session.with_suffix(".pcapng"), session, work)
        if (folder / "plugin.py").exists():
            replays(midwire, session, folder)
        if (folder / "host.py").exists():
            mocks(midwire, session, folder, work)
        is_up_to_date(midwire, name, work / "corpus")
    has_messages(session, folder)
    has_words(folder)
    print(f"{name}: clean, converted, replayed, mocked")


if __name__ == "__main__":
    main(*sys.argv[1:])
