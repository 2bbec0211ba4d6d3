#!/usr/bin/env python3
"""An example plugin of the ainb contract v2: JSON-RPC behind Content-Length headers on stdio.

The plugin "board" draws a screen (plugin/render) from the events and keys that it received, and
runs commands (plugin/cli_dispatch) that show each call to the host: files, network, actions with a
timeout, snapshots in chunks. Events and keys are handled in the reading thread, in their order;
requests in separate threads, because most of them call the host. Standard library only.
"""

import base64
import itertools
import json
import os
import queue
import sys
import threading

ABI_VERSION = 2
WIRE_VERSION = 3  # of the events below
MAX_HEADER, MAX_BODY = 8 * 1024, 16 * 1024 * 1024
METHOD_NOT_FOUND, INVALID_PARAMS, MANIFEST_VALIDATION = -32601, -32602, -32003

MANIFEST = {
    "plugin": {"name": "board", "version": "2.0.1", "abi_version": ABI_VERSION,
               "description": "midwire's example plugin"},
    "capabilities": {
        "read_sessions": True, "write_plugin_data": False, "event_bus": True,
        "network": ["api.example.com"], "spawn_subprocess": False, "read_claude_logs": False,
        "read_codex_logs": False,
    },
    "provides": {"screens": ["board"], "commands": ["board.rescan"], "cli_namespaces": ["board"],
                 "snapshots": ["board.usage"]},
    "subscribes": {"snapshots": ["sessions.usage_data"]},
    "lifecycle": {"spawn": "lazy", "idle_reap_secs": 600},
}


