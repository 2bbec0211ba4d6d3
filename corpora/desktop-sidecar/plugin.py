#!/usr/bin/env python3
"""An example plugin of the desktop-sidecar protocol: one JSON object per line on stdin and stdout.

Answers plugin/health and plugin/shutdown, counts the words of notes (notes/count), summarises them
after asking the host for permission (notes/summarise), and shows the less common forms of the
protocol: notifications, errors without a code, log lines on stderr. Standard library only.
"""

import json
import os
import queue
import sys
import threading

PLUGIN = {"plugin_id": "midwire.example-notes", "version": "0.1.0"}


def log(text):
    print(f"plugin: {text}", file=sys.stderr, flush=True)


class Host:
    """The host as the plugin sees it. A thread reads, so that a call to the host can wait in the
    middle of a request while further requests queue up."""

    def __init__(self):
        self.requests = queue.Queue()
        self.waiting = {}
        self.write_lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in sys.stdin.buffer:
            try:
                message = json.loads(line)
            except ValueError:
                log(f"not JSON, dropped: {line[:40]!r}")
                continue
            if "method" in message:
                self.requests.put(message)
            elif message.get("id") in self.waiting:
                self.waiting.pop(message["id"]).put(message)
            else:
                log(f"an answer to no request: {message.get('id')!r}")
        self.requests.put(None)

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n"
        with self.write_lock:
            sys.stdout.buffer.write(data.encode())
            sys.stdout.buffer.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def call(self, method, params):
        """Asks the host and waits for its answer. The id holds pid and method, as is usual here."""
        request_id = f"host-{os.getpid()}-{method}"
        answer = self.waiting[request_id] = queue.Queue()
        self.send({"id": request_id, "method": method, "params": params})
        message = answer.get(timeout=10)
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]


def health(host, params):
    return {"ok": True, **PLUGIN}


def count(host, params):
    text = params["text"]
    return {"words": len(text.split()), "characters": len(text)}


def summarise(host, params):
    """A long job: asks for permission first, then reports its progress."""
    host.call("host/ping", {})
    leave = host.call("host/request_approval", {"permission": "workspace.read"})
    if not leave["approved"]:
        raise PermissionError("workspace.read was not approved")
    notes = params["notes"]
    for done, note in enumerate(notes, 1):
        log(f"reading note {done} of {len(notes)}")
        host.notify("notes/progress", {"done": done, "of": len(notes), "title": note["title"]})
    # What the desktop application shows while it waits: a notification of another protocol.
    item = {"type": "agentMessage", "text": f"{len(notes)} notes read"}
    event = {"kind": "notification", "method": "item/completed", "params": {"item": item}}
    host.notify("codex/event", event)
    return {"summary": "; ".join(note["title"] for note in notes)}


METHODS = {"plugin/health": health, "notes/count": count, "notes/summarise": summarise}


def answer(host, request):
    try:
        method = METHODS.get(request["method"])  # a list is no key: TypeError
        if method is None:
            raise LookupError(f"no such method: {request['method']}")
        reply = {"result": method(host, request.get("params", {}))}
    except KeyError as missing:
        reply = {"error": {"message": f"params lack {missing}"}}
    except Exception as error:
        reply = {"error": {"message": str(error)}}
    if "id" in request:
        host.send({"id": request["id"], **reply})


def main():
    host = Host()
    log("ready")
    while (request := host.requests.get()) is not None:
        if request["method"] == "plugin/shutdown":
            log("shutting down")
            host.send({"id": request.get("id"), "result": {"ok": True}})
            break
        answer(host, request)
    # The reading thread may be in read(2); a normal exit would wait for its lock and abort.
    os._exit(0)


if __name__ == "__main__":
    main()
