#!/usr/bin/env python3
"""An example host of the Scriptling protocol: starts a plugin, talks to it, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Exits 0 if all answers are as expected and the plugin exits with 0, else 1 with a line on stderr.
Standard library only.
"""

import json
import subprocess
import sys

HANDSHAKE = {
    "protocol": "1.0", "host": "scriptling", "host_version": "0.9.2", "transports": ["json"],
    "capabilities": ["remote_objects"],
}
EVERYTHING = [None, True, False, 42, -7, 9007199254740993, 3.5, "", "grüß dich 👋",
              ["a", [1, {"deep": None}]], {"name": "Ada", "age": 36}, [], {}]


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Reference:
    """A callback or a remote object: an id that stands for it."""

    def __init__(self, kind, body):
        self.value = {"type": kind, kind: body}


def encode(value):
    if isinstance(value, Reference):
        return value.value
    if value is None:
        return {"type": "null"}
    if isinstance(value, list):
        return {"type": "list", "items": [encode(each) for each in value]}
    if isinstance(value, dict):
        entries = {name: encode(each) for name, each in value.items()}
        return {"type": "dict", "entries": entries}
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    return {"type": kinds[type(value)], "value": value}


def decode(value):
    kind = value["type"]
    if kind == "null":
        return None
    if kind == "list":
        return [decode(each) for each in value.get("items", [])]
    if kind == "dict":
        return {name: decode(each) for name, each in value.get("entries", {}).items()}
    if kind == "remote":
        return value["remote"]
    return value["value"]


def arguments(params, args, kwargs):
    if args:
        params["args"] = [encode(each) for each in args]
    if kwargs:
        params["kwargs"] = {name: encode(each) for name, each in kwargs.items()}
    return params


