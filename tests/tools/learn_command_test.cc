// midwire replay --learn against a peer that varies: not stable before, stable after, and a change
// is still seen.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/paths.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class LearnCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    setenv("VARIES_RUN", Path("run").c_str(), 1);
  }

  std::vector<std::string> Varies(const std::string& what, const std::string& change = "") const {
    return {PeersFolder() + "/varies", what, change};
  }
  // A cassette of one run with two requests, `extra` in its header.
  std::string Recorded(const std::string& what, const std::string& extra = "") const {
    // Sends the second request after the first answer, and ends the input after the second.
    const std::string ask =
        "{ for id in 1 2; do printf '{\"id\":%d,\"method\":\"a\"}\\n' $id; "
        "while read -r line; do case $line in *'\"id\":'$id,*) break ;; esac; done; done; } ";
    const std::string tape = Path("s.pcapng"), answers = Path("answers");
    EXPECT_EQ(mkfifo(answers.c_str(), 0600), 0);
    const std::string command = ask + "<" + answers + " | '" + MidwirePath() + "' record -o " +
                                tape + " -- '" + Varies(what)[0] + "' " + what + " >" + answers;
    EXPECT_EQ(system(command.c_str()), 0);
    EXPECT_EQ(Run({"convert", tape, Path("s.jsonl")}).code, 0);
    std::string text = ReadFile(Path("s.jsonl"));
    text.insert(text.find('}'), extra);
    return Save("s.jsonl", text);
  }
  Ran Replay(std::vector<std::string> options, const std::vector<std::string>& plugin) const {
    options.insert(options.begin(), "replay");
    options.push_back("--");
    options.insert(options.end(), plugin.begin(), plugin.end());
    return Run(options);
  }
  void ExpectUntouched(const std::string& trace, const std::string& before) const {
    EXPECT_EQ(ReadFile(trace), before);
    EXPECT_FALSE(std::filesystem::exists(trace + ".old"));
    EXPECT_FALSE(std::filesystem::exists(trace + ".new"));
  }
};

TEST_F(LearnCommandTest, WhatVariesIsDeclaredAndAChangeIsStillSeen) {
  const std::string all = "time,uuid,text,set,float,chunks";
  const std::string trace = Recorded(all, ",\"comment\":\"mine\"");
  const std::string before = ReadFile(trace);
  EXPECT_EQ(Replay({trace}, Varies(all)).code, 1);

  const Ran learned = Replay({trace, "--learn"}, Varies(all));
  ASSERT_EQ(learned.code, 0) << learned.out << learned.err;
  for (const char* line :
       {"--shape 'a:/result/at=timestamp'\n    another value in each run: ",
        "--shape 'a:/result/text=text:took {digits} ms'", "--shape 'a:/result/uuid=uuid'",
        "--unordered 'a:/result/set'", "--floating 'log'", "--chunked 'out:/params/text'",
        "same: 5 more runs"}) {
    EXPECT_THAT(learned.out, HasSubstr(line));
  }
  EXPECT_EQ(ReadFile(trace + ".old"), before);
  const std::string after = ReadFile(trace);
  EXPECT_EQ(after.substr(after.find('\n')), before.substr(before.find('\n')));
  EXPECT_THAT(after, StartsWith(R"({"midwire":"cassette","version":1,"comment":"mine","shape":[)"));

  for (int i = 0; i < 20; ++i) {
    const Ran ran = Replay({trace}, Varies(all));
    EXPECT_EQ(ran.code, 0) << ran.out;
    EXPECT_EQ(ran.err, "");
  }
  const Ran changed = Replay({trace}, Varies(all, "other"));
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, HasSubstr("/result/word: expected \"same\", got \"other\""));
}

