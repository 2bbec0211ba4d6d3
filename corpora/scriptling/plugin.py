#!/usr/bin/env python3
"""An example plugin of the Scriptling protocol: one JSON object per line on stdin and stdout.

The library "hello" has functions, a class with properties, and constants. Each request runs in its
own thread, so that answers overtake one another, and calls back into the host (callbacks, log
records) happen while the request that led to them is open. A batch gets a batch as its answer.
Standard library only.
"""

import itertools
import json
import os
import queue
import sys
import threading

LIBRARY = {"name": "hello", "version": "0.1.0", "description": "midwire's example library"}
FIRST_ID = 1_000_001  # far from the host's ids, which count from 1


class Remote:
    """An instance of a class of ours, as it is passed by reference."""

    def __init__(self, cls, object_id):
        self.cls, self.id = cls, object_id

    def reference(self):
        return {"library": LIBRARY["name"], "class": self.cls, "id": self.id}


class Callback:
    """A function of the host, valid until the call that brought it is answered."""

    def __init__(self, host, callback_id):
        self.host, self.id = host, callback_id

    def __call__(self, *args, **kwargs):
        params = {"id": self.id}
        if args:
            params["args"] = [encode(each) for each in args]
        if kwargs:
            params["kwargs"] = {name: encode(each) for name, each in kwargs.items()}
        return decode(self.host.call("callback.call", params), self.host)


def encode(value):
    if value is None:
        return {"type": "null"}
    if isinstance(value, Remote):
        return {"type": "remote", "remote": value.reference()}
    if isinstance(value, list):
        return {"type": "list", "items": [encode(each) for each in value]}
    if isinstance(value, dict):
        entries = {name: encode(each) for name, each in value.items()}
        return {"type": "dict", "entries": entries}
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    return {"type": kinds[type(value)], "value": value}


def decode(value, host):
    kind = value["type"]
    if kind == "null":
        return None
    if kind == "callback":
        return Callback(host, value["callback"]["id"])
    if kind == "remote":
        return Remote(value["remote"]["class"], value["remote"]["id"])
    if kind == "list":
        return [decode(each, host) for each in value.get("items", [])]
    if kind == "dict":
        return {name: decode(each, host) for name, each in value.get("entries", {}).items()}
    return value["value"]


