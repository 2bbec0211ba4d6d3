#!/usr/bin/env python3
"""record.py MIDWIRE PEER FOLDER: plays a host to the correct peer, and records it in both framings.

Makes line.jsonl and content-length.jsonl, the only inputs that the fuzzers here start from.
"""
import json
import os
import subprocess
import sys

MIDWIRE, PEER, FOLDER = sys.argv[1:]
SAID = [
    ("initialize", {"client": "bench"}), ("initialized", None),
    ("echo", {"value": {"list": [1, 2.5, "three", None, True]}}),
    ("echo", {"value": "Grüße aus dem Zoo"}),
    ("add", {"a": 1, "b": 41}),
    ("open", {"name": "notes"}), ("read", {"handle": "h-1007"}), ("close", {"handle": "h-1007"}),
    ("later", {"text": "soon"}), ("$/cancel", {"id": 77}), ("confirm", {"question": "feed it?"}),
    ("log/setLevel", {"level": "info"}),
    ("step", {"key": "wake"}), ("paint", {"color": "red"}),
    ("add", {"a": -3, "b": 0.5}), ("shutdown", {}), ("exit", None),
]


def record(framing):
    tape = os.path.join(FOLDER, framing + ".pcapng")
    plugin = subprocess.Popen([MIDWIRE, "record", "-o", tape, "--", PEER, "none", framing],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def say(message):
        body = json.dumps(message, ensure_ascii=False).encode()
        head = b"" if framing == "line" else b"Content-Length: %d\r\n\r\n" % len(body)
        plugin.stdin.write(head + body + (b"\n" if framing == "line" else b""))
        plugin.stdin.flush()

    def hear():
        if framing == "line":
            return json.loads(plugin.stdout.readline())
        length = int(plugin.stdout.readline().split(b":")[1])
        plugin.stdout.readline()
        return json.loads(plugin.stdout.read(length))

    for number, (method, params) in enumerate(SAID):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if method in ("initialized", "exit", "$/cancel"):
            say(message)
            continue
        say({"jsonrpc": "2.0", "id": number, **message})
        heard = hear()
        if "method" in heard:
            say({"jsonrpc": "2.0", "id": heard["id"], "result": {"answer": "yes"}})
            heard = hear()
        assert heard["id"] == number and "result" in heard, heard
    plugin.stdin.close()
    assert plugin.wait() == 0
    cassette = os.path.join(FOLDER, framing + ".jsonl")
    if os.path.exists(cassette):
        os.remove(cassette)
    subprocess.run([MIDWIRE, "convert", tape, cassette], check=True)
    os.remove(tape)


for kind in ("line", "content-length"):
    record(kind)