TEST_F(LearnCommandTest, TimesThatWereLearnedInOneMinuteAreStableNextYear) {
  const std::string trace = Recorded("clock");
  const Ran learned = Replay({trace, "--learn", "2"}, Varies("clock"));
  ASSERT_EQ(learned.code, 0) << learned.out << learned.err;
  for (const char* line : {"--shape 'a:/result/date=timestamp'",
                           "--shape 'a:/result/day=text:{timestamp}, at {timestamp}: ready'",
                           "--shape 'a:/result/file=text:/tmp/run-{timestamp}.log'",
                           "--shape 'a:/result/log=text:[{timestamp}] GET / 200'"}) {
    EXPECT_THAT(learned.out, HasSubstr(line));
  }
  for (const char* seconds : {"60", "3600", "86400", "2592000", "31536000"}) {
    setenv("VARIES_CLOCK", seconds, 1);
    EXPECT_EQ(Replay({trace}, Varies("clock")).code, 0) << seconds;
    EXPECT_EQ(Replay({trace}, Varies("clock", "other")).code, 1) << seconds;
  }
  unsetenv("VARIES_CLOCK");
}

TEST_F(LearnCommandTest, APluginThatFindsWhatARunLeftNeedsACommandBeforeEachRun) {
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"a"}}
{"from":"plugin","message":{"id":1,"result":"new"}}
)");
  const std::string file = Path("state");
  const std::vector<std::string> plugin = {
      "/bin/sh", "-c",
      "read x; test -e $0 && found=old || found=new; touch $0; "
      "printf '{\"id\":1,\"result\":\"%s\"}\\n' $found; cat >/dev/null",
      file};
  const Ran refused = Replay({trace, "--learn"}, plugin);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("a:/result: \"new\" in the first run, then \"old\""));
  const Ran learned = Replay({trace, "--learn", "--before", "rm " + file}, plugin);
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_THAT(learned.out, HasSubstr("nothing varies"));
}

TEST_F(LearnCommandTest, APluginThatCountsItsRunsMayKeepState) {
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"a"}}
{"from":"plugin","message":{"id":1,"result":1}}
)");
  const Ran learned =
      Replay({trace, "--learn", "3"}, {"/bin/sh", "-c",
                                       "read x; echo >>$0; printf '{\"id\":1,\"result\":%d}\\n' "
                                       "$(wc -l <$0); cat >/dev/null",
                                       Path("state")});
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_THAT(learned.err, HasSubstr("only the first run was as recorded"));
}

TEST_F(LearnCommandTest, ACommandBeforeARunThatFailsEndsTheReplay) {
  const std::string trace = Save("s.jsonl", "{\"midwire\":\"cassette\",\"version\":1}\n");
  const Ran ran = Replay({trace, "--before", "echo no such thing >&2; exit 3"}, {"/bin/cat"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--before: the command failed (exit 3)"));
  EXPECT_THAT(ran.err, HasSubstr("no such thing"));
}

TEST_F(LearnCommandTest, AVolatileMethodOnlyIfItsNumberVaries) {
  const std::string trace = Recorded("count");
  const Ran learned = Replay({"--learn", "3", trace}, Varies("count"));
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_THAT(learned.out, HasSubstr("--volatile 'tick'\n    comes 0 to 4 times"));
}

TEST_F(LearnCommandTest, ATapeGetsACassetteBesideIt) {
  Recorded("time");
  const Ran learned = Replay({"--learn", "2", Path("s.pcapng")}, Varies("time"));
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_THAT(learned.out, HasSubstr("s.2.jsonl (a new cassette)"));
  EXPECT_THAT(learned.out,
              HasSubstr("\nfrom now on: midwire replay " + Path("s.2.jsonl") + " -- "));
  EXPECT_EQ(Replay({Path("s.2.jsonl")}, Varies("time")).code, 0);
}

TEST_F(LearnCommandTest, NothingIsWrittenIfNothingVaries) {
  const std::string trace = Recorded("x");
  const std::string before = ReadFile(trace);
  const Ran learned = Replay({trace, "--learn", "2"}, Varies("x"));
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_THAT(learned.out, StartsWith("nothing varies: 2 runs are the same as the recording\n"));
  EXPECT_THAT(learned.out,
              HasSubstr("stays unseen in 2 runs once in 4 times (--learn=10: once in"));
  ExpectUntouched(trace, before);
}

// Calls of three tools: rand twice, add and say once. Recorded by hand.
std::string ThreeTools(const std::string& header = "") {
  std::string text = "{\"midwire\":\"cassette\",\"version\":1" + header + "}\n";
  int id = 0;
  for (const auto& [tool, answer] :
       {std::pair("rand", "4"), {"add", "3"}, {"say", "hello"}, {"rand", "5"}}) {
    const std::string n = std::to_string(++id);
    text += "{\"from\":\"host\",\"message\":{\"id\":" + n +
            R"(,"method":"tools/call","params":{"name":")" + tool + "\"}}}\n" +
            "{\"from\":\"plugin\",\"message\":{\"id\":" + n + ",\"result\":{\"line\":" + n +
            R"(,"word":"same","content":[{"type":"text","text":")" + answer + "\"}]}}}\n";
  }
  return text + R"({"event":{"event":"eof","stream":"host-to-plugin"}})" + "\n" +
         R"({"event":{"event":"exit","code":0}})" + "\n";
}

