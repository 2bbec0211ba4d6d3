"""The example plugin, patched in every way that a plugin breaks, replayed: each is reported each time, with
the right finding, message, method and place.

Usage: MIDWIRE WORK_FOLDER [NAMES OF CASES...]
"""

import json
import pathlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from replayed import fresh_folder, numbered, run

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "corpora" / "desktop-sidecar"
TIMEOUT_S = 1
# Of a run: the timeout, and starting and ending python on a busy machine.
LONGEST_S = TIMEOUT_S + 9
# How often each is replayed; the reports have to be the same to the byte.
EACH, UNPATCHED = 2, 20


@dataclass
class Case:
    """replace: in the program's text, each of which must be there once. findings: all of the report, as
    (finding, message number, method, pointer); a finding without one of them has None."""

    name: str
    replace: list
    findings: list
    ending: str = "exit 0"
    trace: str = "session.jsonl"


COUNT = '{"words": len(text.split()), "characters": len(text)}'
HEALTH = '{"ok": True, **PLUGIN}'
PING = 'host.call("host/ping", {})'
PROGRESS = 'host.notify("notes/progress", {"done": done, "of": len(notes), "title": note["title"]})'
ANSWER = 'host.send({"id": request["id"], **reply})'
SHUTDOWN = 'host.send({"id": request.get("id"), "result": {"ok": True}})\n            break'
WRAP = '{"jsonrpc": "2.0", **message}'
IF_ASKED = 'if "id" in request:'
IF_FORGET = 'if request["method"] == "notes/forget":'
TEXT = 'text = params["text"]'
NOTES = 'notes = params["notes"]'
FORGIVEN = "try: {}\n    except RuntimeError: pass"
READY = 'log("ready")'

# Usual numbers of messages in the recorded session:
#    2 answer of plugin/health; 4, 16, 17 of notes/count; 13 of the first notes/summarise
#    6, 19 host/ping; 8, 21 host/request_approval; 10, 11 notes/progress
#   23 error of the second notes/summarise; 25 of notes/count; 27 of notes/forget; 30 of the shutdown


def after(old, new):
    """`new` on a line of its own below `old`, as deep in as a function's body."""
    return [(old, f"{old}\n    {new}")]


METHOD = {
    2: "plugin/health",
    **dict.fromkeys((4, 16, 17, 25), "notes/count"),
    **dict.fromkeys((6, 19), "host/ping"),
    **dict.fromkeys((8, 21), "host/request_approval"),
    **dict.fromkeys((10, 11), "notes/progress"),
    12: "codex/event",
    **dict.fromkeys((13, 23), "notes/summarise"),
    27: "notes/forget",
    30: "plugin/shutdown",
}


def at(finding, pointer, *numbers):
    return [(finding, n, METHOD[n], pointer) for n in numbers]


def of(finding, method, pointer="", times=1):
    """Of messages that the trace does not have."""
    return [(finding, None, method, pointer)] * times


def hung(n=None):
    return [("hung", n, METHOD.get(n), None)]


ENDED = [("ended", None, None, None)]
JUNK = [("junk", None, None, None)]

# Says its calls of host/request_approval only along with its next message: the answer comes before
# the host can have answered, in one write.
HASTY = """
    held = []
    def call(method, params):
        if method == "host/ping":
            return Host.call(host, method, params)
        held.append({"jsonrpc": "2.0", "id": "hasty", "method": method, "params": params})
        return {"approved": False}
    def send(message):
        lines = [json.dumps(m) + "\\n" for m in [*held, {"jsonrpc": "2.0", **message}]]
        held.clear()
        os.write(1, "".join(lines).encode())
    host.call, host.send = call, send
"""

