"""Runs the commands of README.md that show output, one after the other, and compares what they print with
what README.md shows, except for times. Usage: readme_test.py MIDWIRE WORK_FOLDER SOURCE_TREE"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

# pip: tests/packaging installs the wheel.
NOT_RUN = ("pip ",)
# The folder of the user in README.md.
HOME = "home/ada"
CURSOR = """{"mcpServers": {
  "notes": {"command": "npx", "args": ["-y", "notes-server"]},
  "search": {"url": "https://search.example/mcp"}
}}
"""


def commands(text):
    """Yields (command, lines it prints) of each indented block that begins with a prompt."""
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M):
        lines = [line[4:] for line in block.strip("\n").split("\n")]
        starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, starts[1:] + [len(lines)]):
            yield lines[start][2:], lines[start + 1:end]


def without_times(line):
    """Blanks vary with the width of times."""
    line = re.sub(r"\b\d+\.\d{6}\b", "TIME", line)
    line = re.sub(r"\b\d+(\.\d+)?[um]?s\b", "TIME", line)
    return " ".join(line.split())


def prepare(work, tree, run):
    shutil.rmtree(work, ignore_errors=True)
    (work / HOME / ".cursor").mkdir(parents=True)
    (work / HOME / ".cursor/mcp.json").write_text(CURSOR)
    for name in "host.py", "plugin.py":
        shutil.copy(tree / "corpora/desktop-sidecar" / name, work)
    text = (work / "plugin.py").read_text(encoding="utf-8")
    changed = text.replace('"characters": len(text)', '"characters": str(len(text))')
    assert changed != text
    (work / "changed.py").write_text(changed, encoding="utf-8")
    run("python3 host.py -- midwire record -o monday.pcapng -- python3 plugin.py")
    run("midwire replay --record changed.pcapng monday.pcapng -- python3 changed.py")


def main(midwire, work, tree):
    work, tree = pathlib.Path(work).resolve(), pathlib.Path(tree)
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("MIDWIRE_", "XDG_"))}
    environment["HOME"] = str(work / HOME)
    environment["PATH"] = f"{pathlib.Path(midwire).resolve().parent}:{os.environ['PATH']}"

    def run(command):
        ran = subprocess.run(["sh", "-c", command], cwd=work, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=120, check=False)
        return ran.stdout.decode().replace(str(work), "").rstrip("\n")

    prepare(work, tree, run)
    wrong = count = 0
    for command, shown in commands((tree / "README.md").read_text(encoding="utf-8")):
        if command.startswith(NOT_RUN):
            continue
        count += 1
        printed = run(command)
        lines = printed.split("\n") if printed else []
        if [without_times(line) for line in shown] == [without_times(line) for line in lines]:
            continue
        wrong += 1
        print(f"README.md shows:\n$ {command}", *shown, "it prints:", printed, "", sep="\n")
    print(f"{count} commands, {wrong} print something else")
    # A document without commands is a wrong path, not a pass.
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