TEST_F(LearnCommandTest, AChangeIsRefusedWithTheOptionThatAcceptsIt) {
  const std::string trace = Save("s.jsonl", ThreeTools());
  const Ran refused = Replay({trace, "--learn", "2"}, Varies("tools", "4"));
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("not as recorded: 1 difference\n"
                                     "midwire: info: message 4, tools/call[/params/name=add]:"
                                     "/result/content/0/text, in 2 of 2 runs:\n"
                                     "midwire: info:   expected \"3\"\n"
                                     "midwire: info:   got      \"4\"\n"
                                     "midwire: info:   to accept any value there: --ignore "
                                     "'tools/call[/params/name=add]:/result/content/0/text'\n"));
  EXPECT_THAT(refused.err, HasSubstr("accept that with --update\n"));
  EXPECT_THAT(refused.err, HasSubstr("try more runs: --learn=8\n"));
  ExpectUntouched(trace, ThreeTools());
}

TEST_F(LearnCommandTest, WhatCannotBeLearnedIsOneLine) {
  const std::string trace = Recorded("time");
  const std::string before = ReadFile(trace);
  for (const auto& [plugin, text] : {std::pair(Varies("crash"), "the plugin ended in run"),
                                     std::pair(Varies("hang"), "the plugin hung in run")}) {
    const Ran learned = Replay({trace, "--learn", "2", "--timeout", "300ms"}, plugin);
    EXPECT_EQ(learned.code, 1) << text;
    EXPECT_THAT(learned.err, HasSubstr(text));
    EXPECT_EQ(std::count(learned.err.begin(), learned.err.end(), '\n'), 1) << learned.err;
    EXPECT_EQ(learned.out, "");
    ExpectUntouched(trace, before);
  }
}

TEST_F(LearnCommandTest, ANumberIsTheNumberOfRunsOnlyBesideATrace) {
  const std::string trace = Recorded("x");
  EXPECT_THAT(Replay({trace, "--learn=3"}, Varies("x")).out, HasSubstr(" 3 runs"));
  EXPECT_THAT(Replay({"--learn", trace}, Varies("x")).out, HasSubstr(" 5 runs"));
  EXPECT_THAT(Run({"replay", trace, "--learn", "3", Varies("x")[0], "x"}).out,
              HasSubstr(" 3 runs"));
  // The only word is the trace.
  EXPECT_THAT(Replay({"--learn", "7"}, Varies("x")).err, HasSubstr("7"));
  for (const char* wrong : {"--learn=1", "--learn=x", "--learn=1001"}) {
    EXPECT_EQ(Replay({trace, wrong}, Varies("x")).code, 2) << wrong;
  }
  EXPECT_EQ(Replay({trace, "--learn", "--update"}, Varies("x")).code, 2);
  EXPECT_EQ(Replay({"-", "--learn"}, Varies("x")).code, 2);
}

