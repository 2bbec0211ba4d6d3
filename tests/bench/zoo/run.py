#!/usr/bin/env python3
"""The zoo: how soon planted bugs are found, by midwire fuzz, libFuzzer and AFL++; and what midwire
fuzz reports for correct peers. Prints Markdown.

    tests/bench/zoo/run.py --build FOLDER                 median of 10 seeds, 30 s per bug: hours
    tests/bench/zoo/run.py --build FOLDER --budget 10     about an hour
    tests/bench/zoo/run.py --build FOLDER --seeds 3 --budget 10 --bug magic --part hunt
    tests/bench/zoo/run.py --build FOLDER --seeds 5 --budget 60 --part causes

FOLDER is a release build with `midwire`, `midwire-cov.o` and the libraries in it. Every fuzzer is
pinned to one processor; --jobs runs that many in parallel.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import platform
import queue
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
DIALECT = os.path.join(HERE, "dialect.json")
SOURCES = [os.path.join(HERE, name) for name in ("peer.cc", "json.cc")]
FRAMINGS = ("line", "content-length")
CORRECT = (("C++, lines", "c++", "none", "line"),
           ("C++, content-length", "c++", "none", "content-length"),
           ("C++ with coverage, lines", "cov", "none", "line"),
           ("Python, lines", "python", "none", "line"),
           ("Python, threads, content-length", "python", "none-threads", "content-length"),
           ("node, asynchronous, lines", "node", "none", "line"))


class Zoo:
    def __init__(self, work, build):
        self.work, self.build = work, build
        self.midwire = os.path.join(build, "midwire")
        main, target = os.path.join(HERE, "main.cc"), os.path.join(HERE, "target.cc")
        flags = subprocess.run([self.midwire, "cov-flags"], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.split()
        base, libraries = ["-std=c++20", "-O2", "-I" + ROOT, *SOURCES], self.libraries()
        self.made("peer", "g++", *base, main, *libraries)
        self.made("cov", "clang++", *base, main, *flags, *libraries)
        self.made("libfuzzer", "clang++", *base, target, "-g", "-fsanitize=fuzzer,address", *libraries)
        self.afl = shutil.which("afl-fuzz") and shutil.which("afl-clang-fast++")
        if self.afl:
            self.made("afl", "afl-clang-fast++", *base, target, "-fsanitize=fuzzer", *libraries)
        self.made("bare", "g++", "-std=c++20", "-O2", os.path.join(HERE, "bare_pingpong.cc"))
        for framing in FRAMINGS:
            corpus = self.path("corpus-" + framing)
            subprocess.run([self.midwire, "corpus", self.session(framing), "--dialect", DIALECT, "-o",
                            corpus, "--dict", os.path.join(corpus, "dict")], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def libraries(self):
        """Of a static library only what a program uses is linked. libFuzzer has its own main."""
        archives = sorted(glob.glob(self.build + "/**/libmidwire_*.a", recursive=True))
        return ["-Wl,--start-group", *(name for name in archives if "fuzz_main" not in name),
                "-Wl,--end-group", "-ldeflate", "-lre2", "-lsodium"]

    def path(self, name):
        return os.path.join(self.work, name)

    def made(self, name, compiler, *arguments):
        subprocess.run([compiler, *arguments, "-o", self.path(name)], check=True,
                       env=dict(os.environ, AFL_QUIET="1"))

    @staticmethod
    def session(framing):
        return os.path.join(HERE, framing + ".jsonl")

    def plugin(self, peer, bug, framing):
        return {"c++": [self.path("peer")], "cov": [self.path("cov")],
                "python": [sys.executable, os.path.join(HERE, "peer.py")],
                "node": ["node", os.path.join(HERE, "peer.mjs")]}[peer] + [bug, framing]


def pinned(processor):
    return lambda: os.sched_setaffinity(0, {processor})


def finish(process, seconds):
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def start(command, processor, **options):
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace",
                            preexec_fn=pinned(processor), start_new_session=True, **options)


# Each returns (seconds, runs), or None if it found nothing; midwire also returns what it found.

def by_midwire(zoo, peer, row, seed, budget, processor, stop=True):
    with tempfile.TemporaryDirectory(dir=zoo.work) as folder:
        begin = time.monotonic()
        process = start([zoo.midwire, "fuzz", "--json", *(["--stop-on-finding"] if stop else []),
                         "--seed", str(seed), "--max-time", f"{budget}s", "--from",
                         zoo.session(row["framing"]), "--dialect", DIALECT, "-o",
                         os.path.join(folder, "o"), "--",
                         *zoo.plugin(peer, row["name"], row["framing"])], processor,
                        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        findings, runs, seen = [], 0, None
        for line in process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("event") == "unconfirmed":
                seen = None
            if event.get("event") == "seen":
                seen = (time.monotonic() - begin, event["run"])
            if event.get("event") == "finding":
                findings.append((*(seen or (time.monotonic() - begin, event["run"])), event["key"]))
                seen = None
            runs = event.get("runs", runs)
            if event.get("event") == "error":
                sys.exit(f"zoo: {row['name']}: {line}")
        process.wait()
    return findings, runs


def by_libfuzzer(zoo, row, seed, budget, processor):
    corpus = zoo.path("corpus-" + row["framing"])
    with tempfile.TemporaryDirectory(dir=zoo.work) as folder:
        begin = time.monotonic()
        process = start([zoo.path("libfuzzer"), f"-seed={seed}", f"-max_total_time={budget}",
                         "-timeout=2", "-malloc_limit_mb=1000", "-rss_limit_mb=2000",
                         "-print_final_stats=1", f"-dict={corpus}/dict",
                         f"-artifact_prefix={folder}/", folder, corpus + "/seeds"], processor,
                        env=dict(os.environ, ZOO_BUG=row["name"], ZOO_FRAMING=row["framing"]))
        text = finish(process, budget + 30)
        took = time.monotonic() - begin
    if process.returncode == 0:
        return None
    # A stack overflow leaves no statistics.
    runs = re.search(r"number_of_executed_units:\s*(\d+)", text)
    seen = re.findall(r"^#(\d+)", text, re.M)
    return took, int(runs[1]) if runs else int(seen[-1]) if seen else 0


def by_afl(zoo, row, seed, budget, processor):
    corpus = zoo.path("corpus-" + row["framing"])
    environment = dict(os.environ, ZOO_BUG=row["name"], ZOO_FRAMING=row["framing"], AFL_NO_UI="1",
                       AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
                       AFL_NO_AFFINITY="1", AFL_BENCH_UNTIL_CRASH="1")
    with tempfile.TemporaryDirectory(dir=zoo.work) as folder:
        begin = time.monotonic()
        process = start(["afl-fuzz", "-i", corpus + "/seeds", "-o", folder + "/o", "-x",
                         corpus + "/dict", "-V", str(budget), "-s", str(seed), "-t", "1000", "-m",
                         "1000", "--", zoo.path("afl")], processor, env=environment)
        hangs, found = folder + "/o/default/hangs", None
        while process.poll() is None and time.monotonic() - begin < budget + 20:
            if os.path.isdir(hangs) and os.listdir(hangs):
                found = time.monotonic() - begin
                os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.05)
        text = finish(process, 10)
        took = time.monotonic() - begin
        if "results in a crash" in text or "results in a timeout" in text:
            return took, 1
        stats = {}
        try:
            with open(folder + "/o/default/fuzzer_stats", encoding="utf-8") as file:
                stats = dict(re.findall(r"^(\w+)\s*: (.*)$", file.read(), re.M))
        except OSError:
            print(f"zoo: AFL++ did not run: {text[-300:]}", file=sys.stderr)
        if found or int(stats.get("saved_crashes", 0)) > 0:
            return found or took, int(stats.get("execs_done", 0))
    return None


def hopeless(results, seeds):
    """Whether most seeds cannot find it any more, or none of the first two fifths has."""
    misses = results.count(None)
    return misses * 2 > seeds or misses == len(results) >= max(2, seeds * 2 // 5)


def cell(results):
    """For a bug and a fuzzer: median seconds (runs), and how many of the seeds found it."""
    hits = [r for r in results if r is not None]
    if len(hits) * 2 <= len(results):
        return f"{len(hits) or 'none'} of {len(results)}"
    rest = [(float("inf"), float("inf"))] * (len(results) - len(hits))
    seconds = statistics.median_low([s for s, _ in hits + rest])
    runs = statistics.median_low([r for _, r in hits + rest])
    text = f"{seconds:.1f} s, {runs:,}"
    return text if len(hits) == len(results) else text + f" ({len(hits)} of {len(results)})"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def hunt(zoo, bugs, seeds, budget, jobs):
    cores = queue.Queue()
    for processor in sorted(os.sched_getaffinity(0))[:jobs]:
        cores.put(processor)
    tasks, results, begin = [], {}, time.monotonic()

    def one(kind, row, seed):
        so_far = results.setdefault((row["peer"], row["name"], kind), [])
        if hopeless(so_far, seeds):
            return
        so_far.append(play(kind, row, seed))

    def play(kind, row, seed):
        processor = cores.get()
        try:
            if kind == "libFuzzer":
                return by_libfuzzer(zoo, row, seed, budget, processor)
            if kind == "AFL++":
                return by_afl(zoo, row, seed, budget, processor)
            peer = "cov" if kind == "midwire, coverage" else row["peer"]
            findings, _ = by_midwire(zoo, peer, row, seed, budget, processor)
            return findings[0][:2] if findings else None
        finally:
            cores.put(processor)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row in bugs:
            kinds = ["midwire"]
            if row["peer"] == "c++":
                kinds += ["midwire, coverage"]
                if row["in_process"] != "no":
                    kinds += ["libFuzzer"] + (["AFL++"] if zoo.afl else [])
            for kind in kinds:
                for seed in range(1, seeds + 1):
                    tasks.append((row, kind, seed, pool.submit(one, kind, row, seed)))
        for row, kind, seed, task in tasks:
            task.result()
            if seed == seeds:
                key = (row["peer"], row["name"], kind)
                print(f"zoo: {time.monotonic() - begin:.0f} s: {', '.join(key)}: "
                      f"{cell(results[key])}", file=sys.stderr)
    kinds = ("midwire", "midwire, coverage", "libFuzzer", "AFL++")
    rows, found = [], dict.fromkeys(kinds, 0)
    for row in bugs:
        line = [row["name"], row["peer"], row["what"]]
        for kind in kinds:
            got = results.get((row["peer"], row["name"], kind))
            line.append("-" if got is None else cell(got))
            if got is not None and (len(got) - got.count(None)) * 2 > len(got):
                found[kind] += 1
        rows.append(line)
    rows.append(["found by most seeds", "", ""] + [str(found[kind]) for kind in kinds])
    return (f"### Planted bugs\n\nMedian of {seeds} seeds, {budget} s per bug on one CPU: time until a "
            "finding that was then confirmed and kept (midwire), or a crash, failed check, hang or leak "
            "(the others), and runs. A run is a session. `2 of 8`: 2 seeds found it; others were left out "
            "because most had not. "
            f"`none of {max(2, seeds * 2 // 5)}`: the first seeds did not find it and no more were tried. "
            "`-`: not visible in process, or the peer is not C++.\n\n"
            + table(("bug", "peer", "what") + kinds, rows))


SEVERAL = (
    ("C++, 21 bugs", "c++", "deep-nesting+null-id+empty-batch+null-element+both+no-params+duplicate-id+"
     "duplicate-keys+lone-surrogate+number-id+cut-utf8+cancel+none-open+after-shutdown+twice+"
     "answers-notification+use-after-free+host-answer+answers-twice+deep-hang+debug-pollution"),
    ("Python, 7 bugs", "python", "deep-nesting+utf8-throws+null-element+wrong-type+infinity+dies-inside+"
     "debug-pollution"))
SMALL = 4  # messages


def bug_of(zoo, cassette, peer, bugs, processor):
    """Which of the bugs a finding shows: the one with which alone the peer still differs from the finding's
    replay. "?": none, or more than one."""
    shown = []
    for bug in bugs:
        replay = start([zoo.midwire, "replay", "--no-stderr", cassette, "--", *zoo.plugin(peer, bug, "line")],
                       processor)
        finish(replay, 60)
        shown += [bug] * (replay.returncode == 1)
    return shown[0] if len(shown) == 1 else "?"


def searched(zoo, seed, budget, session, plugin, processor, folder):
    """One campaign: cassette -> (key, messages) of its findings, and how many runs it made."""
    out = finish(start([zoo.midwire, "fuzz", "--json", "--seed", str(seed), "--max-time", f"{budget}s",
                        "--reduce-time", f"{budget}s", *session, "-o", folder, "--", *plugin], processor),
                 3 * budget + 60)
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    found = {}
    for event in events:
        if event["event"] == "finding":
            found[event["cassette"]] = event["key"], event["messages"]
        if event["event"] == "reduced":
            found[event["cassette"]] = found[event["cassette"]][0], event["messages"]
    return found, events[-1]["runs"]


def causes(zoo, seeds, budget):
    """Which causes each seed finds in peers that have several bugs, and how small the findings are."""
    zoo_session = ["--from", Zoo.session("line"), "--dialect", DIALECT]
    peers = [(label, zoo_session, zoo.plugin(peer, bugs, "line"), peer, bugs.split("+"))
             for label, peer, bugs in SEVERAL]
    shallow = os.path.join(zoo.build, "tests", "peers", "shallow")
    if os.path.exists(shallow):  # the assertion that fails names its cause
        peers.insert(0, ("shallow, 10 faults", ["--from", os.path.join(os.path.dirname(HERE),
                                                                       "shallow.jsonl")],
                         [shallow, "10", "0"], None, None))
    processor, text = min(os.sched_getaffinity(0)), "### Causes by seed\n"
    for label, session, plugin, peer, bugs in peers:
        found, small = {}, []  # found: cause -> for each seed, how many findings show it
        for seed in range(1, seeds + 1):
            with tempfile.TemporaryDirectory(dir=zoo.work) as folder:
                findings, runs = searched(zoo, seed, budget, session, plugin, processor, folder + "/o")
                print(f"zoo: {label}, seed {seed}: {runs} runs, {len(findings)} findings", file=sys.stderr)
                for cassette, (key, messages) in findings.items():
                    cause = bug_of(zoo, cassette, peer, bugs, processor) if bugs else key
                    print(f"zoo:   {cause}: {key}, {messages} messages", file=sys.stderr)
                    found.setdefault(cause, [0] * seeds)[seed - 1] += 1
                    small.append(messages <= SMALL)
        unknown = sum(found.pop("?", []))
        rows = [[cause] + [str(count or "") for count in by]
                for cause, by in sorted(found.items(), key=lambda row: row[1].count(0))]
        rows.append(["causes"] + [str(sum(by[seed] > 0 for by in found.values()))
                                  for seed in range(seeds)])
        once = sum(count > 0 for by in found.values() for count in by)
        text += (f"\n{label}: {len(found)} causes by all seeds together"
                 f"{f' of {len(bugs)} planted' if bugs else ''}; "
                 f"{sum(map(sum, found.values())) / max(1, once):.2f} findings for each; {sum(small)} of "
                 f"{len(small)} findings have at most {SMALL} messages; {unknown} show no bug by itself, or "
                 "several.\n\n" + table(["cause"] + [f"seed {seed}" for seed in range(1, seeds + 1)], rows))
    return text


def calm(zoo, budget):
    rows = []
    processor = min(os.sched_getaffinity(0))
    for label, peer, bug, framing in CORRECT:
        if peer == "node" and not shutil.which("node"):
            continue
        findings, runs = by_midwire(zoo, peer, {"name": bug, "framing": framing}, 1, budget,
                                    processor, stop=False)
        rows.append((label, f"{runs:,}", str(len(findings)),
                     "; ".join(key for _, _, key in findings) or "-"))
        print(f"zoo: {rows[-1]}", file=sys.stderr)
    return (f"### Correct peers\n\n`midwire fuzz` for {budget} s each: every finding is a false alarm.\n\n"
            + table(("peer", "runs", "findings", "what"), rows))


def rates(zoo, seconds):
    """Messages per second of midwire and a bare ping-pong with the same session, alternately."""
    processor = min(os.sched_getaffinity(0))
    with open(zoo.path("corpus-line/seeds/line.wire"), encoding="utf-8") as file:
        # Requests that make the peer wait say nothing about the program that sends them.
        sent = [line for line in file if '"later"' not in line and "$/cancel" not in line]
    wire, cassette = zoo.path("rate.wire"), zoo.path("rate.jsonl")
    with open(wire, "w", encoding="utf-8") as file:
        file.writelines(sent)
    with open(Zoo.session("line"), encoding="utf-8") as file:
        kept = [line for line in file if '"later"' not in line and "$/cancel" not in line
                and '"soon"' not in line]
    with open(cassette, "w", encoding="utf-8") as file:
        file.writelines(kept)
    rows = []
    for label, peer in (("C++", "c++"), ("Python", "python"), ("node", "node")):
        plugin = zoo.plugin(peer, "none", "line")
        if not shutil.which(plugin[0]):
            continue
        figures = []
        for turn in range(5 if peer == "c++" else 3):
            bare = float(finish(start([zoo.path("bare"), wire, str(seconds), "--", *plugin], processor),
                                seconds + 60))
            # Kept until all is done: a file system may be slow at creating files after many
            # deletions.
            folder = tempfile.mkdtemp(dir=zoo.work)
            text = finish(start([zoo.midwire, "fuzz", "--json", "--seed", str(turn + 1), "--max-time",
                                 f"{seconds}s", "--from", cassette, "--dialect", DIALECT, "-o",
                                 folder + "/o", "--", *plugin], processor), seconds + 60)
            end = json.loads(text.strip().splitlines()[-1])
            other = end["messages"] / end["elapsed_ms"] * 1000
            figures.append((bare, other, other / bare))
        row = [statistics.median(column) for column in zip(*figures)]
        rows.append([label, f"{row[0]:,.0f}", f"{row[1]:,.0f}", f"{row[2]:.2f}"])
        print(f"zoo: {rows[-1]}", file=sys.stderr)
    return ("### Rates\n\nOut of process, all on one CPU, correct peers, messages sent per second; "
            f"median of 5 turns of {seconds} s (3 of the slower peers), including starts of the peer. Bare "
            "waits for each answer with poll and read, and looks at nothing: it sends the recorded session "
            "again and again to one peer that is never restarted.\n\n"
            + table(("peer", "bare", "midwire fuzz", "to bare"), rows))


def in_process(zoo, runs):
    """Runs per second of one dispatcher: under the kit, and as a target of libFuzzer without it."""
    variants = {"plain": ["-DMIDWIRE_RATE_PLAIN"], "mutators": ["-DMIDWIRE_RATE_MUTATORS"], "kit": []}
    sanitizers = {"none": "fuzzer", "address": "fuzzer,address"}
    for sanitizer, flag in sanitizers.items():
        for variant, defines in variants.items():
            zoo.made(f"rate-{sanitizer}-{variant}", "clang++", "-std=c++20", "-O2", "-DNDEBUG",
                     "-fsanitize=" + flag, "-I" + ROOT, *defines, os.path.join(HERE, "rate_target.cc"),
                     *zoo.libraries())
    seeds = zoo.path("rate-seeds")
    os.makedirs(seeds, exist_ok=True)
    bodies = [json.dumps({"jsonrpc": "2.0", "id": i, "method": method,
                          "params": {"place": [i, 4096]}})
              for i, method in enumerate(("ping", "echo", "change", "echo"), 1)]
    session = "".join(f"Content-Length: {len(b)}\r\n\r\n{b}" for b in bodies)
    with open(seeds + "/session", "w", encoding="utf-8", newline="") as file:
        file.write(session)
    processor, rows = min(os.sched_getaffinity(0)), []
    for sanitizer in sanitizers:
        figures = []
        for turn in range(3):
            figures.append([])
            for variant in variants:
                with tempfile.TemporaryDirectory(dir=zoo.work) as folder:
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    text = finish(start([zoo.path(f"rate-{sanitizer}-{variant}"), f"-runs={runs}",
                                         f"-seed={turn + 1}", "-max_len=512", folder, seeds], processor), 600)
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                dispatched = re.search(r"dispatched (\d+) messages", text)
                if f"Done {runs} runs" not in text or not dispatched:
                    sys.exit("zoo: " + text[-500:])
                used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                figures[-1].append((runs / used, int(dispatched[1]) / used))
        for i, variant in enumerate(variants):
            row = [sanitizer, variant]
            for of in range(2):
                row.append(f"{statistics.median(turn[i][of] for turn in figures):,.0f}")
                row.append(f"{statistics.median(turn[i][of] / turn[0][of] for turn in figures):.2f}")
            rows.append(row)
            print(f"zoo: {rows[-1]}", file=sys.stderr)
    return ("### In process\n\nA small dispatcher under libFuzzer, max_len 512, from a session of four "
            f"frames ({len(session)} bytes): {runs:,} runs, per second of CPU time, median of 3. Plain: a "
            "target that reads frames and dispatches them, and libFuzzer's mutators. Mutators: the same "
            "target with midwire's mutators. Kit: MIDWIRE_FUZZ_DISPATCHER. Most mutants of libFuzzer have "
            "one message or none, as the stream is cut there, so messages are counted too.\n\n"
            + table(("sanitizer", "target", "runs/s", "to plain", "messages/s", "to plain"), rows))


def report(build, seeds, budget, jobs, parts, only=None):
    with open(os.path.join(HERE, "bugs.json"), encoding="utf-8") as file:
        bugs = [row for row in json.load(file) if not only or row["name"] in only]
    with tempfile.TemporaryDirectory(prefix="midwire-zoo-", dir="/var/tmp") as work:
        zoo = Zoo(work, build)
        made = {"calm": lambda: calm(zoo, budget),
                "rates": lambda: rates(zoo, 5 if budget > 5 else 2),
                "in-process": lambda: in_process(zoo, 1_000_000 if budget > 5 else 100_000),
                "hunt": lambda: hunt(zoo, bugs, seeds, budget, jobs),
                "causes": lambda: causes(zoo, seeds, budget)}
        return "\n".join(made[part]() for part in parts)


PARTS = ("hunt", "calm", "rates", "in-process", "causes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=int, default=30, help="seconds per bug")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--bug", action="append", help="only these")
    a = parser.parse_args()
    print(f"On: {platform.machine()}, {os.cpu_count()} CPUs.\n")
    print(report(os.path.abspath(a.build), a.seeds, a.budget, a.jobs, a.part or PARTS, a.bug))


if __name__ == "__main__":
    main()
