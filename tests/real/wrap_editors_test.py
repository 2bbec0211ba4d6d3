"""What `midwire wrap --snippet` prints, pasted into neovim and emacs: clangd's session is recorded.

Usage: MIDWIRE WORK_FOLDER
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

from replayed import fresh_folder, run

# Opens the file, waits until the server has answered, and quits.
NVIM_END = """
vim.api.nvim_create_autocmd('VimEnter', { callback = function()
  local ready = vim.wait(20000, function()
    local client = vim.lsp.get_client_by_id(midwire_client())
    return client and client.initialized
  end, 20)
  vim.cmd(ready and 'quitall!' or 'cquit 1')
end })
"""
EMACS_END = """
(progn
  (package-initialize)
  (require 'eglot)
  (load "{snippet}")
  (setq eglot-sync-connect 20 eglot-autoshutdown nil)
  (find-file "{source}")
  (c++-mode)
  (apply #'eglot (eglot--guess-contact))
  (unless (eglot-managed-p) (kill-emacs 1))
  (eglot-shutdown (eglot-current-server))
  (kill-emacs 0))
"""


def methods(midwire, folder):
    """The calls of the one session in the default folder of tapes."""
    tapes = list((folder / "state" / "midwire").glob("clangd-*.pcapng"))
    assert len(tapes) == 1, tapes
    shown = subprocess.run([midwire, "show", "--json", str(tapes[0])], check=True, stdout=subprocess.PIPE)
    lines = [json.loads(line) for line in shown.stdout.splitlines()]
    return [line.get("method") for line in lines if line.get("kind") == "response"]


def nvim(midwire, folder, snippet):
    # The snippet's variable is local to its chunk: the end of the file can name it.
    config = folder / "init.lua"
    name = "function midwire_client() return midwire_clangd or -1 end\n"
    config.write_text(snippet + name + NVIM_END, encoding="utf-8")
    run("nvim", "--headless", "--clean", "-i", "NONE", "-n", "-u", str(config), "sum.cc", cwd=folder,
        env=environment(folder), stdin=None)
    assert "initialize" in methods(midwire, folder), methods(midwire, folder)


def emacs(midwire, folder, snippet):
    config = folder / "init.el"
    config.write_text(snippet, encoding="utf-8")
    program = EMACS_END.format(snippet=config, source=folder / "sum.cc")
    run("emacs", "-q", "--batch", "--eval", program, cwd=folder, env=environment(folder), stdin=None)
    answered = methods(midwire, folder)
    assert "initialize" in answered and "shutdown" in answered, answered


def environment(folder):
    return {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}


def main(midwire, work):
    for program in "nvim", "emacs", "clangd":
        assert shutil.which(program), f"{program} is not installed: tools/test installs it"
    for name, check in ("nvim", nvim), ("emacs", emacs):
        folder = fresh_folder(pathlib.Path(work) / name)
        (folder / "sum.cc").write_text("int main() { return 0; }\n", encoding="utf-8")
        made = subprocess.run(
            [midwire, "wrap", "--snippet", name, "--", "clangd", "--background-index=false"], check=True,
            stdout=subprocess.PIPE)
        check(midwire, folder, made.stdout.decode())
        print(f"{name}: recorded with what --snippet printed")


if __name__ == "__main__":
    main(*sys.argv[1:])
