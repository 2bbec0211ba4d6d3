"""Neovim and clangd, recorded; then `midwire mock` in clangd's place: neovim sees the same.

Usage: MIDWIRE WORK_FOLDER
"""

import json
import os
import pathlib
import shutil
import sys

from clangd_test import SOURCE
from replayed import fresh_folder, run, set_header

CONFIG = pathlib.Path(__file__).resolve().parent / "nvim.lua"


def edit(folder, name, command):
    """A run of neovim, with `command` as its language server. What neovim saw."""
    saw = folder / f"{name}.json"
    environment = {
        **os.environ,
        "PLUGIN_COMMAND": json.dumps([str(part) for part in command]),
        "SAW": str(saw),
        # Its log and cache, too, stay here.
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"),
    }
    nvim = ["nvim", "--headless", "--clean", "-i", "NONE", "-n", "-u", str(CONFIG), "sum.cc"]
    run(*nvim, cwd=folder, env=environment, stdin=None)
    return json.loads(saw.read_text())


def held(saw):
    assert "undeclared" in json.dumps(saw["diagnostics"]), saw
    assert "Adds up" in saw["hover"]["result"]["contents"]["value"], saw
    assert saw["definition"]["result"][0]["range"]["start"]["line"] == 3, saw
    assert len(saw["symbols"]["result"]) == 2, saw
    assert saw["line"] == "int main() { return sum({1, 2, 3}); }", saw
    assert len(next(iter(saw["renamed"]["result"]["changes"].values()))) == 2, saw


def main(midwire, work):
    for program in "nvim", "clangd":
        assert shutil.which(program), f"{program} is not installed: tools/test installs it"
    folder = fresh_folder(work)
    (folder / "sum.cc").write_text(SOURCE, encoding="utf-8")
    tape, cassette, report = (folder / f"session.{end}" for end in ("pcapng", "jsonl", "report"))

    clangd = [shutil.which("clangd"), "--background-index=false"]
    saw = edit(folder, "live", [midwire, "record", "-o", tape, "--", *clangd])
    held(saw)
    run(midwire, "convert", str(tape), str(cassette))
    # The client's pid, which differs on each run.
    set_header(cassette, ignore=["initialize:/params/processId"])

    for i in range(3):
        mock = [midwire, "mock", cassette, "--json", "--report", report]
        mocked = edit(folder, f"mocked-{i}", mock)
        assert mocked == saw, f"saw of the mock: {mocked}\nof clangd: {saw}"
        told = json.loads(report.read_text())
        assert told["same"] and told["sent"] == told["to_send"], told

    # What it sees is the trace's: a word changed there is changed here.
    other = cassette.with_name("other.jsonl")
    other.write_text(cassette.read_text(encoding="utf-8").replace("Adds up", "Takes away"))
    mocked = edit(folder, "other", [midwire, "mock", other])
    assert "Takes away" in mocked.pop("hover")["result"]["contents"]["value"]
    del saw["hover"]
    assert mocked == saw, mocked
    print(f"neovim saw the same of the mock: {told['sent']} messages sent, "
          f"{told['matched']} received as recorded")


if __name__ == "__main__":
    main(*sys.argv[1:])
