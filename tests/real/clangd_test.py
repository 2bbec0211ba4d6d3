"""clangd over the Language Server Protocol, recorded. Usage: MIDWIRE WORK_FOLDER

Content-Length framing, a reverse request (window/workDoneProgress/create), notifications, a cancelled
request, shutdown and exit.
"""

import json
import pathlib
import shutil
import sys

from checked import checked
from held_against_tape import hold
from scripted_host import ScriptedHost

SOURCE = """\
// Grüße: not ASCII, so that lengths in bytes and in characters differ.
#include <vector>
/// Adds up.
int sum(const std::vector<int>& numbers) {
  int total = 0;
  for (int number : numbers) total += number;
  return total;
}
int main() { return sum({1, 2, 3}) + undeclared; }
"""


def at(line, character, uri):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def session(host, folder):
    uri = (folder / "sum.cc").as_uri()
    capabilities = {"window": {"workDoneProgress": True}}
    root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
    assert host.call(0, "initialize", root)["capabilities"]["hoverProvider"]
    host.notify("initialized", {})

    document = {"uri": uri, "languageId": "cpp", "version": 1, "text": SOURCE}
    host.notify("textDocument/didOpen", {"textDocument": document})
    # A reverse request: clangd asks for permission to report its progress. Ids collide with the host's.
    asked = host.wait_method("window/workDoneProgress/create")
    host.send({"id": asked["id"], "result": None})
    host.wait_until(lambda m: m.get("params", {}).get("value", {}).get("kind") == "end", "index")

    found = host.wait_method("textDocument/publishDiagnostics")["params"]["diagnostics"]
    assert any("undeclared" in problem["message"] for problem in found), found

    hover = host.call("hover-1", "textDocument/hover", at(3, 5, uri))
    assert "Adds up" in hover["contents"]["value"], hover

    # Two at once, the first given up; clangd may have been faster than the cancel.
    host.request(2, "textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    host.request(3, "textDocument/definition", at(8, 21, uri))
    host.notify("$/cancelRequest", {"id": 2})
    answers = {}
    while len(answers) < 2:
        answer = host.wait_until(lambda m: "method" not in m, "two answers")
        answers[answer["id"]] = answer
    assert answers[2].get("error", {"code": -32800})["code"] == -32800, answers[2]
    assert answers[3]["result"][0]["range"]["start"]["line"] == 3, answers[3]

    host.request(4, "no/such/method", {})
    assert host.wait_answer(4)["error"]["code"] == -32601
    assert host.call(5, "shutdown", None) is None
    host.notify("exit", {})


def main(midwire, work):
    clangd = shutil.which("clangd")
    assert clangd, "clangd is not installed: tools/test installs it"
    shutil.rmtree(work, ignore_errors=True)
    folder = pathlib.Path(work).resolve()
    folder.mkdir(parents=True)
    (folder / "sum.cc").write_text(SOURCE, encoding="utf-8")
    command = {"directory": str(folder), "file": "sum.cc", "arguments": ["g++", "-c", "sum.cc"]}
    (folder / "compile_commands.json").write_text(json.dumps([command]))
    tape = str(folder / "session.pcapng")

    plugin = [clangd, "--background-index", "--clang-tidy=false"]
    host = ScriptedHost([midwire, "record", "-o", tape, "--"] + plugin, "content-length", cwd=folder)
    try:
        session(host, folder)
        assert host.close() == 0, f"exit {host.process.returncode}; log:\n{host.log.decode()}"
    finally:
        host.kill()
    hold(midwire, tape, host)
    # The unknown method.
    unknown = checked(midwire, tape, "lsp", tolerated=["method.unknown"])
    assert [found["method"] for found in unknown] == ["no/such/method"], unknown


if __name__ == "__main__":
    main(*sys.argv[1:])
