// midwire replay, mock and diff as commands: their arguments, their output, how they end. What
// counts as a difference is tested in tests/replay/.
#include <signal.h>
#include <sys/stat.h>

#include "tests/eventually.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

constexpr char kSession[] =
    R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"greet","params":{"name":"Ada"}}}
{"from":"plugin","message":{"id":1,"result":{"text":"hello Ada","pid":17}}}
)";

class ReplayCommandTest : public CommandTest {
 protected:
  // A plugin that reads a line and sends `lines`, then waits for the end of its stdin.
  std::vector<std::string> Says(const std::string& lines) const {
    return {"/bin/sh", "-c", "read x; printf '%s\\n' '" + lines + "'; cat >/dev/null"};
  }
  Ran Replay(std::vector<std::string> options, const std::vector<std::string>& plugin) const {
    options.insert(options.begin(), "replay");
    options.push_back("--");
    options.insert(options.end(), plugin.begin(), plugin.end());
    return Run(options);
  }
  const std::string right_ = R"({"id":1,"result":{"text":"hello Ada","pid":17}})";
  const std::string other_ = R"({"id":1,"result":{"text":"hello Ada","pid":18}})";
};

TEST_F(ReplayCommandTest, TheSameEndsWithZero) {
  const Ran ran = Replay({Save("s.jsonl", kSession)}, Says(right_));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "ended: exit 0\nsame: 1 message sent, 1 received as recorded\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(ReplayCommandTest, ADifferenceEndsWithOneAndIsNamed) {
  const Ran ran = Replay({Save("s.jsonl", kSession)}, Says(other_));
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.out.find("/result/pid"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("17"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("18"), std::string::npos) << ran.out;
}

TEST_F(ReplayCommandTest, AnAnswerThatIsPrintedBeforeItsRequestIsUnknownInEachRun) {
  std::string session(R"({"midwire":"cassette","version":1})"), answers;
  for (const std::string n : {"1", "2", "3"}) {
    const std::string answer = R"({"id":)" + n + R"(,"result":)" + n + "}";
    session += "\n{\"from\":\"host\",\"message\":{\"id\":" + n + R"(,"method":"a"}})" +
               "\n{\"from\":\"plugin\",\"message\":" + answer + "}";
    answers += (n == "1" ? "" : "' '") + answer;
  }
  const std::string trace = Save("s.jsonl", session + "\n");
  for (const char* order : {"causal", "strict", "free", "free"}) {
    const Ran ran = Replay({trace, "--order", order, "--timeout", "200ms"}, Says(answers));
    EXPECT_EQ(ran.code, 1) << ran.out;
    EXPECT_NE(ran.out.find("unknown: an answer to a request that was not sent yet (message 5)"),
              std::string::npos)
        << ran.out;
  }
}

TEST_F(ReplayCommandTest, WhatIsIgnoredDoesNotCount) {
  const std::string trace = Save("s.jsonl", kSession);
  for (const char* place : {"/result/pid", "greet:/result/pid", "/result/*", "gr*:/result"}) {
    EXPECT_EQ(Replay({trace, "--ignore", place}, Says(other_)).code, 0) << place;
  }
  EXPECT_EQ(Replay({trace, "--ignore", "other:/result/pid"}, Says(other_)).code, 1);
}

TEST_F(ReplayCommandTest, AVolatileMethodOfTheDialectMayBeExtra) {
  const std::string trace = Save("s.jsonl", kSession);
  const std::string talks = R"({"method":"$/progress","params":{}}'; printf '%s\n' ')" + right_;
  EXPECT_EQ(Replay({trace}, Says(talks)).code, 1);
  EXPECT_EQ(Replay({trace, "--dialect", "lsp"}, Says(talks)).code, 0);
  EXPECT_EQ(Replay({trace, "--dialect", "no-such"}, Says(talks)).code, 2);
}

TEST_F(ReplayCommandTest, PidsOfADebuggedProgramVary) {
  const auto with_pid = [&](const std::string& name, const std::string& pid) {
    return Save(name, R"({"midwire":"cassette","version":1}
{"from":"plugin","message":{"seq":1,"type":"event","event":"process","body":{"name":"a","systemProcessId":)" +
                          pid + "}}}\n");
  };
  const std::string one = with_pid("one.jsonl", "17");
  EXPECT_EQ(Run({"diff", one, with_pid("other.jsonl", "18"), "--dialect", "dap"}).code, 0);
  EXPECT_EQ(Run({"diff", one, with_pid("text.jsonl", "\"x\""), "--dialect", "dap"}).code, 1);
}

TEST_F(ReplayCommandTest, ThePluginNeedsNoDashes) {
  EXPECT_EQ(Run({"replay", Save("s.jsonl", kSession), "/bin/sh", "-c",
                 "read x; echo '" + right_ + "'; cat >/dev/null"})
                .code,
            0);
}

TEST_F(ReplayCommandTest, NothingOnStandardInputIsNoTrace) {
  const Ran ran = Replay({"-"}, Says(right_));  // /dev/null
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("midwire: error: "), std::string::npos) << ran.err;
}

TEST_F(ReplayCommandTest, WrongCallsEndWithTwoAndOneLine) {
  const std::string trace = Save("s.jsonl", kSession);
  const std::vector<std::vector<std::string>> calls = {
      {"replay"},
      {"replay", trace},
      {"replay", Path("none.jsonl"), "--", "true"},
      {"replay", trace, "--ignore", "pid", "--", "true"},
      {"replay", trace, "--bind", "sideways", "--", "true"},
      {"replay", trace, "--volatile", "(a", "--", "true"},
      {"replay", trace, "--shape", "/result=regex:(a", "--", "true"},
      {"replay", trace, "--timing", "fast", "--", "true"},
      {"replay", trace, "--timing", "recorded", "--", "true"},  // it has no times
      {"replay", trace, "--timeout", "soon", "--", "true"},
      {"replay", trace, "--order", "any", "--", "true"},
      {"replay", trace, "--suggest-ignores", "1", "--", "true"},
      {"replay", trace, "--", Path("no-such-plugin")},
      {"mock"},
      {"mock", Path("none.jsonl")},
      {"mock", trace, "--on-extra", "maybe"},
      {"diff", trace},
      {"diff", trace, Path("none.jsonl")}};
  for (const auto& call : calls) {
    const Ran ran = Run(call);
    EXPECT_EQ(ran.code, 2) << testing::PrintToString(call) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(ReplayCommandTest, ATraceThatCannotBeReadIsAnErrorInJunit) {
  const std::string good = Save("s.jsonl", kSession), text = Save("t.txt", "no trace\n");
  const std::vector<std::vector<std::string>> calls = {
      {"replay", text, "--junit", Path("r.xml"), "--", "true"},
      {"replay", Path("none.jsonl"), "--junit", Path("r.xml"), "--", "true"},
      {"diff", good, text, "--junit", Path("r.xml")},
      {"diff", Path("none.jsonl"), good, "--junit", Path("r.xml")}};
  for (const auto& call : calls) {
    EXPECT_EQ(Run(call).code, 2);
    const std::string xml = ReadFile(Path("r.xml"));
    EXPECT_NE(xml.find(" tests=\"1\" failures=\"0\" errors=\"1\""), xml.npos) << xml;
    EXPECT_NE(xml.find("<error type=\"unreadable\" message=\""), xml.npos) << xml;
    std::filesystem::remove(Path("r.xml"));
  }
}

TEST_F(ReplayCommandTest, ReportsQuoteMessagesAndAreForTheUserAlone) {
  const std::string trace = Save("s.jsonl", kSession);
  Replay({trace, "--junit", Path("r.xml")}, Says(right_));
  Run({"mock", trace, "--report", Path("m.txt")});
  for (const char* name : {"r.xml", "m.txt"}) {
    struct stat of {};
    ASSERT_EQ(stat(Path(name).c_str(), &of), 0) << name;
    EXPECT_EQ(of.st_mode & 0777, 0600u) << name;
  }
}

TEST_F(ReplayCommandTest, ADamagedTraceThatReplaysEndsWithThree) {
  const Ran ran = Replay({Save("s.jsonl", std::string(kSession) + "{\"from\":\n")}, Says(right_));
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("damaged"), std::string::npos) << ran.err;
}

TEST_F(ReplayCommandTest, AnUnreadableHeaderIsReportedAlsoWhenSomethingDiffers) {
  std::string session = kSession;
  session.replace(session.find("1}"), 2, "1,");
  const Ran ran = Replay({Save("s.jsonl", session)}, Says(other_));
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.err.find("damaged"), std::string::npos) << ran.err;
}

TEST_F(ReplayCommandTest, AWrongHeaderIsReportedWithItsTrace) {
  std::string session = kSession;
  session.replace(session.find("1}"), 2, "1,\"ignore\":\"/result/pid\"}");
  const Ran ran = Replay({Save("s.jsonl", session)}, Says(other_));
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_NE(ran.err.find(Path("s.jsonl")), std::string::npos) << ran.err;
}

TEST_F(ReplayCommandTest, AHangIsReportedWithinTheTimeout) {
  const Ran ran = Replay({Save("s.jsonl", kSession), "--timeout", "100ms"},
                         {"/bin/sh", "-c", "exec sleep 1000"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("silent for 0.1 s"), std::string::npos) << ran.out;
}

TEST_F(ReplayCommandTest, APluginThatDoesNotReadIsAHang) {
  std::string session = R"({"midwire":"cassette","version":1})"
                        "\n";
  for (int i = 0; i < 20'000; ++i) {
    session += R"({"from":"host","message":{"method":"note","params":{"text":")" +
               std::string(60, 'x') + "\"}}}\n";
  }
  const Ran ran = Replay({Save("s.jsonl", session), "--timeout", "100ms"},
                         {"/bin/sh", "-c", "exec sleep 1000"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("did not read"), std::string::npos) << ran.out;
}

TEST_F(ReplayCommandTest, HostileTextOfAPluginIsEscaped) {
  const Ran ran = Replay({Save("s.jsonl", kSession), "--timeout", "200ms"},
                         Says("\x1b]0;title\x07{\xE2\x80\xAE"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out, "");
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(ran.out.find("\xE2\x80\xAE"), std::string::npos);
}

TEST_F(ReplayCommandTest, JsonIsTheSameOnEveryRun) {
  const std::string trace = Save("s.jsonl", kSession);
  const std::string first = Replay({trace, "--json"}, Says(other_)).out;
  EXPECT_NE(first.find("\"pointer\":\"/result/pid\""), std::string::npos) << first;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Replay({trace, "--json"}, Says(other_)).out, first);
}

TEST_F(ReplayCommandTest, ARunCanBeRecorded) {
  const std::string tape = Path("now.pcapng");
  EXPECT_EQ(Replay({Save("s.jsonl", kSession), "--record", tape}, Says(other_)).code, 1);
  const Ran shown = Run({"show", tape, "--color", "never"});
  EXPECT_NE(shown.out.find("greet"), std::string::npos) << shown.out;
  EXPECT_EQ(Run({"diff", Path("s.jsonl"), tape}).code, 1);
  EXPECT_EQ(Run({"diff", tape, tape}).code, 0);
}

TEST_F(ReplayCommandTest, AnUpdateAcceptsWhatDiffersAndKeepsTheOld) {
  const std::string trace = Save("s.jsonl", kSession);
  const Ran updated = Replay({trace, "--update"}, Says(other_));
  EXPECT_EQ(updated.code, 0);
  EXPECT_TRUE(updated.out.ends_with("\nupdated: 1 message\n")) << updated.out;
  EXPECT_EQ(Replay({trace}, Says(other_)).code, 0);
  EXPECT_EQ(ReadFile(trace + ".old"), kSession);
  std::string expected = kSession;
  expected.replace(expected.find("17"), 2, "18");
  EXPECT_EQ(ReadFile(trace), expected);
}

TEST_F(ReplayCommandTest, AnUpdateKeepsCommentsBlankLinesAndSpelling) {
  const std::string lines = R"({"midwire": "cassette", "version": 1, "comment": "of all"}

{"comment": "the request"}
{"from": "host", "message": {"id":1,"method":"greet","params":{"name":"Ada"}}}
{"comment": "the answer"}
{"comment": "of it", "from": "plugin", "message": {"id":1,"result":{"text":"hello Ada","pid":17}} }

{"comment": "at the end"})";
  const std::string trace = Save("s.jsonl", lines);
  EXPECT_EQ(Replay({trace, "--update"}, Says(other_)).code, 0);
  std::string expected = lines;
  expected.replace(expected.find("17"), 2, "18");
  EXPECT_EQ(ReadFile(trace), expected);
}

TEST_F(ReplayCommandTest, AnUpdateKeepsThePiecesOfWhatIsTheSame) {
  const std::string lines =
      R"({"midwire":"cassette","version":1,"start":"2026-01-02T03:04:05.000000000Z"}
{"at":0,"event":{"event":"note","text":"a"}}
{"from":"host","at":[[5,20],[9,18]],"message":{"id":1,"method":"greet","params":{}}}
{"from":"plugin","at":20,"message":{"id":1,"result":{"text":"hello Ada","pid":17}}}
)";
  const std::string trace = Save("s.jsonl", lines);
  EXPECT_EQ(Replay({trace, "--update"}, Says(other_)).code, 0);
  std::string expected = lines;
  expected.replace(expected.find("17}"), 2, "18");
  EXPECT_EQ(ReadFile(trace), expected);
}

TEST_F(ReplayCommandTest, AnUpdateWithMoreAndFewerMessagesKeepsCommentsInOrder) {
  const std::string gone = R"({"from":"plugin","message":{"method":"gone"}})";
  const std::string extra = R"({"from":"plugin","message":{"method":"new"}})";
  const auto trace_of = [&](const std::string& before, const std::string& after) {
    return std::string(R"({"midwire":"cassette","version":1}
{"comment":"a"}
{"from":"host","message":{"id":1,"method":"greet"}}
{"comment":"b"}
)") + before +
           "{\"comment\":\"c\"}\n{\"from\":\"plugin\",\"message\":" + right_ +
           "}\r\n{\"comment\":\"d\"}\n" + after;
  };
  const std::string trace = Save("s.jsonl", trace_of(gone + "\n", ""));
  const Ran ran = Replay({trace, "--update"}, Says(right_ + "\n{\"method\":\"new\"}"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.out.ends_with("\nupdated: 1 message added, 1 removed\n")) << ran.out;
  const std::string updated = ReadFile(trace);
  std::string expected = trace_of("", "");
  expected.insert(expected.find("{\"comment\":\"d"), extra + "\n");
  EXPECT_EQ(updated, expected);
}

TEST_F(ReplayCommandTest, AnUpdateWritesNewMessagesWithTheRecordedValues) {
  const auto plugin = [](const std::string& handle) -> std::vector<std::string> {
    return {"/bin/sh", "-c",
            R"(read x; echo '{"id":1,"result":{"handle":")" + handle +
                R"("}}'; read x; echo '{"method":"at","params":{"handle":")" + handle +
                R"("}}'; echo '{"id":2,"result":true}'; cat >/dev/null)"};
  };
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"open"}}
{"from":"plugin","message":{"id":1,"result":{"handle":"h_1a2b3c4d"}}}
{"from":"host","message":{"id":2,"method":"close","params":{"handle":"h_1a2b3c4d"}}}
{"from":"plugin","message":{"id":2,"result":true}}
)");
  EXPECT_EQ(Replay({trace, "--update"}, plugin("h_9f8e7d6c")).code, 0);
  const Ran ran = Replay({trace}, plugin("h_77aa66bb"));
  EXPECT_EQ(ran.code, 0) << ran.out << ReadFile(trace);
}

