#!/usr/bin/env python3
"""Rewrites corpora/NAME/messages/ and fuzz.dict from the golden session and the dialect.

Usage: corpus.py MIDWIRE NAME...

`midwire corpus` makes them; its seeds/ are not kept, because they can be made from the golden
session. Run it after either has changed: golden_test.py compares the folder with its output.
Standard library only.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from cassette import CORPORA, golden


def make(midwire, name, work):
    """The expected files of corpora/NAME, by path: of messages/, and fuzz.dict."""
    subprocess.run(
        [midwire, "corpus", golden(name), "-o", work, "--dict", work / "fuzz.dict"]
        + ["--dialect", CORPORA / name / "dialect.json"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    files = [work / "fuzz.dict"] + sorted((work / "messages").iterdir())
    return {str(file.relative_to(work)): file.read_bytes() for file in files}


def kept(name):
    folder = CORPORA / name
    files = [folder / "fuzz.dict"] + sorted((folder / "messages").iterdir())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def main(midwire, *names):
    for name in names:
        folder = CORPORA / name
        with tempfile.TemporaryDirectory() as work:
            files = make(midwire, name, pathlib.Path(work))
        shutil.rmtree(folder / "messages", ignore_errors=True)
        (folder / "messages").mkdir()
        for path, content in files.items():
            (folder / path).write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
