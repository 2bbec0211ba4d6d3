#!/usr/bin/env python3
"""An example plugin of the Model Context Protocol 2025-06-18: a shelf of notes, one message per
line.

Tools that add, count with progress, and call back (sampling, elicitation, roots); notes as
resources that can be subscribed to; a prompt, completion, logging. Reads one message at a time;
waits for answers to its own requests in the middle of a call. Standard library only.
"""

import json
import sys

VERSION = "2025-06-18"
METHOD_NOT_FOUND, INVALID_PARAMS, NOT_FOUND = -32601, -32602, -32002
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


NUMBER, STRING = {"type": "number"}, {"type": "string"}
TOOLS = [
    {"name": "add", "title": "Add", "description": "Adds two numbers",
     "inputSchema": schema(a=NUMBER, b=NUMBER), "outputSchema": schema(sum=NUMBER),
     "annotations": {"readOnlyHint": True, "idempotentHint": True}},
    {"name": "count", "description": "Counts slowly", "inputSchema": schema(to=NUMBER)},
    {"name": "ask", "description": "Asks the model and the user",
     "inputSchema": {"type": "object"}},
    {"name": "write", "description": "Writes a note",
     "inputSchema": schema(name=STRING, text=STRING)},
]
PROMPTS = [{"name": "greet", "title": "Greet", "description": "A greeting",
            "arguments": [{"name": "who", "description": "whom", "required": True}]}]
PEOPLE = ["Ada", "Alan", "Grace"]


class Failed(Exception):
    def __init__(self, code, message, **data):
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data else {})}


def text(words):
    return {"type": "text", "text": words}


