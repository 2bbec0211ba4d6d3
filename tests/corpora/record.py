#!/usr/bin/env python3
"""Records the golden session of a protocol again, and rebuilds its messages/ and fuzz.dict.

Usage: record.py MIDWIRE NAME

Runs corpora/NAME/host.py with `midwire record -- python3 plugin.py` in between. The folder of the
run and the pid of the plugin are replaced by made-up ones: they are private, and a new recording
should change little. Header members of the old cassette (ignores, bindings) are kept. Standard
library only.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import corpus
from cassette import CORPORA, Cassette, Line, golden

FOLDER = "/home/ada"
PID = 4242


def header_of(session):
    if not session.exists():
        return {}
    return json.loads(session.read_text(encoding="utf-8").splitlines()[0])


def neutral(cassette, name):
    """The recording with another folder, home directory and pid; its times and segments stay."""
    pid = cassette.find("event spawn").content["pid"]
    spawn = cassette.find("event spawn")
    spawn.content["cwd"] = f"{FOLDER}/{name}"
    spawn.content["pid"] = PID
    if "home" in spawn.content:
        spawn.content["home"] = FOLDER
    spawn.text = json.dumps(spawn.item, ensure_ascii=False, separators=(",", ":"))
    for line in cassette.lines:
        line.text = line.text.replace(f"-{pid}-", f"-{str(PID).zfill(len(str(pid)))}-")
    return cassette


def main(midwire, name):
    folder, session = CORPORA / name, golden(name)
    header = header_of(session)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for program in folder.glob("*.py"):
            shutil.copy(program, work)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        record = [midwire, "record", "-o", "golden.pcapng", "--", "python3", "plugin.py"]
        subprocess.run([sys.executable, "host.py", "--"] + record, cwd=work, check=True)
        convert = [midwire, "convert"]
        subprocess.run(convert + ["--times", "golden.pcapng", "times.jsonl"], cwd=work, check=True)
        cassette = neutral(Cassette(work / "times.jsonl"), name)
        first = cassette.lines[0].item
        first.update({key: value for key, value in header.items() if key != "start"})
        cassette.lines[0] = Line.of(first)
        (work / "times.jsonl").write_text(cassette.text(), encoding="utf-8")
        session.parent.mkdir(exist_ok=True)
        tape = session.with_suffix(".pcapng")
        for old in session, tape:
            old.unlink(missing_ok=True)
        subprocess.run(convert + [work / "times.jsonl", tape], check=True)
        subprocess.run(convert + [tape, session], check=True)
        os.chmod(tape, 0o644)
        os.chmod(session, 0o644)
    corpus.main(midwire, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
