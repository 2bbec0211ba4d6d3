"""The example host, patched, against `midwire mock` of the example plugin: each difference from the
recording is reported each time. Usage: MIDWIRE WORK_FOLDER
"""

import json
import subprocess
import sys

from replay_patched_test import EXAMPLE, patched, told
from replayed import fresh_folder, numbered, run

EACH = 2
PONG = '{"pong": True}'
CLOSING = 'plugin.send({"method": "host/closing", "params": {"reason": "the window was closed"}})'
FORGET = 'plugin.error("notes/forget", {})'
EMPTY = 'plugin.error("notes/count", {})'
SEND = '{"jsonrpc": "2.0", **message}'

# Usual numbers of messages in the recorded session, of the host:
#   1 plugin/health; 3, 14, 15, 24 notes/count; 5, 18 notes/summarise; 26 notes/forget
#   7, 20 answers of host/ping; 9, 22 of host/request_approval; 28 host/closing; 29 plugin/shutdown
NUMBERS = (1, 3, 5, 7, 9, 14, 15, 18, 20, 22, 24, 26, 28, 29)
# Name, patch, findings as (finding, number, method, pointer). Each host gets every answer that it wants.
CASES = [
    ("unpatched", [], []),
    ("params changed", [('{"text": "one two"}', '{"text": "two, one"}')],
     [("differs", 15, "notes/count", "/params/text")]),
    ("ids that count from 7", [("self.next_id = 1", "self.next_id = 7")], []),
    ("ids that are numbers", [('f"request-{self.next_id}"', "self.next_id")],
     [("differs", n, method, "/id") for n, method in (
         (1, "plugin/health"), (3, "notes/count"), (5, "notes/summarise"), (14, "notes/count"),
         (15, "notes/count"), (18, "notes/summarise"), (24, "notes/count"), (26, "notes/forget"),
         (29, "plugin/shutdown"))]),
    ("a request lost", [(FORGET, "")], [("missing", 26, "notes/forget", "")]),
    ("a request more", [(FORGET, f'{FORGET}\n    plugin.error("notes/print", {{}})')],
     [("extra", None, "notes/print", "")]),
    ("a request twice", [(FORGET, f"{FORGET}\n    {FORGET}")],
     [("extra", None, "notes/forget", "")]),
    ("a notification lost", [(CLOSING, "")], [("missing", 28, "host/closing", "")]),
    ("a notification more", [(CLOSING, f"{CLOSING}\n    {CLOSING}")],
     [("extra", None, "host/closing", "")]),
    ("an answer changed", [(PONG, '{"pong": 1}')],
     [("differs", 7, "host/ping", "/result/pong"), ("differs", 20, "host/ping", "/result/pong")]),
    ("an answer twice",
     [(f'self.send({{"id": message["id"], "result": {PONG}}})',
       f'[self.send({{"id": message["id"], "result": {PONG}}}) for _ in "12"]')],
     [("doubled", None, "host/ping", ""), ("doubled", None, "host/ping", "")]),
    ("an error for an answer", [(f'"result": {PONG}', '"error": {"code": 1, "message": "no"}')],
     [("differs", 7, "host/ping", "/result"), ("differs", 20, "host/ping", "/result")]),
    ("no jsonrpc member in a notification",
     [("json.dumps(" + SEND + ")", 'json.dumps(message if "id" not in message else ' + SEND + ")")],
     [("differs", 28, "host/closing", "/jsonrpc")]),
    ("no JSON", [(CLOSING, CLOSING + '; plugin.process.stdin.write(b"hello\\n")')],
     [("junk", None, None, None)]),
    ("gone before the shutdown",
     [(CLOSING, "plugin.process.stdin.close()\n    plugin.process.wait()\n    return")],
     [("missing", 28, "host/closing", ""), ("missing", 29, "plugin/shutdown", "")]),
]


def main(midwire, work):
    folder = fresh_folder(work)
    program = (EXAMPLE / "host.py").read_text(encoding="utf-8")
    tape, trace, report = (folder / f"session.{end}" for end in ("pcapng", "jsonl", "report"))
    host = [sys.executable, str(EXAMPLE / "host.py"), "--", midwire, "record", "-o"]
    run(*host, str(tape), "--", sys.executable, str(EXAMPLE / "plugin.py"))
    run(midwire, "convert", str(tape), str(trace))

    numbers = numbered(trace, "host", NUMBERS)
    wrong = []
    for name, replace, usual in CASES:
        findings = [(what, n and numbers[n], *rest) for what, n, *rest in usual]
        (folder / "host.py").write_text(patched(program, replace), encoding="utf-8")
        said = set()
        for _ in range(EACH):
            report.unlink(missing_ok=True)
            mock = [midwire, "mock", str(trace), "--json", "--report", str(report), "--on-extra", "nearest",
                    "--lenient"]
            done = subprocess.run([sys.executable, str(folder / "host.py"), "--", *mock],
                                  capture_output=True, timeout=60)
            said.add((done.returncode, report.read_text()))
        got = [(code, told(json.loads(text))) for code, text in sorted(said)]
        if got != [(0, findings)]:
            wrong.append(f"{name}:\n  got    {got}\n  wanted {[(0, findings)]}\n{done.stderr.decode()}")
    assert not wrong, "\n".join(wrong)
    print(f"{len(CASES)} hosts, each told {EACH} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