class Plugin:
    """The plugin as the host sees it: runs callbacks and takes log records while it waits."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id, self.next_callback = 1, 1
        self.callbacks, self.new_callbacks, self.lent = {}, [], {}
        self.records, self.answers = [], {}

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False)
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params=None):
        request_id = self.next_id
        self.next_id += 1
        self.lent[request_id], self.new_callbacks = self.new_callbacks, []
        message = {"id": request_id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return request_id

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise WrongAnswer("the plugin closed its output")
        return json.loads(line)

    def lend(self, function):
        """A callback for the next call; its id expires with it."""
        callback_id = f"cb-{self.next_callback}"
        self.next_callback += 1
        self.callbacks[callback_id] = function
        self.new_callbacks.append(callback_id)
        return Reference("callback", {"id": callback_id})

    def answer(self, message):
        reply, params = {"id": message["id"]}, message["params"]
        try:
            if message["method"] == "host.log":
                self.records.append((params["level"], params["message"]))
                reply["result"] = {"type": "null"}
            elif message["method"] != "callback.call":
                raise LookupError(f"unknown method {message['method']}")
            elif params["id"] not in self.callbacks:
                raise LookupError(f"unknown callback {params['id']}")
            else:
                args = [decode(each) for each in params.get("args", [])]
                kwargs = {name: decode(each) for name, each in params.get("kwargs", {}).items()}
                reply["result"] = encode(self.callbacks[params["id"]](*args, **kwargs))
        except WrongAnswer:
            raise
        except Exception as error:
            reply["error"] = {"code": -32000, "message": str(error)}
        self.send(reply)

    def wait_for(self, request_id):
        while request_id not in self.answers:
            message = self.receive()
            if "method" in message:
                self.answer(message)
            elif message.get("id") in self.lent:
                self.answers[message["id"]] = message
                for callback_id in self.lent.pop(message["id"]):
                    del self.callbacks[callback_id]
            else:
                raise WrongAnswer(f"an answer to no request: {message.get('id')!r}")
        return self.answers.pop(request_id)

    def result(self, method, params=None):
        message = self.wait_for(self.request(method, params))
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        print(f"{method}: {json.dumps(message['result'], ensure_ascii=False)}")
        return message["result"]

    def error(self, method, params):
        message = self.wait_for(self.request(method, params))
        if "error" not in message:
            raise WrongAnswer(f"{method} should have failed")
        print(f"{method}: error: {message['error']['message']}")
        expect("code", message["error"]["code"], -32000)
        return message["error"]["message"]

    def call(self, name, *args, **kwargs):
        return decode(self.result("function.call", arguments({"name": name}, args, kwargs)))

    def call_method(self, object_id, method, *args, **kwargs):
        params = arguments({"object_id": object_id, "method": method}, args, kwargs)
        return decode(self.result("object.call_method", params))


def check_schema(hello):
    expect("protocol", (hello["protocol"], hello["transport"]), ("1.0", "json"))
    expect("library", hello["library"]["name"], "hello")
    functions = {function["name"] for function in hello["schema"]["functions"]}
    expect("functions", functions,
           {"greet", "echo", "each", "hold", "let_go", "make_counter", "greet_all"})
    constants = {each["name"]: decode(each["value"]) for each in hello["schema"]["constants"]}
    expect("constants", constants, {"max_retries": 3, "motto": "grüß dich"})


def functions(plugin):
    expect("greet", plugin.call("greet", "Ada"), "Hello, Ada")
    expect("greet", plugin.call("greet", "Ada", greeting="Good day"), "Good day, Ada")
    expect("echo", plugin.call("echo", EVERYTHING), EVERYTHING)

    # The callback calls the plugin again: a call in a call in a call.
    def shout(item, index):
        return plugin.call("greet", item).upper() if index == 1 else item

    shouted = plugin.call("each", ["ann", "bob"], plugin.lend(shout))
    expect("each", shouted, ["ann", "HELLO, BOB"])
    expect("log", plugin.records, [("info", "plugin work started")])

    def refuse(item, index):
        raise ValueError(f"no {item} today")

    params = arguments({"name": "each"}, [["tea"], plugin.lend(refuse)], {})
    expect("each", plugin.error("function.call", params), "no tea today")

    # Two at once: they may be answered in either order.
    held = plugin.request("function.call", arguments({"name": "hold"}, ["door"], {}))
    let_go = plugin.request("function.call", arguments({"name": "let_go"}, ["door"], {}))
    expect("let_go", decode(plugin.wait_for(let_go)["result"]), None)
    expect("hold", decode(plugin.wait_for(held)["result"]), "door was let go")

    expect("unknown", plugin.error("function.call", {"name": "sing"}), "unknown function sing")
    expect("no name", plugin.error("function.call", {"name": "greet"}), "bad arguments")


def objects(plugin):
    new = arguments({"class": "Counter"}, [5], {"name": "steps"})
    counter = plugin.result("object.new", new)
    expect("class", (counter["library"], counter["class"]), ("hello", "Counter"))
    steps = counter["id"]
    expect("add", plugin.call_method(steps, "add", 2), 7)
    expect("get", plugin.call_method(steps, "value"), 7)
    expect("set", plugin.call_method(steps, "value", 9), None)
    expect("label", plugin.call_method(steps, "label"), "steps")
    params = arguments({"object_id": steps, "method": "label"}, ["x"], {})
    expect("read-only", plugin.error("object.call_method", params), "label is read-only")

    seen = []
    counted = plugin.call_method(steps, "count_to", 11, step=plugin.lend(seen.append))
    expect("count_to", (counted, seen), (11, [10, 11]))

    other = plugin.call("make_counter", 100)
    expect("other", plugin.call_method(other["id"], "add"), 101)
    expect("as an argument", plugin.call("echo", Reference("remote", other)), other)
    for object_id in steps, steps, other["id"]:  # twice is fine
        expect("destroy", plugin.result("object.destroy", {"object_id": object_id}), None)
    expect("unknown", plugin.error("object.new", {"class": "Clock"}), "unknown class Clock")


def session(plugin):
    check_schema(plugin.result("scriptling.handshake", HANDSHAKE))
    expect("open", plugin.result("environment.open"), None)
    functions(plugin)
    objects(plugin)
    expect("close", plugin.result("environment.close"), None)
    expect("shutdown", plugin.result("plugin.shutdown"), None)
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
