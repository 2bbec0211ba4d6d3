#!/usr/bin/env python3
"""An example plugin of the Debug Adapter Protocol: debugs a program of three assignments.

Messages with seq and type behind Content-Length headers. Breakpoints by line, steps, frames,
scopes, variables, evaluation of names; asks its host for a terminal and for another session, shows
progress. Reads one message at a time; what comes while it waits for its host is kept. Standard
library only.
"""

import json
import sys

PROGRAM = [("tea", 1), ("milk", 2), ("sum", 3)]
SOURCE = {"name": "tea.x", "path": "/home/ada/dap/tea.x"}
THREAD, FRAME, LOCALS = 1, 1000, 2000
CAPABILITIES = {
    "supportsConfigurationDoneRequest": True, "supportsSetVariable": True,
    "supportsTerminateRequest": True,
    "exceptionBreakpointFilters": [{"filter": "all", "label": "All", "default": False}],
}


class Failed(Exception):
    pass


def read_message(stream):
    length = None
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return None if length is None else json.loads(stream.read(length))


class Debugger:
    def __init__(self):
        self.seq, self.queue = 1, []
        self.line, self.stops, self.values = 1, set(), {}
        self.launching, self.over = None, False
        self.then = []  # messages to send after the answer
        self.commands = {
            "initialize": self.initialize, "setBreakpoints": self.set_breakpoints,
            "setExceptionBreakpoints": lambda given: None,
            "configurationDone": self.configured, "threads": self.threads,
            "stackTrace": self.stack_trace, "scopes": self.scopes, "variables": self.variables,
            "setVariable": self.set_variable, "evaluate": self.evaluate, "next": self.next,
            "continue": self.go_on, "terminate": self.terminate, "disconnect": self.disconnect,
        }

    def send(self, message):
        body = json.dumps({"seq": self.seq, **message}).encode()
        self.seq += 1
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        sys.stdout.buffer.flush()

    def event(self, event, /, **body):
        self.send({"type": "event", "event": event, **({"body": body} if body else {})})

    def respond(self, request, body=None, error=None):
        answer = {"type": "response", "request_seq": request["seq"], "success": error is None,
                  "command": request["command"]}
        if error is not None:
            answer["message"] = error
        if body is not None:
            answer["body"] = body
        self.send(answer)

    def call(self, command, arguments):
        seq = self.seq
        self.send({"type": "request", "command": command, "arguments": arguments})
        while (message := read_message(sys.stdin.buffer)) is not None:
            if message["type"] == "response" and message["request_seq"] == seq:
                return message.get("body")
            self.queue.append(message)
        raise EOFError

    def initialize(self, given):
        self.then.append(lambda: self.event("initialized"))
        return CAPABILITIES

    def set_breakpoints(self, given):
        lines = [each["line"] for each in given.get("breakpoints", [])]
        self.stops = {line for line in lines if line <= len(PROGRAM)}
        return {"breakpoints": [{"id": line, "verified": line in self.stops, "line": line}
                                for line in lines]}

    def configured(self, given):
        def start():
            terminal = self.call("runInTerminal", {
                "kind": "integrated", "title": "tea", "cwd": "/home/ada/dap",
                "args": ["tea", "--once"], "env": {"TEA": "green"}})
            progress = {"progressId": "load"}
            self.event("progressStart", **progress, title="Loading", percentage=0)
            self.event("progressUpdate", **progress, percentage=50)
            self.event("progressEnd", **progress)
            self.event("process", name="tea", systemProcessId=terminal["processId"],
                       startMethod="launch")
            self.event("thread", reason="started", threadId=THREAD)
            self.respond(self.launching)
            self.call("startDebugging", {"configuration": {"type": "x"}, "request": "attach"})
            self.run()

        self.then.append(start)

    def run(self):
        """To the next breakpoint, or to the end."""
        while self.line <= len(PROGRAM):
            if self.line in self.stops:
                self.stops.discard(self.line)
                return self.event("stopped", reason="breakpoint", threadId=THREAD,
                                  allThreadsStopped=True, hitBreakpointIds=[self.line])
            self.step()
        self.event("thread", reason="exited", threadId=THREAD)
        self.end()

    def step(self):
        name, value = PROGRAM[self.line - 1]
        self.values[name] = value
        self.event("output", category="stdout", output=f"{name} is {value}\n")
        self.line += 1

    def end(self):
        if not self.over:
            self.over = True
            self.event("exited", exitCode=0)
            self.event("terminated")

    def next(self, given):
        def step():
            self.step()
            self.event("stopped", reason="step", threadId=THREAD, allThreadsStopped=True)

        self.then.append(step)

    def go_on(self, given):
        self.then.append(self.run)
        return {"allThreadsContinued": True}

    def threads(self, given):
        return {"threads": [{"id": THREAD, "name": "main"}]}

    def stack_trace(self, given):
        frame = {"id": FRAME + self.line, "name": "main", "line": self.line, "column": 1}
        return {"stackFrames": [{**frame, "source": SOURCE}], "totalFrames": 1}

    def scopes(self, given):
        reference = LOCALS + self.line
        return {"scopes": [
            {"name": "Locals", "variablesReference": reference, "expensive": False}]}

    def variables(self, given):
        if given["variablesReference"] != LOCALS + self.line:
            raise Failed("these variables are gone")
        return {"variables": [
            {"name": name, "value": str(value), "type": "number", "variablesReference": 0}
            for name, value in self.values.items()]}

    def set_variable(self, given):
        self.values[given["name"]] = int(given["value"])
        return {"value": given["value"], "type": "number", "variablesReference": 0}

    def evaluate(self, given):
        if given["expression"] not in self.values:
            raise Failed(f"no such name: {given['expression']}")
        return {"result": str(self.values[given["expression"]]), "variablesReference": 0}

    def terminate(self, given):
        self.then.append(self.end)

    def disconnect(self, given):
        self.queue = None

    def answer(self, request):
        command, given = request["command"], request.get("arguments") or {}
        if command == "launch":
            self.launching = request  # answered when the program runs
            return
        try:
            if command not in self.commands:
                raise Failed(f"unknown command: {command}")
            self.respond(request, self.commands[command](given))
        except Failed as failed:
            self.respond(request, error=str(failed))
        except (KeyError, ValueError) as wrong:
            self.respond(request, error=f"wrong arguments: {wrong}")
        while self.then:
            self.then.pop(0)()

    def serve(self):
        while self.queue is not None:
            message = self.queue.pop(0) if self.queue else read_message(sys.stdin.buffer)
            if message is None:
                return
            if message["type"] == "request":
                self.answer(message)


if __name__ == "__main__":
    Debugger().serve()
