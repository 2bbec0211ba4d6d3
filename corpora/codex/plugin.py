#!/usr/bin/env python3
"""An example plugin of the codex protocol: a tiny library of series and books, without a network.

One JSON-RPC message per line. Implements every method of the protocol (metadata, sync,
recommendations), stores its state with its host (storage/*), and fails in each of the protocol's
ways. Standard library only.
"""

import json
import sys

MANIFEST = {
    "name": "example-library",
    "displayName": "Example Library",
    "version": "1.0.0",
    "description": "Two series and two books, for trying things out",
    "author": "midwire",
    "protocolVersion": "1.0",
    "capabilities": {
        "metadataProvider": ["series", "book"],
        "userReadSync": True,
        "externalIdSource": "api:example",
        "userRecommendationProvider": True,
    },
    "requiredCredentials": [
        {
            "key": "access_token",
            "label": "Access token",
            "required": True,
            "sensitive": True,
            "type": "password",
        }
    ],
    "configSchema": {
        "description": "How much to answer",
        "fields": [{"key": "maxResults", "label": "Results", "type": "number", "default": 10}],
    },
}

SERIES = {
    "101": {
        "externalId": "101",
        "externalUrl": "https://library.example/series/101",
        "title": "The Lighthouse Keepers",
        "alternateTitles": [
            {"title": "灯台守", "language": "ja", "titleType": "native"},
            {"title": "Tōdaimori", "language": "ja-Latn", "titleType": "romaji"},
        ],
        "summary": "Two sisters, one lamp.",
        "status": "ongoing",
        "year": 2011,
        "totalBookCount": 12,
        "language": "ja",
        "ageRating": 12,
        "readingDirection": "rtl",
        "genres": ["Drama", "Mystery"],
        "tags": ["Sea"],
        "authors": ["Aki Mori"],
        "artists": ["Jun Sato"],
        "publisher": "Harbour Press",
        "coverUrl": "https://library.example/covers/101.jpg",
        "bannerUrl": "https://library.example/banners/101.jpg",
        "rating": {"score": 88, "voteCount": 1200, "source": "example"},
        "externalRatings": [{"score": 88, "voteCount": 1200, "source": "example"}],
        "externalLinks": [
            {
                "url": "https://library.example/series/101",
                "label": "Example Library",
                "linkType": "provider",
            },
            {"url": "https://harbour.example/lk", "label": "Harbour Press", "linkType": "official"},
        ],
    },
    "102": {
        "externalId": "102",
        "externalUrl": "https://library.example/series/102",
        "title": "The Night Post",
        "alternateTitles": [],
        "summary": None,
        "status": "ended",
        "year": 1997,
        "genres": ["Adventure"],
        "tags": [],
        "authors": ["Mina Holt"],
        "artists": [],
        "externalLinks": [],
    },
}
BOOKS = {
    "b1": {
        "externalId": "b1",
        "externalUrl": "https://library.example/book/b1",
        "title": "The Lighthouse Keepers 1",
        "alternateTitles": [],
        "summary": "The lamp goes out.",
        "year": 2011,
        "volume": 1,
        "pageCount": 192,
        "isbn": "978-0-306-40615-7",
        "isbns": ["978-0-306-40615-7", "0-306-40615-2"],
        "edition": "First edition",
        "seriesPosition": 1,
        "authors": [{"name": "Aki Mori", "role": "author"}, {"name": "Jun Sato", "role": "artist"}],
        "covers": [{"url": "https://library.example/covers/b1.jpg", "width": 800, "height": 1200}],
        "awards": [{"name": "Harbour Prize", "year": 2012, "won": True}],
        "genres": ["Drama"],
        "tags": [],
        "externalLinks": [],
    },
    "b2": {
        "externalId": "b2",
        "externalUrl": "https://library.example/book/b2",
        "title": "The Night Post",
        "alternateTitles": [],
        "year": 1997,
        "isbn": "978-1-4028-9462-6",
        "isbns": ["978-1-4028-9462-6"],
        "authors": [{"name": "Mina Holt", "role": "author"}],
        "genres": ["Adventure"],
        "tags": [],
        "externalLinks": [],
    },
}
PROGRESS = {
    "externalId": "101",
    "title": "The Lighthouse Keepers",
    "status": "reading",
    "progress": {"chapters": 50, "volumes": 5, "pages": 960},
    "rating": 95,
    "startedAt": "2024-01-15",
    "completedAt": None,
    "lastReadAt": "2024-06-01",
    "latestUpdatedAt": "2024-06-01T12:00:00Z",
}