CASES = [
    # Results.
    Case("a result field changed", [(COUNT, COUNT.replace("split())", "split()) + 1"))],
         at("differs", "/result/words", 4, 16, 17)),
    Case("a result field gone", [(COUNT, '{"words": len(text.split())}')],
         at("differs", "/result/characters", 4, 16, 17)),
    Case("a result field more", [(HEALTH, '{"ok": True, "mood": "fine", **PLUGIN}')],
         at("differs", "/result/mood", 2)),
    Case("1 for true", [(HEALTH, '{"ok": 1, **PLUGIN}')], at("differs", "/result/ok", 2)),
    Case("an error instead of a result", [(HEALTH, "1 / 0")], at("differs", "/result", 2)),
    Case("a result instead of an error",
         [("if method is None:", "if method is None:\n            method = health\n        if False:")],
         at("differs", "/error", 27)),
    Case("another error", [("no such method:", "what is")], at("differs", "/error/message", 27)),
    Case("no jsonrpc member", [(WRAP, "message")], at("differs", "/jsonrpc", *sorted(METHOD))),
    # Answers.
    Case("an answer lost", [(IF_ASKED, 'if request["method"] != "notes/forget" and "id" in request:')],
         hung(27) + at("missing", "", 27), ending="signal 9"),
    Case("the last answer lost", [(SHUTDOWN, "break")], at("missing", "", 30)),
    Case("an answer doubled", [(ANSWER, f"{ANSWER}\n        {IF_FORGET} {ANSWER}")],
         of("doubled", "notes/forget")),
    Case("an answer to no request",
         [(ANSWER, ANSWER + f'\n        {IF_FORGET} host.send({{"id": "x", "result": 0}})')],
         of("unknown", None)),
    Case("an answer to a notification",
         [(IF_ASKED, 'if "id" not in request:\n        host.send({"id": None, "result": 0})\n    else:')],
         of("unknown", None)),
    Case("an answer before its reverse call's answer", [(READY, READY + HASTY)],
         at("differs", "/result", 13) + at("early", "", 13, 23) + at("missing", "", 10, 11, 12)),
    # Ids.
    Case("an id's type changed", [(ANSWER, ANSWER.replace('request["id"]', 'str(request["id"])'))],
         at("differs", "/id", 2, 4, 13, 16, 17, 23, 25, 27), trace="numbers.jsonl"),
    Case("an id's spelling changed", [(ANSWER, ANSWER.replace('request["id"]', 'float(request["id"])'))],
         at("differs", "/id", 2, 4, 13, 16, 17, 23, 25, 27), trace="numbers.jsonl"),
    Case("a reverse call's id is a number now",
         [('f"host-{os.getpid()}-{method}"', "os.getpid() * 100 + len(method)")],
         at("differs", "/id", 6, 8, 19, 21)),
    # Reverse calls.
    Case("an extra reverse call", after(TEXT, FORGIVEN.format('host.call("host/time", {})')),
         of("extra", "host/time", times=3)),
    Case("a reverse call doubled", [(PING, f"{PING}; {PING}")],
         of("extra", "host/ping") + at("differs", "/error/message", 23) + at("early", "", 23)
         + at("missing", "", 21)),
    Case("a reverse call gone", [(PING, "")],
         at("early", "", 13, 23) + at("missing", "", 6, 19)),
    Case("params of a reverse call changed", [('{"permission": "workspace.read"}', '{"permission": "all"}')],
         at("differs", "/params/permission", 8, 21)),
    Case("another method called", [('"host/request_approval"', '"host/ask"')],
         of("extra", "host/ask") + at("differs", "/result", 13) + at("early", "", 13)
         + of("extra", "host/ask") + at("differs", "/error/message", 23) + at("early", "", 23)
         + at("missing", "", 8, 10, 11, 12, 21)),
    # Notifications.
    Case("a notification lost", [(PROGRESS, f"if done > 1: {PROGRESS}")], at("missing", "", 10)),
    Case("all notifications lost", [(PROGRESS, "pass")], at("missing", "", 10, 11)),
    Case("a notification doubled", [(PROGRESS, f"{PROGRESS}; done == 2 and {PROGRESS}")],
         of("extra", "notes/progress")),
    Case("another notification", [(PROGRESS, f'{PROGRESS}; done == 2 and host.notify("notes/done", 0)')],
         of("extra", "notes/done")),
    Case("notifications in another order", [("enumerate(notes, 1)", "[*enumerate(notes, 1)][::-1]")],
         at("order", "", 10)),
    Case("params of a notification changed", [(PROGRESS, PROGRESS.replace('["title"]', '["text"]'))],
         at("differs", "/params/title", 10, 11)),
    # Bytes.
    Case("print() on stdout",
         [(f"return {HEALTH}", f'print("well", flush=True)\n    return {HEALTH}')], JUNK),
    Case("half a message", [(SHUTDOWN, 'os.write(1, b"{\\"id\\"")\n            break')],
         JUNK + at("missing", "", 30)),
    Case("the other framing",
         [("data = json", "body = json"),
          ('ensure_ascii=False) + "\\n"',
           'ensure_ascii=False)\n        data = f"Content-Length: {len(body.encode())}\\r\\n\\r\\n{body}"')],
         at("framing", None, 2)),
    # The process.
    Case("a crash", [(NOTES, "os.abort()")],
         at("missing", "", 10, 11, 12, 13) + ENDED, ending="signal 6"),
    Case("a hang", [(NOTES, "threading.Event().wait()")],
         hung(13) + at("missing", "", 10, 11, 12, 13), ending="signal 9"),
    Case("a hang at once", [(READY, "threading.Event().wait()")],
         hung(2) + at("missing", "", 2), ending="signal 9"),
    Case("no start", [("import json\n", "import json_of_another_name\n")],
         at("missing", "", 2) + ENDED, ending="exit 1"),
    Case("an early exit", [("raise LookupError", "os._exit(0)\n            raise LookupError")],
         at("missing", "", 27) + ENDED),
    Case("another exit status", [("os._exit(0)", "os._exit(3)")], ENDED, ending="exit 3"),
    Case("no exit after shutdown", [(SHUTDOWN, SHUTDOWN.replace("break", "continue"))],
         hung(), ending="signal 9"),
]


