#!/usr/bin/env python3
"""peer.py BUG[+BUG...] line|content-length: the zoo's peer (peer.h) in Python. With `none` it is correct.

    none         one thread, one message after the other
    none-threads a thread that reads, and four that work
"""
import json
import os
import queue
import sys
import threading
import time

BUGS, FRAMING = set(sys.argv[1].split("+")), sys.argv[2]
MAX_BODY, MAX_HEADER, MAX_WAITING = 4 << 20, 8192, 256
IN = sys.stdin.buffer
OUT = os.fdopen(os.dup(1), "wb", buffering=0)
OUT_LOCK = threading.Lock()


class Refused(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code, self.text = code, text


def say(message):
    text = json.dumps(message, allow_nan="infinity" in BUGS)
    body = text.encode("utf-8")
    if "chars-for-bytes" in BUGS:
        text = json.dumps(message, ensure_ascii=False)
        body = text.encode("utf-8", "replace")
    if FRAMING == "line":
        body += b"\n"
    else:
        length = len(text) if "chars-for-bytes" in BUGS else len(body)
        body = b"Content-Length: %d\r\n\r\n" % length + body
    with OUT_LOCK:
        while body:
            body = body[OUT.write(body):]


def error(code, text, id=None):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}}


def lines():
    while True:
        line = IN.readline(MAX_BODY + 1)
        if not line:
            return
        if len(line) > MAX_BODY:
            while line and not line.endswith(b"\n"):
                line = IN.readline(MAX_BODY)
            say(error(-32600, "the line is too long"))
        elif line.strip():
            yield line


def frames():
    buffer = b""

    def more():
        nonlocal buffer
        got = IN.read1(65536)
        buffer += got
        return bool(got)

    while True:
        while b"\r\n\r\n" not in buffer:
            if len(buffer) > MAX_HEADER:
                buffer = buffer[-3:]
            if not more():
                return
        header, buffer = buffer.split(b"\r\n\r\n", 1)
        length = None
        for field in header.split(b"\r\n"):
            name, _, value = field.partition(b":")
            value = value.strip(b" \t\r\n")
            if name.lower() == b"content-length":
                if "length-throws" in BUGS:
                    length = int(value)
                else:
                    length = int(value) if value.isdigit() and len(value) < 12 else None
        if length is None or length > MAX_BODY:
            say(error(-32700, "no length that can be used"))
            at = buffer.find(b"Content-Length:")
            buffer = buffer[at:] if at >= 0 else buffer[-14:]
            continue
        while len(buffer) < length:
            if not more():
                return
        body, buffer = buffer[:length], buffer[length:]
        yield body


def depth(text):
    """Of brackets, strings left out: the parser recurses."""
    deepest = level = 0
    quoted = escaped = False
    for c in text:
        if quoted:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "[{":
            level += 1
            deepest = max(deepest, level)
        elif c in "]}":
            level -= 1
    return deepest


def no_constant(name):
    raise ValueError(name)


def finite(text):
    number = float(text)
    if "infinity" not in BUGS and number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return number


def whole(text):
    if len(text) > 400:
        raise ValueError("a number that long")
    return int(text)


def parse(body):
    text = body.decode("utf-8")
    if "deep-nesting" not in BUGS and depth(text) > 100:
        raise ValueError("too deep")
    return json.loads(text, parse_constant=no_constant, parse_float=finite, parse_int=whole)


