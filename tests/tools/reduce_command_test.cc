// midwire reduce as a command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "fuzz/input.h"
#include "tests/tools/ill.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Answers twice to "twice", and hangs at "last".
constexpr char kHangsAtItsEnd[] =
    R"(while read -r a; do id=${a#*\"id\":}; id=${id%%,*}; b="{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}"
case $a in *last*) echo >> "$0"; exec sleep 600;; *twice*) echo "$b"; echo "$b";; *) echo "$b";; esac
done)";

class ReduceCommandTest : public IllTest {
 protected:
  // A long session, in the middle of which a path is missing.
  std::string Long() const {
    Tape tape = Tape::Of({"plugin"});
    for (int i = 1; i <= 40; ++i) {
      const std::string id = std::to_string(i);
      tape.Host(R"({"jsonrpc":"2.0","id":)" + id +
                (i == 23 ? R"(,"method":"open","params":{"mode":"r"}})"
                         : R"(,"method":"open","params":{"path":"/some/where"}})") +
                "\n");
    }
    return Save("long.pcapng", tape.Exit(0).bytes());
  }
  // For kHangsAtItsEnd.
  std::string TwiceAndHangs() const {
    Tape tape = Tape::Of({"plugin"});
    int id = 0;
    for (const char* method : {"a", "b", "c", "twice", "d", "last"}) {
      tape.Host(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id) + R"(,"method":")" + method +
                "\"}\n");
    }
    return Save("hang.pcapng", tape.Exit(0).bytes());
  }
  Ran Reduce(const std::string& trace, const std::string& keep, const std::string& mode,
             const std::string& output) const {
    std::vector<std::string> words = {"reduce", trace, "-o", output, "--timeout", "200ms"};
    if (!keep.empty()) words.insert(words.end(), {"--keep", keep});
    words.insert(words.end(), {"--", Peer(), mode});
    return Run(words);
  }
};

TEST_F(ReduceCommandTest, ACrashIsOneMessage) {
  const Ran ran = Reduce(Long(), "crash", "crash", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("40 messages, "));
  EXPECT_THAT(ran.out, HasSubstr(" reduced to 1, "));
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  const Ran shown = Replay(Path("small.jsonl"), "crash");
  EXPECT_EQ(shown.code, 1) << shown.out;
  EXPECT_THAT(shown.out, StartsWith("still occurs: "));
  EXPECT_EQ(Replay(Path("small.jsonl"), "calm").code, 0);
}

TEST_F(ReduceCommandTest, SomeFaultsNeedTwoMessagesAtOnce) {
  const Ran ran = Reduce(Long(), "crash", "crash_when_hurried", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 2);
  EXPECT_EQ(Replay(Path("small.jsonl"), "crash_when_hurried").code, 1);
}

