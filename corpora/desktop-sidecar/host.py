#!/usr/bin/env python3
"""An example host of the desktop-sidecar protocol: starts a plugin, talks to it, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Exits 0 if all answers are as expected and the plugin exits with 0, else 1 with a line on stderr.
Standard library only.
"""

import json
import subprocess
import sys

NOTES = [{"title": "Grüße 👋", "text": "hello there"}, {"title": "Shopping", "text": "tea, bread"}]


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Plugin:
    """The plugin as the host sees it: answers the plugin's own requests while it waits."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 1
        self.may_read = True
        self.heard = []

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        request_id = f"request-{self.next_id}"
        self.next_id += 1
        self.send({"id": request_id, "method": method, "params": params})
        return request_id

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise WrongAnswer("the plugin closed its output")
        return json.loads(line)

    def answer(self, message):
        """Answers a request of the plugin; stores a notification."""
        if "id" not in message:
            self.heard.append((message["method"], message["params"]))
        elif message["method"] == "host/ping":
            self.send({"id": message["id"], "result": {"pong": True}})
        elif message["method"] == "host/request_approval":
            print(f"plugin asks for {message['params']['permission']}: {self.may_read}")
            self.send({"id": message["id"], "result": {"approved": self.may_read}})
        else:
            self.send({"id": message["id"], "error": {"message": "no such host method"}})

    def wait_for(self, request_id):
        while True:
            message = self.receive()
            if "method" in message:
                self.answer(message)
            elif message.get("id") == request_id:
                return message
            else:
                raise WrongAnswer(f"an answer to no request: {message.get('id')!r}")

    def call(self, method, params):
        return self.wait_for(self.request(method, params))

    def result(self, method, params):
        message = self.call(method, params)
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        print(f"{method}: {json.dumps(message['result'], ensure_ascii=False)}")
        return message["result"]

    def error(self, method, params):
        message = self.call(method, params)
        if "error" not in message:
            raise WrongAnswer(f"{method} should have failed")
        print(f"{method}: error: {message['error']['message']}")
        return message["error"]


def session(plugin):
    expect("health", plugin.result("plugin/health", {})["ok"], True)

    text = NOTES[0]["text"]
    expect("count", plugin.result("notes/count", {"text": text}), {"words": 2, "characters": 11})

    # During this one the plugin calls back twice and reports its progress.
    summary = plugin.result("notes/summarise", {"notes": NOTES})
    expect("summary", summary, {"summary": "Grüße 👋; Shopping"})
    heard = [what for what, _ in plugin.heard]
    expect("progress", heard, ["notes/progress"] * len(NOTES) + ["codex/event"])
    expect("event", plugin.heard[-1][1]["params"]["item"]["text"], "2 notes read")

    # Two requests in flight at once.
    first = plugin.request("notes/count", {"text": "one"})
    second = plugin.request("notes/count", {"text": "one two"})
    expect("first of two", plugin.wait_for(first)["result"]["words"], 1)
    expect("second of two", plugin.wait_for(second)["result"]["words"], 2)

    plugin.may_read = False
    refused = plugin.error("notes/summarise", {"notes": NOTES})
    expect("refusal", refused, {"message": "workspace.read was not approved"})
    plugin.error("notes/count", {})
    plugin.error("notes/forget", {})

    plugin.send({"method": "host/closing", "params": {"reason": "the window was closed"}})
    expect("shutdown", plugin.result("plugin/shutdown", {}), {"ok": True})
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
        session(plugin)
    except (WrongAnswer, ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError,
            subprocess.TimeoutExpired) as wrong:
        print(f"host: {wrong}", file=sys.stderr)
        plugin.process.kill()
        plugin.process.wait()
        return 1
    print("host: all answers as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
