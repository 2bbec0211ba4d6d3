#include "tools/kit/gmock.h"

#include <gtest/gtest-spi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "tests/files.h"

namespace midwire::kit {
namespace {

using replay::Emit;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kCassette[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"count","params":"one two"}}
{"from":"plugin","message":{"method":"log","params":"counting"}}
{"from":"plugin","message":{"id":1,"result":{"words":2,"pid":17}}}
)";
constexpr char kLog[] = R"({"method":"log","params":"counting"})";
constexpr char kRight[] = R"({"id":1,"result":{"words":2,"pid":17}})";
constexpr char kWrong[] = R"({"id":1,"result":{"words":3,"pid":17}})";
constexpr char kOtherPid[] = R"({"id":1,"result":{"words":2,"pid":18}})";

// A cassette in its own folder, and a plugin that sends two lines and ends.
class GmockTest : public testing::Test {
 protected:
  void SetUp() override {
    Save("session.jsonl", kCassette);
    unsetenv("MIDWIRE");
  }
  void TearDown() override { unsetenv("MIDWIRE"); }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Trace() const { return Path("session.jsonl"); }
  void Save(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  // Reads one line, then prints the words after `--`, one per line.
  static std::vector<std::string> Says(std::vector<std::string> lines) {
    std::vector<std::string> argv = {
        "/bin/sh", "-c", "read -r line; printf '%s\\n' \"$@\"; read -r line; true", "plugin"};
    argv.insert(argv.end(), lines.begin(), lines.end());
    return argv;
  }
  // Why the value does not match.
  template <typename Plugin>
  static std::string Why(const Plugin& plugin, const ReplaysMatcher& matcher) {
    testing::StringMatchResultListener listener;
    EXPECT_FALSE(ExplainMatchResult(matcher, plugin, &listener));
    return listener.str();
  }

  const TemporaryFolder folder_;
};

auto Emits(const std::vector<std::string>& bodies) {
  return [bodies](std::string_view, const Emit& emit) {
    for (const std::string& body : bodies) emit(body);
  };
}

TEST_F(GmockTest, ACommandWithTheSameMessagesMatches) {
  EXPECT_THAT(Says({kLog, kRight}), Replays(Trace()));
  EXPECT_THAT(Command(Says({kLog, kRight})), Replays(Trace()));
}

TEST_F(GmockTest, AFunctionWithTheSameMessagesMatches) {
  EXPECT_THAT(Emits({kLog, kRight}), Replays(Trace()));
  const replay::Dispatcher dispatcher = Emits({kLog, kRight});
  EXPECT_THAT(dispatcher, Replays(Trace()));
}

TEST_F(GmockTest, TheFailureIsTheReport) {
  const auto report = AllOf(HasSubstr("differs"), HasSubstr("/result/words: expected 2, got 3"),
                            HasSubstr("different: 1 difference"));
  EXPECT_THAT(Why(Says({kLog, kWrong}), Replays(Trace())), report);
  EXPECT_THAT(Why(Emits({kLog, kWrong}), Replays(Trace())), report);
}

TEST_F(GmockTest, ExpectThatShowsTheReport) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(Emits({kLog, kWrong}), Replays(Trace())),
                          "/result/words: expected 2, got 3");
}

TEST_F(GmockTest, IgnoredPlacesDoNotCount) {
  EXPECT_THAT(Emits({kLog, kOtherPid}), Not(Replays(Trace())));
  EXPECT_THAT(Emits({kLog, kOtherPid}), Replays(Trace()).Ignoring("/result/pid"));
  EXPECT_THAT(Says({kLog, kOtherPid}), Replays(Trace()).Ignoring("count:/result/pid"));
}

// Two tools, behind one method; answers as a function and as a program.
constexpr char kTwoTools[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"call","params":{"name":"rand"}}}
{"from":"plugin","message":{"id":1,"result":{"x":7}}}
{"from":"host","message":{"id":2,"method":"call","params":{"name":"a]d"}}}
{"from":"plugin","message":{"id":2,"result":{"x":3}}}
)";
std::vector<std::string> Results(int first, int second) {
  const auto answer = [](int id, int x) {
    return R"({"id":)" + std::to_string(id) + R"(,"result":{"x":)" + std::to_string(x) + "}}";
  };
  return {answer(1, first), answer(2, second)};
}
auto Calls(int first, int second) {
  return [answers = Results(first, second), at = size_t{0}](
             std::string_view, const Emit& emit) mutable { emit(answers[at++ % answers.size()]); };
}
Command Program(int first, int second) {
  std::vector<std::string> argv = {
      "/bin/sh", "-c",
      "for answer; do read -r line; printf '%s\\n' \"$answer\"; done; read -r line; true",
      "plugin"};
  for (std::string& answer : Results(first, second)) argv.push_back(std::move(answer));
  return Command(std::move(argv));
}