TEST_F(ReplayCommandTest, AnUpdateWritesANewCallBehindTheRequestThatCausesIt) {
  const std::string request = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"greet"}}
)";
  const std::string trace =
      Save("s.jsonl", request + "{\"from\":\"plugin\",\"message\":" + right_ + "}\n");
  const std::vector<std::string> calls = {
      "/bin/sh", "-c",
      R"(read x; echo '{"id":7,"method":"ask"}'; read x; echo ')" + right_ + "'; cat >/dev/null"};
  EXPECT_EQ(Replay({trace, "--update"}, calls).code, 0);
  const std::string expected =
      request + R"({"from":"plugin","message":{"id":7,"method":"ask"}})" + "\n";
  EXPECT_TRUE(ReadFile(trace).starts_with(expected)) << ReadFile(trace);
  EXPECT_EQ(Replay({trace}, calls).code, 0);
}

// A host's batch of two requests, or one request, and what a plugin may answer to that.
constexpr char kBatch[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":[{"id":1,"method":"a"},{"id":2,"method":"b"}]}
{"from":"plugin","message":[{"id":1,"result":1},{"id":2,"result":2}]}
)";
constexpr char kBatchOfOne[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"a"}}
{"from":"plugin","message":[{"method":"n"},{"id":1,"result":1}]}
)";
constexpr char kNoBatch[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"a"}}
{"from":"plugin","message":{"method":"n"}}
{"from":"plugin","message":{"id":1,"result":1}}
)";

