#!/usr/bin/env python3
"""An example host of the Model Context Protocol 2025-06-18: starts a plugin, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Exits 0 if all answers are as expected and the plugin ends with its input, else 1 with a line on
stderr. Standard library only.
"""

import json
import subprocess
import sys

VERSION = "2025-06-18"
ROOTS = [{"uri": "file:///home/ada/notes", "name": "Notes"}]


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Plugin:
    """The plugin as the host sees it: answers the plugin's own requests while it waits."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0
        self.heard = []
        self.answers = {
            "roots/list": {"roots": ROOTS},
            "sampling/createMessage": {
                "role": "assistant", "model": "example-small", "stopReason": "endTurn",
                "content": {"type": "text", "text": "with milk"}},
            "elicitation/create": {"action": "accept", "content": {"sugar": 2}},
            "ping": {},
        }

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def notify(self, method, params=None):
        self.send({"method": method, **({"params": params} if params else {})})

    def receive(self):
        """An answer; None if something else came, which is handled."""
        line = self.process.stdout.readline()
        if not line:
            raise WrongAnswer("the plugin closed its output")
        message = json.loads(line)
        if "method" not in message:
            return message
        if "id" not in message:
            self.heard.append((message["method"], message.get("params", {})))
        elif message["method"] in self.answers:
            self.send({"id": message["id"], "result": self.answers[message["method"]]})
        else:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "not here"}})
        return None

    def hear(self, method):
        """Waits for a notification; returns its params."""
        while True:
            for at, (name, params) in enumerate(self.heard):
                if name == method:
                    del self.heard[at]
                    return params
            if self.receive() is not None:
                raise WrongAnswer("an answer to no request")

    def call(self, method, params=None):
        request_id, self.next_id = self.next_id, self.next_id + 1
        self.send({"id": request_id, "method": method, **({"params": params} if params else {})})
        while (message := self.receive()) is None:
            pass
        expect("id", message["id"], request_id)
        return message

    def result(self, method, params=None):
        message = self.call(method, params)
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        print(f"{method}: {json.dumps(message['result'], ensure_ascii=False)[:100]}")
        return message["result"]

    def error(self, method, params=None):
        return self.call(method, params)["error"]["code"]

    def tool(self, name, arguments, **meta):
        params = {"name": name, "arguments": arguments, **({"_meta": meta} if meta else {})}
        return self.result("tools/call", params)


def start(plugin):
    told = plugin.result("initialize", {
        "protocolVersion": VERSION,
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}},
        "clientInfo": {"name": "example-host", "version": "1.0.0"}})
    expect("version", told["protocolVersion"], VERSION)
    plugin.notify("notifications/initialized")
    expect("roots", plugin.hear("notifications/message")["data"], {"roots": [ROOTS[0]["uri"]]})
    expect("ping", plugin.result("ping"), {})


def tools(plugin):
    first = plugin.result("tools/list")
    more = plugin.result("tools/list", {"cursor": first["nextCursor"]})
    names = [tool["name"] for tool in first["tools"] + more["tools"]]
    expect("tools", names, ["add", "count", "ask", "write"])
    added = plugin.tool("add", {"a": 40, "b": 2})
    expect("sum", added["structuredContent"], {"sum": 42})
    counted = plugin.tool("count", {"to": 3}, progressToken="job-1")
    expect("counted", counted["content"][0]["text"], "done")
    steps = [plugin.hear("notifications/progress")["progress"] for _ in range(3)]
    expect("progress", steps, [1, 2, 3])
    # Too late: the request was answered.
    plugin.notify("notifications/cancelled", {"requestId": plugin.next_id - 1, "reason": "enough"})
    expect("asked", plugin.tool("ask", {})["content"][0]["text"], "with milk, 2 sugar")
    lame = {"name": "add", "arguments": {"a": 1}}
    expect("one number", plugin.error("tools/call", lame), -32602)


def resources(plugin):
    found = plugin.result("resources/list")["resources"]
    expect("resources", [each["name"] for each in found], ["tea", "bread"])
    plugin.result("resources/templates/list")
    tea = plugin.result("resources/read", {"uri": "note:///tea"})
    expect("text", tea["contents"][0]["text"], "Grüße 👋")
    expect("no such note", plugin.error("resources/read", {"uri": "note:///gone"}), -32002)
    plugin.result("resources/subscribe", {"uri": "note:///tea"})
    plugin.result("logging/setLevel", {"level": "warning"})
    plugin.tool("write", {"name": "tea", "text": "green"})
    expect("updated", plugin.hear("notifications/resources/updated")["uri"], "note:///tea")
    expect("log", plugin.hear("notifications/message")["data"], "2 notes")
    plugin.result("resources/unsubscribe", {"uri": "note:///tea"})
    plugin.tool("write", {"name": "jam", "text": "plum"})
    plugin.hear("notifications/resources/list_changed")
    expect("a tool's error", plugin.tool("write", {"name": "x", "text": ""})["isError"], True)


def prompts(plugin):
    expect("prompts", plugin.result("prompts/list")["prompts"][0]["name"], "greet")
    greeting = plugin.result("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}})
    expect("prompt", greeting["messages"][0]["content"]["text"], "Greet Ada.")
    completed = plugin.result("completion/complete", {
        "ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": "A"}})
    expect("completion", completed["completion"]["values"], ["Ada", "Alan"])


def session(plugin):
    for part in start, tools, resources, prompts:
        part(plugin)
    plugin.notify("notifications/roots/list_changed")
    for what in "tools", "prompts":
        plugin.hear(f"notifications/{what}/list_changed")
    plugin.process.stdin.close()
    expect("end of output", plugin.process.stdout.read(), b"")
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
        session(plugin)
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
