// midwire import, and what other commands say of logs.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kClangdLog[] =
    "I[12:37:30.001] clangd version 13.0.0\n"
    "V[12:37:30.010] <<< {\"id\":0,\"jsonrpc\":\"2.0\",\"method\":\"shutdown\"}\n\n"
    "V[12:37:30.011] >>> {\"id\":0,\"jsonrpc\":\"2.0\",\"result\":null}\n\n";
constexpr char kAsked[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
constexpr char kAnswered[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n";

class ImportTest : public CommandTest {
 protected:
  // The lines of an imported cassette without its header and its note.
  std::string Messages(const std::string& name) const {
    const std::string text = ReadFile(Path(name));
    return text.substr(text.find('\n', text.find("\"event\":\"note\"")) + 1);
  }
};

TEST_F(ImportTest, ACassetteWithTimesAndWhatIsMissing) {
  const Ran ran = Run({"import", Save("clangd.log", kClangdLog), "-o", Path("s.jsonl")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("2 messages, other entries left out: 1; imported from clangd "
                                 "--log=verbose, which lacks: dates, headers"));
  EXPECT_EQ(
      Messages("s.jsonl"),
      "{\"from\":\"host\",\"at\":0,\"framing\":\"content-length\",\"message\":{\"id\":0,"
      "\"jsonrpc\":\"2.0\",\"method\":\"shutdown\"}}\n"
      "{\"from\":\"plugin\",\"at\":1000000,\"framing\":\"content-length\",\"message\":{\"id\":0,"
      "\"jsonrpc\":\"2.0\",\"result\":null}}\n");
  EXPECT_THAT(Run({"show", Path("s.jsonl")}).out, HasSubstr("which lacks: dates"));
}

TEST_F(ImportTest, DatesThatCannotBeReadAreInTheNote) {
  const std::string log = Save("mcp-server-x.log",
                               "2300-01-01T00:00:00.000Z [x] Message from client: "
                               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n"
                               "2026-01-05T10:00:01.123Z [x] Message from server: "
                               "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
  EXPECT_THAT(Run({"import", log, "-o", Path("s.jsonl")}).err,
              HasSubstr("2 messages; imported from mcp-server-NAME.log of Claude Desktop, which "
                        "lacks: the bytes around messages, readable times of 1 entry\n"));
  EXPECT_THAT(Run({"show", Path("s.jsonl")}).out, HasSubstr("readable times of 1 entry"));
}

TEST_F(ImportTest, TwoFilesOfTeeInEitherOrder) {
  const std::string in = Save("in.log", kAsked), out = Save("out.log", kAnswered);
  EXPECT_EQ(Run({"import", in, out, "-o", Path("a.jsonl")}).code, 0);
  const Ran ran = Run({"import", out, in, "-o", Path("b.jsonl")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("begins with an answer"));
  EXPECT_EQ(ReadFile(Path("a.jsonl")), ReadFile(Path("b.jsonl")));
  EXPECT_EQ(Messages("a.jsonl"),
            "{\"from\":\"host\",\"message\":" + std::string(kAsked, sizeof kAsked - 2) +
                "}\n{\"from\":\"plugin\",\"message\":" +
                std::string(kAnswered, sizeof kAnswered - 2) + "}\n");
}

TEST_F(ImportTest, ThePrefixesAreGiven) {
  const std::string log = Save("app.log", std::string("x tx ") + kAsked + "x rx " + kAnswered);
  const Ran ran = Run({"import", log, "--host", "tx $", "--plugin", "rx $", "-o", Path("s.jsonl")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(Messages("s.jsonl"), HasSubstr("{\"from\":\"plugin\",\"message\":{\"jsonrpc\""));
  EXPECT_EQ(Run({"import", log, "--host", "(", "--plugin", "r", "-o", Path("t.jsonl")}).code, 2);
  EXPECT_EQ(Run({"import", log, "--host", "t", "-o", Path("t.jsonl")}).code, 2);
}

TEST_F(ImportTest, OtherLinesBesideThePrefixesAreCounted) {
  const std::string log = Save("app.log", std::string("start\nx tx ") + kAsked + "x rx " +
                                              kAnswered + "GET /health\n\nGET /health\n");
  const Ran ran = Run({"import", log, "--host", "tx", "--plugin", "rx", "-o", Path("s.jsonl")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("2 messages, other entries left out: 3; "));
}

TEST_F(ImportTest, StandardOutputGetsACassette) {
  const Ran ran = Run({"import", Save("clangd.log", kClangdLog), "-o", "-"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("{\"midwire\":\"cassette\""));
}

TEST_F(ImportTest, ALogOfAFormatThatIsNotKnown) {
  const Ran ran = Run({"show", Save("app.log", std::string("x tx ") + kAsked)});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("of midwire, nor a log that it knows; midwire import --list"));
}

TEST_F(ImportTest, BlanksBeforeTheJsonAreNotOfThePrefix) {
  const std::string log = Save("app.log", std::string("app tx ") + kAsked + "app rx " + kAnswered);
  const Ran ran = Run({"import", log, "--host", "tx$", "--plugin", "rx$", "-o", Path("s.jsonl")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("2 messages; "));
}

TEST_F(ImportTest, AnExpressionThatMatchesNoLine) {
  const std::string log = Save("app.log", std::string("app tx ") + kAsked + "app rx " + kAnswered);
  const Ran none = Run({"import", log, "--host", "to", "--plugin", "fro", "-o", Path("s.jsonl")});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no message in the log: " + log +
                                  " (what is in front of the JSON matches --host \"to\" or "
                                  "--plugin \"fro\" in no line"));
  const Ran one = Run({"import", log, "--host", "tx", "--plugin", "fro", "-o", Path("s.jsonl")});
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.err, HasSubstr("matches --plugin \"fro\" in no line"));
}

TEST_F(ImportTest, ALogOfThePluginIsFoundByInitialize) {
  const std::string log = Save("d.jsonl",
                               "{\"dir\":\"in\",\"msg\":{\"id\":1,\"method\":\"initialize\"}}\n"
                               "{\"dir\":\"out\",\"msg\":{\"id\":1,\"result\":{}}}\n");
  const std::vector<std::string> import = {"import",       log,    "--direction-at", "/dir",
                                           "--message-at", "/msg", "--to",           "cassette",
                                           "-o",           "-"};
  const Ran ran = Run(import);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("{\"from\":\"host\",\"message\":{\"id\":1,\"method\""));
  EXPECT_THAT(ran.err, HasSubstr("\"in\" is the host's, \"out\" is the plugin's, as the log has "
                                 "initialize as \"in\"; --host-word "));
  std::vector<std::string> forced = import;
  forced.insert(forced.end(), {"--host-word", "out"});
  const Ran other = Run(forced);
  EXPECT_THAT(other.out, HasSubstr("{\"from\":\"plugin\",\"message\":{\"id\":1,\"method\""));
  EXPECT_THAT(other.err, HasSubstr("\"in\" is the plugin's, \"out\" is the host's; "));
}

TEST_F(ImportTest, TheMembersAreGiven) {
  const std::string log =
      Save("calls.jsonl", "{\"dir\":\"out\",\"msg\":{\"id\":1,\"method\":\"m\"}}\n");
  const Ran ran = Run({"import", log, "--direction-at", "/dir", "--message-at", "/msg", "-o", "-",
                       "--to", "cassette"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("{\"from\":\"host\",\"message\":{\"id\":1,\"method\":\"m\"}}\n"));
  EXPECT_EQ(Run({"import", log, "--direction-at", "dir", "--message-at", "/msg", "-o", "-"}).code,
            2);
}

TEST_F(ImportTest, AMessageThatIsCutIsALoss) {
  const std::string log =
      Save("clangd.log", std::string(kClangdLog) + "V[12:37:30.012] <<< {\"id\":");
  const Ran ran = Run({"import", log, "-o", Path("s.jsonl")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("could not read 1 message, at line 6: "));
  EXPECT_THAT(Messages("s.jsonl"), HasSubstr("\"result\":null"));
}

TEST_F(ImportTest, NeverOverwritesAndLeavesNothingAfterAnError) {
  const std::string log = Save("clangd.log", kClangdLog), out = Save("s.jsonl", "precious");
  EXPECT_EQ(Run({"import", log, "-o", out}).code, 2);
  EXPECT_EQ(ReadFile(out), "precious");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{Save("text", "hello\n"), "-o", Path("o.jsonl")},
                                             {Path("missing"), "-o", Path("o.jsonl")},
                                             {log, "--from", "vscode", "-o", Path("o.jsonl")},
                                             {log, log, log, "-o", Path("o.jsonl")},
                                             {log},
                                             {}}) {
    std::vector<std::string> arguments = wrong;
    arguments.insert(arguments.begin(), "import");
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(Path("o.jsonl")));
  }
}

TEST_F(ImportTest, ATraceIsNoLog) {
  ASSERT_EQ(Run({"import", Save("clangd.log", kClangdLog), "-o", Path("s.jsonl")}).code, 0);
  EXPECT_THAT(Run({"import", Path("s.jsonl"), "-o", Path("t.jsonl")}).err,
              HasSubstr("a trace already"));
}

TEST_F(ImportTest, ConvertImportsALog) {
  EXPECT_EQ(Run({"convert", Save("clangd.log", kClangdLog), Path("s.pcapng")}).code, 0);
  EXPECT_THAT(Run({"show", Path("s.pcapng")}).out, HasSubstr("shutdown"));
}

TEST_F(ImportTest, CommandsThatReadTakeTheLogItself) {
  const std::string log = Save("clangd.log", kClangdLog), trace = Path("s.jsonl");
  ASSERT_EQ(Run({"import", log, "-o", trace}).code, 0);
  for (const char* const command : {"show", "check", "stats"}) {
    const Ran imported = Run({command, trace}), ran = Run({command, log});
    EXPECT_EQ(ran.code, imported.code) << command << ran.err;
    EXPECT_EQ(ran.out, imported.out) << command;
    EXPECT_THAT(ran.err, HasSubstr("imported from clangd --log=verbose, which lacks: dates"));
  }
}

TEST_F(ImportTest, MockPlaysTheLogItself) {
  const std::string log = Save("clangd.log", kClangdLog), trace = Path("s.jsonl");
  ASSERT_EQ(Run({"import", log, "-o", trace}).code, 0);
  const Ran ran = Run({"replay", trace, "--", MidwirePath(), "mock", log});
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("which lacks: dates, headers"));
}

TEST_F(ImportTest, ALogThatIsCutIsALossToItsReaders) {
  const std::string log =
      Save("clangd.log", std::string(kClangdLog) + "V[12:37:30.012] <<< {\"id\":");
  const Ran ran = Run({"show", log});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, HasSubstr("shutdown"));
  EXPECT_THAT(ran.err, HasSubstr("could not read 1 message, at line 6: "));
}

// A log of clangd with these messages; "<" is the host's, ">" the plugin's.
std::string ClangdLogOf(const std::vector<std::string>& messages) {
  std::string log = "I[12:37:30.001] clangd version 13.0.0\n";
  for (const std::string& message : messages) {
    const std::string arrow(3, message[0]);
    log += "V[12:37:30.010] " + arrow + " " + message.substr(1) + "\n\n";
  }
  return log;
}
constexpr char kHover[] = R"(<{"jsonrpc":"2.0","id":1,"method":"a/b"})";
constexpr char kLogMessage[] = R"(>{"jsonrpc":"2.0","method":"a/log"})";

TEST_F(ImportTest, AnAnswerThatIsNotInTheLogIsNotTheFaultOfThePlugin) {
  const std::string log = Save("clangd.log", ClangdLogOf({kHover, kLogMessage}));
  const Ran check = Run({"check", log, "--dialect", "json-rpc-2.0"});
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_THAT(check.out,
              HasSubstr("should  answer.missing: the log has no answer to this request"));
  EXPECT_THAT(Run({"show", log}).out, HasSubstr("no answer in the log"));
}

TEST_F(ImportTest, ALineThatCannotBeReadIsAGapOfTheLog) {
  const std::string log =
      Save("clangd.log", ClangdLogOf({kHover, R"(>{"jsonrpc":"2.0","id":1,)", kLogMessage}));
  ASSERT_EQ(Run({"import", log, "-o", Path("s.jsonl")}).code, 3);
  EXPECT_THAT(Run({"show", Path("s.jsonl")}).out,
              HasSubstr("gap: something is missing here (of the log, line 4: the message is not"));
  const Ran check = Run({"check", Path("s.jsonl"), "--dialect", "json-rpc-2.0"});
  EXPECT_EQ(check.code, 0);
  EXPECT_THAT(check.out, Not(HasSubstr("answer.missing")));
}

TEST_F(ImportTest, ALogThatBeginsLaterThanItsSession) {
  const std::string log =
      Save("clangd.log", ClangdLogOf({R"(>{"jsonrpc":"2.0","id":6,"result":null})",
                                      R"(<{"jsonrpc":"2.0","id":7,"method":"shutdown"})",
                                      R"(>{"jsonrpc":"2.0","id":7,"result":null})"}));
  const Ran check = Run({"check", log, "--dialect", "lsp", "--notes"});
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_THAT(check.out, HasSubstr("answer.known: the log has no request that this answers"));
  EXPECT_THAT(check.out, HasSubstr("lifecycle.first: the log does not have the first message"));
  EXPECT_THAT(check.out, Not(HasSubstr("lifecycle.ready")));
}

TEST_F(ImportTest, ALogWithoutParamsAndResultsIsNotCheckedForThem) {
  const std::string log = Save("vscode.log",
                               "[Trace - 11:36:30 PM] Sending request 'initialize - (0)'.\n"
                               "[Trace - 11:36:31 PM] Received response 'initialize - (0)' in "
                               "9ms.\n");
  const Ran check = Run({"check", log, "--dialect", "lsp"});
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_THAT(check.err, HasSubstr("params or results of 2 messages"));
}

TEST_F(ImportTest, CommandsThatWriteOrFollowNameIt) {
  const std::string log = Save("clangd.log", kClangdLog);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"replay", log, "--", "true"}, {"diff", log, log}, {"show", "-f", log}}) {
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2) << arguments[0];
    EXPECT_THAT(ran.err, HasSubstr("midwire import " + log + " -o session.jsonl")) << arguments[0];
  }
}

TEST_F(ImportTest, TheCommandThatIsNamedCanBePasted) {
  const std::string log = Save("a b;touch c.log", kClangdLog);
  const Ran ran = Run({"redact", log, Path("out.jsonl")});
  EXPECT_THAT(ran.err, HasSubstr("midwire import '" + log + "' -o session.jsonl"));
}

TEST_F(ImportTest, ListNamesTheFormatsOfFrom) {
  const std::string list = Run({"import", "--list"}).out;
  const std::string help = Run({"import", "--help"}).out;
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 10);
  for (size_t at = 0; at < list.size(); at = list.find('\n', at) + 1) {
    EXPECT_THAT(help, HasSubstr(list.substr(at, list.find(' ', at) - at)));
  }
}

}  // namespace
}  // namespace midwire::tools