TEST_F(ReplayCommandTest, AnUpdateAcceptsOtherBatches) {
  const std::string one = R"({"id":1,"result":1})", two = R"({"id":2,"result":2})";
  const std::string n = R"({"method":"n"})";
  struct Case {
    const char *session, *updated;
    std::string live;
  };
  for (const Case& now : {
           Case{kBatch, "2 messages", one + "\n" + two},
           Case{kBatch, "2 messages", "[" + one + "]\n[" + two + "]"},
           Case{kBatch, "1 message", "[" + one + "," + two + "," + n + "]"},
           Case{kBatchOfOne, "2 messages", n + "\n" + one},
           Case{kBatchOfOne, "1 message", "[" + one + "]"},
           Case{kNoBatch, "1 message", "[" + n + "," + one + "]"},
       }) {
    const std::string trace = Save("s.jsonl", now.session);
    const Ran updated = Replay({trace, "--update"}, Says(now.live));
    EXPECT_TRUE(updated.out.ends_with("\nupdated: " + std::string(now.updated) + "\n"))
        << now.live << updated.out << updated.err;
    EXPECT_EQ(Replay({trace}, Says(now.live)).code, 0) << ReadFile(trace);
  }
}

TEST_F(ReplayCommandTest, AnUpdateAfterWhichThePluginWouldDifferIsRefused) {
  const std::string session = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"open"}}
{"from":"plugin","message":{"id":1,"result":{"handle":"h_1a2b3c4d"}}}
{"from":"host","message":{"id":2,"method":"close","params":{"handle":"h_1a2b3c4d"}}}
{"from":"plugin","message":{"id":2,"result":true}}
)";
  const std::string trace = Save("s.jsonl", session);
  const Ran ran =
      Replay({trace, "--update"}, {"/bin/sh", "-c",
                                   R"(read x; echo '{"id":1,"result":{"handle":""}}'; read x; )"
                                   R"(echo '{"id":2,"result":true}'; cat >/dev/null)"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "midwire: error: not updated: the same plugin would differ from the new trace "
            "too: " +
                trace +
                ": inconsistent open /result/handle (fix the plugin, or "
                "record a new session)\n");
  EXPECT_EQ(ReadFile(trace), session);
  EXPECT_FALSE(std::filesystem::exists(trace + ".old"));
}

