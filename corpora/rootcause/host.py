#!/usr/bin/env python3
"""An example host of the rootcause protocol: has a plugin scan three files, checks each answer.

Usage: host.py [--] PLUGIN COMMAND...
    host.py -- python3 plugin.py
    host.py -- midwire record -o tape.pcapng -- python3 plugin.py

Ids are decimal strings from one counter that others count with, so there are gaps. Exits 0 if all
answers are as expected and the plugin exits with 0, else 1 with a line on stderr. Standard library
only.
"""

import base64
import json
import subprocess
import sys

TIMEOUT = 5  # seconds that a plugin has to end after shutdown
LEVELS = ["debug", "info", "warning", "error"]


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def spec(path, language, text):
    return {
        "path": path,
        "sha256": "0" * 64,
        "language": language,
        "content_b64": encoded(text),
        "size": len(text),
    }


USERS = spec("src/users.py", "python", 'def user(n):\n    return db.run(f"SELECT {n}")\n')
HIDDEN = spec("src/hidden.js", "javascript", "base64:" + encoded("eval(location.hash)\n"))
CLEAN = spec("src/clean.py", "python", "print('hello')\n")


class WrongAnswer(Exception):
    pass


def expect(what, got, wanted):
    if got != wanted:
        raise WrongAnswer(f"{what}: got {got!r}, wanted {wanted!r}")


class Plugin:
    """The plugin as the host sees it: keeps its log while it waits for an answer."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.counter = 7
        self.answers = {}
        self.logged = []

    def send(self, message, more=False):
        """`more`: sent together with the next one."""
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        if not more:
            self.process.stdin.flush()

    def request(self, method, *params, more=False):
        request_id = str(self.counter)
        self.counter += 3
        message = {"id": request_id, "method": method}
        self.send({**message, "params": params[0]} if params else message, more)
        return request_id

    def wait_for(self, request_id):
        """Answers may come in any order, each once."""
        while request_id not in self.answers:
            line = self.process.stdout.readline()
            if not line:
                raise WrongAnswer("the plugin closed its output")
            message = json.loads(line)
            expect("version", message.get("jsonrpc"), "2.0")
            if message.get("method") == "plugin.log":
                self.hear(message["params"])
            elif "method" in message or message["id"] in self.answers:
                raise WrongAnswer(f"nobody waits for {message}")
            else:
                self.answers[message["id"]] = message
        return self.answers[request_id]

    def hear(self, params):
        if params["level"] not in LEVELS:
            raise WrongAnswer(f"no such level: {params['level']}")
        self.logged.append(params["message"])
        print(f"plugin says: {params['level']}: {params['message']}")

    def result(self, method, *params):
        message = self.wait_for(self.request(method, *params))
        if "error" in message:
            raise WrongAnswer(f"{method} failed: {message['error']['message']}")
        print(f"{method}: {json.dumps(message['result'])[:100]}")
        return message["result"]

    def error(self, code, method, *params):
        message = self.wait_for(self.request(method, *params))
        expect(f"code of {method}", message.get("error", {}).get("code"), code)
        print(f"{method}: error {code}: {message['error']['message']}")


def start(plugin):
    settings = {
        "api_version": "1.0.0",
        "session_id": "session-1",
        "workspace_root": "/home/ada/project",
        "rules_root": "/home/ada/project/.rootcause/rules",
        "cwd": "/home/ada/project",
        "capabilities_requested": ["discover", "transform", "analyze", "report", "rules"],
        "options": {
            "severity_threshold": "low",
            "files": ["src/users.py", "src/hidden.js", "src/clean.py", "src/a/b/deep.py", "README"],
        },
        "limits": {"cpu_ms": 60000, "mem_mb": 1},
        "env": {"LANG": "en_US.UTF-8"},
    }
    strange = {**settings, "options": {"severity_threshold": "whatever"}}
    plugin.error(1001, "plugin.init", strange)
    started = plugin.result("plugin.init", settings)
    expect("ok", started["ok"], True)
    expect("capabilities", started["capabilities"], settings["capabilities_requested"])
    expect("ping", plugin.result("plugin.ping")["pong"], True)
    expect("ping, null params", plugin.result("plugin.ping", None)["pong"], True)


def scan(plugin):
    asked = {"path": "src", "extensions": [".js", ".py"], "max_depth": 1}
    found = plugin.result("repo.discover", asked)
    paths = [file["path"] for file in found["files"]]
    expect("files", paths, ["src/users.py", "src/hidden.js", "src/clean.py"])
    expect("external", len(found["external"]), 1)

    plain = plugin.result("file.transform", {"files": [HIDDEN, CLEAN]})["files"]
    expect("actions", [file["actions"] for file in plain], [["decoded:base64"], []])
    hidden = {**HIDDEN, "content_b64": plain[0]["content_b64"]}

    # Three requests in flight at once.
    requests = [
        plugin.request("file.analyze", {"files": [file]}, more=file is not CLEAN)
        for file in (USERS, hidden, CLEAN)
    ]
    findings = []
    for request in reversed(requests):
        findings = plugin.wait_for(request)["result"]["findings"] + findings
    expect("findings", [item["rule_id"] for item in findings], ["py.sql-format", "js.eval"])
    expect("place", (findings[0]["line"], findings[0]["column"]), (2, 19))

    about = {"scan_id": "scan-1", "project_name": "project", "files_scanned": 3}
    report = {"format": "pdf", "findings": findings, "metadata": about}
    summary = plugin.result("scan.report", report)["summary"]
    expect("summary", summary, {"critical": 0, "high": 1, "medium": 1, "low": 0, "total": 2})


def rules(plugin):
    listed = plugin.result("rules.list", {"language": "python", "category": "security"})
    ids = [rule["id"] for rule in listed["rules"]]
    expect("rules", ids, ["py.exec", "py.sql-format"])
    expect("all rules", plugin.result("rules.list")["total"], 4)
    rule = plugin.result("rules.get", {"rule_id": ids[0]})["rule"]
    expect("rule", (rule["id"], rule["severity"]), (ids[0], "critical"))


def failures(plugin):
    plugin.error(-32602, "rules.get", {"rule_id": "no.such"})
    plugin.error(1004, "file.analyze", {"files": [{**CLEAN, "size": 5 << 20}]})
    plugin.error(1005, "file.analyze", {"files": [{"path": "src/gone.py"}]})


def session(plugin):
    for part in start, scan, rules, failures:
        part(plugin)
    expect("bye", plugin.result("plugin.shutdown", {})["ok"], True)
    expect("last words", plugin.logged[-1], "shutting down")
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
