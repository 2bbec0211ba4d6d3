#!/usr/bin/env python3
"""An example host of the codex protocol: starts a plugin, asks it everything, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Keeps what the plugin stores (storage/*), within the protocol's limits. Exits 0 if all answers
are as expected and the plugin exits with 0, else 1 with a line on stderr. Standard library only.
"""

import json
import subprocess
import sys

TIMEOUT = 5  # seconds that a plugin has to end after shutdown
MAX_KEYS, MAX_VALUE = 100, 1_000_000

LIBRARY = [
    {
        "seriesId": "lk",
        "title": "The Lighthouse Keepers",
        "alternateTitles": [],
        "year": 2011,
        "status": "ongoing",
        "genres": ["Drama", "Mystery"],
        "tags": ["Sea"],
        "totalBookCount": 12,
        "externalIds": [{"source": "api:example", "externalId": "101"}],
        "readingStatus": "reading",
        "booksRead": 5,
        "booksOwned": 12,
        "userRating": 95,
        "startedAt": "2024-01-15",
    }
]
ENTRY = {
    "externalId": "101",
    "title": "The Lighthouse Keepers",
    "status": "reading",
    "progress": {"chapters": 50, "volumes": 5},
    "rating": 95,
    "startedAt": "2024-01-15",
    "completedAt": None,
    "latestUpdatedAt": "2024-06-01T12:00:00Z",
}


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Storage:
    """What a plugin stores with the host: an answer or an error to each of its requests."""

    def __init__(self):
        self.values = {}

    def answer(self, method, params):
        handler = {
            "storage/get": self.get,
            "storage/set": self.set,
            "storage/delete": self.delete,
            "storage/list": self.list,
            "storage/clear": self.clear,
        }.get(method)
        if handler is None:
            return {"error": {"code": -32601, "message": f"Method not found: {method}"}}
        return handler(params)

    def get(self, params):
        return {"result": self.values.get(params["key"], {"data": None})}

    def set(self, params):
        if len(json.dumps(params["data"])) > MAX_VALUE:
            return {"error": {"code": -32602, "message": "a value has at most 1 MB"}}
        if params["key"] not in self.values and len(self.values) >= MAX_KEYS:
            return {"error": {"code": -32602, "message": f"at most {MAX_KEYS} keys"}}
        self.values[params["key"]] = {key: params[key] for key in params if key != "key"}
        return {"result": {"success": True}}

    def delete(self, params):
        return {"result": {"deleted": self.values.pop(params["key"], None) is not None}}

    def list(self, params):
        return {
            "result": {
                "keys": [
                    {"key": key, "updatedAt": "2024-06-01T12:00:00Z"} for key in self.values
                ]
            }
        }

    def clear(self, params):
        count = len(self.values)
        self.values.clear()
        return {"result": {"deletedCount": count}}


