"""clangd, recorded and then replayed against clangd. Usage: MIDWIRE WORK_FOLDER

More than clangd_test.py asks: edits, two rounds of diagnostics, a fix that clangd applies by a reverse
request (workspace/applyEdit) inside a pending call, a cancelled request.
"""

import json
import shutil
import sys

from replayed import fresh_folder, nothing_to_suggest, record, replay_green, to_cassette

SOURCE = """\
// Grüße: not ASCII, so that lengths in bytes and in characters differ.
#include <vector>
/// Adds up.
int sum(const std::vector<int>& numbers) {
  int total = 0;
  for (int number : numbers) total += number;
  return total;
}
struct Account { int balance = 0; void pay(int amount) { balance -= amount; } };
int main() { Account mine; mine.pay(3); return sum({1, 2, 3}) + undeclared; }
"""
# Lacks a semicolon, which clangd can fix.
BROKEN = SOURCE.replace("+ undeclared; }", "+ mine.balance }")

PLUGIN = [shutil.which("clangd"), "--background-index", "--clang-tidy=false"]

# The progress of the index depends on what was indexed before and on the machine's speed. A cancelled
# request is answered or refused, depending on clangd's speed.
HEADER = {
    "volatile": ["$/progress"],
    "ignore": ["textDocument/documentSymbol:/result", "textDocument/documentSymbol:/error"],
}


def session(host, folder):
    uri = (folder / "sum.cc").as_uri()
    of_document = {"textDocument": {"uri": uri}}

    def at(line, character):
        return {**of_document, "position": {"line": line, "character": character}}

    capabilities = {
        "window": {"workDoneProgress": True},
        "workspace": {"applyEdit": True},
        "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
    }
    root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
    assert host.call(0, "initialize", root)["capabilities"]["hoverProvider"]
    host.notify("initialized", {})

    document = {"uri": uri, "languageId": "cpp", "version": 1, "text": SOURCE}
    host.notify("textDocument/didOpen", {"textDocument": document})
    asked = host.wait_method("window/workDoneProgress/create")
    host.send({"id": asked["id"], "result": None})
    host.wait_until(lambda m: m.get("params", {}).get("value", {}).get("kind") == "end", "index")
    found = host.wait_method("textDocument/publishDiagnostics")["params"]["diagnostics"]
    assert any("undeclared" in problem["message"] for problem in found), found

    hover = host.call("hover-1", "textDocument/hover", at(3, 5))
    assert "Adds up" in hover["contents"]["value"], hover
    uses = {**at(3, 5), "context": {"includeDeclaration": True}}
    assert len(host.call(1, "textDocument/references", uses)) == 2
    assert host.call(2, "textDocument/documentHighlight", at(4, 7))
    assert host.call(3, "textDocument/semanticTokens/full", of_document)["data"]
    done = host.call(5, "textDocument/completion", at(9, 32))
    assert any(item["filterText"] == "pay" for item in done["items"]), done
    assert host.call(6, "textDocument/signatureHelp", at(9, 37))["signatures"]
    renamed = host.call(7, "textDocument/rename", {**at(3, 5), "newName": "add_up"})
    assert len(renamed["changes"][uri]) == 2, renamed
    options = {"tabSize": 2, "insertSpaces": True}
    assert host.call(8, "textDocument/formatting", {**of_document, "options": options})

    # Three at once, one of them given up; clangd may have been faster than the cancel.
    host.request(9, "textDocument/documentSymbol", of_document)
    host.request(10, "textDocument/definition", at(9, 49))
    host.request(11, "textDocument/hover", at(8, 8))
    host.notify("$/cancelRequest", {"id": 9})
    answers = {}
    while len(answers) < 3:
        answer = host.wait_until(lambda m: "method" not in m, "three answers")
        answers[answer["id"]] = answer
    assert answers[9].get("error", {"code": -32800})["code"] == -32800, answers[9]
    assert answers[10]["result"][0]["range"]["start"]["line"] == 3, answers[10]

    versioned = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": BROKEN}]}
    host.notify("textDocument/didChange", versioned)
    found = host.wait_method("textDocument/publishDiagnostics")["params"]["diagnostics"]
    assert "Expected ';'" in found[0]["message"], found
    wanted = {**of_document, "range": found[0]["range"], "context": {"diagnostics": found}}
    (fix,) = host.call(12, "textDocument/codeAction", wanted)
    host.request(13, "workspace/executeCommand", {k: fix[k] for k in ("command", "arguments")})
    asked = host.wait_method("workspace/applyEdit")
    assert ";" in json.dumps(asked["params"]["edit"]["changes"]), asked
    host.send({"id": asked["id"], "result": {"applied": True}})
    assert host.wait_answer(13)["result"] == "Fix applied."

    host.request(14, "no/such/method", {})
    assert host.wait_answer(14)["error"]["code"] == -32601
    assert host.call(15, "shutdown", None) is None
    host.notify("exit", {})


def main(midwire, work):
    assert PLUGIN[0], "clangd is not installed: tools/test installs it"
    folder = fresh_folder(work)
    (folder / "sum.cc").write_text(SOURCE, encoding="utf-8")
    command = {"directory": str(folder), "file": "sum.cc", "arguments": ["g++", "-c", "sum.cc"]}
    (folder / "compile_commands.json").write_text(json.dumps([command]))

    tape, cassette = folder / "session.pcapng", folder / "session.jsonl"
    record(midwire, tape, PLUGIN, "content-length", lambda host: session(host, folder), folder)
    to_cassette(midwire, tape, cassette, **HEADER)
    replay_green(midwire, cassette, PLUGIN, folder)
    nothing_to_suggest(midwire, cassette, PLUGIN, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
