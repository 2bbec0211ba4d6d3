#!/usr/bin/env python3
"""Runs the stages of a set, one after the other, and ends with a table of them.

    tools/gate.py tests   the tests in Release; what `tools/test` runs
    tools/gate.py gate    these, tools/lint, and sanitizers where they matter; what `.ci/run` runs
    tools/gate.py full    what is slow, random, or of others; what `tools/test full` runs, each night
    tools/gate.py --list  the stages, and the command of each

Stops at the first stage that fails, and prints what failed, its last lines, and the command that repeats it.
A build may begin beside a stage that waits half of its time, and runs when the other leaves a processor idle.
Whole logs are in build/gate. A failed test that starts processes runs twice more, after all others of its
stage; if it passes then, it is called flaky (build/flaky.txt): a defect, but not of this change.
"""
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

PROCESSORS = len(os.sched_getaffinity(0))
# Tests that start processes wait for them half of the time.
PARALLEL_TESTS = 2 * PROCESSORS
TOP = Path(__file__).resolve().parent.parent
LOGS = Path("build/gate")
LAST_LINES = 15  # of a failed test: enough for an assertion and its values
ALL_TRIES = 3
ERROR = re.compile(r"\berror: |^FAILED: |found something")
FAILED_TEST = re.compile(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", re.M)  # of GoogleTest

# The slowest first: two run at a time.
PURE_ROOMS = ["fuzz", "wire", "trace", "replay", "check", "view"]
SANITIZED = [f"{room}_tests" for room in [*PURE_ROOMS, "io", "live"]]
# Labels of tests/CMakeLists.txt. All others start processes: a new label is not left out.
OTHER_PURE = "fuzz|layers|lint"
SLOW = "real|install|packaging|bench|continuous|browser"
PROCESSES = ["-LE", f"^(unit|{OTHER_PURE}|{SLOW})$"]


@dataclass
class Result:
    """What a stage came to. `failed` maps what failed to its last lines; it is empty if all passed."""

    tests: int = 0
    flaky: list = field(default_factory=list)
    failed: dict = field(default_factory=dict)
    again: str = ""


@dataclass(frozen=True)
class Stage:
    """`beside` names the stage with which this one begins; its own turn waits for what is left of it."""

    name: str
    sets: str
    run: object
    beside: str = ""

    def log(self):
        return LOGS / (self.name.replace(" ", "-") + ".log")


class Early:
    """A stage that runs before its turn. Then it runs once more, and finds all done or repeats the error."""

    def __init__(self, stage):
        with open(stage.log().with_suffix(".early.log"), "wb") as out:
            # In the session of the others: the kernel may share processors among sessions first.
            self.process = subprocess.Popen(
                ["sh", "-c", stage.run.words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                preexec_fn=run_when_idle)

    def processes(self):
        """It and all that it started, parents first."""
        parents = {}
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # has ended
        found = [self.process.pid]
        for one in found:
            found += [child for child, parent in parents.items() if parent == one]
        return found

    def each(self, do):
        for pid in self.processes() if self.process.poll() is None else []:
            try:
                do(pid)
            except ProcessLookupError:
                pass  # has ended

    def finish(self):
        """Waits for it, at the priority of all others: the machine may have other work."""
        try:
            self.each(lambda pid: os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0)))
            self.process.wait()
        except PermissionError:
            # Only root may take that back. Its turn makes what is left, at the priority of all others.
            self.end()

    def end(self):
        self.each(lambda pid: os.kill(pid, signal.SIGTERM))
        self.process.wait()


def run_when_idle():
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError:
        os.nice(19)  # a sandbox may forbid the other


def finish(command, log):
    """Runs it with its output in `log`; returns its exit status."""
    with open(log, "ab") as out:
        out.write(f"$ {shlex.join(command)}\n".encode())
        out.flush()
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
    return run.returncode


def last_lines(text, count=LAST_LINES):
    return text.rstrip().splitlines()[-count:]


