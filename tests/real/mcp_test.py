"""The Model Context Protocol's own example server, recorded. Usage: MIDWIRE WORK_FOLDER

Line framing; progress notifications; reverse requests (roots/list, sampling/createMessage) whose ids
collide with the host's. The server comes from npm, pinned by mcp/package-lock.json.
"""

import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys

from checked import checked
from held_against_tape import hold
from scripted_host import ScriptedHost

HERE = pathlib.Path(__file__).resolve().parent
SERVER = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
SKIP = 77
NPM = ["npm", "--no-audit", "--no-fund", "--no-update-notifier"]
# By default npm retries for minutes, and the other tests wait for the lock past their timeout.
BRIEF = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=10000"]


def fetch_server(folder):
    """npm ci into `folder`, once per lock file. False: the registry cannot be reached."""
    folder.mkdir(parents=True, exist_ok=True)
    # Several tests want it, and may run at the same time.
    with open(folder / "lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        return fetch_alone(folder)


def fetch_alone(folder):
    lock = (HERE / "mcp" / "package-lock.json").read_bytes()
    stamp = folder / "fetched"
    wanted = hashlib.sha256(lock).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return True
    for name in "package.json", "package-lock.json":
        shutil.copy(HERE / "mcp" / name, folder / name)
    if not registry_answers(folder):
        return False
    fetched = subprocess.run(NPM + ["ci", "--ignore-scripts"], cwd=folder)
    if fetched.returncode == 0:
        stamp.write_text(wanted)
        return True
    assert not registry_answers(folder), "npm ci failed, though the registry answers"
    return False


def registry_answers(folder):
    return subprocess.run(NPM + ["ping"] + BRIEF, cwd=folder, capture_output=True).returncode == 0


def session(host):
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
        "clientInfo": {"name": "midwire-test", "version": "1"},
    }
    assert host.call(0, "initialize", params)["serverInfo"]["name"]
    host.notify("notifications/initialized", {})

    # The server asks back, and counts from 0 as we do.
    asked = host.wait_method("roots/list")
    host.send({"id": asked["id"], "result": {"roots": [{"uri": "file:///srv/notes"}]}})

    tools = {tool["name"] for tool in host.call(1, "tools/list", {})["tools"]}
    assert {"echo", "trigger-long-running-operation", "trigger-sampling-request"} <= tools, tools

    echo = {"name": "echo", "arguments": {"message": "Grüße 👋 \u202e \u001b[31m"}}
    assert "Grüße 👋" in host.call("echo", "tools/call", echo)["content"][0]["text"]

    slow = {"name": "trigger-long-running-operation", "arguments": {"duration": 1, "steps": 4}}
    host.request(2, "tools/call", {**slow, "_meta": {"progressToken": "job-1"}})
    for step in range(1, 5):
        told = host.wait_method("notifications/progress")["params"]
        assert (told["progress"], told["progressToken"]) == (step, "job-1"), told
    assert "completed" in host.wait_answer(2)["result"]["content"][0]["text"]

    # A reverse request inside a pending call.
    ask = {"name": "trigger-sampling-request", "arguments": {"prompt": "tea?", "maxTokens": 9}}
    host.request(3, "tools/call", ask)
    asked = host.wait_method("sampling/createMessage")
    text = {"role": "assistant", "model": "none", "content": {"type": "text", "text": "with milk"}}
    host.send({"id": asked["id"], "result": text})
    assert "with milk" in host.wait_answer(3)["result"]["content"][0]["text"]

    host.request(4, "no/such/method", {})
    assert host.wait_answer(4)["error"]["code"] == -32601


def main(midwire, work):
    folder = pathlib.Path(work).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fetched = folder.parent / "mcp_server"
    if not fetch_server(fetched):
        print("skipped: npm cannot reach its registry, so there is no MCP server to record")
        return SKIP
    tape = str(folder / "session.pcapng")

    plugin = [shutil.which("node"), str(fetched / SERVER), "stdio"]
    host = ScriptedHost([midwire, "record", "-o", tape, "--"] + plugin, "line", cwd=folder)
    try:
        session(host)
        assert host.close() == 0, f"exit {host.process.returncode}; log:\n{host.log.decode()}"
    finally:
        host.kill()
    shown = hold(midwire, tape, host)
    # The slow call was requested to take a second; the recorded latency may not be shorter.
    slow = next(line for line in shown if line.get("id") == 2 and line["kind"] == "response")
    assert slow["latency_ns"] >= 1_000_000_000, slow
    # The unknown method.
    unknown = checked(midwire, tape, "mcp", tolerated=["method.unknown"])
    assert [found["method"] for found in unknown] == ["no/such/method"], unknown
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
