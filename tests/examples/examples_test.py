"""Runs the shell examples and the pytest example of doc/replay-in-tests.md: they pass with the example
plugin as it was recorded, and fail with one that counts otherwise. Usage: MIDWIRE WORK_FOLDER"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parents[1] / "corpora" / "desktop-sidecar"


def pytest_command():
    """pytest of this Python, or else of Debian's."""
    ours = [sys.executable, "-m", "pytest"]
    if subprocess.run(ours + ["--version"], capture_output=True).returncode == 0:
        return ours
    if shutil.which("pytest-3"):
        return ["pytest-3"]
    sys.exit("pytest is missing (apt install python3-pytest)")


def main(midwire, work):
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    (work / "sessions").mkdir(parents=True)
    for name in CORPUS / "host.py", CORPUS / "plugin.py", *HERE.glob("*.sh"), HERE / "test_replay.py":
        shutil.copy(name, work)
    path = f"{pathlib.Path(midwire).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = pytest_command() + ["-q", "-p", "no:cacheprovider", "test_replay.py"]

    def run(command, code):
        ran = subprocess.run(
            command, cwd=work, env=environment, capture_output=True, text=True, timeout=120
        )
        said = f"{command}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}"
        assert ran.returncode == code, said
        return ran.stdout

    run(["sh", "record.sh"], 0)
    examples = ["sh", "replay.sh"], pytest
    for command in examples:
        run(command, 0)

    plugin = work / "plugin.py"
    text = plugin.read_text()
    changed = text.replace("len(text.split())", "len(text.split()) + 1")
    assert changed != text
    plugin.write_text(changed)
    for command in examples:
        said = run(command, 1)
        assert "/result/words: expected 2, got 3" in said, said
    # Nothing to replay is not a success.
    for session in (work / "sessions").iterdir():
        session.unlink()
    run(pytest, 2)
    print("both pass as recorded, and fail where the plugin changed")


if __name__ == "__main__":
    main(*sys.argv[1:])