def command(*words):
    """A stage that is one command."""

    def run(stage):
        result = Result(again=shlex.join(words))
        status = finish(list(words), stage.log())
        if status:
            text = stage.log().read_text(errors="replace")
            errors = [line for line in text.splitlines() if ERROR.search(line)]
            result.failed[f"exit status {status}"] = errors[:LAST_LINES] + ["..."] + last_lines(text)
        return result

    run.words = shlex.join(words)
    return run


def build(preset, *targets):
    """A stage that configures and builds a preset: all of it, or some targets."""

    def run(stage):
        configured = command("cmake", "--preset", preset, "-DMIDWIRE_TESTS=ON")(stage)
        return configured if configured.failed else compiled(stage)

    compiled = command("cmake", "--build", "--preset", preset, "--parallel", str(PROCESSORS),
                       *(["--target", *targets] if targets else []))
    run.words = f"cmake --preset {preset} && {compiled.words}"
    return run


def programs(preset, names):
    """A stage that runs test programs whole: as separate tests the same takes twice the time."""

    def run_one(name, log):
        log.unlink(missing_ok=True)
        status = finish([str(Path(f"build/{preset}/tests/{name}_tests").absolute()), "--gtest_brief=1"], log)
        return status, log.read_text(errors="replace")

    def run(stage):
        result = Result()
        logs = {name: stage.log().with_suffix(f".{name}.log") for name in names}
        with ThreadPoolExecutor(PROCESSORS) as pool:
            for name, (status, text) in zip(names, pool.map(run_one, names, logs.values())):
                passed = re.search(r"^\[  PASSED  \] (\d+) test", text, re.M)
                result.tests += int(passed[1]) if passed else 0
                if status:
                    failed = list(dict.fromkeys(FAILED_TEST.findall(text)))
                    result.failed[f"{name}_tests: " + ", ".join(failed)] = last_lines(text, 40)
                    # None is named if the program crashed: then all of it runs again.
                    filtered = ":".join(failed) or "*"
                    result.again = f"build/{preset}/tests/{name}_tests --gtest_filter='{filtered}'"
                elif not passed:
                    result.failed[f"{name}_tests"] = ["ran no test", *last_lines(text)]
                    result.again = f"build/{preset}/tests/{name}_tests"
        return result

    run.words = f"build/{preset}/tests/{{{','.join(names)}}}_tests"
    return run


def ctest(preset, *selection, tries=1):
    """A stage of tests that CTest knows. With `tries`, a failed test runs again, alone, after all others."""

    words = ["ctest", "--preset", preset, *selection]

    def play(stage, arguments):
        report = stage.log().with_suffix(".xml").absolute()
        report.unlink(missing_ok=True)
        status = finish(["ctest", "--preset", preset, "--output-junit", str(report), *arguments],
                        stage.log())
        cases = list(xml.etree.ElementTree.parse(report).iter("testcase")) if report.exists() else []
        failed = {case.get("name"): last_lines(case.findtext("system-out") or "no output") for case in cases
                  if case.get("status") == "fail"}
        # A test whose program is missing is "notrun", as one that was skipped.
        if not cases or (status and not failed):
            failed["ctest"] = last_lines(stage.log().read_text(errors="replace"))
        return cases, failed

    def run(stage):
        cases, failed = play(stage, [*selection, "--parallel", str(PARALLEL_TESTS)])
        result = Result(tests=sum(case.get("status") != "notrun" for case in cases), failed=failed)
        if "ctest" in failed:
            result.again = shlex.join(words)
        elif failed:
            names = sorted(result.failed)
            exactly = "^(" + "|".join(map(re.escape, names)) + ")$"
            if tries > 1:
                result.failed = play(stage, ["-R", exactly, "--repeat", f"until-pass:{tries - 1}"])[1]
                result.flaky = [name for name in names if name not in result.failed]
            result.again = shlex.join(["ctest", "--preset", preset, "-R", exactly])
        return result

    run.words = shlex.join(words)
    return run


