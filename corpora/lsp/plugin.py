#!/usr/bin/env python3
"""An example plugin of the Language Server Protocol: a language of lines "name = value".

JSON-RPC behind Content-Length headers. Knows names and where they are set and used, reports lines
that are neither empty nor set a name, formats, renames, colours; asks its host for configuration,
shows progress, applies an edit. Reads one message at a time; what comes while it waits for its host
is kept for later. Standard library only.
"""

import json
import re
import sys

METHOD_NOT_FOUND, INVALID_REQUEST, INVALID_PARAMS = -32601, -32600, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800
CAPABILITIES = {
    "positionEncoding": "utf-16",
    "textDocumentSync": {"openClose": True, "change": 1, "save": {"includeText": True}},
    "hoverProvider": True, "completionProvider": {"triggerCharacters": ["="]},
    "definitionProvider": True, "referencesProvider": True, "documentSymbolProvider": True,
    "codeActionProvider": True, "documentFormattingProvider": True, "renameProvider": True,
    "semanticTokensProvider": {"legend": {"tokenTypes": ["variable"], "tokenModifiers": []},
                               "full": True},
    "executeCommandProvider": {"commands": ["lines.sort", "lines.wait"]},
}


class Failed(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.error = {"code": code, "message": message}


def read_message(stream):
    """The next message, None at the end. Headers other than Content-Length are ignored."""
    length = None
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return None if length is None else json.loads(stream.read(length))


def units(text):
    """The length that positions count: UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def span(line, start, end):
    return {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }


class Lines:
    def __init__(self):
        self.texts = {}
        self.ready, self.ended = False, None
        self.next_id, self.queue = 1, []
        self.requests = {
            "textDocument/hover": self.hover, "textDocument/completion": self.completion,
            "textDocument/definition": self.definition,
            "textDocument/references": self.references,
            "textDocument/documentSymbol": self.symbols,
            "textDocument/codeAction": self.actions, "textDocument/formatting": self.format,
            "textDocument/rename": self.rename,
            "textDocument/semanticTokens/full": self.tokens,
            "workspace/executeCommand": self.execute, "shutdown": self.shutdown,
        }
        self.notifications = {
            "initialized": self.initialized, "textDocument/didOpen": self.opened,
            "textDocument/didChange": self.changed, "textDocument/didSave": self.saved,
            "textDocument/didClose": self.closed,
        }

    # Talking

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        sys.stdout.buffer.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        return self.queue.pop(0) if self.queue else read_message(sys.stdin.buffer)

    def wait(self, wanted):
        """The next message of which wanted(message) is true; the others are kept."""
        while (message := read_message(sys.stdin.buffer)) is not None:
            if wanted(message):
                return message
            self.queue.append(message)
        raise EOFError

    def call(self, method, params):
        request_id, self.next_id = self.next_id, self.next_id + 1
        self.send({"id": request_id, "method": method, "params": params})
        answer = self.wait(lambda each: "method" not in each and each["id"] == request_id)
        if "error" in answer:
            raise Failed(-32603, f"{method}: {answer['error']['message']}")
        return answer["result"]

    # Life

    def initialize(self, params):
        self.ready = True
        return {"capabilities": CAPABILITIES, "serverInfo": {"name": "lines", "version": "1.0.0"}}

    def initialized(self, params):
        watched = {"watchers": [{"globPattern": "**/*.lines"}]}
        self.call("client/registerCapability", {"registrations": [
            {"id": "watch-1", "method": "workspace/didChangeWatchedFiles",
             "registerOptions": watched}]})
        (config,) = self.call("workspace/configuration", {"items": [{"section": "lines"}]})
        self.notify("window/logMessage", {"type": 3, "message": f"configured: {config}"})

    def shutdown(self, params):
        self.call("client/unregisterCapability", {"unregisterations": [
            {"id": "watch-1", "method": "workspace/didChangeWatchedFiles"}]})
        self.ended = 0

    # Documents

    def opened(self, params):
        self.check(params["textDocument"], params["textDocument"]["text"])

    def changed(self, params):
        self.check(params["textDocument"], params["contentChanges"][-1]["text"])

    def saved(self, params):
        self.notify("window/showMessage", {"type": 4, "message": "saved"})

    def closed(self, params):
        del self.texts[params["textDocument"]["uri"]]

    def check(self, document, text):
        uri = document["uri"]
        self.texts[uri] = text.split("\n")
        wrong = [
            {"range": span(at, 0, units(line)), "severity": 1, "code": "no-name", "source": "lines",
             "message": "a line sets a name"}
            for at, line in enumerate(self.texts[uri]) if line and "=" not in line
        ]
        told = {"uri": uri, "version": document["version"], "diagnostics": wrong}
        self.notify("textDocument/publishDiagnostics", told)

    def lines(self, params):
        uri = params["textDocument"]["uri"]
        if uri not in self.texts:
            raise Failed(INVALID_PARAMS, f"not open: {uri}")
        return uri, self.texts[uri]

    def places(self, params):
        """The name at a position, and all of its places: (line, start, end)."""
        _, lines = self.lines(params)
        at, column = params["position"]["line"], params["position"]["character"]
        for found in re.finditer(r"\w+", lines[at]):
            if found.start() <= column <= found.end():
                name = re.compile(rf"\b{found[0]}\b")
                return found[0], [(number, one.start(), one.end())
                                  for number, line in enumerate(lines)
                                  for one in name.finditer(line)]
        return None, []

    # Requests

    def hover(self, params):
        name, places = self.places(params)
        if name is None:
            return None
        told = {"kind": "markdown", "value": f"`{name}`: {len(places)} places"}
        return {"contents": told, "range": span(*places[0])}

    def completion(self, params):
        _, lines = self.lines(params)
        names = [line.split("=")[0].strip() for line in lines if "=" in line]
        items = [{"label": name, "kind": 6, "insertText": name, "insertTextFormat": 1}
                 for name in names]
        return {"isIncomplete": False, "items": items}

    def definition(self, params):
        uri, _ = self.lines(params)
        return [{"uri": uri, "range": span(*place)} for place in self.places(params)[1][:1]]

    def references(self, params):
        uri, _ = self.lines(params)
        skip = 0 if params["context"]["includeDeclaration"] else 1
        return [{"uri": uri, "range": span(*place)} for place in self.places(params)[1][skip:]]

    def symbols(self, params):
        _, lines = self.lines(params)
        return [
            {"name": line.split("=")[0].strip(), "kind": 13, "range": span(at, 0, units(line)),
             "selectionRange": span(at, 0, len(line.split("=")[0].strip()))}
            for at, line in enumerate(lines) if "=" in line
        ]

    def actions(self, params):
        uri, _ = self.lines(params)
        return [
            {"title": "Remove this line", "kind": "quickfix", "diagnostics": [wrong],
             "edit": {"changes": {uri: [{"range": wrong["range"], "newText": ""}]}}}
            for wrong in params["context"]["diagnostics"]
        ] + [{"title": "Sort", "command": "lines.sort", "arguments": [uri]}]

    def format(self, params):
        _, lines = self.lines(params)
        edits = []
        for at, line in enumerate(lines):
            tidy = " = ".join(part.strip() for part in line.split("=", 1))
            if tidy != line:
                edits.append({"range": span(at, 0, units(line)), "newText": tidy})
        return edits

    def rename(self, params):
        uri, _ = self.lines(params)
        edits = [{"range": span(*place), "newText": params["newName"]}
                 for place in self.places(params)[1]]
        return {"changes": {uri: edits}} if edits else None

    def tokens(self, params):
        _, lines = self.lines(params)
        data, last = [], 0
        for at, line in enumerate(lines):
            if "=" in line:
                data += [at - last, 0, len(line.split("=")[0].strip()), 0, 0]
                last = at
        return {"data": data}

    def execute(self, params):
        if params["command"] == "lines.wait":
            self.wait(lambda message: message.get("method") == "$/cancelRequest")
            raise Failed(CANCELLED, "cancelled")
        (uri,) = params["arguments"]
        self.call("window/workDoneProgress/create", {"token": "sort"})
        for value in ({"kind": "begin", "title": "Sorting", "percentage": 0},
                      {"kind": "report", "percentage": 50}, {"kind": "end"}):
            self.notify("$/progress", {"token": "sort", "value": value})
        lines = self.texts[uri]
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
        edit = {"changes": {uri: [{"range": whole, "newText": "\n".join(sorted(lines))}]}}
        return self.call("workspace/applyEdit", {"label": "Sort", "edit": edit})["applied"]

    def answer(self, request):
        method = self.requests.get(request["method"])
        try:
            if request["method"] == "initialize":
                method = self.initialize
            elif not self.ready:
                raise Failed(NOT_INITIALIZED, "initialize comes first")
            elif self.ended is not None:
                raise Failed(INVALID_REQUEST, "shutdown was the last request")
            if method is None:
                raise Failed(METHOD_NOT_FOUND, f"method not found: {request['method']}")
            reply = {"result": method(request.get("params") or {})}
        except Failed as failed:
            reply = {"error": failed.error}
        except (KeyError, IndexError, ValueError) as wrong:
            reply = {"error": {"code": INVALID_PARAMS, "message": f"invalid params: {wrong}"}}
        self.send({"id": request["id"], **reply})

    def serve(self):
        """Until exit: 0 when shutdown came before it, else 1."""
        while (message := self.receive()) is not None and message.get("method") != "exit":
            if "method" not in message:
                continue
            if "id" in message:
                self.answer(message)
            else:
                self.notifications.get(message["method"], lambda params: None)(
                    message.get("params") or {}
                )
        return 1 if self.ended is None else self.ended


if __name__ == "__main__":
    sys.exit(Lines().serve())
