"""Sessions with servers of the Model Context Protocol. Each leaves the folder as it found it."""

import os
import sys

from answering_host import AnsweringHost

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import replay_mcp_test  # noqa: E402

Host = AnsweringHost


def everything(host, folder):
    replay_mcp_test.session(host)


def start(host):
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {"listChanged": True}},
        "clientInfo": {"name": "table", "version": "1"},
    }
    host.call(0, "initialize", params)
    host.notify("notifications/initialized", {})


def tool(host, number, name, **arguments):
    result = host.call(number, "tools/call", {"name": name, "arguments": arguments})
    assert not result.get("isError"), result


def filesystem(host, folder):
    host.answers = {"roots/list": {"roots": [{"uri": folder.as_uri(), "name": "work"}]}}
    start(host)
    host.wait_method("roots/list")
    host.call(1, "tools/list", {})
    notes = str(folder / "notes.txt")
    tool(host, 2, "list_allowed_directories")
    tool(host, 3, "list_directory", path=str(folder))
    tool(host, 4, "write_file", path=notes, content="tea\nbread\n")
    tool(host, 5, "read_text_file", path=notes)
    tool(host, 6, "edit_file", path=notes, edits=[{"oldText": "tea", "newText": "coffee"}])
    tool(host, 7, "get_file_info", path=notes)
    tool(host, 8, "create_directory", path=str(folder / "more"))
    tool(host, 9, "directory_tree", path=str(folder))
    tool(host, 10, "search_files", path=str(folder), pattern="*.txt")
    tool(host, 11, "list_directory_with_sizes", path=str(folder / "more"))
    host.request(12, "tools/call", {"name": "read_text_file", "arguments": {"path": "/etc/passwd"}})
    host.wait_answer(12)


def memory(host, folder):
    start(host)
    host.call(1, "tools/list", {})
    ada = {"name": "Ada", "entityType": "person", "observations": ["drinks tea"]}
    tool(host, 2, "create_entities", entities=[ada, {**ada, "name": "Grace"}])
    knows = {"from": "Ada", "to": "Grace", "relationType": "knows"}
    tool(host, 3, "create_relations", relations=[knows])
    tool(host, 4, "add_observations", observations=[{"entityName": "Ada", "contents": ["writes notes"]}])
    tool(host, 5, "read_graph")
    tool(host, 6, "search_nodes", query="tea")
    tool(host, 7, "open_nodes", names=["Ada"])
    tool(host, 8, "delete_entities", entityNames=["Ada", "Grace"])
    tool(host, 9, "read_graph")


def prepare_files(folder):
    (folder / "notes.txt").write_text("tea\nbread\n")
    (folder / "more").mkdir(exist_ok=True)