class Host:
    """The host as the plugin sees it. A thread reads; calls to the host wait for their answer."""

    def __init__(self):
        self.requests = queue.Queue()
        self.waiting = {}
        self.ids = itertools.count(FIRST_ID)
        self.write_lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in sys.stdin.buffer:
            try:
                self.take(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError):
                sys.stderr.write(f"plugin: no message, dropped: {line[:40]!r}\n")
        self.requests.put(None)

    def take(self, message):
        if isinstance(message, list) or "method" in message:
            self.requests.put(message)
        elif message["id"] in self.waiting:
            self.waiting.pop(message["id"]).put(message)

    def write(self, message):
        with self.write_lock:
            sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            sys.stdout.buffer.flush()

    def call(self, method, params):
        request_id = next(self.ids)
        answer = self.waiting[request_id] = queue.Queue()
        self.write({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        message = answer.get(timeout=10)
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def log(self, level, message, **fields):
        args = [encode(each) for pair in fields.items() for each in pair]
        self.call("host.log", {"level": level, "message": message, "args": args})


class Counter:
    def __init__(self, start=0, name="counter"):
        self.value, self.label = start, name

    def add(self, count=1):
        self.value += count
        return self.value

    def count_to(self, end, step):
        while self.value < end:
            self.value += 1
            step(self.value)
        return self.value

    def delete(self):
        sys.stderr.write(f"plugin: counter {self.label} is gone\n")


class Library:
    def __init__(self, host):
        self.host = host
        self.objects, self.object_ids = {}, itertools.count(1)
        self.held = {}
        self.lock = threading.Lock()
        self.functions = {
            "greet": self.greet, "echo": lambda value: value, "each": self.each,
            "hold": self.hold, "let_go": self.let_go, "make_counter": self.make_counter,
        }

    def greet(self, name, greeting="Hello"):
        return f"{greeting}, {name}"

    def each(self, items, callback):
        self.host.log("info", "plugin work started", items=len(items))
        return [callback(item, index=index) for index, item in enumerate(items)]

    def gate(self, key):
        with self.lock:
            return self.held.setdefault(key, threading.Event())

    def hold(self, key):
        """Is always answered after let_go."""
        if not self.gate(key).wait(10):
            raise TimeoutError(f"{key} was held for too long")
        return f"{key} was let go"

    def let_go(self, key):
        threading.Timer(0.05, self.gate(key).set).start()
        return None

    def make_counter(self, start):
        return self.add_object(Counter(start))

    def add_object(self, made):
        remote = Remote("Counter", str(next(self.object_ids)))
        self.objects[remote.id] = made
        return remote

    def schema(self):
        functions = [{"name": name} for name in self.functions]
        functions.append({
            "name": "greet_all",
            "source": "def greet_all(names):\n    return [greet(name) for name in names]\n",
        })
        constants = [{"name": "max_retries", "value": encode(3)},
                     {"name": "motto", "value": encode("grüß dich")}]
        counter = {
            "name": "Counter",
            "constructor": {"name": "Counter"},
            "methods": [{"name": "add"}, {"name": "count_to"}],
            "properties": [{"name": "value", "settable": True}, {"name": "label"}],
        }
        # As if from a hash map: the order differs from run to run.
        functions.sort(key=lambda function: hash(function["name"]))
        constants.sort(key=lambda constant: hash(constant["name"]))
        return {"functions": functions, "classes": [counter], "constants": constants}

    def arguments(self, params):
        args = [decode(each, self.host) for each in params.get("args", [])]
        named = params.get("kwargs", {})
        return args, {name: decode(each, self.host) for name, each in named.items()}

    def handshake(self, params):
        return {"protocol": "1.0", "transport": "json", "library": LIBRARY,
                "capabilities": ["remote_objects", "callbacks"], "schema": self.schema()}

    def call_function(self, params):
        function = self.functions.get(params["name"])
        if function is None:
            raise LookupError(f"unknown function {params['name']}")
        args, kwargs = self.arguments(params)
        return encode(function(*args, **kwargs))

    def new_object(self, params):
        if params["class"] != "Counter":
            raise LookupError(f"unknown class {params['class']}")
        args, kwargs = self.arguments(params)
        return self.add_object(Counter(*args, **kwargs)).reference()

    def call_method(self, params):
        found = self.objects.get(params["object_id"])
        if found is None:
            raise LookupError(f"unknown object {params['object_id']}")
        args, kwargs = self.arguments(params)
        name = params["method"]
        if name in ("value", "label"):
            if args and name == "label":
                raise AttributeError("label is read-only")
            if args:
                setattr(found, name, args[0])
                return encode(None)
            return encode(getattr(found, name))
        if name not in ("add", "count_to"):
            raise LookupError(f"unknown method {name}")
        return encode(getattr(found, name)(*args, **kwargs))

    def destroy_object(self, params):
        found = self.objects.pop(params["object_id"], None)
        if found is not None:
            found.delete()

    def answer(self, request):
        methods = {
            "scriptling.handshake": self.handshake,
            "environment.open": lambda params: None,
            "environment.close": lambda params: None,
            "plugin.shutdown": lambda params: None,
            "function.call": self.call_function,
            "object.new": self.new_object,
            "object.call_method": self.call_method,
            "object.destroy": self.destroy_object,
        }
        request_id = request.get("id") if isinstance(request, dict) else None
        reply = {"jsonrpc": "2.0", "id": request_id}
        try:
            if type(request_id) is not int:
                raise ValueError("an id is an integer")
            if request["method"] not in methods:
                raise LookupError(f"unknown method {request['method']}")
            return {**reply, "result": methods[request["method"]](request.get("params") or {})}
        except KeyError as missing:
            text = f"missing {missing}"
        except TypeError:
            text = "bad arguments"
        except Exception as error:
            text = str(error)
        return {**reply, "error": {"code": -32000, "message": text}}


def respond(host, library, request):
    if isinstance(request, list):
        host.write([library.answer(each) for each in request])
    else:
        host.write(library.answer(request))


def main():
    host = Host()
    library = Library(host)
    while (request := host.requests.get()) is not None:
        if isinstance(request, dict) and request["method"] == "plugin.shutdown":
            host.write(library.answer(request))
            break
        threading.Thread(target=respond, args=(host, library, request), daemon=True).start()
    # The reading thread may be in read(2); a normal exit would wait for its lock and abort.
    os._exit(0)


if __name__ == "__main__":
    main()
