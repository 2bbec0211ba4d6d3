#!/usr/bin/env python3
"""An example host of the Language Server Protocol: starts a plugin, asks it, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Exits 0 if all answers are as expected and the plugin exits with 0, else 1 with a line on stderr.
Standard library only.
"""

import json
import subprocess
import sys

URI = "file:///home/ada/lsp/a.lines"
TEXT = "tea = 1 # Grüße 👋\nmilk=2\nboth = tea + milk\nnothing\n"


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Plugin:
    """The plugin as the host sees it: answers its requests while it waits."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0
        self.heard, self.asked = [], []
        self.answers = {
            "client/registerCapability": None, "client/unregisterCapability": None,
            "workspace/configuration": [{"tidy": True}], "window/workDoneProgress/create": None,
            "workspace/applyEdit": {"applied": True},
        }

    def send(self, message, header=b""):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        frame = b"Content-Length: %d\r\n%s\r\n%s" % (len(body), header, body)
        self.process.stdin.write(frame)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        """An answer; None if something else came, which is handled."""
        header = self.process.stdout.readline()
        if not header.startswith(b"Content-Length: ") or self.process.stdout.readline() != b"\r\n":
            raise WrongAnswer(f"no header: {header!r}")
        message = json.loads(self.process.stdout.read(int(header[16:])))
        if "method" not in message:
            return message
        if "id" in message:
            self.asked.append(message["method"])
            self.send({"id": message["id"], "result": self.answers[message["method"]]})
        else:
            self.heard.append((message["method"], message["params"]))
        return None

    def hear(self, method):
        """Waits for a notification."""
        while not self.heard:
            self.receive()
        name, params = self.heard.pop(0)
        expect("notification", name, method)
        return params

    def request(self, method, params, header=b""):
        request_id, self.next_id = self.next_id, self.next_id + 1
        self.send({"id": request_id, "method": method, "params": params}, header)
        return request_id

    def wait_for(self, request_id):
        while (message := self.receive()) is None:
            pass
        expect("id", message["id"], request_id)
        return message

    def result(self, method, params, header=b""):
        message = self.wait_for(self.request(method, params, header))
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        print(f"{method}: {json.dumps(message['result'])[:100]}")
        return message["result"]

    def error(self, method, params):
        return self.wait_for(self.request(method, params))["error"]["code"]


def at(line, character):
    return {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}


def start(plugin):
    told = plugin.result("initialize", {
        "processId": None, "clientInfo": {"name": "example-host", "version": "1.0.0"},
        "rootUri": "file:///home/ada/lsp", "trace": "off",
        "workspaceFolders": [{"uri": "file:///home/ada/lsp", "name": "lsp"}],
        "capabilities": {
            "window": {"workDoneProgress": True},
            "workspace": {"configuration": True, "applyEdit": True,
                          "didChangeWatchedFiles": {"dynamicRegistration": True}}}})
    expect("name", told["serverInfo"]["name"], "lines")
    plugin.notify("initialized", {})
    expect("log", plugin.hear("window/logMessage")["type"], 3)
    expect("asked", plugin.asked, ["client/registerCapability", "workspace/configuration"])


def document(plugin):
    opened = {"uri": URI, "languageId": "lines", "version": 1, "text": TEXT}
    plugin.notify("textDocument/didOpen", {"textDocument": opened})
    (wrong,) = plugin.hear("textDocument/publishDiagnostics")["diagnostics"]
    expect("wrong line", wrong["range"]["start"]["line"], 3)

    # With an optional header.
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    hover = plugin.result("textDocument/hover", at(2, 8), kind)
    expect("hover", hover["contents"]["value"], "`tea`: 2 places")
    expect("no hover", plugin.result("textDocument/hover", at(4, 0)), None)
    items = plugin.result("textDocument/completion", {**at(2, 7), "context": {"triggerKind": 1}})
    expect("completion", [item["label"] for item in items["items"]], ["tea", "milk", "both"])
    (place,) = plugin.result("textDocument/definition", at(2, 8))
    expect("definition", place["range"]["start"], {"line": 0, "character": 0})
    context = {"includeDeclaration": False}
    found = plugin.result("textDocument/references", {**at(1, 0), "context": context})
    expect("references", [each["range"]["start"]["line"] for each in found], [2])
    this = {"textDocument": {"uri": URI}}
    symbols = plugin.result("textDocument/documentSymbol", this)
    expect("symbols", [symbol["name"] for symbol in symbols], ["tea", "milk", "both"])
    fixes = plugin.result("textDocument/codeAction", {
        **this, "range": wrong["range"], "context": {"diagnostics": [wrong]}})
    expect("actions", [fix["title"] for fix in fixes], ["Remove this line", "Sort"])
    options = {"tabSize": 2, "insertSpaces": True}
    (edit,) = plugin.result("textDocument/formatting", {**this, "options": options})
    expect("formatted", edit["newText"], "milk = 2")
    renamed = plugin.result("textDocument/rename", {**at(0, 1), "newName": "chai"})
    expect("renamed", len(renamed["changes"][URI]), 2)
    tokens = plugin.result("textDocument/semanticTokens/full", this)["data"]
    expect("tokens", tokens[:10], [0, 0, 3, 0, 0, 1, 0, 4, 0, 0])


def work(plugin):
    sort = {"command": "lines.sort", "arguments": [URI]}
    expect("applied", plugin.result("workspace/executeCommand", sort), True)
    for kind in "begin", "report", "end":
        expect("progress", plugin.hear("$/progress")["value"]["kind"], kind)
    waits = plugin.request("workspace/executeCommand", {"command": "lines.wait"})
    plugin.notify("$/cancelRequest", {"id": waits})
    expect("cancelled", plugin.wait_for(waits)["error"]["code"], -32800)
    gone = {"textDocument": {"uri": "file:///gone"}}
    expect("not open", plugin.error("textDocument/documentSymbol", gone), -32602)
    expect("no such method", plugin.error("textDocument/codeLens", gone), -32601)


def end(plugin):
    this = {"uri": URI, "version": 2}
    change = {"textDocument": this, "contentChanges": [{"text": "tea = 1\n"}]}
    plugin.notify("textDocument/didChange", change)
    expect("all well", plugin.hear("textDocument/publishDiagnostics")["diagnostics"], [])
    plugin.notify("textDocument/didSave", {"textDocument": {"uri": URI}, "text": "tea = 1\n"})
    expect("saved", plugin.hear("window/showMessage")["message"], "saved")
    plugin.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    expect("shutdown", plugin.result("shutdown", None), None)
    plugin.notify("exit", None)
    expect("end of output", plugin.process.stdout.read(), b"")
    plugin.process.stdin.close()
    expect("exit status", plugin.process.wait(timeout=10), 0)


def main(command):
    if command[:1] == ["--"]:
        command = command[1:]
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        plugin = Plugin(command)
    except OSError as error:
        print(f"host: cannot start the plugin: {error}", file=sys.stderr)
        return 1
    try:
        for part in start, document, work, end:
            part(plugin)
    except (WrongAnswer, ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError,
            subprocess.TimeoutExpired) as wrong:
        print(f"host: {wrong!r}", file=sys.stderr)
        plugin.process.kill()
        plugin.process.wait()
        return 1
    print("host: all answers as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