TEST_F(ReduceCommandTest, ASessionMayFailAtTheEndOfStdin) {
  const Ran ran = Reduce(Long(), "exit=23", "leaks_at_eof", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(ReduceCommandTest, AnExitStatus) {
  EXPECT_EQ(Reduce(Long(), "exit=3", "exit", Path("small.jsonl")).code, 0);
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  const Ran other = Reduce(Long(), "exit=4", "exit", Path("other.jsonl"));
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("the whole trace does not show the behaviour"));
  EXPECT_FALSE(std::filesystem::exists(Path("other.jsonl")));
}

TEST_F(ReduceCommandTest, ACrashOnTheLastNotification) {
  const std::string trace =
      Save("note.pcapng", Tape::Of({"plugin"})
                              .Host("{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}\n")
                              .Host("{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n")
                              .Exit(0)
                              .bytes());
  const Ran ran = Reduce(trace, "crash", "crash_on_note", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  // It cannot be probed either.
  const Ran mute =
      Run({"reduce", trace, "--keep", "crash", "-o", Path("mute.jsonl"), "--timeout", "100ms", "--",
           "/bin/sh", "-c", "while read a; do case $a in *note*) kill -SEGV $$;; esac; done"});
  EXPECT_EQ(mute.code, 0) << mute.err;
  EXPECT_EQ(HostMessages(Path("mute.jsonl")), 1);
}

TEST_F(ReduceCommandTest, ALongTraceIsNotCut) {
  Tape tape = Tape::Of({"plugin"});
  for (size_t i = 0; i < fuzz::kMaxParts + 10; ++i) {
    tape.Host("{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n");
  }
  tape.Host("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n");
  const std::string trace = Save("long.pcapng", tape.Exit(0).bytes());
  const Ran ran = Reduce(trace, "crash", "crash", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith(std::to_string(fuzz::kMaxParts + 11) + " messages, "));
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
}

TEST_F(ReduceCommandTest, ACommandThatDoesNotEndIsStoppedAtTheTimeLimit) {
  for (const auto& [keep, code] :
       {std::pair("sleep 600", 2), std::pair("yes", 2), std::pair("sleep 600 & true", 0)}) {
    const Ran ran = Run({"reduce", Long(), "--keep", keep, "--max-time", "1s", "--timeout", "200ms",
                         "-o", Path("small.jsonl"), "--", Peer(), "calm"});
    EXPECT_EQ(ran.code, code) << keep << ran.err;
  }
}

TEST_F(ReduceCommandTest, AFindingByItsKey) {
  const Ran ran = Reduce(Long(), "finding=double open", "double", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  EXPECT_EQ(Replay(Path("small.jsonl"), "double").code, 1);
}

TEST_F(ReduceCommandTest, AFindingThatOnlyAProbeShows) {
  const Ran ran = Reduce(Long(), "finding=missing open", "missing", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(HostMessages(Path("small.jsonl")), 2);
}

TEST_F(ReduceCommandTest, AConditionThatACommandChecks) {
  const Ran ran = Reduce(Long(), R"(grep -q '"handle"' "$1" && grep -q '23' "$1")", "calm",
                         Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(HostMessages(Path("small.jsonl")), 2) << ReadFile(Path("small.jsonl"));
  EXPECT_THAT(ReadFile(Path("small.jsonl")), Not(HasSubstr("\"finding\"")));
}

TEST_F(ReduceCommandTest, ATraceThatDoesNotShowTheBehaviourIsRefused) {
  const Ran ran = Reduce(Long(), "crash", "calm", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("the whole trace does not show a crash"));
  EXPECT_THAT(ran.err, HasSubstr("no finding occurred; record a session in which the plugin fails, "
                                 "or name another behaviour: exit=N"));
  EXPECT_FALSE(std::filesystem::exists(Path("small.jsonl")));
}

TEST_F(ReduceCommandTest, WhatOccursInsteadIsNamed) {
  const Ran ran = Reduce(Long(), "crash", "exit", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("it shows: exit 3 after request open; to keep that: "
                                 "--keep 'finding=exit 3 after request open'"));
  ASSERT_EQ(Reduce(Long(), "crash", "crash", Path("crash.jsonl")).code, 0);
  const Ran fixed = Reduce(Path("crash.jsonl"), "", "calm", Path("small.jsonl"));
  EXPECT_THAT(fixed.err, HasSubstr("does not show the finding signal SIGSEGV after open"));
  EXPECT_THAT(fixed.err, HasSubstr("it may be fixed"));
}

TEST_F(ReduceCommandTest, WithoutAKeyAllFindingsAreNamed) {
  const Ran ran = Run({"reduce", TwiceAndHangs(), "--keep", "finding=", "--timeout", "300ms", "-o",
                       Path("small.jsonl"), "--", "/bin/sh", "-c", kHangsAtItsEnd, Path("hung")});
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("it shows: double twice, silence"));
  EXPECT_THAT(ran.err, HasSubstr("to keep one: --keep 'finding=double twice'"));
}

TEST_F(ReduceCommandTest, WithoutANameItTakesTheNextFreeOne) {
  const std::string trace = Long();
  for (const char* name : {"long.reduced.jsonl", "long.reduced.2.jsonl"}) {
    EXPECT_EQ(Run({"reduce", trace, "--keep", "crash", "--", Peer(), "crash"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(Path(name))) << name;
  }
}

TEST_F(ReduceCommandTest, AFindingsCassetteNeedsNoKeep) {
  ASSERT_EQ(Reduce(Long(), "crash", "crash", Path("small.jsonl")).code, 0);
  const Ran ran = Reduce(Path("small.jsonl"), "", "crash", Path("again.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("1 message, "));
  EXPECT_EQ(Replay(Path("again.jsonl"), "crash").code, 1);
}

TEST_F(ReduceCommandTest, ASignalKeepsTheSmallestSoFar) {
  // The command waits, so the reduction has just begun: the whole session has been sent to it.
  const std::string keep = "echo >> " + Path("begun") + "; sleep 0.1; grep -q open \"$1\"";
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string small = Path(std::to_string(number) + ".jsonl");
    std::filesystem::remove(Path("begun"));
    const pid_t pid = Start({"reduce", Long(), "--keep", keep, "-o", small, "--", Peer(), "calm"});
    ASSERT_TRUE(Eventually([&] { return ReadIfThere(Path("begun")).size() > 1; }));
    kill(pid, number);
    const Ran ran = Wait(pid);
    EXPECT_EQ(ran.code, 0) << number << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("stopped")) << number;
    EXPECT_GE(HostMessages(small), 1) << number << ReadFile(small);
  }
}

TEST_F(ReduceCommandTest, ACommandsSessionIsInTmpdir) {
  const std::string keep = "case $1 in " + Path("tmp") + "/*) grep -q open \"$1\";; *) false; esac";
  const auto reduce = [&](const std::string& output) {
    return Reduce(Session(), keep, "calm", Path(output));
  };
  setenv("TMPDIR", Path("tmp").c_str(), 1);
  const Ran without = reduce("without.jsonl");
  std::filesystem::create_directory(Path("tmp"));
  const Ran with = reduce("with.jsonl");
  unsetenv("TMPDIR");
  EXPECT_EQ(without.code, 3) << "no verdict, as nobody has looked";
  EXPECT_THAT(without.err, HasSubstr("TMPDIR"));
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_TRUE(std::filesystem::is_empty(Path("tmp")));
}

TEST_F(ReduceCommandTest, AKeywordThatIsMisspeltIsNoCommand) {
  for (const auto& [keep, word] :
       {std::pair("crsh", "did you mean crash?"), std::pair("Crash", "did you mean crash?"),
        std::pair("exti=3", "did you mean exit=N?"), std::pair("exit", "did you mean exit=N?"),
        std::pair("exit 3", "did you mean exit=N?"),
        std::pair("finding:hang", "did you mean finding=KEY?"),
        std::pair("no-such-word", "no such command"),
        std::pair("no-such-word", "--keep finding= lists the keys"),
        std::pair("double", "for a finding: --keep 'finding=double'"),
        std::pair("double open", "for a finding: --keep 'finding=double open'"),
        std::pair("grpe -q open \"$1\"", "cannot be run")}) {
    const Ran ran = Reduce(Session(), keep, "calm", Path("small.jsonl"));
    EXPECT_EQ(ran.code, 2) << keep << ran.out;
    EXPECT_THAT(ran.err, HasSubstr(word)) << keep;
  }
  const Ran any = Reduce(Session(), "true", "calm", Path("small.jsonl"));
  EXPECT_EQ(any.code, 0) << "a command";
  EXPECT_THAT(any.err, HasSubstr("an empty session"));
}

TEST_F(ReduceCommandTest, ACommandThatTheShellCannotReadIsAMistake) {
  for (const char* keep : {"if", "grep -q \"open $1", "(true"}) {
    const Ran ran = Reduce(Session(), keep, "calm", Path("small.jsonl"));
    EXPECT_EQ(ran.code, 2) << keep << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("the shell reports a syntax error in the command")) << keep;
  }
}

TEST_F(ReduceCommandTest, TheTimeRunsOutBeforeTheFirstResult) {
  for (const char* keep : {"crash", "sleep 600"}) {
    const auto begin = std::chrono::steady_clock::now();
    const Ran ran =
        Run({"reduce", Long(), "--keep", keep, "--max-time", "300ms", "--timeout", "700ms", "-o",
             Path("small.jsonl"), "--", "/bin/sh", "-c", "cat > /dev/null"});
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(ran.code, 2) << keep << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("the time ran out")) << keep;
    EXPECT_THAT(ran.err, Not(HasSubstr("does not do it"))) << keep;
    EXPECT_LT(took, std::chrono::seconds(8)) << "a second, and a busy machine";
    EXPECT_FALSE(std::filesystem::exists(Path("small.jsonl")));
  }
}

TEST_F(ReduceCommandTest, AHangBehindTheMessageAtFaultIsPlayedOnce) {
  const Ran ran =
      Run({"reduce", TwiceAndHangs(), "--keep", "finding=double twice", "--timeout", "300ms", "-o",
           Path("small.jsonl"), "--", "/bin/sh", "-c", kHangsAtItsEnd, Path("hung")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1) << ran.out;
  EXPECT_EQ(ReadFile(Path("hung")), "\n");
}

TEST_F(ReduceCommandTest, ACopyOfTheTraceIsNoResult) {
  const Ran ran =
      Run({"reduce", Session(), "--keep", "sleep 0.3; grep -q open \"$1\"", "--max-time", "100ms",
           "--timeout", "60s", "-o", Path("small.jsonl"), "--", Peer(), "calm"});
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("before a smaller session was played: nothing is written: "
                                 "--max-time 100ms (use a longer time)"));
  EXPECT_FALSE(std::filesystem::exists(Path("small.jsonl")));
}

TEST_F(ReduceCommandTest, AnUnfinishedReductionIsMarked) {
  const Ran ran = Run({"reduce", Long(), "--keep", "sleep 0.2; grep -q '\"r\"' \"$1\"",
                       "--max-time", "1500ms", "-o", Path("small.jsonl"), "--", Peer(), "calm"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::ContainsRegex("not (finished|reduced)"));
  EXPECT_THAT(ran.err, HasSubstr("--max-time 1500ms is over"));
  const Ran all = Reduce(Long(), "crash", "crash", Path("all.jsonl"));
  EXPECT_THAT(all.out, Not(HasSubstr("finished"))) << all.err;
}

TEST_F(ReduceCommandTest, AFlakyBehaviourIsNotReduced) {
  const Ran ran =
      Reduce(Session(), "echo >> " + Path("n") + "; test $(wc -l < " + Path("n") + ") -eq 1",
             "calm", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the behaviour is flaky"));
  EXPECT_FALSE(std::filesystem::exists(Path("small.jsonl")));
}

TEST_F(ReduceCommandTest, ASignalDuringCalibrationLeavesNoProcess) {
  const pid_t pid = Start(
      {"reduce", Long(), "--keep", "crash", "--timeout", "60s", "-o", Path("small.jsonl"), "--",
       "/bin/sh", "-c", "setsid sleep 600 & echo > " + Path("begun") + "; exec cat > /dev/null"});
  ASSERT_TRUE(Eventually([&] { return std::filesystem::exists(Path("begun")); }));
  kill(pid, SIGTERM);
  EXPECT_EQ(Wait(pid).code, 128 + SIGTERM);
  EXPECT_THAT(LeftBehind(), testing::IsEmpty());
}

TEST_F(ReduceCommandTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const Ran ran = Reduce(Path("pipe"), "crash", "crash", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("not a regular file"));
}

TEST_F(ReduceCommandTest, AFindingWhoseFirstLineIsDamagedIsNoOtherTrace) {
  ASSERT_EQ(Reduce(Long(), "crash", "crash", Path("small.jsonl")).code, 0);
  std::string text = ReadFile(Path("small.jsonl"));
  text.erase(text.find('\n') - 1, 1);  // a bracket
  const Ran ran = Reduce(Save("bad.jsonl", text), "", "crash", Path("again.jsonl"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("bad.jsonl, line 1: not JSON"));
}

TEST_F(ReduceCommandTest, MistakesAreReported) {
  const std::string trace = Long();
  for (const auto& [keep, word] :
       {std::pair("", "--keep"), std::pair("exit=x", "--keep"), std::pair("exit=256", "--keep")}) {
    const Ran ran = Reduce(trace, keep, "calm", Path("small.jsonl"));
    EXPECT_EQ(ran.code, 2) << keep;
    EXPECT_THAT(ran.err, HasSubstr(word));
  }
  EXPECT_EQ(Run({"reduce", trace, "--keep", "crash"}).code, 2);
  const std::string empty = Save("empty.pcapng", Tape::Of({"x"}).Exit(0).bytes());
  EXPECT_EQ(Reduce(empty, "crash", "calm", Path("small.jsonl")).code, 2) << "nothing is said";
  EXPECT_EQ(Reduce("-", "crash", "calm", Path("small.jsonl")).code, 2) << "read more than once";
  EXPECT_EQ(Run({"reduce", Path("none"), "--keep", "crash", "--", Peer()}).code, 2);
  EXPECT_EQ(Run({"reduce", trace, "--keep", "crash", "--", "/no/such/plugin"}).code, 2);
}

TEST_F(ReduceCommandTest, AnUnwritableOutputIsReportedBeforeThePluginStarts) {
  const std::string trace = Long(), there = Save("there.jsonl", "mine");
  std::filesystem::create_symlink(Path("nothing"), Path("link.jsonl"));
  for (const std::string& path :
       {there, std::string("/proc/none/x.jsonl"), Path("link.jsonl"), Path("no/folder.jsonl"),
        Path(std::string(300, 'x')), there + "/x.jsonl"}) {
    const Ran ran = Run({"reduce", trace, "--keep", "crash", "-o", path, "--", "/bin/sh", "-c",
                         "touch " + Path("it-ran")});
    EXPECT_EQ(ran.code, 2) << path;
    EXPECT_THAT(ran.err, HasSubstr(path));
  }
  EXPECT_EQ(ReadFile(there), "mine");
  EXPECT_FALSE(std::filesystem::exists(Path("it-ran")));
  EXPECT_EQ(Run({"reduce", trace, "--keep", "crash", "--", Peer(), "crash"}).code, 0);
  EXPECT_THAT(Files("."), testing::Each(Not(HasSubstr(".part")))) << "nothing stays of the trial";
}

}  // namespace
}  // namespace midwire::tools
