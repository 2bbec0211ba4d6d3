"""What replay writes: --record, --update, --junit, --suggest-ignores, and `midwire diff`, on the example
plugin and patched ones. Usage: MIDWIRE WORK_FOLDER
"""

import difflib
import json
import sys
import xml.etree.ElementTree as ElementTree

import replay_patched_test as patches
from replay_patched_test import EXAMPLE, patched, told
from replayed import fresh_folder, run, set_header


class Example:
    def __init__(self, midwire, folder):
        self.midwire, self.folder = midwire, folder
        self.program = (EXAMPLE / "plugin.py").read_text(encoding="utf-8")
        self.tape, self.trace = folder / "session.pcapng", folder / "session.jsonl"
        self.host(self.tape)
        run(midwire, "convert", str(self.tape), str(self.trace))

    def host(self, tape, plugin=EXAMPLE / "plugin.py", code=0):
        host = [sys.executable, str(EXAMPLE / "host.py"), "--", self.midwire, "record", "-o"]
        run(*host, str(tape), "--", sys.executable, str(plugin), code=code)

    def copy(self, name, of=None):
        of = of or self.trace
        (self.folder / name).write_bytes(of.read_bytes())
        return self.folder / name

    def plugin(self, name, *replace):
        path = self.folder / name
        path.write_text(patched(self.program, replace), encoding="utf-8")
        return path

    def replay(self, trace, plugin, *options, code=0):
        command = [self.midwire, "replay", str(trace), *options, "--", sys.executable, str(plugin)]
        return run(*command, code=code, cwd=self.folder)

    def report(self, trace, plugin, *options, code=0):
        return json.loads(self.replay(trace, plugin, "--json", *options, code=code).stdout)

    def diff(self, a, b, code=0):
        return json.loads(run(self.midwire, "diff", "--json", str(a), str(b), code=code).stdout)


LATER = (patches.COUNT, patches.COUNT.replace("split())", "split()) + 1"))


def diffs(example):
    """Two recordings of one session are the same, though pids are in their ids; of a patched one not."""
    again, other = example.folder / "again.pcapng", example.folder / "other.pcapng"
    example.host(again)
    for a, b in (example.tape, again), (example.trace, again), (again, example.trace):
        assert example.diff(a, b)["same"], (a, b)
    title = ('"title": note["title"]}', '"title": note["text"]}')
    example.host(other, example.plugin("other.py", title))
    report = example.diff(example.trace, other, code=1)
    places = [("differs", n, "notes/progress", "/params/title") for n in (10, 11)]
    assert told(report) == places, report
    assert report["findings"][1]["got"] == '"tea, bread"', report


def records(example):
    """--record keeps all messages, also of a run that differs."""
    tape = example.folder / "kept.pcapng"
    example.replay(example.trace, EXAMPLE / "plugin.py", "--record", str(tape))
    assert example.diff(example.trace, tape)["same"]
    plugin = example.plugin("later.py", LATER)
    tape = example.folder / "kept-other.pcapng"
    report = example.report(example.trace, plugin, "--record", str(tape), code=1)
    assert told(example.diff(example.trace, tape, code=1)) == told(report)
    # And can be replayed itself.
    example.replay(tape, plugin)


UPDATES = {
    # Name: patch, lines of the cassette that go, and lines that come.
    "a result": ([LATER], 3, 3),
    "an answer less": ([(patches.SHUTDOWN, "break")], 1, 0),
    "a notification less": ([(patches.PROGRESS, f"if done > 1: {patches.PROGRESS}")], 1, 0),
    "a notification more": ([(patches.PROGRESS, f"{patches.PROGRESS}; done == 2 and host.notify('n', 0)")],
                            0, 1),
    "a reverse call less": ([(patches.PING, "")], 4, 0),
    "a reverse call more": (
        [(patches.NOTES, f"{patches.NOTES}\n    " + patches.FORGIVEN.format("host.call('host/time', 0)"))],
        0, 2),
    "params of a reverse call": ([('{"permission": "workspace.read"}', '{"permission": "all"}')], 2, 2),
    "an error": ([(patches.HEALTH, "1 / 0")], 1, 1),
    "the exit status": ([("os._exit(0)", "os._exit(3)")], 1, 1),
    "an answer doubled": (
        [(patches.ANSWER, f"{patches.ANSWER}\n        {patches.IF_FORGET} {patches.ANSWER}")], 0, 1),
    "no jsonrpc member": ([(patches.WRAP, "message")], 16, 16),
    "nothing": ([], 0, 0),
}


def updates(example, name, of):
    """Accepts what a patched plugin sends: then it is the same, and only that has changed in the
    file.
    """
    replace, gone, come = UPDATES[name]
    end = "".join(of.suffixes)
    trace = example.copy(f"update {name}{end}", of)
    plugin = example.plugin(f"update {name}.py", *replace)
    example.replay(trace, plugin, "--update", "--timeout", "2s")
    old = trace.with_name(trace.name + ".old")
    if not replace:
        assert not old.exists() and trace.read_bytes() == of.read_bytes()
        return
    assert old.read_bytes() == of.read_bytes(), "the old one is not as it was"
    for _ in range(3):
        report = example.report(trace, plugin)
        assert report["same"] and report["sent"] == report["to_send"], report
    assert not example.report(old, plugin, "--timeout", "2s", code=1)["same"]
    if end == ".jsonl":
        lines = difflib.ndiff(*(path.read_text().splitlines() for path in (old, trace)))
        changed = [line for line in lines if line[0] in "+-"]
        counts = tuple(sum(line[0] == sign for line in changed) for sign in "-+")
        assert counts == (gone, come), "\n".join(changed)