def patched(program, replace):
    for old, new in replace:
        assert program.count(old) == 1, f"the patch does not apply: {old}"
        program = program.replace(old, new)
    return program


def replayed(midwire, trace, plugin, times):
    """The report, which is the same each time, within its time."""
    first = None
    for _ in range(times):
        began = time.monotonic()
        command = [midwire, "replay", str(trace), "--json", "--timeout", f"{TIMEOUT_S}s", "--no-stderr"]
        done = subprocess.run([*command, "--", sys.executable, str(plugin)], capture_output=True,
                              timeout=60)
        took = time.monotonic() - began
        assert took < LONGEST_S, f"took {took:.1f} s"
        assert done.stderr == b"", done.stderr
        first = first or done
        assert (done.returncode, done.stdout) == (first.returncode, first.stdout), (
            f"another report:\n{first.stdout.decode()}\n{done.stdout.decode()}"
        )
    return first.returncode, json.loads(first.stdout)


def told(report):
    assert report["finding_count"] == len(report["findings"]), report
    return [(f["finding"], *(f.get(key) for key in ("n", "method", "pointer")))
            for f in report["findings"]]


def try_case(midwire, folder, program, case):
    numbers = numbered(folder / "session.jsonl", "plugin", sorted(METHOD))
    findings = [(what, n and numbers[n], *rest) for what, n, *rest in case.findings]
    plugin = folder / (case.name.replace("/", "-") + ".py")
    plugin.write_text(patched(program, case.replace), encoding="utf-8")
    code, report = replayed(midwire, folder / case.trace, plugin, EACH)
    assert (code, report["same"]) == (1, False), report
    # By step; the cases name them by kind.
    got, findings = sorted(told(report), key=str), sorted(findings, key=str)
    assert got == findings, "".join(f"\n  {one}" for one in ["got:", *got, "wanted:", *findings])
    assert report["ending"] == case.ending, report["ending"]


def hold_cases(midwire, folder, program, only):
    def wrong_with(case):
        try:
            try_case(midwire, folder, program, case)
        except AssertionError as wrong:
            return f"{case.name}: {wrong}"

    # Most of them wait for a timeout.
    with ThreadPoolExecutor(4) as pool:
        return [*filter(None, pool.map(wrong_with, (c for c in CASES if not only or c.name in only)))]


def main(midwire, work, *only):
    folder = fresh_folder(work)
    program = (EXAMPLE / "plugin.py").read_text(encoding="utf-8")
    tape, trace = folder / "session.pcapng", folder / "session.jsonl"
    host = [sys.executable, str(EXAMPLE / "host.py"), "--", midwire, "record", "-o"]
    run(*host, str(tape), "--", sys.executable, str(EXAMPLE / "plugin.py"))
    run(midwire, "convert", str(tape), str(trace))
    text = trace.read_text(encoding="utf-8")
    (folder / "numbers.jsonl").write_text(re.sub(r'"request-(\d)"', r"\1", text), encoding="utf-8")

    for name in "session.pcapng", "session.jsonl", "numbers.jsonl":
        code, report = replayed(midwire, folder / name, EXAMPLE / "plugin.py", UNPATCHED)
        assert (code, report["same"]) == (0, True), report
    wrong = hold_cases(midwire, folder, program, only)
    assert not wrong, "\n".join(wrong)
    print(f"{len(CASES)} patches, each told {EACH} times; unpatched the same {UNPATCHED} times")


if __name__ == "__main__":
    main(*sys.argv[1:])
