"""The MCP example server, recorded and then replayed against it. Usage: MIDWIRE WORK_FOLDER

More than mcp_test.py covers: resources, prompts, completion, elicitation, and a task, whose id the
server generates on each run and the host sends back.
"""

import json
import shutil
import signal
import sys

from mcp_test import SERVER, SKIP, fetch_server
from replayed import fresh_folder, nothing_to_suggest, record, replay_green, to_cassette

HEADER = {
    "ignore": [
        # The time of day, in a sentence.
        "resources/read:/result/contents/*/text",
        # When a task was made, wherever the time appears.
        "tools/call:/result/task/createdAt",
        "tools/call:/result/task/lastUpdatedAt",
        "tasks/*:/result/createdAt",
        "tasks/*:/result/lastUpdatedAt",
        "notifications/tasks/*:/params/createdAt",
        "notifications/tasks/*:/params/lastUpdatedAt",
    ],
}


def session(host):
    capabilities = {
        "roots": {"listChanged": True},
        "sampling": {},
        "elicitation": {"form": {}, "url": {}},
    }
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "midwire-test", "version": "1"},
    }
    assert host.call(0, "initialize", params)["serverInfo"]["name"]
    host.notify("notifications/initialized", {})
    # The server asks back, and counts from 0 as we do.
    asked = host.wait_method("roots/list")
    host.send({"id": asked["id"], "result": {"roots": [{"uri": "file:///srv/notes"}]}})
    host.wait_method("notifications/message")

    tools = {tool["name"] for tool in host.call(1, "tools/list", {})["tools"]}
    assert {"get-sum", "simulate-research-query", "trigger-url-elicitation"} <= tools, tools
    assert host.call(2, "prompts/list", {})["prompts"]
    assert host.call(3, "resources/list", {})["resources"]
    assert host.call(4, "resources/templates/list", {})["resourceTemplates"]
    ask = {"name": "args-prompt", "arguments": {"city": "Zürich", "state": "👋"}}
    assert "Zürich" in json.dumps(host.call(5, "prompts/get", ask), ensure_ascii=False)
    read = host.call(6, "resources/read", {"uri": "demo://resource/dynamic/text/1"})
    assert "created at" in read["contents"][0]["text"], read
    host.call(7, "logging/setLevel", {"level": "error"})

    def tool(request_id, name, arguments, **more):
        host.request(request_id, "tools/call", {"name": name, "arguments": arguments, **more})

    # Three at once.
    tool("a", "echo", {"message": "Grüße 👋 \u202e \u001b[31m"})
    tool("b", "get-sum", {"a": 2, "b": 2.5})
    tool("c", "get-structured-content", {"location": "Chicago"})
    assert host.wait_answer("c")["result"]["structuredContent"]["humidity"] == 82
    assert "4.5" in host.wait_answer("b")["result"]["content"][0]["text"]
    assert "Grüße" in host.wait_answer("a")["result"]["content"][0]["text"]

    slow = {"duration": 0.2, "steps": 4}
    tool(8, "trigger-long-running-operation", slow, _meta={"progressToken": "job-1"})
    for step in range(1, 5):
        told = host.wait_method("notifications/progress")["params"]
        assert (told["progress"], told["progressToken"]) == (step, "job-1"), told
    assert "completed" in host.wait_answer(8)["result"]["content"][0]["text"]

    # Reverse requests inside pending calls.
    tool(9, "trigger-sampling-request", {"prompt": "tea?", "maxTokens": 9})
    asked = host.wait_method("sampling/createMessage")
    text = {"role": "assistant", "model": "none", "content": {"type": "text", "text": "with milk"}}
    host.send({"id": asked["id"], "result": text})
    assert "with milk" in host.wait_answer(9)["result"]["content"][0]["text"]

    sign_in = {"url": "https://example.org/", "message": "Sign in", "elicitationId": "sign-in-1"}
    tool(10, "trigger-url-elicitation", sign_in)
    asked = host.wait_method("elicitation/create")
    assert asked["params"]["mode"] == "url", asked
    host.send({"id": asked["id"], "result": {"action": "decline"}})
    assert "result" in host.wait_answer(10)

    # A task whose id differs each time.
    tool(11, "simulate-research-query", {"topic": "tea"}, task={"ttl": 60000})
    task = {"taskId": host.wait_answer(11)["result"]["task"]["taskId"]}
    assert host.call(12, "tasks/get", task)["status"] == "working"
    assert host.call(13, "tasks/cancel", task)["status"] == "cancelled"

    host.request(14, "no/such/method", {})
    assert host.wait_answer(14)["error"]["code"] == -32601


def main(midwire, work):
    folder = fresh_folder(work)
    fetched = folder.parent / "mcp_server"
    if not fetch_server(fetched):
        print("skipped: npm cannot reach its registry, so there is no MCP server to replay")
        return SKIP
    plugin = [shutil.which("node"), str(fetched / SERVER), "stdio"]
    tape, cassette = folder / "session.pcapng", folder / "session.jsonl"
    # The task keeps the server alive for minutes; a signal is what a host sends then.
    record(midwire, tape, plugin, "line", session, folder, signal=signal.SIGTERM)
    to_cassette(midwire, tape, cassette, **HEADER)
    report = replay_green(midwire, cassette, plugin, folder, ending="signal 15")
    nothing_to_suggest(midwire, cassette, plugin, folder)

    # The task's id was found to be one that the server generates and the host sends back.
    (task,) = report["bindings"]
    assert task["from"] == "notifications/tasks/status:/params/taskId", task
    assert task["to"] == "tasks/get:/params/taskId" and task["replaced"], task
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