TEST_F(LearnCommandTest, AnUnknownMemberOfTheHeaderIsWarnedAbout) {
  const std::string trace = Recorded("x", ",\"ignores\":[]");
  const Ran ran = Replay({trace}, Varies("x"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("\"ignores\": it has no effect"));
}

TEST_F(LearnCommandTest, OfThreeToolsTheOneThatDoesNotVaryStaysStrict) {
  const std::string trace = Save("s.jsonl", ThreeTools());
  const Ran learned = Replay({trace, "--learn", "4"}, Varies("tools"));
  ASSERT_EQ(learned.code, 0) << learned.out << learned.err;
  for (const char* line :
       {"--shape 'tools/call[/params/name=rand]:/result/content/0/text=integer'",
        "'tools/call[/params/name=say]:/result/content/0/text", "wrote 2 declarations"}) {
    EXPECT_THAT(learned.out, HasSubstr(line));
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Replay({trace}, Varies("tools")).code, 0);
  const Ran changed = Replay({trace}, Varies("tools", "4"));
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, HasSubstr("/result/content/0/text: expected \"3\", got \"4\""));
  EXPECT_THAT(changed.out, HasSubstr("different: 1 difference "));
}

TEST_F(LearnCommandTest, SuggestedIgnoresNameTheTool) {
  const std::string trace = Save("s.jsonl", ThreeTools());
  const Ran ran = Replay({trace, "--suggest-ignores", "3"}, Varies("tools"));
  EXPECT_THAT(ran.out,
              HasSubstr("--ignore 'tools/call[/params/name=rand]:/result/content/*/text'\n"));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("name=add")));
}

TEST_F(LearnCommandTest, ABadScopeIsOneLineAndTheTraceStays) {
  const std::string trace = Save("s.jsonl", ThreeTools());
  for (const char* scope : {"tools/call[rand]", "tools/call[/params/name]", "tools/call[/a=x"}) {
    for (const std::string& option :
         {"--ignore=" + std::string(scope) + ":/result", "--volatile=" + std::string(scope)}) {
      const Ran ran = Replay({trace, "--learn", "2", option}, Varies("tools"));
      EXPECT_EQ(ran.code, 2) << option;
      EXPECT_THAT(ran.err, HasSubstr("not a scope"));
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    }
  }
  ExpectUntouched(trace, ThreeTools());
  const std::string bad = ThreeTools(",\"ignore\":[\"tools/call[rand]:/result\"]");
  const Ran ran = Replay({Save("s.jsonl", bad), "--learn", "2"}, Varies("tools"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("/ignore/0"));
  ExpectUntouched(trace, bad);
}

TEST_F(LearnCommandTest, ShapesOnTheCommandLineAndInADialect) {
  const std::string trace = Recorded("time");
  EXPECT_EQ(Replay({trace, "--shape", "a:/result/at=timestamp"}, Varies("time")).code, 0);
  const auto dialect = [&](const std::string& shape) {
    return Save("d.json", R"({"dialect":"d","shape":["/result/at=)" + shape +
                              R"("],"unordered":["/x"],"floating":["y"],"chunked":["z:/x"]})");
  };
  EXPECT_EQ(Replay({trace, "--dialect", dialect("timestamp")}, Varies("time")).code, 0);
  EXPECT_EQ(Replay({trace, "--dialect", dialect("uuid")}, Varies("time")).code, 1);
  const Ran wrong = Replay({trace, "--dialect", dialect("tiem")}, Varies("time"));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("tiem"));
  const Ran option = Replay({trace, "--shape", "/result/at=tiem"}, Varies("time"));
  EXPECT_EQ(option.code, 2);
  EXPECT_THAT(option.err, HasSubstr("no such shape"));
}

}  // namespace
}  // namespace midwire::tools