class Plugin:
    """The plugin as the host sees it: serves its storage while it waits for an answer."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.storage = Storage()
        self.next_id = 1
        self.asked = []

    def send(self, message, more=False):
        """`more`: sent together with the next one."""
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        if not more:
            self.process.stdin.flush()

    def request(self, method, params=None, more=False):
        request_id, self.next_id = self.next_id, self.next_id + 1
        message = {"id": request_id, "method": method}
        self.send({**message, "params": params} if params is not None else message, more)
        return request_id

    def wait_for(self, request_id):
        while line := self.process.stdout.readline():
            message = json.loads(line)
            expect("version", message.get("jsonrpc"), "2.0")
            if "method" in message:
                self.asked.append(message["method"])
                reply = self.storage.answer(message["method"], message.get("params", {}))
                self.send({"id": message["id"], **reply})
            elif message.get("id") == request_id:
                return message
            else:
                raise WrongAnswer(f"an answer to no request: {message.get('id')!r}")
        raise WrongAnswer("the plugin closed its output")

    def result(self, method, params=None):
        message = self.wait_for(self.request(method, params))
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        print(f"{method}: {json.dumps(message['result'], ensure_ascii=False)[:100]}")
        return message["result"]

    def error(self, code, method, params=None):
        message = self.wait_for(self.request(method, params))
        expect(f"code of {method}", message.get("error", {}).get("code"), code)
        print(f"{method}: error {code}: {message['error']['message']}")
        return message["error"]


def start(plugin):
    manifest = plugin.result(
        "initialize",
        {
            "adminConfig": {"maxResults": 10},
            "userConfig": {"progressUnit": "volumes", "_codex": {"includeCompleted": True}},
            "credentials": {"access_token": "example-access-token", "refresh_token": "example-2"},
        },
    )
    expect("protocol", manifest["protocolVersion"], "1.0")
    expect("provider", manifest["capabilities"]["metadataProvider"], ["series", "book"])
    expect("ping", plugin.result("ping"), "pong")


def sync(plugin):
    # During these the plugin calls back, with ids that count like the host's.
    pushed = plugin.result("sync/pushProgress", {"entries": [ENTRY, {**ENTRY, "externalId": "9"}]})
    expect("successes", pushed["successes"], ["101"])
    expect("failures", [failure["externalId"] for failure in pushed["failures"]], ["9"])
    expect("storage", plugin.asked, ["storage/get", "storage/set"])
    expect("user", plugin.result("sync/getUserInfo", {})["username"], "reader")
    first = plugin.result("sync/pullProgress", {"page": 1, "updatedSince": "2024-01-01T00:00:00Z"})
    expect("first page", (len(first["entries"]), first["hasMore"]), (1, True))
    expect("last page", plugin.result("sync/pullProgress", {"page": 2})["hasMore"], False)
    expect("synced", plugin.result("sync/status", {})["syncedEntries"], 1)


def metadata(plugin):
    page = plugin.result("metadata/series/search", {"query": "the", "limit": 1})
    expect("first page", page["results"][0]["externalId"], "101")
    more = {"query": "the", "limit": 1, "cursor": page["nextCursor"]}
    page = plugin.result("metadata/series/search", more)
    expect("second page", (page["results"][0]["externalId"], page["nextCursor"]), ("102", None))
    expect("genres", plugin.result("metadata/series/get", {"externalId": "101"})["year"], 2011)
    wanted = {"title": "The Night Post", "year": 1997, "author": "Mina Holt"}
    expect("match", plugin.result("metadata/series/match", wanted)["confidence"], 0.98)
    expect("no match", plugin.result("metadata/series/match", {"title": "?"})["match"], None)

    isbn = {"isbn": "978-0-306-40615-7", "limit": 5}
    expect("by ISBN", plugin.result("metadata/book/search", isbn)["results"][0]["externalId"], "b1")
    expect("pages", plugin.result("metadata/book/get", {"externalId": "b1"})["pageCount"], 192)
    wanted = {"isbn": "978-1-4028-9462-6", "title": "Night Post", "authors": ["Mina Holt"]}
    found = plugin.result("metadata/book/match", {**wanted, "year": 1997, "publisher": "Post"})
    expect("book", found["match"]["externalId"], "b2")

    # Two requests in flight at once.
    first = plugin.request("metadata/series/get", {"externalId": "102"}, more=True)
    second = plugin.request("metadata/book/get", {"externalId": "b2"})
    expect("first of two", plugin.wait_for(first)["result"]["year"], 1997)
    expect("second of two", plugin.wait_for(second)["result"]["isbn"], "978-1-4028-9462-6")


def failures(plugin):
    limited = plugin.error(-32001, "metadata/series/search", {"query": "too much"})
    expect("retry", limited["data"], {"retryAfterSeconds": 60})
    plugin.error(-32002, "metadata/series/get", {"externalId": "404"})
    plugin.error(-32003, "metadata/book/get", {"externalId": "private"})
    plugin.error(-32004, "metadata/book/search", {"query": "elsewhere"})
    plugin.error(-32005, "metadata/series/search", {"query": "the", "limit": 50})
    plugin.error(-32602, "metadata/series/get", {"externalId": ""})


def recommendations(plugin):
    profile = plugin.result("recommendations/updateProfile", {"entries": LIBRARY})
    expect("profile", profile["updated"], True)
    wish = {"library": LIBRARY, "limit": 20, "excludeIds": ["67890"]}
    got = plugin.result("recommendations/get", wish)["recommendations"]
    expect("recommended", [item["externalId"] for item in got], ["101", "102"])
    gone = {"externalId": "102", "reason": "not_interested"}
    expect("dismissed", plugin.result("recommendations/dismiss", gone)["dismissed"], True)
    # From what the plugin stored, while a ping is in flight.
    again = plugin.request("recommendations/get", wish, more=True)
    ping = plugin.request("ping")
    left = plugin.wait_for(again)["result"]["recommendations"]
    expect("left", [item["externalId"] for item in left], ["101"])
    expect("ping", plugin.wait_for(ping)["result"], "pong")
    expect("cleared", plugin.result("recommendations/clear", {})["cleared"], True)
    expect("storage", plugin.storage.values, {})
    for method in "get", "set", "delete", "list", "clear":
        expect(f"storage/{method} was used", f"storage/{method}" in plugin.asked, True)


def session(plugin):
    for part in start, sync, metadata, failures, recommendations:
        part(plugin)
    expect("shutdown", plugin.result("shutdown"), None)
    expect("end of output", plugin.process.stdout.read(), b"")
    plugin.process.stdin.close()
    expect("exit status", plugin.process.wait(timeout=TIMEOUT), 0)


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
        print(f"host: {wrong!r}", file=sys.stderr)
        plugin.process.kill()
        plugin.process.wait()
        return 1
    print("host: all answers as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
