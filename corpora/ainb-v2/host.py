#!/usr/bin/env python3
"""An example host of the ainb contract v2: starts a plugin, talks to it, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Exits 0 if all answers are as expected and the plugin exits with 0, else 1 with a line on stderr.
Files and network are made up. Standard library only.
"""

import base64
import json
import subprocess
import sys
import time
from urllib.parse import urlsplit

CAPABILITY_DENIED, ACTION_TIMEOUT = -32001, -32002
METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602
HOME = "/home/ada"
SESSIONS = f"{HOME}/.agents-in-a-box/sessions"
ROOTS = {
    "read_sessions": SESSIONS,
    "read_claude_logs": f"{HOME}/.claude/projects",
    "read_codex_logs": f"{HOME}/.codex/sessions",
}
FILES = {
    f"{SESSIONS}/one.json": '{"title": "Grüße 👋"}',
    f"{SESSIONS}/two.json": "{}",
    f"{HOME}/.claude/projects/a.jsonl": "{}\n",
}
WIRE_VERSION = 3


class WrongAnswer(Exception):
    pass


class Failed(Exception):
    """What the host refuses, as an error object."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


def to_base64(data):
    return base64.b64encode(data).decode()


def from_base64(text):
    return base64.b64decode(text, validate=True)


class Host:
    """What the host does for its plugin: files, network, actions, snapshots, within the grants."""

    def __init__(self):
        self.grants = {}
        self.subscribed, self.store, self.versions = set(), {}, {}
        self.log = []
        self.methods = {
            "host/fs/read_dir": self.read_dir, "host/fs/read_file": self.read_file,
            "host/network/fetch": self.fetch, "host/action/invoke": self.invoke,
            "host/snapshot/get": self.get, "host/snapshot/subscribe": self.subscribe,
        }

    def demand(self, capability, granted=None):
        if granted is None:
            granted = bool(self.grants.get(capability))
        if not granted:
            raise Failed(CAPABILITY_DENIED, f"capability denied: {capability}")

    def guard(self, path):
        if ".." in path.split("/"):
            raise Failed(CAPABILITY_DENIED, "capability denied: path")
        for capability, root in ROOTS.items():
            if path == root or path.startswith(root + "/"):
                return self.demand(capability)
        raise Failed(CAPABILITY_DENIED, "capability denied: path")

    def read_dir(self, params):
        self.guard(params["path"])
        below = params["path"] + "/"
        return {"entries": [{"name": path[len(below):], "is_dir": False, "size": len(text.encode())}
                            for path, text in FILES.items() if path.startswith(below)]}

    def read_file(self, params):
        self.guard(params["path"])
        return {"bytes": to_base64(FILES[params["path"]].encode())}

    def fetch(self, params):
        grant = self.grants.get("network")
        name = urlsplit(params["url"]).hostname
        self.demand("network", name in grant if isinstance(grant, list) else bool(grant))
        return {"status": 200, "headers": [["content-type", "text/plain"]],
                "body": to_base64(b"all is well")}

    def invoke(self, params):
        """Takes a tenth of a second; 0 waits as long as it takes."""
        timeout = params.get("timeout_ms", 0)
        if 0 < timeout < 100:
            time.sleep(timeout / 1000)
            raise Failed(ACTION_TIMEOUT, f"{params['action']} took more than {timeout} ms")
        time.sleep(0.1)
        return {"payload": to_base64(b"rescanned")}

    def get(self, params):
        self.demand("event_bus")
        topic = params["topic"]
        payload = self.store.get(topic)
        return {"payload": payload, "version": self.versions.get(topic, 0)}

    def subscribe(self, params):
        self.demand("event_bus")
        self.subscribed.add(params["topic"])
        return {}

    def publish(self, topic, payload):
        """Keeps only the latest. Returns whether the plugin wants it."""
        self.store[topic] = payload
        self.versions[topic] = self.versions.get(topic, 0) + 1
        return topic in self.subscribed


class Plugin:
    """The plugin as the host sees it: serves the plugin's calls while it waits for an answer."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.host = Host()
        self.next_id, self.generation = 1, 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            byte = self.process.stdout.read(1)
            if not byte or len(header) == 8192:
                raise WrongAnswer(f"no header: {header!r}")
            header += byte
        name, _, length = header.strip().partition(b": ")
        expect("header", name, b"Content-Length")
        return json.loads(self.process.stdout.read(int(length)))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def serve(self, message):
        """Handles a request or notification of the plugin."""
        method, params = message["method"], message["params"]
        if method == "host/log":
            self.host.log.append((params["level"], params["message"]))
        elif method == "host/snapshot/publish":
            if self.host.publish(params["topic"], params["payload"]):
                self.notify("plugin/handle_event", params)
        else:
            try:
                if method not in self.host.methods:
                    raise Failed(METHOD_NOT_FOUND, f"method not found: {method}")
                reply = {"result": self.host.methods[method](params)}
            except Failed as failed:
                reply = {"error": {"code": failed.code, "message": failed.message}}
            self.send({"id": message["id"], **reply})

    def call(self, method, params):
        request_id = self.next_id
        self.next_id += 1
        self.send({"id": request_id, "method": method, "params": params})
        while "method" in (message := self.receive()):
            self.serve(message)
        expect("id", message["id"], request_id)
        return message

    def result(self, method, params):
        message = self.call(method, params)
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        return message["result"]

    def error(self, method, params):
        message = self.call(method, params)
        if "error" not in message:
            raise WrongAnswer(f"{method} should have failed")
        print(f"{method}: error: {message['error']['message']}")
        return message["error"]["code"]

    def run(self, *argv):
        """Runs a command of the plugin: (exit code, its output)."""
        result = self.result("plugin/cli_dispatch", {"namespace": "board", "argv": list(argv)})
        text = from_base64(result["stdout"]).decode() + from_base64(result["stderr"]).decode()
        print(f"board {' '.join(argv)}: {result['exit_code']}: {text.strip()}")
        return result["exit_code"], text.strip()

    def render(self, generation, width=24, height=4):
        params = {"viewport": {"width": width, "height": height}, "generation": generation}
        buffer = self.result("plugin/render", params)["buffer"]
        expect("size", (buffer["width"], buffer["height"]), (width, height))
        rows = [[" "] * width for _ in range(height)]
        for at, cell in buffer["cells"]:
            rows[at["y"]][at["x"]] = cell["symbol"]
        return ["".join(row).rstrip() for row in rows]

    def key(self, code, kind="press", mods=0):
        self.generation += 1
        key = {"code": code, "mods": mods, "kind": kind}
        params = {"screen_id": "board", "key": key, "generation": self.generation}
        self.notify("plugin/handle_key", params)

    def usage(self, published_ns, chunks, total, version=WIRE_VERSION):
        """A snapshot of the host, in chunks."""
        for index, calls in enumerate(chunks):
            final = index + 1 == len(chunks)
            event = {"version": version, "published_ns": published_ns, "partial": False,
                     "chunk_index": index, "is_final": final,
                     "data": {"total": total if index == 0 else 0, "calls": calls}}
            payload = to_base64(json.dumps(event).encode())
            params = {"topic": "sessions.usage_data", "payload": payload}
            self.notify("plugin/handle_event", params)