TEST_F(ReplayCommandTest, AnUpdateIsNotHeldUpByWhatAnotherOneLeft) {
  const std::string trace = Save("s.jsonl", kSession);
  Save("s.jsonl.new", "by an older midwire");
  Save(".midwire-1-0.part", "by a killed one");
  const Ran ran = Replay({trace, "--update"}, Says(other_));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ReadFile(trace + ".old"), kSession);
  EXPECT_EQ(ReadFile(trace + ".new"), "by an older midwire");
  EXPECT_FALSE(std::filesystem::exists(Path(".midwire-1-0.part")));
}

TEST_F(ReplayCommandTest, ARunThatDidNotEndUpdatesNothing) {
  const std::string trace = Save(
      "s.jsonl", std::string(kSession) + R"({"from":"host","message":{"id":2,"method":"greet"}})"
                                         "\n");
  EXPECT_EQ(Replay({trace, "--update"}, {"/bin/true"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(trace + ".old"));
}

TEST_F(ReplayCommandTest, AnUpdateKeepsALinkAndTheFilesMode) {
  const std::string trace = Save("s.jsonl", kSession), link = Path("link.jsonl");
  std::filesystem::permissions(trace, std::filesystem::perms(0644));
  std::filesystem::create_symlink("s.jsonl", link);
  EXPECT_EQ(Replay({link, "--update"}, Says(other_)).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(Replay({trace}, Says(other_)).code, 0);
  EXPECT_EQ(ReadFile(trace + ".old"), kSession);
  EXPECT_EQ(std::filesystem::status(trace).permissions(), std::filesystem::perms(0644));
}

TEST_F(ReplayCommandTest, OnlyARegularFileIsReplaced) {
  const std::string pipe = Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string option : {"--update", "--learn"}) {
    const Ran ran = Replay({pipe, option}, {"/bin/true"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "midwire: error: " + option +
                           ": not a regular file, so it cannot be replaced: \"" + pipe +
                           "\" (save the trace as a file first)\n");
    EXPECT_EQ(Replay({"-", option}, {"/bin/true"}).code, 2);
  }
}

TEST_F(ReplayCommandTest, AHangUpdatesNothing) {
  const std::string session = std::string(kSession) + R"({"event":{"event":"exit","code":0}})"
                                                      "\n";
  const std::string trace = Save("s.jsonl", session);
  const Ran ran = Replay({trace, "--update", "--timeout", "100ms"},
                         {"/bin/sh", "-c", "read x; echo '" + right_ + "'; exec sleep 1000"});
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_NE(ran.err.find("not updated"), std::string::npos) << ran.err;
  EXPECT_EQ(ReadFile(trace), session);
}

// A plugin that answers and is then killed by a signal.
constexpr char kCrashes[] =
    R"(read x; echo '{"id":1,"result":{"text":"hello Ada","pid":17}}'; kill -SEGV $$)";
constexpr char kTwoCalls[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"greet","params":{"name":"Ada"}}}
{"from":"plugin","message":{"id":1,"result":{"text":"hello Ada","pid":17}}}
{"from":"host","message":{"id":2,"method":"part"}}
{"from":"plugin","message":{"id":2,"result":true}}
{"event":{"event":"exit","code":0}}
)";

TEST_F(ReplayCommandTest, ACrashIsNoNewTruth) {
  for (const char* session : {kSession, kTwoCalls}) {
    const std::string trace = Save("s.jsonl", session);
    const Ran ran = Replay({trace, "--update"}, {"/bin/sh", "-c", kCrashes});
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_NE(ran.err.find("not updated: the plugin crashed"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("--accept-crash"), std::string::npos) << ran.err;
    EXPECT_EQ(ReadFile(trace), session);
  }
}

TEST_F(ReplayCommandTest, AnAcceptedCrashIsTheNewTruth) {
  for (const char* session : {kSession, kTwoCalls}) {
    const std::string trace = Save("s.jsonl", session);
    const std::vector<std::string> crashes = {"/bin/sh", "-c", kCrashes};
    const Ran updated = Replay({trace, "--update", "--accept-crash"}, crashes);
    EXPECT_EQ(updated.code, 0);
    EXPECT_TRUE(updated.out.ends_with("how the plugin ends\n")) << updated.out;
    EXPECT_EQ(Replay({trace}, crashes).code, 0) << ReadFile(trace);
    EXPECT_EQ(Replay({trace, "--timeout", "100ms"}, Says(right_)).code, 1);
  }
}

TEST_F(ReplayCommandTest, AnAcceptedHangIsTheNewTruth) {
  const std::string trace = Save("s.jsonl", kTwoCalls);
  const std::vector<std::string> hangs = {"/bin/sh", "-c",
                                          "read x; echo '" + right_ + "'; read x; exec sleep 1000"};
  const Ran refused = Replay({trace, "--update", "--timeout", "100ms"}, hangs);
  EXPECT_NE(refused.err.find("not updated: the plugin hung"), std::string::npos) << refused.err;
  EXPECT_NE(refused.out.find("ended: signal 9, by midwire: the plugin hung\n"), std::string::npos);
  EXPECT_EQ(Replay({trace, "--update", "--accept-crash", "--timeout", "100ms"}, hangs).code, 0);
  EXPECT_EQ(Replay({trace, "--timeout", "100ms"}, hangs).code, 0) << ReadFile(trace);
}

TEST_F(ReplayCommandTest, AcceptingACrashIsAPartOfAnUpdate) {
  EXPECT_EQ(Replay({Save("s.jsonl", kSession), "--accept-crash"}, Says(right_)).code, 2);
}

TEST_F(ReplayCommandTest, AnEarlyExitCountsWhatWasNotSent) {
  const Ran ran = Replay({Save("s.jsonl", kTwoCalls)}, {"/bin/sh", "-c", "read x"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("exited before 1 message was sent"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("expected exit 0"), std::string::npos) << ran.out;
}

TEST_F(ReplayCommandTest, JunitHasTheTimeOfEachMethod) {
  const std::string report = Path("r.xml");
  EXPECT_EQ(Replay({Save("s.jsonl", kSession), "--junit", report},
                   {"/bin/sh", "-c", "read x; sleep 0.2; echo '" + right_ + "'; cat >/dev/null"})
                .code,
            0);
  const std::string xml = ReadFile(report);
  const auto time_of = [&](const std::string& element) {
    const size_t at = xml.find(" time=\"", xml.find(element));
    return std::stod(xml.substr(at + 7));
  };
  EXPECT_GE(time_of("name=\"greet\""), 0.2) << xml;
  EXPECT_GE(time_of("<testsuite "), time_of("name=\"greet\"")) << xml;
}

TEST_F(ReplayCommandTest, JunkBehindAThousandFindingsUpdatesNothing) {
  const std::string trace = Save("s.jsonl", kSession);
  const Ran ran =
      Replay({trace, "--update"},
             {"/bin/sh", "-c",
              "i=0; while [ $i -lt 1001 ]; do echo '{\"method\":\"n\"}'; i=$((i+1)); done; "
              "read x; echo junk; echo '" +
                  right_ + "'; cat >/dev/null"});
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_NE(ran.err.find("not updated"), std::string::npos) << ran.err;
  EXPECT_EQ(ReadFile(trace), kSession);
}

TEST_F(ReplayCommandTest, AMockOfAStoppedPluginEnds) {
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"event":{"event":"exit","signal":"STOP","number":19}}
)");
  EXPECT_EQ(Run({"mock", trace}).code, 128 + SIGSTOP);
}

TEST_F(ReplayCommandTest, AMockThatItsHostDidNotAskEndsWithOneUnlessItIsLenient) {
  const std::string trace =
      Save("s.jsonl", std::string(kSession) + "{\"event\":{\"event\":\"exit\",\"code\":7}}\n");
  const Ran ran = Run({"mock", trace});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("missing"), std::string::npos) << ran.err;
  EXPECT_EQ(Run({"mock", trace, "--lenient"}).code, 7);
}

TEST_F(ReplayCommandTest, SuggestionsAreThePlacesThatChange) {
  const std::string plugin =
      "read x; printf '{\"id\":1,\"result\":{\"text\":\"hi\",\"pid\":%s}}\\n' $$; cat >/dev/null";
  const Ran ran =
      Replay({Save("s.jsonl", kSession), "--suggest-ignores", "3"}, {"/bin/sh", "-c", plugin});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "differs from the trace, but is the same in every run: greet:/result/text\n"
            "--ignore 'greet:/result/pid'\n"
            "in a cassette's header: \"ignore\":[\"greet:/result/pid\"]\n");
}

