#!/usr/bin/env python3
"""A host of one small session (uneven.jsonl) that departs from it as a variant says.

    uneven_host.py VARIANT MIDWIRE TRACE [OPTIONS]    runs `MIDWIRE mock TRACE OPTIONS`, prints its report
    uneven_host.py --list                             the variants; the first ones, up to `slow`, are correct

Called by same-report --mock. Exits as mock does.
"""
import json
import os
import select
import subprocess
import sys
import tempfile
import time

# What a host waits for before it gives up and goes on.
PATIENCE_S = 3
# Up to `slow`, correct (same-report relies on it); then, what differs in what the host sends and when.
VARIANTS = ("same", "other-ids", "bytewise", "at-once", "slow", "late-answers", "reads-swapped",
            "open-doubled", "open-changed", "lookup-lost", "lookup-late", "yes-changed", "yes-doubled",
            "ask-refused", "ask-unanswered", "run-ahead", "items-ahead", "request-extra", "note-extra",
            "note-lost", "poke-early", "junk", "no-shutdown", "ends-early", "exits-early", "blind")


class Host:
    def __init__(self, variant, command):
        self.variant = variant
        self.first = 100 if variant == "other-ids" else 0
        self.mock = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.answers, self.calls, self.notes, self.pending, self.open = {}, {}, [], b"", True

    def is_(self, *variants):
        return self.variant in variants

    def read(self, until):
        """Reads until the condition holds, or the mock has been silent for too long."""
        while self.open and not until():
            if not select.select([self.mock.stdout], [], [], PATIENCE_S)[0]:
                return
            data = os.read(self.mock.stdout.fileno(), 65536)
            self.open = bool(data)
            *lines, self.pending = (self.pending + data).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "method" not in message:
                    self.answers[message["id"]] = message
                elif "id" in message:
                    self.calls[message["method"]] = message["id"]
                else:
                    self.notes.append(message["method"])

    def write(self, data):
        try:
            os.write(self.mock.stdin.fileno(), data)
        except BrokenPipeError:
            self.open = False

    def say(self, **members):
        data = json.dumps({"jsonrpc": "2.0", **members}, separators=(",", ":")).encode() + b"\n"
        if self.is_("bytewise"):
            for byte in data:
                self.write(bytes([byte]))
        else:
            self.write(data)

    def ask(self, number, method, params=None):
        self.say(id=self.first + number, method=method, **({"params": params} if params else {}))

    def answered(self, *numbers):
        if not self.is_("blind"):
            self.read(lambda: all(self.first + number in self.answers for number in numbers))

    def called(self, method):
        self.read(lambda: method in self.calls)
        return self.calls.get(method)

    def noted(self, method):
        if not self.is_("at-once", "blind"):
            self.read(lambda: method in self.notes)

    def answer(self, method, result):
        number = self.called(method)
        if number is None:
            return
        if self.is_("late-answers"):
            time.sleep(0.06)
        if self.is_("ask-refused"):
            return self.say(id=number, error={"code": -32000, "message": "no"})
        for _ in range(2 if self.is_("yes-doubled") else 1):
            self.say(id=number, result=result)

    def play(self):
        self.ask(1, "initialize", {"client": "bench"})
        self.answered(1)
        if self.is_("slow"):
            time.sleep(0.12)
        if not self.is_("note-lost"):
            self.say(method="initialized")
        self.noted("ready")
        for _ in range(2 if self.is_("open-doubled") else 1):
            self.ask(2, "open", {"name": "other" if self.is_("open-changed") else "notes"})
        self.answered(2)
        if self.is_("ends-early", "exits-early"):
            return
        handle = self.answers.get(self.first + 2, {}).get("result", {}).get("handle", "h-3f9a71c2e4b0")
        for number in (4, 3) if self.is_("reads-swapped") else (3, 4):
            self.ask(number, "read", {"handle": handle, "part": "ab"[number - 3]})
        if not self.is_("run-ahead"):
            self.answered(3, 4)
        if self.is_("junk"):
            self.write(b"no message\n")
        if self.is_("request-extra"):
            self.ask(30, "other")
            self.answered(30)
        if self.is_("note-extra"):
            self.say(method="other")
        self.ask(5, "run", {"token": "job-1"})
        self.called("host/ask")
        if not self.is_("lookup-lost", "lookup-late"):
            self.ask(55, "lookup", {"word": "tea"})
            self.answered(55)
        if not self.is_("ask-unanswered"):
            self.answer("host/ask", {"yes": not self.is_("yes-changed")})
        if self.is_("lookup-late"):
            self.ask(55, "lookup", {"word": "tea"})
            self.answered(55)
        if not self.is_("items-ahead"):
            self.answered(5)
        if self.is_("poke-early"):
            self.say(method="poke")
        self.ask(6, "stat")
        if not self.is_("items-ahead"):
            self.answered(6)
        self.ask(7, "items")
        self.answer("host/pick", {"picked": 2})
        self.answered(5, 6, 7)
        if not self.is_("poke-early"):
            self.say(method="poke")
        self.noted("poked")
        if not self.is_("no-shutdown"):
            self.ask(8, "shutdown")
            self.answered(8)
        self.say(method="exit")

    def run(self):
        self.play()
        if self.is_("exits-early"):
            self.mock.stdout.close()
        self.mock.stdin.close()
        while self.open and not self.is_("exits-early"):
            self.open = bool(os.read(self.mock.stdout.fileno(), 65536))
        return self.mock.wait()


def main():
    if sys.argv[1] == "--list":
        print("\n".join(VARIANTS))
        return 0
    variant, midwire, trace, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        status = Host(variant, [midwire, "mock", trace, "--json", "--report", report, *options]).run()
        with open(report, encoding="utf-8") as text:
            sys.stdout.write(text.read())
    return status


if __name__ == "__main__":
    sys.exit(main())