class Failed(Exception):
    """An error object as it goes over the wire."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def to_base64(data):
    return base64.b64encode(data).decode()


def from_base64(text):
    return base64.b64decode(text, validate=True)


def read_frame(stream):
    """A body, or None at a clean end of the stream."""
    header = b""
    while not header.endswith(b"\r\n\r\n"):
        byte = stream.read(1)
        if not byte and not header:
            return None
        if not byte or len(header) == MAX_HEADER:
            raise ValueError("the header does not end")
        header += byte
    name, _, value = header.strip().partition(b":")
    if name != b"Content-Length" or not value.strip().isdigit() or int(value) > MAX_BODY:
        raise ValueError(f"not a header: {header!r}")
    body = stream.read(int(value))
    if len(body) < int(value):
        raise ValueError("the stream ended in a body")
    return body


class Host:
    """The host as the plugin sees it."""

    def __init__(self):
        self.waiting, self.ids = {}, itertools.count(1)
        self.write_lock = threading.Lock()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        with self.write_lock:
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            sys.stdout.buffer.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def log(self, level, message, **fields):
        self.notify("host/log", {"level": level, "message": message, "fields": fields})

    def call(self, method, params):
        request_id = next(self.ids)
        answer = self.waiting[request_id] = queue.Queue()
        self.send({"id": request_id, "method": method, "params": params})
        message = answer.get(timeout=30)
        if "error" in message:
            raise Failed(message["error"]["code"], message["error"]["message"])
        return message["result"]


class Usage:
    """Joins chunked events. Chunks without a first one are dropped."""

    def __init__(self):
        self.batch, self.calls, self.total, self.warning = None, [], 0, ""

    def add(self, event):
        if event["version"] != WIRE_VERSION:
            self.warning = f"schema mismatch: version {event['version']}"
            return
        if event["chunk_index"] == 0:
            self.batch, self.calls, self.total = event["published_ns"], [], event["data"]["total"]
        elif self.batch != event["published_ns"]:
            return
        self.calls += event["data"]["calls"]


class Board:
    def __init__(self, host):
        self.host = host
        self.usage = Usage()
        self.selected = 0
        self.published = itertools.count(1)
        self.commands = {"report": self.report, "sessions": self.sessions, "read": self.read,
                         "fetch": self.fetch, "rescan": self.rescan, "publish": self.publish,
                         "get": self.get, "subscribe": self.subscribe,
                         "workspaces": self.workspaces}

    def init(self, params):
        if params["abi_version"] != ABI_VERSION:
            raise Failed(MANIFEST_VALIDATION, f"abi_version {ABI_VERSION} is spoken here")
        self.host.log("info", "ready", granted=len(params["granted_capabilities"]))
        return {"manifest": MANIFEST, "abi_version": ABI_VERSION}

    def lines(self):
        title = self.usage.warning or f"{self.usage.total} calls"
        return [title] + [f"{'>' if at == self.selected else ' '}{call}"
                          for at, call in enumerate(self.usage.calls)]

    def render(self, params):
        width, height = params["viewport"]["width"], params["viewport"]["height"]
        cells = []
        for y, line in enumerate(self.lines()[:height]):
            color = {"r": 255, "g": 200, "b": 0} if y == self.selected + 1 else None
            for x, symbol in enumerate(line[:width]):
                if symbol != " ":
                    cell = {"symbol": symbol, "fg": color, "bg": None, "modifier": int(y == 0)}
                    cells.append([{"x": x, "y": y}, cell])
        return {"buffer": {"width": width, "height": height, "cells": cells}}

    def handle_event(self, params):
        if params["topic"] == "sessions.usage_data":
            self.usage.add(json.loads(from_base64(params["payload"])))

    def handle_key(self, params):
        key = params["key"]
        if key.get("kind", "press") == "release":
            return
        step = {"up": -1, "down": 1}.get(key["code"]["type"], 0)
        self.selected = max(0, self.selected + step)
        if key["code"]["type"] == "esc":
            self.selected = 0

    def cli_dispatch(self, params):
        command, *args = params["argv"] or ["report"]
        out, status = "", 0
        try:
            if params["namespace"] != "board" or command not in self.commands:
                raise LookupError(f"no command {params['namespace']} {command}")
            out, error = self.commands[command](*args), ""
        except Failed as failed:
            error, status = f"{failed.code}: {failed.message}\n", 1
        except LookupError as failed:
            error, status = f"{failed}\n", 64
        return {"stdout": to_base64(out.encode()), "stderr": to_base64(error.encode()),
                "exit_code": status}

    def report(self):
        return "".join(line + "\n" for line in self.lines())

    def sessions(self, folder):
        found = self.host.call("host/fs/read_dir", {"path": folder})["entries"]
        return "".join(f"{entry['name']}{'/' * entry['is_dir']} {entry['size']}\n"
                       for entry in found)

    def read(self, path):
        return from_base64(self.host.call("host/fs/read_file", {"path": path})["bytes"]).decode()

    def fetch(self, url):
        answer = self.host.call("host/network/fetch", {
            "url": url, "method": "GET", "body": None, "headers": [["accept", "text/plain"]]})
        return f"{answer['status']} {from_base64(answer['body']).decode()}\n"

    def rescan(self, timeout_ms):
        if not timeout_ms.isdigit():
            raise ValueError("a timeout is a number")
        answer = self.host.call("host/action/invoke", {
            "action": "sessions.rescan", "payload": to_base64(b"{}"),
            "timeout_ms": int(timeout_ms)})
        return from_base64(answer["payload"]).decode() + "\n"

    def publish(self, chunks):
        """A snapshot in so many chunks: the aggregates in the first, a slice of calls in each."""
        batch, count = next(self.published) * 1_000_000, int(chunks)
        for index in range(count):
            event = {
                "version": WIRE_VERSION, "published_ns": batch, "partial": False,
                "chunk_index": index, "is_final": index + 1 == count,
                "data": {"total": count if index == 0 else 0, "calls": [f"call {index}"]},
            }
            payload = to_base64(json.dumps(event).encode())
            params = {"topic": "board.usage", "payload": payload}
            self.host.notify("host/snapshot/publish", params)
        return f"published {count}\n"

    def get(self, topic):
        answer = self.host.call("host/snapshot/get", {"topic": topic})
        if answer["payload"] is None:
            return "nothing\n"
        event = json.loads(from_base64(answer["payload"]))
        return f"version {answer['version']}, chunk {event['chunk_index']}\n"

    def subscribe(self, topic):
        self.host.call("host/snapshot/subscribe", {"topic": topic})
        return f"subscribed to {topic}\n"

    def workspaces(self):
        found = self.host.call("host/workspace_list", {})["workspaces"]
        return "".join(workspace["name"] + "\n" for workspace in found)


def answer(board, request):
    methods = {"plugin/init": board.init, "plugin/render": board.render,
               "plugin/cli_dispatch": board.cli_dispatch, "plugin/shutdown": lambda params: {}}
    try:
        if request["method"] not in methods:
            raise Failed(METHOD_NOT_FOUND, f"method not found: {request['method']}")
        reply = {"result": methods[request["method"]](request.get("params") or {})}
    except Failed as failed:
        reply = {"error": {"code": failed.code, "message": failed.message}}
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        reply = {"error": {"code": INVALID_PARAMS, "message": f"invalid params: {wrong}"}}
    board.host.send({"id": request["id"], **reply})


def serve(board, host):
    """Reads until the shutdown or the end of the stream."""
    while (body := read_frame(sys.stdin.buffer)) is not None:
        try:
            message = json.loads(body)
            if take(board, host, message) == "plugin/shutdown":
                return
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
            sys.stderr.write(f"plugin: dropped: {wrong}\n")


def take(board, host, message):
    """Handles a message; returns its method."""
    notified = {"plugin/handle_event": board.handle_event, "plugin/handle_key": board.handle_key}
    method = message.get("method")
    if method is None:
        waiting = host.waiting.pop(message.get("id"), None)
        if waiting is not None:
            waiting.put(message)
    elif "id" not in message:
        # Unknown methods are those of a newer host (contract, clause 11).
        notified.get(method, lambda params: None)(message.get("params"))
    elif method == "plugin/cli_dispatch":
        threading.Thread(target=answer, args=(board, message), daemon=True).start()
    else:
        answer(board, message)
    return method


def main():
    host = Host()
    try:
        serve(Board(host), host)
    except ValueError as wrong:
        sys.stderr.write(f"plugin: {wrong}\n")
        os._exit(1)
    os._exit(0)  # not held up by a command that waits for the host


if __name__ == "__main__":
    main()
