"""A scripted host that keeps its own byte log, with which a tape is compared.

Used by clangd_test.py and mcp_test.py. It starts any command, frames in either framing, and notes
for every message both ways its bytes and when it was passed on. It never reads a tape.
"""

import json
import os
import queue
import subprocess
import threading
import time
from dataclasses import dataclass

# Long enough for clangd or node to start on a busy machine.
DEADLINE_S = 60 * float(os.environ.get("MIDWIRE_PATIENCE", "1"))


@dataclass
class Said:
    """One message as the host saw it."""

    direction: str  # "h2p" or "p2h"
    message: dict
    frame: bytes
    time_ns: int  # before it was written, or after it was read

    @property
    def kind(self):
        if "method" in self.message:
            return "request" if "id" in self.message else "notification"
        return "error" if "error" in self.message else "response"


def frame_line(body):
    return body + b"\n"


def frame_content_length(body):
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def cut_line(data):
    """The first frame of `data` and its body, or None while it is incomplete."""
    end = data.find(b"\n")
    return None if end < 0 else (data[: end + 1], data[:end])


def cut_content_length(data):
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    start = end + 4
    headers = dict(line.split(b": ", 1) for line in data[:end].split(b"\r\n"))
    stop = start + int(headers[b"Content-Length"])
    return None if len(data) < stop else (data[:stop], data[start:stop])


FRAMINGS = {
    "line": (frame_line, cut_line),
    "content-length": (frame_content_length, cut_content_length),
}


class ScriptedHost:
    # Members of every message; the Debug Adapter Protocol has others.
    common = {"jsonrpc": "2.0"}

    def __init__(self, command, framing, cwd=None):
        self.frame, self.cut = FRAMINGS[framing]
        self.said = []
        self.sent, self.received, self.log = b"", b"", b""
        self.inbox = queue.Queue()
        self.unclaimed = []
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd)
        self.readers = [threading.Thread(target=read) for read in (self.read_stdout, self.read_log)]
        for reader in self.readers:
            reader.start()

    def read_stdout(self):
        pending = b""
        while chunk := os.read(self.process.stdout.fileno(), 65536):
            now = time.time_ns()
            self.received += chunk
            pending += chunk
            while cut := self.cut(pending):
                frame, body = cut
                pending = pending[len(frame) :]
                self.inbox.put(Said("p2h", json.loads(body), frame, now))
        self.inbox.put(None)

    def read_log(self):
        while chunk := os.read(self.process.stderr.fileno(), 65536):
            self.log += chunk

    def send(self, message):
        message = {**self.common, **message}
        frame = self.frame(json.dumps(message, ensure_ascii=False).encode())
        self.said.append(Said("h2p", message, frame, time.time_ns()))
        self.sent += frame
        self.process.stdin.write(frame)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, request_id, method, params):
        self.send({"id": request_id, "method": method, "params": params})

    def wait_until(self, wanted, what):
        """The oldest message, not handed out before, for which wanted(message) holds."""
        for message in self.unclaimed:
            if wanted(message):
                self.unclaimed.remove(message)
                return message
        while True:
            try:
                said = self.inbox.get(timeout=DEADLINE_S)
            except queue.Empty:
                raise AssertionError(f"no {what} within {DEADLINE_S} s; log:\n{self.log.decode()}")
            assert said, f"the plugin's output ended before {what}; log:\n{self.log.decode()}"
            self.said.append(said)
            if wanted(said.message):
                return said.message
            self.unclaimed.append(said.message)

    def wait_answer(self, request_id):
        return self.wait_until(
            lambda m: "method" not in m and m.get("id") == request_id, f"answer to {request_id!r}"
        )

    def wait_method(self, method):
        return self.wait_until(lambda m: m.get("method") == method, method)

    def call(self, request_id, method, params):
        self.request(request_id, method, params)
        message = self.wait_answer(request_id)
        assert "error" not in message, message
        return message["result"]

    def close(self):
        """Closes the plugin's stdin, takes in what still comes, and returns the exit status."""
        self.process.stdin.close()
        try:
            status = self.process.wait(timeout=DEADLINE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the plugin did not end; log:\n{self.log.decode()}")
        for reader in self.readers:
            reader.join(timeout=DEADLINE_S)
        while said := self.inbox.get(timeout=DEADLINE_S):
            self.said.append(said)
        return status

    def kill(self):
        self.process.kill()
        self.process.wait()
