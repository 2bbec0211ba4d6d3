"""Runs tests of the page in Node.js and headless Chromium.

Usage: run.py MIDWIRE WORK_FOLDER SCRIPT [ARGUMENT...]
Playwright and axe come from npm, pinned by package-lock.json; Chromium from apt. Exits 77 if one is missing.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77
NPM = ["npm", "--no-audit", "--no-fund", "--no-update-notifier"]
BRIEF = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=10000"]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def fetch(folder):
    """npm ci into `folder`, once per lock file."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    stamp = folder / "fetched"
    with open(folder / "lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == wanted:
            return
        for name in "package.json", "package-lock.json":
            shutil.copy(HERE / name, folder / name)
        if subprocess.run(NPM + ["ping"] + BRIEF, cwd=folder, capture_output=True).returncode != 0:
            skip("the npm registry does not answer")
        subprocess.run(NPM + ["ci", "--ignore-scripts"], cwd=folder, check=True)
        stamp.write_text(wanted)


def main():
    midwire, work, script, arguments = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    for program in "node", "npm", "cmake":
        if not shutil.which(program):
            skip(f"{program} is not installed")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        skip("chromium is not installed")
    fetch(work / "npm")
    # One folder for each run, so that tests may run at the same time.
    folder = work / pathlib.Path(script).stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = dict(os.environ, MIDWIRE=midwire, MIDWIRE_WORK=str(folder), CHROMIUM=chromium,
                       MIDWIRE_MODULES=str(work / "npm"))
    name = HERE / script
    words = ["node", "--test", str(name)] if script.endswith("_test.mjs") else ["node", str(name), *arguments]
    sys.exit(subprocess.run(words, env=environment).returncode)


main()
