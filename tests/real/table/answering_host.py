"""A scripted host that answers reverse calls by itself, as editors do, and speaks DAP too."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from scripted_host import ScriptedHost  # noqa: E402


class AnsweringHost(ScriptedHost):
    # Method -> the answer's result, or a function of the request's params.
    answers = {}

    def __init__(self, *arguments, **options):
        self.seen = set()
        super().__init__(*arguments, **options)

    def wait_until(self, wanted, what):
        def answered(message):
            method = message.get("method")
            # A message that waits in `unclaimed` comes by more than once.
            if method in self.answers and "id" in message and id(message) not in self.seen:
                self.seen.add(id(message))
                result = self.answers[method]
                if callable(result):
                    result = result(message.get("params"))
                self.send({"id": message["id"], "result": result})
            return wanted(message)

        return super().wait_until(answered, what)


class DapHost(ScriptedHost):
    """Requests and answers of the Debug Adapter Protocol: `seq` and `command`, no `jsonrpc`."""

    common = {}
    last = 0

    def send(self, message):
        self.last += 1
        super().send({"seq": self.last, **message})

    def call(self, command, arguments=None):
        self.ask(command, arguments)
        return self.answer(command)

    def ask(self, command, arguments=None):
        self.send({"type": "request", "command": command, "arguments": arguments or {}})

    def answer(self, command):
        done = self.wait_until(lambda m: m["type"] == "response" and m["command"] == command, command)
        assert done["success"], done
        return done.get("body", {})

    def event(self, name):
        return self.wait_until(lambda m: m["type"] == "event" and m["event"] == name, name).get("body", {})