STAGES = [
    # Takes a second: before the build.
    Stage("layers", "tests gate", command("python3", "tests/layers.py", ".")),
    Stage("release build", "tests gate full", build("release")),
    Stage("release pure", "tests gate", programs("release", PURE_ROOMS)),
    Stage("release rest", "tests gate", ctest("release", "-L", f"^({OTHER_PURE})$")),
    Stage("release processes", "tests gate", ctest("release", *PROCESSES, tries=ALL_TRIES)),
    # After the build: the words of --help are checked too.
    # Not ours, so in Release alone: a server of each framing.
    Stage("real servers", "tests gate", ctest("release", "-R", r"^real\.(clangd|mcp)$", tries=2)),
    Stage("lint", "gate", command("tools/lint", "--changed")),
    # Not the midwire command, nor what tests it: it takes as long to build as all of these.
    Stage("sanitizer build", "gate", build("asan-ubsan", *SANITIZED, "fuzz_targets"),
          beside="release processes"),
    Stage("sanitizer pure", "gate", programs("asan-ubsan", PURE_ROOMS)),
    Stage("sanitizer fuzz", "gate", ctest("asan-ubsan", "-L", "^fuzz$")),
    Stage("sanitizer processes", "gate", ctest("asan-ubsan", "-L", "^(proxy|live)$", tries=ALL_TRIES)),
    Stage("sanitizer rest", "full", build("asan-ubsan")),
    Stage("sanitizer all", "full", ctest("asan-ubsan", *PROCESSES, tries=ALL_TRIES)),
    Stage("release slow", "full", ctest("release", "-L", f"^({SLOW})$", tries=ALL_TRIES)),
    Stage("random fuzzing", "full", command("tools/fuzz", "-t", "60")),
    Stage("whole lint", "full", command("tools/lint")),
]


def print_failure(stage, result):
    print(f"\n== {stage.name}: FAILED")
    for what, lines in result.failed.items():
        print(f"\n{what}")
        for line in lines:
            print(f"    {line}")
    print(f"\nwhole log:  {stage.log()}\nrun again:  {result.again}")


def print_table(rows):
    print(f"\n{'stage':22} {'seconds':>8} {'tests':>7}  flaky")
    for name, seconds, result in rows:
        print(f"{name:22} {seconds:8.0f} {result.tests or '':>7}  {' '.join(result.flaky)}")
    print(f"{'all':22} {sum(row[1] for row in rows):8.0f} {sum(row[2].tests for row in rows):7}")


def main(words):
    if words == ["--list"]:
        for stage in STAGES:
            print(f"{stage.name:22} {stage.sets:18} {stage.run.words}")
        return 0
    chosen = [stage for stage in STAGES if len(words) == 1 and words[0] in stage.sets.split()]
    if not chosen:
        print(__doc__, end="", file=sys.stderr)
        return 2
    # Limits of time in tests are for an idle machine; this one may be busy.
    os.environ.setdefault("MIDWIRE_PATIENCE", "4")
    os.chdir(TOP)
    LOGS.mkdir(parents=True, exist_ok=True)
    rows = []
    early = {}
    for stage in chosen:
        print(f"== {stage.name}: {stage.run.words}", flush=True)
        for later in chosen:
            if later.beside == stage.name:
                print(f"   beside it: {later.name}", flush=True)
                early[later.name] = Early(later)
        stage.log().unlink(missing_ok=True)
        started = time.monotonic()
        if stage.name in early:
            early[stage.name].finish()
        result = stage.run(stage)
        rows.append((stage.name, time.monotonic() - started, result))
        if result.failed:
            for one in early.values():
                one.end()
            print_failure(stage, result)
            break
    flaky = [name for row in rows for name in row[2].flaky]
    (LOGS.parent / "flaky.txt").write_text("".join(f"{name}\n" for name in flaky))
    print_table(rows)
    return 1 if rows[-1][2].failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
