// midwire reduce as a command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/ill.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ReduceCommandTest : public IllTest {
 protected:
  // A long talk, in the middle of which a path is missing.
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
  EXPECT_THAT(ran.out, HasSubstr(" became 1, "));
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  const Ran shown = Replay(Path("small.jsonl"), "crash");
  EXPECT_EQ(shown.code, 1) << shown.out;
  EXPECT_THAT(shown.out, StartsWith("still there: "));
  EXPECT_EQ(Replay(Path("small.jsonl"), "calm").code, 0);
}

TEST_F(ReduceCommandTest, AnExitStatus) {
  EXPECT_EQ(Reduce(Long(), "exit=3", "exit", Path("small.jsonl")).code, 0);
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  const Ran other = Reduce(Long(), "exit=4", "exit", Path("other.jsonl"));
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("the whole trace does not do it"));
  EXPECT_FALSE(std::filesystem::exists(Path("other.jsonl")));
}

TEST_F(ReduceCommandTest, AFindingByItsKey) {
  const Ran ran = Reduce(Long(), "finding=double open", "double", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(HostMessages(Path("small.jsonl")), 1);
  EXPECT_EQ(Replay(Path("small.jsonl"), "double").code, 1);
}

TEST_F(ReduceCommandTest, AFindingThatOnlyAQuestionOfOursShows) {
  const Ran ran = Reduce(Long(), "finding=missing open", "missing", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(HostMessages(Path("small.jsonl")), 2);
}

TEST_F(ReduceCommandTest, AnythingThatACommandTells) {
  const Ran ran = Reduce(Long(), R"(grep -q '"handle"' "$1" && grep -q '23' "$1")", "calm",
                         Path("small.jsonl"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_LE(HostMessages(Path("small.jsonl")), 2) << ReadFile(Path("small.jsonl"));
  EXPECT_THAT(ReadFile(Path("small.jsonl")), Not(HasSubstr("\"finding\"")));
}

TEST_F(ReduceCommandTest, WhatTheWholeTraceDoesNotDoIsTold) {
  const Ran ran = Reduce(Long(), "crash", "calm", Path("small.jsonl"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("the whole trace does not do it"));
  EXPECT_FALSE(std::filesystem::exists(Path("small.jsonl")));
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
  EXPECT_THAT(ran.out, StartsWith("1 messages, "));
  EXPECT_EQ(Replay(Path("again.jsonl"), "crash").code, 1);
}

TEST_F(ReduceCommandTest, CtrlCKeepsWhatIsReached) {
  // The command waits, and so the reduction has just begun.
  const std::string keep = "touch " + Path("begun") + "; sleep 0.1; grep -q open \"$1\"";
  const pid_t pid =
      Start({"reduce", Long(), "--keep", keep, "-o", Path("small.jsonl"), "--", Peer(), "calm"});
  for (int i = 0; i < 3000 && !std::filesystem::exists(Path("begun")); ++i) usleep(20'000);
  kill(pid, SIGTERM);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_GE(HostMessages(Path("small.jsonl")), 1) << ReadFile(Path("small.jsonl"));
}

TEST_F(ReduceCommandTest, MistakesAreTold) {
  const std::string trace = Long();
  for (const auto& [keep, word] :
       {std::pair("", "--keep"), std::pair("exit=x", "--keep"), std::pair("exit=256", "--keep")}) {
    const Ran ran = Reduce(trace, keep, "calm", Path("small.jsonl"));
    EXPECT_EQ(ran.code, 2) << keep;
    EXPECT_THAT(ran.err, HasSubstr(word));
  }
  EXPECT_EQ(Run({"reduce", trace, "--keep", "crash"}).code, 2);
  EXPECT_EQ(Run({"reduce", Path("none"), "--keep", "crash", "--", Peer()}).code, 2);
  EXPECT_EQ(Run({"reduce", trace, "--keep", "crash", "--", "/no/such/plugin"}).code, 2);
}

TEST_F(ReduceCommandTest, WhatCannotBeWrittenIsToldBeforeThePluginIsStarted) {
  const std::string trace = Long(), there = Save("there.jsonl", "mine");
  for (const std::string& path : {there, std::string("/proc/none/x.jsonl")}) {
    const Ran ran = Run({"reduce", trace, "--keep", "crash", "-o", path, "--", "/bin/sh", "-c",
                         "touch " + Path("it-ran")});
    EXPECT_EQ(ran.code, 2) << path;
    EXPECT_THAT(ran.err, HasSubstr(path));
  }
  EXPECT_EQ(ReadFile(there), "mine");
  EXPECT_FALSE(std::filesystem::exists(Path("it-ran")));
}

}  // namespace
}  // namespace midwire::tools
