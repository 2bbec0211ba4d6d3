// midwire list, on a folder of tapes.
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/eventually.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

class ListTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    setenv("TZ", "UTC", 1);
    std::filesystem::create_directories(Path("midwire"));
  }
  void Add(const std::string& name, const Tape& tape) const {
    Save("midwire/" + name, tape.bytes());
  }
};

// One call that is answered, one that fails, one without an answer.
Tape ThreeCalls(const std::string& plugin) {
  const auto call = [](const char* id) {
    return std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":"a"})" + "\n";
  };
  Tape tape = Tape::Of({"npx", "-y", plugin}).Host(call("1")).Host(call("2")).Host(call("3"));
  tape.Us(1'500'000).Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n");
  tape.Plugin("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1,\"message\":\"no\"}}\n");
  return tape;
}

TEST_F(ListTest, ASessionIsOneLine) {
  Add("a.pcapng", ThreeCalls("weather").Exit(0));
  const Ran ran = Run({"list"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, HasSubstr("started           plugin   duration  messages  failed  unanswered"
                                 "  ended   size  tape\n2026-01-02 03:04  weather     1.50s"
                                 "         5       1           1  exit 0  "));
  EXPECT_THAT(ran.out, HasSubstr("  " + Path("midwire/a.pcapng") + "\n"));
}

TEST_F(ListTest, TheNewestIsLast) {
  Add("z.pcapng", Tape().After(0).Event(trace::SpawnEvent{.argv = {"first"}}).Exit(0));
  Add("a.pcapng", Tape().After(5'000'000'000).Event(trace::SpawnEvent{.argv = {"second"}}).Exit(0));
  const auto hour_ago =
      std::filesystem::last_write_time(Path("midwire/a.pcapng")) - std::chrono::hours(1);
  std::filesystem::last_write_time(Path("midwire/z.pcapng"), hour_ago);
  const std::string out = Run({"list"}).out;
  EXPECT_LT(out.find("first"), out.find("second"));
  EXPECT_THAT(Run({"list", "-n", "1"}).out, Not(HasSubstr("first")));
}

TEST_F(ListTest, HowASessionEnded) {
  Add("1.pcapng", Tape::Of({"p"}).Exit(3));
  Add("2.pcapng", Tape::Of({"p"}));
  Add("3.pcapng", Tape::Of({"p"}).Event(trace::EndEvent{.next = "3.2.pcapng"}));
  Add("4.pcapng", Tape::Of({"p"}).Event(ExitStatus{.signal = SIGSEGV}).Event(trace::EndEvent()));
  const std::string out = Run({"list"}).out;
  EXPECT_THAT(out, HasSubstr("  exit 3            "));
  EXPECT_THAT(out, HasSubstr("  cut off           "));
  EXPECT_THAT(out, HasSubstr("  continued         "));
  EXPECT_THAT(out, HasSubstr("  crashed: SIGSEGV  "));
  EXPECT_THAT(Run({"list", "--json"}).out,
              HasSubstr(R"("ended":"exit","exit":"exit by SIGSEGV","crashed":true})"));
}

TEST_F(ListTest, ASessionThatCouldNotStart) {
  trace::CannotStartEvent none = {
      .file = "p", .path = "/bin", .error = "No such file", .number = 2};
  Add("1.pcapng", Tape::Of({"p"}).Event(none).Exit(127));
  EXPECT_THAT(Run({"list"}).out, HasSubstr("  cannot start  "));
  EXPECT_THAT(Run({"list", "--json"}).out, HasSubstr(R"("ended":"cannot start"})"));
}

TEST_F(ListTest, ASessionThatIsRecordedIsRunning) {
  const std::string path = Path("midwire/x.pcapng");
  const pid_t pid = Start({"record", "-o", path, "--", "sleep", "1000"});
  const bool recorded = Eventually([&] { return !ReadIfThere(path).empty(); });
  EXPECT_EQ(system(("'" + MidwirePath() + "' list > '" + Path("listed") + "'").c_str()), 0);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  ASSERT_TRUE(recorded);
  EXPECT_THAT(ReadFile(Path("listed")), HasSubstr("  running  "));
  EXPECT_THAT(Run({"list"}).out, HasSubstr("  cut off  "));
}

TEST_F(ListTest, ALargeTapeIsNotCountedUnlessAsked) {
  Tape tape = ThreeCalls("large");
  const std::string megabyte = "{\"method\":\"" + std::string(1 << 20, 'x') + "\"}\n";
  for (int i = 0; i < 65; ++i) tape.Host(megabyte);
  Add("large.pcapng", tape.Us(1'000'000).Exit(7));
  const Ran ran = Run({"list"});
  EXPECT_THAT(ran.out, HasSubstr("large      2.50s         -       -           -  exit 7   65M  "));
  EXPECT_THAT(ran.err, HasSubstr("1 large tape was not counted; --exact counts all"));
  const Ran exact = Run({"list", "--exact"});
  EXPECT_THAT(exact.out,
              HasSubstr("large      2.50s        70       1           1  exit 7   65M  "));
  EXPECT_EQ(exact.err, "");
}

TEST_F(ListTest, JsonHasTheSame) {
  Add("a.pcapng", ThreeCalls("weather").Exit(0));
  const std::string out = Run({"list", "--json"}).out;
  EXPECT_THAT(out, HasSubstr(R"("plugin":"weather","bytes":)"));
  EXPECT_THAT(out, HasSubstr(R"("start":"2026-01-02T03:04:05.000000000Z","duration_ns":1500000000,)"
                             R"("messages":5,"failed":1,"unanswered":1,"ended":"exit",)"
                             R"("exit":"exit 0"})"));
}

TEST_F(ListTest, NoSessionsAndNoFolder) {
  std::filesystem::remove(Path("midwire"));
  const Ran none = Run({"list"});
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.out, "");
  EXPECT_THAT(none.err, HasSubstr("record one with: midwire record -- PLUGIN"));
  EXPECT_FALSE(std::filesystem::exists(Path("midwire"))) << "list makes nothing";
  EXPECT_EQ(Run({"list", Path("none")}).code, 2);
}

TEST_F(ListTest, WhatIsNoTraceHasOnlyASize) {
  Save("midwire/a.pcapng", "no tape");
  Save("midwire/b.txt", "not listed");
  const std::string out = Run({"list"}).out;
  EXPECT_THAT(out, HasSubstr("a.pcapng"));
  EXPECT_THAT(out, Not(HasSubstr("b.txt")));
}

}  // namespace
}  // namespace midwire::tools