class Peer:
    def __init__(self):
        self.initialized = self.shut = self.debug = False
        self.client = None
        self.handles, self.opened = {}, 0
        self.asked, self.asks = {}, 0
        self.step, self.painted = 0, 0
        self.lock = threading.RLock()

    # Each takes params (a dict) and gives a result.

    def echo(self, params):
        value = params.get("value")
        label = value if isinstance(value, str) else "value"
        return {"value": value, "label": label[:24]}

    def add(self, params):
        a, b = params.get("a"), params.get("b")
        if "wrong-type" in BUGS:
            return {"sum": int(a + b)}
        for number in (a, b):
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise Refused(-32602, "two numbers")
        if not abs(a) + abs(b) < 1e15:
            raise Refused(-32000, "too large")
        return {"sum": int(a + b)}

    def open(self, params):
        if not isinstance(params.get("name"), str):
            raise Refused(-32602, "a name")
        if len(self.handles) >= MAX_WAITING:
            raise Refused(-32000, "too many are open")
        self.opened += 1
        handle = f"h-{1000 + 7 * self.opened}"
        self.handles[handle] = params["name"][:4096]
        return {"handle": handle}

    def handle(self, params):
        handle = params.get("handle")
        if not isinstance(handle, str) or handle not in self.handles:
            raise Refused(-32001, "no such handle")
        return handle

    def read(self, params):
        return {"text": "text of " + self.handles[self.handle(params)]}

    def close(self, params):
        del self.handles[self.handle(params)]

    def later(self, params):
        text = params.get("text")
        return {"text": text if isinstance(text, str) else ""}

    def cancel(self, params):
        return None

    def set_level(self, params):
        if params.get("level") not in ("error", "info", "debug"):
            raise Refused(-32602, "a level")
        self.debug = params["level"] == "debug"

    def climb(self, params):
        steps = ("wake", "lift", "turn", "drop")
        if not isinstance(params.get("key"), str):
            raise Refused(-32602, "a key")
        self.step = self.step + 1 if params["key"] == steps[self.step] else 0
        if self.step == 4:
            self.step = 0
        if self.step == 0:
            raise Refused(-32010, "not this one")
        return {"at": params["key"]}

    def paint(self, params):
        colors = ("red", "green", "blue", "red", "blue", "blue", "green", "red")
        if not isinstance(params.get("color"), str):
            raise Refused(-32602, "a color")
        self.painted = self.painted + 1 if params["color"] == colors[self.painted] else 0
        if self.painted == 8:
            self.painted = 0
        if self.painted == 0:
            raise Refused(-32010, "start again")
        return {f"layer{self.painted}": True}

    METHODS = {"echo": echo, "add": add, "open": open, "read": read, "close": close,
               "later": later, "$/cancel": cancel, "log/setLevel": set_level, "step": climb,
               "paint": paint}

    def call(self, method, params, id, asks):
        """The result; None, False when the answer comes later."""
        if method == "initialize":
            if self.initialized:
                raise Refused(-32600, "initialized already")
            self.initialized = True
            return {"name": "zoo", "version": 1, "levels": ["error", "info", "debug"]}
        if method == "exit":
            os._exit(0 if self.shut else 1)
        if not self.initialized:
            raise Refused(-32002, "not initialized")
        if self.shut:
            raise Refused(-32600, "shut down already")
        if self.debug and "debug-pollution" in BUGS:
            os.write(1, b"debug: a call\n")
        if method == "initialized":
            return None
        if method == "shutdown":
            self.shut = asks
            return None
        if method == "confirm":
            if asks and len(self.asked) < MAX_WAITING:
                self.asks += 1
                question = params.get("question")
                self.asked[f"p-{self.asks}"] = id
                say({"jsonrpc": "2.0", "id": f"p-{self.asks}", "method": "host/ask",
                     "params": {"question": question if isinstance(question, str) else "sure?"}})
            elif asks:
                raise Refused(-32000, "too much waits")
            return Ellipsis
        if method not in self.METHODS:
            raise Refused(-32601, "no such method")
        return self.METHODS[method](self, params)

    def one(self, message):
        """An answer, or None."""
        if "null-element" in BUGS and message is None:
            return error(-32600, "no message", message["id"])
        if not isinstance(message, dict):
            return error(-32600, "no message")
        id, method = message.get("id"), message.get("method")
        usable = id is None or isinstance(id, (str, int, float)) and not isinstance(id, bool)
        if "method" not in message and ("result" in message or "error" in message):
            if not isinstance(id, str) or id not in self.asked:
                return None
            result = message.get("result")
            answer = result.get("answer") if isinstance(result, dict) else None
            return {"jsonrpc": "2.0", "id": self.asked.pop(id),
                    "result": {"answer": answer if isinstance(answer, str) else "none"}}
        if not isinstance(method, str) or not usable:
            return error(-32600, "no request", id if usable else None)
        asks = "id" in message
        params = message.get("params")
        try:
            if params is None or params == []:
                params = {}
            if not isinstance(params, dict):
                raise Refused(-32602, "params are an object")
            if "dies-inside" in BUGS and method == "read" and "handle" not in params:
                return None  # its worker has raised, and the exception is not checked
            with self.lock:
                result = self.call(method, params, id, asks)
            if result is Ellipsis:
                return None
            answer = {"jsonrpc": "2.0", "id": id, "result": result}
        except Refused as refused:
            answer = error(refused.code, refused.text, id)
        return answer if asks else None

    def body(self, body):
        try:
            message = parse(body)
        except (ValueError, RecursionError) as wrong:
            if "deep-nesting" in BUGS and isinstance(wrong, RecursionError):
                raise
            if "utf8-throws" in BUGS and isinstance(wrong, UnicodeDecodeError):
                raise
            return say(error(-32700, "this is no JSON"))
        if not isinstance(message, list):
            answer = self.one(message)
        elif not message:
            answer = error(-32600, "an empty batch")
        else:
            answer = [a for a in map(self.one, message) if a is not None]
        if answer:
            say(answer)


def main():
    peer = Peer()
    bodies = lines() if FRAMING == "line" else frames()
    if not BUGS & {"none-threads", "lost-at-eof"}:
        for body in bodies:
            peer.body(body)
        return
    # Others work while one reads. What changes the session is done before the next is read.
    work = queue.Queue(maxsize=64)

    def worker():
        while (body := work.get()) is not None:
            if "lost-at-eof" in BUGS:
                time.sleep(0.002)
            peer.body(body)
            work.task_done()

    workers = [threading.Thread(target=worker, daemon=True) for _ in range(4)]
    for thread in workers:
        thread.start()
    for body in bodies:
        if b"later" in body or "lost-at-eof" in BUGS and b"midwire/probe" in body:
            work.put(body)
        else:
            if "lost-at-eof" not in BUGS:
                work.join()
            peer.body(body)
    if "lost-at-eof" in BUGS:
        os._exit(0)
    work.join()


main()
