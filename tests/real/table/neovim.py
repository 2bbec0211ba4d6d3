"""Neovim as the host of a language server: it edits two files, as neovim.lua says."""

import json
import pathlib

from own_host import OwnHost

Host = OwnHost
SCRIPT = pathlib.Path(__file__).resolve().parent / "neovim.lua"


class Session:
    """first: the scripted session with the same server: its file, and its place in the file."""

    def __init__(self, first):
        self.first = first

    def __call__(self, host, folder):
        line, character = self.first.at
        # In a URI, brackets and `@` may be escaped or not.
        plan = {"command": host.command, "language": self.first.language, "line": line,
                "character": character, "other": "other(1)@" + self.first.name}
        (folder / plan["other"]).write_text(self.first.text, encoding="utf-8")
        environment = {"PLAN": json.dumps(plan), "XDG_CACHE_HOME": str(folder / ".cache"),
                       "XDG_STATE_HOME": str(folder / ".state")}
        host.run(["nvim", "--headless", "--clean", "-i", "NONE", "-n", "-u", str(SCRIPT), self.first.name],
                 environment)
