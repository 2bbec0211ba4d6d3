"""A cassette as a list of lines that can be found by what they say, and edited."""

import copy
import json
import pathlib

CORPORA = pathlib.Path(__file__).resolve().parents[2] / "corpora"


def golden(name):
    return CORPORA / name / "sessions" / "golden.jsonl"


class Line:
    """A line as it is in the file; written again only if it was changed."""

    def __init__(self, text):
        self.text = text
        self.item = json.loads(text)

    @classmethod
    def of(cls, item):
        return cls(json.dumps(item, ensure_ascii=False))

    def changed(self):
        self.text = json.dumps(self.item, ensure_ascii=False)

    @property
    def is_message(self):
        return "message" in self.item or "body" in self.item

    @property
    def message(self):
        message = self.item.get("message")
        return message if isinstance(message, dict) else {}

    @property
    def dap(self):
        """Debug Adapter Protocol: other names for the same parts."""
        return "seq" in self.message and "type" in self.message

    @property
    def method(self):
        """Of a request or a notification, else None."""
        if not self.dap:
            return self.message.get("method")
        names = {"request": "command", "event": "event"}
        return self.message.get(names.get(self.message["type"], ""))

    @property
    def id(self):
        if not self.dap:
            return self.message.get("id")
        names = {"request": "seq", "response": "request_seq"}
        return self.message.get(names.get(self.message["type"], ""))

    @property
    def is_answer(self):
        if self.dap:
            return self.message["type"] == "response"
        return self.method is None and ("result" in self.message or "error" in self.message)

    @property
    def content(self):
        """What a pointer of an edit points into."""
        for member in "message", "event":
            if member in self.item:
                return self.item[member]
        return self.item


def place(value, pointer):
    """The object or list that holds what is at a JSON pointer, and the name or index there."""
    *path, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    for step in path:
        value = value[int(step) if isinstance(value, list) else step]
    return value, int(last) if isinstance(value, list) and last != "-" else last


def put(value, pointer, new):
    """`new` is a function of the old value. "/list/-" appends."""
    parent, last = place(value, pointer)
    if last == "-" and isinstance(parent, list):
        parent.append(new(None))
    else:
        old = parent[last] if isinstance(parent, list) else parent.get(last)
        parent[last] = new(old)


class Cassette:
    def __init__(self, path):
        self.lines = [Line(text) for text in path.read_text(encoding="utf-8").splitlines()]

    def text(self):
        return "".join(line.text + "\n" for line in self.lines)

    def frame(self, line):
        """The number of a message, as `midwire show` prints it."""
        return sum(each.is_message for each in self.lines[: self.lines.index(line) + 1])

    def answers(self):
        """For each answer the method that it answers, by the line's identity."""
        methods, waiting = {}, {}
        for line in self.lines:
            other, key = {"host": "plugin", "plugin": "host"}, json.dumps(line.id)
            if line.method is not None and ("id" in line.message or line.id is not None):
                waiting.setdefault((line.item["from"], key), []).append(line.method)
            elif line.is_answer:
                asked = waiting.get((other[line.item["from"]], key))
                methods[id(line)] = asked.pop(0) if asked else ""
        return methods

    def find(self, where):
        """A line number, or "PARTY METHOD [NTH] [+STEPS]": see violations_test.py."""
        if isinstance(where, int):
            return self.lines[where - 1]
        who, what, *nth = where.split(" ")
        steps_on = int(nth.pop()) if nth and nth[-1].startswith("+") else 0
        answers = self.answers() if who == "answer" else {}
        found = []
        for line in self.lines:
            if who == "event":
                hit = line.item.get("event", {}).get("event") == what
            elif who == "answer":
                hit = answers.get(id(line)) == what
            else:
                hit = line.item.get("from") == who and line.method == what
            if hit:
                found.append(line)
        number = int(nth[0]) if nth else 1
        if len(found) < number:
            raise LookupError(f"the cassette has no line {where!r}")
        line = found[number - 1]
        if steps_on:
            later = self.lines[self.lines.index(line) + 1 :]
            line = [line for line in later if line.is_message][steps_on - 1]
        return line

    def edit(self, operation):
        operation = dict(operation)
        line = self.find(operation.pop("at"))
        at = self.lines.index(line)
        if "set" in operation:
            value = filled(operation.pop("to"))
            put(line.content, operation.pop("set"), lambda old: value)
            line.changed()
        elif "remove" in operation:
            parent, last = place(line.content, operation.pop("remove"))
            del parent[last]
            line.changed()
        elif "item" in operation:
            line.item.update(operation.pop("item"))
            line.changed()
        elif "body" in operation:
            line.item.pop("message", None)
            line.item["body"] = operation.pop("body")
            line.changed()
        elif operation.pop("delete", False):
            del self.lines[at]
        elif "repeat" in operation:
            vary = operation.pop("vary", [])
            for number in range(int(operation.pop("repeat")), 0, -1):
                again = copy.deepcopy(line)
                for pointer in vary:
                    put(again.content, pointer, lambda old: f"{old}-{number}")
                again.changed() if vary else None
                self.lines.insert(at + 1, again)
        elif "after" in operation:
            self.lines.insert(at + 1, Line.of(filled(operation.pop("after"))))
        elif "before" in operation:
            self.lines.insert(at, Line.of(filled(operation.pop("before"))))
        elif "swap" in operation:
            other = self.lines.index(self.find(operation.pop("swap")))
            self.lines[at], self.lines[other] = self.lines[other], self.lines[at]
        elif "move_after" in operation:
            target = self.find(operation.pop("move_after"))
            del self.lines[at]
            self.lines.insert(self.lines.index(target) + 1, line)
        if operation:
            raise ValueError(f"no such edit: {operation}")


def filled(value):
    """{"text": "x", "times": N} is a long string."""
    if isinstance(value, dict):
        if set(value) == {"text", "times"}:
            return value["text"] * value["times"]
        return {name: filled(part) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part) for part in value]
    return value