def start(plugin):
    granted = ["read_sessions", "event_bus", "network"]
    result = plugin.result("plugin/init", {
        "manifest_path": f"{HOME}/ainb/dist/plugins/board/manifest.toml",
        "granted_capabilities": granted, "abi_version": 2})
    manifest = result["manifest"]
    expect("abi", (result["abi_version"], manifest["plugin"]["abi_version"]), (2, 2))
    expect("name", manifest["plugin"]["name"], "board")
    plugin.host.grants = manifest["capabilities"]
    plugin.host.subscribed |= set(manifest["subscribes"]["snapshots"])
    expect("log", plugin.host.log, [("info", "ready")])


def screen(plugin):
    first = plugin.render(0)
    expect("empty screen", first, ["0 calls", "", "", ""])
    expect("the same again", plugin.render(0), first)
    plugin.usage(7_000_000, [["read a"], ["write b", "run c"]], total=3)
    expect("three calls", plugin.render(1), ["3 calls", ">read a", " write b", " run c"])
    for code in {"type": "down"}, {"type": "char", "ch": "j"}, {"type": "f", "n": 5}:
        plugin.key(code)
    plugin.key({"type": "down"}, kind="release")
    expect("second", plugin.render(2), ["3 calls", " read a", ">write b", " run c"])
    expect("clipped", plugin.render(2, width=5, height=1), ["3 cal"])
    plugin.key({"type": "esc"}, mods=1)
    expect("first", plugin.render(3)[1], ">read a")
    plugin.usage(8_000_000, [["alone"]], total=1)  # one chunk: first and last
    expect("replaced", plugin.render(4), ["1 calls", ">alone", "", ""])


def commands(plugin):
    expect("report", plugin.run("report"), (0, "1 calls\n>alone"))
    expect("dir", plugin.run("sessions", SESSIONS), (0, "one.json 25\ntwo.json 2"))
    expect("file", plugin.run("read", f"{SESSIONS}/one.json"), (0, '{"title": "Grüße 👋"}'))
    expect("no leave", plugin.run("read", f"{HOME}/.claude/projects/a.jsonl"),
           (1, "-32001: capability denied: read_claude_logs"))
    for path in "/etc/passwd", f"{SESSIONS}/../../.ssh/id_ed25519":
        expect("guard", plugin.run("read", path), (1, "-32001: capability denied: path"))
    expect("fetch", plugin.run("fetch", "https://api.example.com/health"), (0, "200 all is well"))
    expect("no leave", plugin.run("fetch", "https://elsewhere.example.net/"),
           (1, "-32001: capability denied: network"))
    expect("action", plugin.run("rescan", "5000"), (0, "rescanned"))
    expect("too slow", plugin.run("rescan", "20"),
           (1, "-32002: sessions.rescan took more than 20 ms"))
    expect("nothing", plugin.run("get", "board.usage"), (0, "nothing"))
    expect("subscribe", plugin.run("subscribe", "board.usage"), (0, "subscribed to board.usage"))
    expect("chunks", plugin.run("publish", "3"), (0, "published 3"))
    expect("last chunk", plugin.run("get", "board.usage"), (0, "version 3, chunk 2"))
    expect("one chunk", plugin.run("publish", "1"), (0, "published 1"))
    expect("unknown", plugin.run("dance"), (64, "no command board dance"))


def session(plugin):
    start(plugin)
    screen(plugin)
    commands(plugin)
    # A method of newer hosts; params that have the right shape, but no sense.
    expect("newer", plugin.run("workspaces"),
           (1, "-32601: method not found: host/workspace_list"))
    rescan = {"namespace": "board", "argv": ["rescan", "soon"]}
    expect("params", plugin.error("plugin/cli_dispatch", rescan), INVALID_PARAMS)
    expect("shutdown", plugin.result("plugin/shutdown", {}), {})
    expect("end of output", plugin.process.stdout.read(), b"")
    plugin.process.stdin.close()
    expect("exit status", plugin.process.wait(timeout=5), 0)


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