class Notes:
    def __init__(self):
        self.notes = {"tea": "Grüße 👋", "bread": "two loaves"}
        self.subscribed, self.queue = set(), []
        self.next_id, self.level = 0, "info"
        self.methods = {
            "initialize": self.initialize, "ping": lambda params: {},
            "tools/list": self.list_tools, "tools/call": self.call_tool,
            "resources/list": self.list_resources,
            "resources/templates/list": lambda params: {"resourceTemplates": [
                {"uriTemplate": "note:///{name}", "name": "note", "mimeType": "text/plain"}]},
            "resources/read": self.read, "resources/subscribe": self.subscribe,
            "resources/unsubscribe": self.unsubscribe,
            "prompts/list": lambda params: {"prompts": PROMPTS}, "prompts/get": self.prompt,
            "completion/complete": self.complete, "logging/setLevel": self.set_level,
        }

    # Talking

    def send(self, message):
        print(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False), flush=True)

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def log(self, level, data):
        if LEVELS.index(level) >= LEVELS.index(self.level):
            self.notify("notifications/message", level=level, logger="notes", data=data)

    def call(self, method, params=None):
        """Sends a request to the host. Ids count from 0, as the host's own do; other requests wait.
        """
        request_id, self.next_id = self.next_id, self.next_id + 1
        self.send({"id": request_id, "method": method, **({"params": params} if params else {})})
        for line in sys.stdin:
            message = json.loads(line)
            if "method" not in message and message["id"] == request_id:
                if "error" in message:
                    raise Failed(-32603, f"{method}: {message['error']['message']}")
                return message["result"]
            self.queue.append(message)
        raise EOFError

    def messages(self):
        for line in sys.stdin:
            yield json.loads(line)
            while self.queue:
                yield self.queue.pop(0)

    # Answering

    def initialize(self, params):
        return {
            "protocolVersion": VERSION,
            "capabilities": {
                "logging": {}, "completions": {}, "prompts": {"listChanged": True},
                "resources": {"subscribe": True, "listChanged": True},
                "tools": {"listChanged": True},
            },
            "serverInfo": {"name": "example-notes", "title": "Notes", "version": "1.0.0"},
            "instructions": "Notes are resources; write makes one.",
        }

    def initialized(self):
        roots = self.call("roots/list")["roots"]
        self.log("info", {"roots": [root["uri"] for root in roots]})

    def list_tools(self, params):
        """Two per page."""
        if params.get("cursor") == "more":
            return {"tools": TOOLS[2:]}
        return {"tools": TOOLS[:2], "nextCursor": "more"}

    def call_tool(self, params):
        name, given = params["name"], params.get("arguments", {})
        if name == "add":
            found = given["a"] + given["b"]
            return {"content": [text(str(found))], "structuredContent": {"sum": found}}
        if name == "count":
            token = params.get("_meta", {}).get("progressToken")
            for done in range(1, given["to"] + 1) if token is not None else []:
                progress = {"progress": done, "total": given["to"], "message": f"counted {done}"}
                self.notify("notifications/progress", progressToken=token, **progress)
            return {"content": [text("done")]}
        if name == "ask":
            return {"content": self.ask()}
        if name == "write":
            return self.write(given["name"], given["text"])
        raise Failed(INVALID_PARAMS, f"Unknown tool: {name}")

    def ask(self):
        said = self.call("sampling/createMessage", {
            "messages": [{"role": "user", "content": text("tea?")}], "maxTokens": 9,
            "modelPreferences": {"hints": [{"name": "small"}], "costPriority": 0.9},
            "systemPrompt": "Be short.", "includeContext": "none"})
        form = self.call("elicitation/create", {
            "message": "How much?", "requestedSchema": schema(sugar={"type": "integer"})})
        sugar = form["content"]["sugar"] if form["action"] == "accept" else "no"
        link = {"type": "resource_link", "uri": "note:///tea", "name": "tea"}
        return [text(f"{said['content']['text']}, {sugar} sugar"), link]

    def write(self, name, words):
        if not words:
            return {"content": [text("a note needs a text")], "isError": True}
        new, self.notes[name] = name not in self.notes, words
        uri = f"note:///{name}"
        if new:
            self.notify("notifications/resources/list_changed")
        if uri in self.subscribed:
            self.notify("notifications/resources/updated", uri=uri)
        self.log("debug", "written")
        self.log("warning", f"{len(self.notes)} notes")
        return {"content": [{"type": "resource", "resource": self.contents(uri)}]}

    def contents(self, uri):
        name = uri.removeprefix("note:///")
        if name not in self.notes:
            raise Failed(NOT_FOUND, "Resource not found", uri=uri)
        return {"uri": uri, "mimeType": "text/plain", "text": self.notes[name]}

    def list_resources(self, params):
        return {"resources": [{"uri": f"note:///{name}", "name": name, "mimeType": "text/plain",
                               "size": len(words.encode())} for name, words in self.notes.items()]}

    def read(self, params):
        return {"contents": [self.contents(params["uri"])]}

    def subscribe(self, params):
        self.subscribed.add(params["uri"])
        return {}

    def unsubscribe(self, params):
        self.subscribed.discard(params["uri"])
        return {}

    def prompt(self, params):
        who = params.get("arguments", {})["who"]
        return {"description": "A greeting",
                "messages": [{"role": "user", "content": text(f"Greet {who}.")}]}

    def complete(self, params):
        start = params["argument"]["value"]
        values = [name for name in PEOPLE if name.startswith(start)]
        return {"completion": {"values": values, "total": len(values), "hasMore": False}}

    def set_level(self, params):
        self.level = params["level"]
        return {}

    def answer(self, request):
        try:
            if request["method"] not in self.methods:
                raise Failed(METHOD_NOT_FOUND, "Method not found")
            reply = {"result": self.methods[request["method"]](request.get("params", {}))}
        except Failed as failed:
            reply = {"error": failed.error}
        except KeyError as missing:
            reply = {"error": {"code": INVALID_PARAMS, "message": f"params lack {missing}"}}
        self.send({"id": request["id"], **reply})


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    notes = Notes()
    for message in notes.messages():
        if "method" in message and "id" in message:
            notes.answer(message)
        elif message.get("method") == "notifications/initialized":
            notes.initialized()
        elif message.get("method") == "notifications/roots/list_changed":
            notes.notify("notifications/tools/list_changed")
            notes.notify("notifications/prompts/list_changed")
        # notifications/cancelled comes too late: the request was answered.


if __name__ == "__main__":
    main()
