#!/usr/bin/env python3
"""Records the sessions of a protocol's official SDK again: those in corpora/NAME/sdk/sessions.json.

Usage: record_sdk.py MIDWIRE NAME [SESSION...]

A session there is
    {"session": "golden",                    the file: sessions/golden.jsonl; of "golden" also .pcapng
     "packages": ["PACKAGE@VERSION"],        what npm installs in an empty folder for it
     "host": ["node", "client.mjs"],         the host's command; behind it comes that of the plugin, which is
     "plugin": ["node", "server.mjs"],       midwire record -- and this
     "revision": "2025-11-25"}               what the two agree on, for sdk_test.py. Optional
The programs are in corpora/NAME/sdk/. The folder of the run, the home directory and the pid are replaced.
Standard library only; npm needs its registry.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import corpus
import record
from cassette import CORPORA, Cassette

NPM = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]


def sessions(name):
    path = CORPORA / name / "sdk" / "sessions.json"
    return json.loads(path.read_text(encoding="utf-8"))


def install(packages, folder):
    folder.mkdir()
    (folder / "package.json").write_text('{"private": true}\n')
    subprocess.run(NPM + packages, cwd=folder, check=True)


def take(midwire, name, session, work):
    for program in (CORPORA / name / "sdk").glob("*.mjs"):
        shutil.copy(program, work)
    tape = [midwire, "record", "-o", "tape.pcapng", "--"] + session["plugin"]
    subprocess.run(session["host"] + tape, cwd=work, check=True, timeout=120)
    # A host may start its plugin twice: version 2 of MCP's SDK first looks what the plugin speaks.
    tapes = sorted(work.glob("tape*.pcapng"), key=lambda path: path.stat().st_mtime_ns)
    subprocess.run([midwire, "convert", "--times", tapes[-1], "times.jsonl"], cwd=work, check=True)
    for path in tapes:
        path.unlink()
    cassette = record.neutral(Cassette(work / "times.jsonl"), name)
    for line in cassette.lines:
        line.text = line.text.replace(str(work.resolve()), f"{record.FOLDER}/{name}")
    (work / "times.jsonl").write_text(cassette.text(), encoding="utf-8")
    kept = CORPORA / name / "sessions" / f"{session['session']}.pcapng"
    kept.parent.mkdir(exist_ok=True)
    for old in kept, kept.with_suffix(".jsonl"):
        old.unlink(missing_ok=True)
    subprocess.run([midwire, "convert", work / "times.jsonl", kept], check=True)
    subprocess.run([midwire, "convert", kept, kept.with_suffix(".jsonl")], check=True)
    (work / "times.jsonl").unlink()
    os.chmod(kept.with_suffix(".jsonl"), 0o644)
    os.chmod(kept, 0o644)
    if session["session"] != "golden":
        kept.unlink()


def main(midwire, name, *only):
    midwire = str(pathlib.Path(midwire).resolve())
    wanted = [each for each in sessions(name) if not only or each["session"] in only]
    with tempfile.TemporaryDirectory() as folder:
        installed = {}
        for session in wanted:
            key = tuple(session["packages"])
            if key not in installed:
                installed[key] = pathlib.Path(folder) / str(len(installed))
                install(session["packages"], installed[key])
            take(midwire, name, session, installed[key])
            print(f"{name}: recorded {session['session']}")
    if any(session["session"] == "golden" for session in wanted):
        corpus.main(midwire, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