TEST_F(GmockTest, AScopeIsAboutOneToolOnly) {
  Save("session.jsonl", kTwoTools);
  const ReplaysMatcher random = Replays(Trace()).Ignoring("call[/params/name=rand]:/result/x");
  EXPECT_THAT(Calls(8, 3), random);
  EXPECT_THAT(Program(8, 3), random);
  EXPECT_THAT(Why(Calls(8, 4), random), HasSubstr("/result/x: expected 3, got 4"));
  EXPECT_THAT(Why(Program(8, 4), random), HasSubstr("/result/x: expected 3, got 4"));
}

TEST_F(GmockTest, AScopeMayHaveAQuotedValueAndSeveralMembers) {
  Save("session.jsonl", kTwoTools);
  const ReplaysMatcher quoted =
      Replays(Trace()).Ignoring(R"(call[/params/name="a]d"][/id=2]:/result/x)");
  EXPECT_THAT(Calls(7, 4), quoted);
  EXPECT_THAT(Program(7, 4), quoted);
  EXPECT_THAT(Calls(8, 3), Not(quoted));
}

TEST_F(GmockTest, AScopeWithoutAMemberIsExplained) {
  const ReplaysMatcher wrong = Replays(Trace()).Ignoring("call[name]:/result/x");
  EXPECT_THAT(Why(Calls(7, 3), wrong), HasSubstr("it names no member"));
  EXPECT_THAT(Why(Program(7, 3), wrong), HasSubstr("it names no member"));
}

TEST_F(GmockTest, AVolatileMethodMayBeMissing) {
  EXPECT_THAT(Emits({kRight}), Not(Replays(Trace())));
  EXPECT_THAT(Emits({kRight}), Replays(Trace()).Volatile("log"));
  EXPECT_THAT(Says({kRight}), Replays(Trace()).Volatile("lo*"));
}

TEST_F(GmockTest, AShapeTakesAnyValueOfIt) {
  const ReplaysMatcher any_pid = Replays(Trace()).Shaped("count:/result/pid=integer");
  EXPECT_THAT(Emits({kLog, kOtherPid}), any_pid);
  EXPECT_THAT(Says({kLog, kOtherPid}), any_pid);
  EXPECT_THAT(Emits({kLog, kWrong}), Not(any_pid));
}

TEST_F(GmockTest, AFloatingMethodMayComeLater) {
  const ReplaysMatcher strict = Replays(Trace()).InOrder(replay::Order::kStrict);
  EXPECT_THAT(Says({kRight, kLog}), Not(strict));
  EXPECT_THAT(Says({kRight, kLog}), strict.Floating("log"));
  EXPECT_THAT(Says({kRight}), Not(strict.Floating("log")));
}

// An array, and a text in two pieces.
constexpr char kListAndText[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"list"}}
{"from":"plugin","message":{"method":"text","params":{"t":"on"}}}
{"from":"plugin","message":{"method":"text","params":{"t":"ce"}}}
{"from":"plugin","message":{"id":1,"result":{"names":["a","b"]}}}
)";

TEST_F(GmockTest, ArraysInAnyOrderAndTextsInOtherPieces) {
  Save("session.jsonl", kListAndText);
  const auto otherwise =
      Emits({R"({"method":"text","params":{"t":"o"}})", R"({"method":"text","params":{"t":"nce"}})",
             R"({"id":1,"result":{"names":["b","a"]}})"});
  const ReplaysMatcher unordered = Replays(Trace()).Unordered("list:/result/names");
  EXPECT_THAT(otherwise, Not(unordered));
  EXPECT_THAT(otherwise, unordered.Chunked("text:/params/t"));
  EXPECT_THAT(otherwise, Not(Replays(Trace()).Chunked("text:/params/t")));
}

