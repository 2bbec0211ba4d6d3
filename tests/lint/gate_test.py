"""Self-test of tools/gate.py: what is red, what is flaky, and what a failure shows. CTest is a script here.

Usage: gate_test.py SOURCE_TREE
"""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.path.insert(0, sys.argv[1] + "/tools")

import gate  # noqa: E402

# Each run of it plays the next of the files 1.xml, 2.xml, ...: its report, and its exit status.
CTEST = """#!/bin/sh
runs=$(($(cat runs 2> /dev/null || echo 0) + 1)); echo $runs > runs; echo "$@" >> arguments
while [ $# -gt 0 ]; do [ "$1" = --output-junit ] && report=$2; shift; done
[ -e $runs.xml ] && cp $runs.xml "$report"
! grep -qs 'status="fail"' $runs.xml
"""


def cases(**outcomes):
    """A JUnit report as CTest writes it."""
    case = '<testcase name="{0}" status="{1}"><system-out>{0} says why</system-out></testcase>'
    return f"<testsuite>{''.join(case.format(*outcome) for outcome in outcomes.items())}</testsuite>"


class Gate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        gate.LOGS = pathlib.Path("logs")
        gate.LOGS.mkdir()
        self.script("ctest", CTEST)
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = f"{folder.name}:{path}"

    def script(self, name, text):
        file = pathlib.Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def ctest(self, *reports, tries=3):
        for number, report in enumerate(reports, 1):
            pathlib.Path(f"{number}.xml").write_text(report)
        return self.play(gate.ctest("release", "-L", "x", tries=tries))

    def play(self, run):
        return run(gate.Stage("a stage", "", run))

    def test_all_pass(self):
        result = self.ctest(cases(a="run", b="run", skipped="notrun"))
        self.assertEqual((result.tests, result.flaky, result.failed), (2, [], {}))

    def test_a_failure_that_passes_later_is_flaky(self):
        result = self.ctest(cases(a="run", b="fail"), cases(b="run"))
        self.assertEqual((result.flaky, result.failed), (["b"], {}))
        self.assertIn("-R ^(b)$ --repeat until-pass:2", pathlib.Path("arguments").read_text())

    def test_a_failure_that_stays_is_red(self):
        result = self.ctest(cases(a="fail", b="fail"), cases(a="run", b="fail"))
        self.assertEqual((result.flaky, result.failed), (["a"], {"b": ["b says why"]}))

    def test_a_pure_test_has_one_try(self):
        result = self.ctest(cases(a="fail"), cases(a="run"), tries=1)
        self.assertEqual(result.failed, {"a": ["a says why"]})
        self.assertEqual(result.again, "ctest --preset release -R '^(a)$'")

    def test_no_test_is_red(self):
        self.assertIn("ctest", self.ctest(cases()).failed)
        self.assertIn("ctest", self.ctest().failed)

    def test_a_program_that_fails(self):
        self.script("build/release/tests/wire_tests", "#!/bin/sh\necho '[  FAILED  ] A.B (1 ms)'; exit 1\n")
        result = self.play(gate.programs("release", ["wire"]))
        self.assertEqual(list(result.failed), ["wire_tests: A.B"])
        self.assertEqual(result.again, "build/release/tests/wire_tests --gtest_filter='A.B'")

    def test_a_program_that_crashes_runs_again_as_a_whole(self):
        self.script("build/release/tests/wire_tests", "#!/bin/sh\nkill -SEGV $$\n")
        result = self.play(gate.programs("release", ["wire"]))
        self.assertEqual(list(result.failed), ["wire_tests: "])
        self.assertTrue(result.again.endswith("--gtest_filter='*'"))

    def test_a_program_that_ran_nothing_is_red(self):
        self.script("build/release/tests/wire_tests", "#!/bin/sh\nexit 0\n")
        self.assertEqual(list(self.play(gate.programs("release", ["wire"])).failed), ["wire_tests"])

    def test_a_command_that_fails_shows_its_errors_first(self):
        self.script("breaks", "#!/bin/sh\necho a.cc:1: error: no; seq 99; exit 3\n")
        failed = self.play(gate.command("./breaks")).failed["exit status 3"]
        self.assertEqual((failed[0], failed[-1]), ("a.cc:1: error: no", "99"))

    def test_a_red_stage_ends_the_run_with_what_repeats_it(self):
        commands = {"first": "true", "second": "false", "third": "true"}
        gate.STAGES = [gate.Stage(name, "s", gate.command(word)) for name, word in commands.items()]
        gate.TOP = pathlib.Path.cwd()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(gate.main(["s"]), 1)
        self.assertIn("second: FAILED", printed.getvalue())
        self.assertIn("run again:  false", printed.getvalue())
        self.assertNotIn("third", printed.getvalue())

    def play_stages(self, *stages):
        gate.STAGES = [gate.Stage(name, "s", gate.command(word), beside) for name, word, beside in stages]
        gate.TOP = pathlib.Path.cwd()
        with contextlib.redirect_stdout(io.StringIO()):
            return gate.main(["s"])

    def test_a_stage_begins_beside_another_and_leaves_it_the_processors(self):
        self.script("waits", "#!/bin/sh\nuntil [ -s begun ]; do sleep 0.01; done; cp begun seen\n")
        self.script("early", "#!/bin/sh\n[ -e begun ] || cut -d' ' -f41 /proc/self/stat > begun\n")
        self.assertEqual(self.play_stages(("first", "./waits", ""), ("second", "./early", "first")), 0)
        self.assertEqual(pathlib.Path("seen").read_text(), f"{os.SCHED_IDLE}\n")

    def test_on_its_turn_an_early_stage_has_the_priority_of_others(self):
        self.script("waits", "#!/bin/sh\nuntil [ -s begun ]; do sleep 0.01; done\n")
        self.script("early", "#!/bin/sh\n[ -e begun ] && exit; echo > begun\n"
                    "until cut -d' ' -f41 /proc/$$/stat | grep -q 0; do sleep 0.01; done\n")
        self.assertEqual(self.play_stages(("first", "./waits", ""), ("second", "./early", "first")), 0)

    def test_an_early_stage_begins_anew_where_priority_cannot_be_raised(self):
        self.script("waits", "#!/bin/sh\nuntil [ -s begun ]; do sleep 0.01; done\n")
        self.script("early", "#!/bin/sh\n[ -e begun ] && exit; echo > begun; exec sleep 1000\n")
        with unittest.mock.patch("os.sched_setscheduler", side_effect=PermissionError):
            self.assertEqual(self.play_stages(("first", "./waits", ""), ("second", "./early", "first")), 0)

    def test_a_red_stage_ends_what_runs_beside_it(self):
        self.script("fails", "#!/bin/sh\nuntil [ -s begun ]; do sleep 0.01; done; exit 1\n")
        self.script("early", "#!/bin/sh\nsleep 1000 & echo $! > begun; wait\n")
        self.assertEqual(self.play_stages(("first", "./fails", ""), ("second", "./early", "first")), 1)
        sleeper = pathlib.Path("/proc") / pathlib.Path("begun").read_text().strip() / "cmdline"
        with contextlib.suppress(OSError):
            while sleeper.read_text():  # empty for a zombie
                time.sleep(0.01)

    def test_what_fails_early_fails_on_its_turn(self):
        self.assertEqual(self.play_stages(("first", "true", ""), ("second", "false", "first")), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
