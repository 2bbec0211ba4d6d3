#!/usr/bin/env python3
"""An example host of the Debug Adapter Protocol: starts a plugin, debugs, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Exits 0 if all answers are as expected and the plugin exits with 0, else 1 with a line on stderr.
Standard library only.
"""

import json
import subprocess
import sys

SOURCE = {"name": "tea.x", "path": "/home/ada/dap/tea.x"}


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Plugin:
    """The plugin as the host sees it: answers its requests while it waits."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seq, self.heard = 1, []
        self.answers = {"runInTerminal": {"processId": 4711}, "startDebugging": None}

    def send(self, message):
        body = json.dumps({"seq": self.seq, **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        self.seq += 1
        return self.seq - 1

    def receive(self):
        """A response; None if something else came, which is handled."""
        header = self.process.stdout.readline()
        if not header.startswith(b"Content-Length: ") or self.process.stdout.readline() != b"\r\n":
            raise WrongAnswer(f"no header: {header!r}")
        message = json.loads(self.process.stdout.read(int(header[16:])))
        if message["type"] == "response":
            return message
        if message["type"] == "event":
            self.heard.append((message["event"], message.get("body", {})))
        else:
            answer = {"type": "response", "request_seq": message["seq"], "success": True,
                      "command": message["command"]}
            body = self.answers[message["command"]]
            self.send({**answer, "body": body} if body else answer)
        return None

    def hear(self, *names):
        """Waits for these events, in this order; the body of the last."""
        for name in names:
            while not self.heard:
                if self.receive() is not None:
                    raise WrongAnswer("a response to nothing")
            got, body = self.heard.pop(0)
            expect("event", got, name)
        return body

    def request(self, command, arguments=None):
        given = {} if arguments is None else {"arguments": arguments}
        return self.send({"type": "request", "command": command, **given})

    def wait_for(self, seq):
        while (message := self.receive()) is None:
            pass
        expect("request_seq", message["request_seq"], seq)
        print(f"{message['command']}: {json.dumps(message.get('body', message.get('message')))}")
        return message

    def body(self, command, arguments=None):
        message = self.wait_for(self.request(command, arguments))
        if not message["success"]:
            raise WrongAnswer(f"{command} failed: {message['message']}")
        return message.get("body")

    def failure(self, command, arguments=None):
        message = self.wait_for(self.request(command, arguments))
        expect("success", message["success"], False)
        return message["message"]


def start(plugin):
    told = plugin.body("initialize", {
        "clientID": "example", "clientName": "Example", "adapterID": "x", "linesStartAt1": True,
        "columnsStartAt1": True, "pathFormat": "path", "supportsRunInTerminalRequest": True,
        "supportsStartDebuggingRequest": True, "supportsProgressReporting": True})
    expect("configurationDone", told["supportsConfigurationDoneRequest"], True)
    plugin.hear("initialized")
    launch = plugin.request("launch", {"program": SOURCE["path"], "noDebug": False})
    stops = {"source": SOURCE, "breakpoints": [{"line": 2}, {"line": 9}]}
    set_here = plugin.body("setBreakpoints", stops)["breakpoints"]
    expect("verified", [each["verified"] for each in set_here], [True, False])
    plugin.body("setExceptionBreakpoints", {"filters": []})
    plugin.body("configurationDone")
    expect("launched", plugin.wait_for(launch)["success"], True)
    plugin.hear("progressStart", "progressUpdate", "progressEnd", "process", "thread", "output")
    expect("stopped", plugin.hear("stopped")["hitBreakpointIds"], [2])


def look(plugin):
    (thread,) = plugin.body("threads")["threads"]
    this = {"threadId": thread["id"]}
    (frame,) = plugin.body("stackTrace", {**this, "startFrame": 0, "levels": 20})["stackFrames"]
    expect("line", frame["line"], 2)
    (scope,) = plugin.body("scopes", {"frameId": frame["id"]})["scopes"]
    reference = {"variablesReference": scope["variablesReference"]}
    (tea,) = plugin.body("variables", reference)["variables"]
    expect("variable", (tea["name"], tea["value"]), ("tea", "1"))
    seven = {**reference, "name": "tea", "value": "7"}
    expect("set", plugin.body("setVariable", seven)["value"], "7")
    ask = {"expression": "tea", "frameId": frame["id"], "context": "watch"}
    expect("evaluated", plugin.body("evaluate", ask)["result"], "7")
    expect("unknown", plugin.failure("evaluate", {**ask, "expression": "jam"}), "no such name: jam")
    plugin.body("next", this)
    expect("stepped", plugin.hear("output", "stopped")["reason"], "step")
    expect("gone", plugin.failure("variables", reference), "these variables are gone")
    expect("continued", plugin.body("continue", this)["allThreadsContinued"], True)
    expect("exit code", plugin.hear("output", "thread", "exited")["exitCode"], 0)
    plugin.hear("terminated")


def end(plugin):
    plugin.body("terminate", {"restart": False})
    plugin.body("disconnect", {"terminateDebuggee": True})
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
        for part in start, look, end:
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