TEST_F(GmockTest, APathOfAnotherMachineIsMapped) {
  Save("session.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"open","params":{"path":"/old/a.txt"}}}
{"from":"plugin","message":{"id":1,"result":{"path":"/old/a.txt"}}}
)");
  const auto moved = Emits({R"({"id":1,"result":{"path":"/new/a.txt"}})"});
  EXPECT_THAT(moved, Not(Replays(Trace())));
  EXPECT_THAT(moved, Replays(Trace()).Mapping("/old=/new"));
  EXPECT_THAT(Why(moved, Replays(Trace()).Mapping("old")), HasSubstr("old"));
}

TEST_F(GmockTest, OptionsAddToOneAnother) {
  const ReplaysMatcher base = Replays(Trace()).Volatile("log");
  EXPECT_THAT(Emits({kOtherPid}), base.Ignoring("/result/pid"));
  EXPECT_THAT(Emits({kOtherPid}), Not(base));
}

TEST_F(GmockTest, AFailureIsOfOneRun) {
  int runs = 0;
  const auto fails_first = [&](std::string_view, const Emit& emit) {
    emit(kLog);
    emit(++runs == 1 ? kWrong : kRight);
  };
  // A second run would match, and GoogleTest would report that instead.
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(fails_first, Replays(Trace())), "expected 2, got 3");
}

TEST_F(GmockTest, ArgumentsReachThePluginAsTheyAre) {
  Save("plugin", "#!/bin/sh\nshift 2\n[ \"$*\" = '$HOME;\"x\" ' ] && [ $# = 2 ] || exit 9\n" +
                     std::string("read -r line; printf '%s\\n' '") + kLog + "' '" + kRight + "'\n");
  chmod(Path("plugin").c_str(), 0700);
  EXPECT_THAT(Command({Path("plugin"), "--", "", "$HOME;\"x\"", ""}), Replays(Trace()));
}

TEST_F(GmockTest, ThePluginsStderrIsShownWhereItFails) {
  const Command dies({"/bin/sh", "-c", "echo out of cheese >&2; exit 3"});
  EXPECT_THAT(Why(dies, Replays(Trace())),
              AllOf(HasSubstr("stderr:\nout of cheese"), HasSubstr("exit 3")));
}

TEST_F(GmockTest, ASilentPluginFailsInTime) {
  const Command silent({"/bin/sh", "-c", "while read -r line; do :; done"});
  EXPECT_THAT(Why(silent, Replays(Trace()).Within(std::chrono::milliseconds(300))),
              AllOf(HasSubstr("hung"), HasSubstr("0.3 s")));
}

TEST_F(GmockTest, AMistakeIsExplained) {
  const auto plugin = Emits({kLog, kRight});
  EXPECT_THAT(Why(plugin, Replays(Path("none.jsonl"))), HasSubstr("none.jsonl"));
  EXPECT_THAT(Why(Says({}), Replays(Path("none.jsonl"))), HasSubstr("none.jsonl"));
  EXPECT_THAT(Why(plugin, Replays(Trace()).Ignoring("no pointer")), HasSubstr("no pointer"));
  EXPECT_THAT(Why(replay::Dispatcher(), Replays(Trace())), HasSubstr("no function"));
  EXPECT_THAT(Why(Command({}), Replays(Trace())), HasSubstr("no plugin to run"));
  EXPECT_THAT(Why(Command({Path("nothing")}), Replays(Trace())), HasSubstr("nothing"));
}

TEST_F(GmockTest, ADamagedTraceIsNoPass) {
  Save("session.jsonl", std::string(kCassette) + "{\"from\":\n" + kCassette);
  EXPECT_THAT(Why(Emits({kLog, kRight}), Replays(Trace())), HasSubstr("damaged"));
}

TEST_F(GmockTest, TheEnvironmentNamesAnotherMidwire) {
  setenv("MIDWIRE", Path("missing-midwire").c_str(), 1);
  EXPECT_THAT(Why(Says({kLog, kRight}), Replays(Trace())),
              AllOf(HasSubstr("missing-midwire"), HasSubstr("variable MIDWIRE")));
}

TEST_F(GmockTest, MidwireIsFoundByEnvironmentThenPackageThenPath) {
  EXPECT_EQ(FindMidwire("/bin/sh"), "/bin/sh");
  EXPECT_EQ(FindMidwire("/no/such/midwire"), "midwire");
  EXPECT_EQ(FindMidwire(""), "midwire");
  setenv("MIDWIRE", "/opt/midwire", 1);
  EXPECT_EQ(FindMidwire("/bin/sh"), "/opt/midwire");
}

}  // namespace
}  // namespace midwire::kit