TEST_F(ReplayCommandTest, SuggestionsAreOneWordForAShell) {
  const std::string plugin =
      R"(read x; printf '{"id":1,"result":{"text":"hello Ada","pid":17,"it\47s":%s}}\n' $$; )"
      "cat >/dev/null";
  const Ran ran =
      Replay({Save("s.jsonl", kSession), "--suggest-ignores", "3"}, {"/bin/sh", "-c", plugin});
  EXPECT_NE(ran.out.find(R"(--ignore 'greet:/result/it'\''s')"), std::string::npos) << ran.out;
}

TEST_F(ReplayCommandTest, SuggestionsOfAPluginThatNeverWorksAreNoSuccess) {
  const std::string session =
      std::string(kSession) + "{\"event\":{\"event\":\"exit\",\"code\":0}}\n";
  const Ran ran = Replay({Save("s.jsonl", session), "--suggest-ignores", "2"},
                         {"/bin/sh", "-c", "read x; exit 3"});
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.err.find("no --ignore helps: missing in 2 of 2 runs (greet: this request was not "
                         "answered)\n"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("no --ignore helps: ended in 2 of 2 runs (the plugin ended"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find(": exit 3)\n"), std::string::npos) << ran.err;
}

TEST_F(ReplayCommandTest, SuggestionsHaveNoReportAndNoUpdate) {
  const std::string trace = Save("s.jsonl", kSession);
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--update"}, {"--json"}, {"--junit", Path("j")}}) {
    std::vector<std::string> options = {trace, "--suggest-ignores", "2"};
    options.insert(options.end(), other.begin(), other.end());
    const Ran ran = Replay(options, Says(right_));
    EXPECT_EQ(ran.code, 2) << other[0];
    EXPECT_NE(ran.err.find(other[0] + " "), std::string::npos) << ran.err;
  }
  EXPECT_EQ(Replay({trace, "--suggest-ignores", "0"}, Says(right_)).code, 2);
}

TEST_F(ReplayCommandTest, CtrlCEndsTheRunByItsSignal) {
  const pid_t pid = Start({"replay", Save("s.jsonl", kSession), "--timeout", "60s", "--", "/bin/sh",
                           "-c", "echo >" + Path("up") + "; exec sleep 1000"});
  EXPECT_TRUE(Eventually([&] { return std::filesystem::exists(Path("up")); }));
  kill(pid, SIGINT);
  EXPECT_EQ(Wait(pid).code, 128 + SIGINT);
}

}  // namespace
}  // namespace midwire::tools