def update_twice(example):
    """The next free name, and no incomplete run."""
    trace = example.copy("twice.jsonl")
    for name, replace in ("one.py", [LATER]), ("two.py", [(patches.HEALTH, "1 / 0")]):
        example.replay(trace, example.plugin(name, *replace), "--update")
    assert (example.folder / "twice.jsonl.old").read_bytes() == example.trace.read_bytes()
    assert (example.folder / "twice.jsonl.old.2").exists()

    trace = example.copy("hung.jsonl")
    hang = example.plugin("hangs.py", (patches.NOTES, "threading.Event().wait()"))
    done = example.replay(trace, hang, "--update", "--timeout", "1s", code=2)
    assert b"not updated: the plugin hung" in done.stderr, done.stderr
    assert trace.read_bytes() == example.trace.read_bytes()
    # Nor a run of which no recording can be made by overwriting messages.
    well = f"print('well', flush=True)\n    return {patches.HEALTH}"
    for name, replace in {
        "junk": (f"return {patches.HEALTH}", well),
        "order": ("enumerate(notes, 1)", "[*enumerate(notes, 1)][::-1]"),
        "early": (patches.READY, patches.READY + patches.HASTY),
    }.items():
        done = example.replay(trace, example.plugin("not.py", replace), "--update", code=2)
        assert f": {name}".encode() in done.stderr, done.stderr
    assert trace.read_bytes() == example.trace.read_bytes()
    assert not list(example.folder.glob("hung.jsonl.*")), "leaves files behind"


def junit(example):
    """One test per method, the same from run to run; failures where the report has findings."""
    def suite(plugin, code):
        path = example.folder / "report.xml"
        example.replay(example.trace, plugin, "--junit", str(path), code=code)
        tests = ElementTree.parse(path).getroot().iter("testcase")
        return {t.get("name"): [f.text or f.get("message") for f in t.iter("failure")] for t in tests}

    green = suite(EXAMPLE / "plugin.py", 0)
    lines = [json.loads(line) for line in example.trace.read_text().splitlines()]
    methods = {line["message"]["method"] for line in lines if "method" in line.get("message", {})}
    assert methods | {"process"} <= set(green), green
    assert not any(green.values()), green
    red = suite(example.plugin("red.py", LATER, ("os._exit(0)", "os._exit(3)")), 1)
    assert set(red) == set(green), red
    assert {name for name, failures in red.items() if failures} == {"notes/count", "process"}, red
    assert red["notes/count"][0].count("/result/words") == 3, red
    assert "exit 3" in red["process"][0], red


def suggests(example):
    """A plugin that sends a random id and the time: both are found, and nothing else."""
    plugin = example.plugin(
        "random.py",
        ("import json\n", "import json\nimport time\nimport uuid\n"),
        (patches.HEALTH, '{"ok": True, "started": time.time(), **PLUGIN}'),
        (patches.COUNT, patches.COUNT.replace("{", '{"parts": [{"id": str(uuid.uuid4())}], ', 1)),
    )
    tape, trace = example.folder / "random.pcapng", example.folder / "random.jsonl"
    example.host(tape, plugin, code=1)  # the host does not know "parts", and ends early
    example.replay(example.trace, plugin, "--record", str(tape.with_name("random2.pcapng")), code=1)
    run(example.midwire, "convert", str(tape.with_name("random2.pcapng")), str(trace))
    example.replay(trace, plugin, code=1)

    said = example.replay(trace, plugin, "--suggest-ignores", "3").stdout.decode()
    ignores = ["notes/count:/result/parts/*/id", "plugin/health:/result/started"]
    header = '"ignore":' + json.dumps(ignores, separators=(",", ":"))
    wanted = [*(f"--ignore '{place}'" for place in ignores), f"in a cassette's header: {header}"]
    assert said.splitlines() == wanted, said
    options = [word for place in ignores for word in ("--ignore", place)]
    example.replay(trace, plugin, *options)
    set_header(trace, **json.loads("{" + header + "}"))
    for _ in range(3):
        example.replay(trace, plugin)
    said = example.replay(trace, plugin, "--suggest-ignores", "3").stdout.decode()
    assert said == "nothing changes from run to run (3 runs)\n", said


def main(midwire, work):
    example = Example(midwire, fresh_folder(work))
    diffs(example)
    records(example)
    wrong = []
    for name in UPDATES:
        for of in example.trace, example.tape:
            try:
                updates(example, name, of)
            except AssertionError as failure:
                wrong.append(f"update, {name}, {of.name}: {failure}")
    assert not wrong, "\n\n".join(wrong)
    update_twice(example)
    junit(example)
    suggests(example)
    print(f"diff, --record, --junit, --suggest-ignores, and {len(UPDATES)} updates of both formats")


if __name__ == "__main__":
    main(*sys.argv[1:])