class Failure(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
RATE_LIMITED, NOT_FOUND, AUTH_FAILED, API_ERROR, CONFIG_ERROR = range(-32001, -32006, -1)


class Host:
    """The host as the plugin sees it. Requests that come while we wait for an answer queue up."""

    def __init__(self):
        self.queue = []
        self.next_id = 1

    def send(self, message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def read(self):
        """The next message, None at the end. What is not a message is answered here."""
        for line in sys.stdin:
            try:
                message = json.loads(line)
            except ValueError as error:
                self.send({"id": None, "error": {"code": PARSE_ERROR, "message": str(error)}})
                continue
            if isinstance(message, dict) and {"method", "result", "error"} & message.keys():
                return message
            self.send({"id": None, "error": {"code": INVALID_REQUEST, "message": "no request"}})
        return None

    def next_request(self):
        if self.queue:
            return self.queue.pop(0)
        while (message := self.read()) is not None and "method" not in message:
            print(f"plugin: an answer to no request: {message}", file=sys.stderr)
        return message

    def call(self, method, params):
        # The plugin's own ids: they count from 1 as the host's do, independently.
        request_id, self.next_id = self.next_id, self.next_id + 1
        self.send({"id": request_id, "method": method, "params": params})
        while (message := self.read()) is not None:
            if "method" in message:
                self.queue.append(message)
            elif message.get("id") == request_id:
                if "error" in message:
                    raise Failure(INTERNAL, f"{method}: {message['error']['message']}")
                return message["result"]
        raise EOFError


class Plugin:
    def __init__(self, host):
        self.host = host
        self.config, self.credentials = {}, {}

    def initialize(self, params):
        self.config = params.get("adminConfig", {})
        self.credentials = params.get("credentials", {})
        print(f"plugin: {len(self.credentials)} credentials", file=sys.stderr, flush=True)
        return MANIFEST

    def ping(self, params):
        return "pong"

    def shutdown(self, params):
        return None

    # Metadata

    def search(self, table, params):
        query = params.get("query") or params.get("isbn")
        if not query:
            raise Failure(INVALID_PARAMS, "a query or an ISBN is needed")
        if query == "too much":
            raise Failure(RATE_LIMITED, "Rate limited, retry after 60s", {"retryAfterSeconds": 60})
        if query == "elsewhere":
            raise Failure(API_ERROR, "the service answered 503", {"status": 503})
        limit, most = params.get("limit", 10), self.config.get("maxResults", 10)
        if limit > most:
            raise Failure(CONFIG_ERROR, f"maxResults is {most}", {"limit": limit})
        found = [item for item in table.values() if query.lower() in item["title"].lower()]
        found += [item for item in table.values() if query in item.get("isbns", [])]
        start = int(params.get("cursor") or 0)
        more = start + limit < len(found)
        return {
            "results": [short(item, 0.95) for item in found[start : start + limit]],
            "nextCursor": str(start + limit) if more else None,
        }

    def get(self, table, params):
        if not params.get("externalId"):
            raise Failure(INVALID_PARAMS, "externalId is needed")
        if params["externalId"] == "private" and "private_key" not in self.credentials:
            raise Failure(AUTH_FAILED, "this one needs a private_key")
        if params["externalId"] not in table:
            raise Failure(NOT_FOUND, "Resource not found", {"externalId": params["externalId"]})
        return table[params["externalId"]]

    def match(self, table, params):
        for item in table.values():
            if params.get("isbn", "") in item.get("isbns", []):
                return {"match": short(item, 1.0), "confidence": 1.0, "alternatives": []}
        for item in table.values():
            if item["title"].lower() == params.get("title", "").lower():
                near = params.get("year") in (None, item["year"])
                score = 0.98 if near else 0.6
                return {"match": short(item, score), "confidence": score, "alternatives": []}
        alternatives = [short(item, 0.2) for item in list(table.values())[:1]]
        return {"match": None, "confidence": 0, "alternatives": alternatives}

    # Sync

    def get_user_info(self, params):
        return {
            "externalId": "42",
            "username": "reader",
            "avatarUrl": "https://library.example/avatars/42.jpg",
            "profileUrl": "https://library.example/user/42",
        }

    def push_progress(self, params):
        known = [entry for entry in params["entries"] if entry["externalId"] in SERIES]
        unknown = [entry for entry in params["entries"] if entry["externalId"] not in SERIES]
        self.host.call("storage/get", {"key": "last-push"})
        self.host.call("storage/set", {"key": "last-push", "data": {"entries": len(known)}})
        return {
            "successes": [entry["externalId"] for entry in known],
            "failures": [
                {"externalId": entry["externalId"], "error": "no such series"} for entry in unknown
            ],
        }

    def pull_progress(self, params):
        first = params.get("page", 1) == 1
        return {"entries": [PROGRESS] if first else [], "hasMore": first}

    def status(self, params):
        pushed = self.host.call("storage/get", {"key": "last-push"})["data"] or {"entries": 0}
        return {
            "lastSyncAt": "2024-06-01T12:00:00Z",
            "totalEntries": 2,
            "syncedEntries": pushed["entries"],
            "conflicts": 0,
        }

    # Recommendations

    def recommend(self, params):
        cached = self.host.call("storage/get", {"key": "recommendations"})["data"]
        dismissed = self.host.call("storage/get", {"key": "dismissed"})["data"] or []
        if cached is None:
            liked = max(params["library"], key=lambda entry: entry.get("userRating", 0))
            cached = [
                {
                    "externalId": item["externalId"],
                    "url": item["externalUrl"],
                    "title": item["title"],
                    "coverUrl": item.get("coverUrl"),
                    "description": item["summary"],
                    "genres": item["genres"],
                    "rating": 0.85,
                    "why": f"Recommended because you liked \"{liked['title']}\"",
                }
                for item in SERIES.values()
            ]
            expires = {"expiresAt": "2030-12-31T00:00:00Z"}
            self.host.call("storage/set", {"key": "recommendations", "data": cached, **expires})
        left_out = dismissed + params.get("excludeIds", [])
        wanted = [item for item in cached if item["externalId"] not in left_out]
        return {"recommendations": wanted[: params.get("limit", 20)]}

    def dismiss(self, params):
        dismissed = self.host.call("storage/get", {"key": "dismissed"})["data"] or []
        dismissed.append(params["externalId"])
        self.host.call("storage/set", {"key": "dismissed", "data": dismissed})
        return {"dismissed": True}

    def clear(self, params):
        keys = self.host.call("storage/list", {})["keys"]
        print(f"plugin: clearing {len(keys)} keys", file=sys.stderr, flush=True)
        self.host.call("storage/clear", {})
        return {"cleared": True}

    def update_profile(self, params):
        entries = params.get("entries", [])
        deleted = self.host.call("storage/delete", {"key": "profile"})["deleted"]
        self.host.call("storage/set", {"key": "profile", "data": {"entries": len(entries)}})
        return {"updated": not deleted, "entriesProcessed": len(entries)}


def short(item, score):
    """A search result for an item."""
    return {
        "externalId": item["externalId"],
        "title": item["title"],
        "alternateTitles": [title["title"] for title in item["alternateTitles"]],
        "year": item["year"],
        "coverUrl": item.get("coverUrl"),
        "relevanceScore": score,
        "preview": {
            "status": item.get("status"),
            "genres": item["genres"],
            "rating": 9.5,
            "description": item.get("summary"),
        },
    }


METHODS = {
    "initialize": Plugin.initialize,
    "ping": Plugin.ping,
    "shutdown": Plugin.shutdown,
    "metadata/series/search": lambda plugin, params: plugin.search(SERIES, params),
    "metadata/series/get": lambda plugin, params: plugin.get(SERIES, params),
    "metadata/series/match": lambda plugin, params: plugin.match(SERIES, params),
    "metadata/book/search": lambda plugin, params: plugin.search(BOOKS, params),
    "metadata/book/get": lambda plugin, params: plugin.get(BOOKS, params),
    "metadata/book/match": lambda plugin, params: plugin.match(BOOKS, params),
    "sync/getUserInfo": Plugin.get_user_info,
    "sync/pushProgress": Plugin.push_progress,
    "sync/pullProgress": Plugin.pull_progress,
    "sync/status": Plugin.status,
    "recommendations/get": Plugin.recommend,
    "recommendations/dismiss": Plugin.dismiss,
    "recommendations/clear": Plugin.clear,
    "recommendations/updateProfile": Plugin.update_profile,
}


def answer(plugin, request):
    try:
        method = METHODS.get(request["method"])
        if method is None:
            raise Failure(METHOD_NOT_FOUND, f"Method not found: {request['method']}")
        return {"result": method(plugin, request.get("params") or {})}
    except Failure as failure:
        return {"error": failure.error}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return {"error": {"code": INVALID_PARAMS, "message": f"Invalid params: {error}"}}


def main():
    host = Host()
    plugin = Plugin(host)
    while (request := host.next_request()) is not None:
        try:
            reply = answer(plugin, request)
        except EOFError:
            break  # the host went away while we asked it something
        if "id" in request:
            host.send({"id": request["id"], **reply})
        if request["method"] == "shutdown":
            print("plugin: bye", file=sys.stderr, flush=True)
            break


if __name__ == "__main__":
    main()
