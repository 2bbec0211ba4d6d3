#!/usr/bin/env python3
"""An example plugin of the rootcause protocol: a scanner with one rule of each severity.

One JSON-RPC message per line. Has all five capabilities (discover, transform, analyze, report,
rules) unless fewer are requested, logs with plugin.log, and reads only what it is sent: the
workspace is a list of files in plugin.init's options. Standard library only.
"""

import base64
import binascii
import json
import sys

CAPABILITIES = {
    "repo.discover": "discover",
    "file.transform": "transform",
    "file.analyze": "analyze",
    "scan.report": "report",
    "rules.list": "rules",
    "rules.get": "rules",
}
LANGUAGES = {"py": "python", "js": "javascript"}
SEVERITIES = ["critical", "high", "medium", "low"]
RULES = [
    {
        "id": "py.exec",
        "name": "Code from data",
        "severity": "critical",
        "language": ["python"],
        "category": "security",
        "pattern": "exec(",
        "cwe": ["CWE-95"],
        "owasp": ["A03:2021"],
    },
    {
        "id": "py.sql-format",
        "name": "A query put together from strings",
        "severity": "high",
        "language": ["python"],
        "category": "security",
        "pattern": 'f"SELECT',
        "cwe": ["CWE-89"],
        "owasp": ["A03:2021"],
    },
    {
        "id": "js.eval",
        "name": "Code from data",
        "severity": "medium",
        "language": ["javascript"],
        "category": "security",
        "pattern": "eval(",
        "cwe": ["CWE-95"],
        "owasp": ["A03:2021"],
    },
    {
        "id": "any.todo",
        "name": "Left for later",
        "severity": "low",
        "language": ["python", "javascript"],
        "category": "style",
        "pattern": "later:",
        "cwe": [],
        "owasp": [],
    },
]


class Failure(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"code": code, "message": message, "data": data}


PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INVALID_CONFIGURATION, RESOURCE_LIMIT, FILE_ACCESS = 1001, 1004, 1005


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def log(level, text):
    send({"method": "plugin.log", "params": {"level": level, "message": text}})


def needed(params, name):
    if name not in params:
        error = {"missing": [name], "received": sorted(params)}
        raise Failure(INVALID_PARAMS, "invalid parameters", error)
    return params[name]


class Plugin:
    def __init__(self):
        self.capabilities, self.workspace, self.limits = [], [], {}

    def init(self, params):
        asked = needed(params, "capabilities_requested")
        options = params.get("options", {})
        if options.get("severity_threshold", "low") not in SEVERITIES:
            raise Failure(INVALID_CONFIGURATION, "no such severity", options)
        self.workspace = options.get("files", [])
        self.limits = params.get("limits") or {}
        self.capabilities = [name for name in dict.fromkeys(CAPABILITIES.values()) if name in asked]
        log("info", f"ready for {', '.join(self.capabilities)}")
        return {"ok": True, "capabilities": self.capabilities, "plugin_version": "1.0.0"}

    def ping(self, params):
        return {"pong": True, "uptime_ms": 0, "memory_usage_mb": 16}

    def shutdown(self, params):
        log("info", "shutting down")
        return {"ok": True, "cleanup_completed": True}

    def discover(self, params):
        endings = tuple(params.get("extensions") or [".py", ".js"])
        folder = needed(params, "path").rstrip("/") + "/"
        depth = params.get("max_depth", 10)
        files = [
            path
            for path in self.workspace
            if path.endswith(endings) and path.startswith(folder) and path.count("/") <= depth
        ]
        return {
            "files": [{"path": path, "language": language(path), "size": None} for path in files],
            "external": [{"path": "vendor/left-pad", "language": "javascript"}],
            "metrics": {"files_found": len(files), "directories_scanned": 1, "scan_time_ms": 3},
        }

    def transform(self, params):
        files = []
        for file in needed(params, "files"):
            text = content(file)
            marker = "base64:"
            if not text.startswith(marker):
                files.append({"path": file["path"], "actions": []})
                continue
            decoded = text[len(marker) :].strip()
            files.append(
                {
                    "path": file["path"],
                    "actions": ["decoded:base64"],
                    "content_b64": decoded,
                    "notes": ["blocks:1"],
                }
            )
        count = sum(bool(file["actions"]) for file in files)
        return {"files": files, "metrics": {"decoded": count, "ms": 1}}

    def analyze(self, params):
        findings = []
        files = needed(params, "files")
        for file in files:
            log("debug", f"analyzing {file['path']}")
            if file.get("size", 0) > self.limits.get("mem_mb", 512) << 20:
                raise Failure(RESOURCE_LIMIT, "the file is larger than our memory", file["path"])
            for number, line in enumerate(content(file).splitlines(), 1):
                findings += [finding(rule, file["path"], number, line) for rule in broken(line)]
        log("warning" if findings else "info", f"{len(findings)} findings")
        return {
            "findings": findings,
            "metrics": {"rules_executed": len(RULES), "files_analyzed": len(files), "ms": 2},
        }

    def report(self, params):
        findings = needed(params, "findings")
        counts = {
            severity: sum(finding["severity"] == severity for finding in findings)
            for severity in SEVERITIES
        }
        kind = params.get("format", "json")
        return {
            "output_files": [
                {"path": f"reports/scan.{kind}", "type": f"application/{kind}", "size": 512}
            ],
            "summary": {**counts, "total": len(findings)},
            "generation_time_ms": 5,
        }

    def list_rules(self, params):
        rules = [
            {name: rule[name] for name in ("id", "name", "severity", "language", "category")}
            for rule in RULES
            if params.get("language", rule["language"][0]) in rule["language"]
            and params.get("category", rule["category"]) == rule["category"]
        ]
        return {"rules": rules, "total": len(rules)}

    def get_rule(self, params):
        for rule in RULES:
            if rule["id"] == needed(params, "rule_id"):
                more = {"languages": rule["language"], "description": rule["name"]}
                return {"rule": {**rule, **more}}
        raise Failure(INVALID_PARAMS, "there is no such rule", {"rule_id": params["rule_id"]})


def language(path):
    return LANGUAGES.get(path.rpartition(".")[2])


def content(file):
    if "content_b64" not in file:
        raise Failure(FILE_ACCESS, "the content was not sent", {"path": file["path"]})
    try:
        return base64.b64decode(file["content_b64"], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Failure(FILE_ACCESS, str(error), {"path": file["path"]})


def broken(line):
    return [rule for rule in RULES if rule["pattern"] in line]


def finding(rule, path, number, line):
    return {
        "rule_id": rule["id"],
        "message": rule["name"],
        "severity": rule["severity"],
        "file": path,
        "line": number,
        "column": line.index(rule["pattern"]) + 1,
        "evidence": line.strip(),
        "confidence": 0.9,
        "cwe": rule["cwe"],
        "owasp": rule["owasp"],
    }


METHODS = {
    "plugin.init": Plugin.init,
    "plugin.ping": Plugin.ping,
    "plugin.shutdown": Plugin.shutdown,
    "repo.discover": Plugin.discover,
    "file.transform": Plugin.transform,
    "file.analyze": Plugin.analyze,
    "scan.report": Plugin.report,
    "rules.list": Plugin.list_rules,
    "rules.get": Plugin.get_rule,
}


def answer(plugin, request):
    method = request["method"]
    try:
        capability = CAPABILITIES.get(method)
        if method not in METHODS or (capability and capability not in plugin.capabilities):
            raise Failure(METHOD_NOT_FOUND, "Method not found", {"method": method})
        return {"result": METHODS[method](plugin, request.get("params") or {})}
    except Failure as failure:
        log("error", str(failure))
        return {"error": failure.error}
    except (AttributeError, KeyError, TypeError) as error:
        return {"error": {"code": INVALID_PARAMS, "message": f"invalid parameters: {error}"}}


def main():
    plugin = Plugin()
    for line in sys.stdin:
        try:
            request = json.loads(line)
        except ValueError as error:
            send({"id": None, "error": {"code": PARSE_ERROR, "message": str(error), "data": None}})
            continue
        if not isinstance(request, dict) or "method" not in request:
            error = {"code": INVALID_REQUEST, "message": "no request", "data": None}
            send({"id": None, "error": error})
            continue
        reply = answer(plugin, request)
        if "id" in request:
            send({"id": request["id"], **reply})
        if request["method"] == "plugin.shutdown":
            break


if __name__ == "__main__":
    main()
