#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/paths.h"
#include "tests/tools/command.h"
#include "tests/tools/full_disk.h"
#include "tests/tools/tape.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr char kDialect[] = R"({"dialect": "shop", "extends": "json-rpc-2.0", "detect": ["buy"],
  "jsonrpc": "note",
  "methods": {"buy": {"from": "host", "kind": "request", "clause": "4.2",
                      "params": {"type": "object", "properties": {"n": {"type": "integer"}}}},
              "log": {"from": "plugin", "kind": "notification"}}})";
constexpr char kBuy[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"buy\",\"params\":{\"n\":1}}\n";
constexpr char kBought[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n";
constexpr char kBadBuy[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"buy\",\"params\":{\"n\":\"\u202e<&\"}}\n";

class CheckCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    dialect_ = Save("shop.json", kDialect);
  }
  Ran Check(const Tape& tape, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(),
                     {"check", Save("t.pcapng", tape.bytes()), "--dialect", dialect_});
    return Run(arguments);
  }
  static Tape Good() { return Tape::Of({"shop"}).Host(kBuy).Us(5).Plugin(kBought).Exit(0); }
  static Tape Bad() { return Tape::Of({"shop"}).Host(kBadBuy).Us(5).Plugin(kBought).Exit(0); }

  wire::Json Json(const std::string& text) const {
    Result<wire::Json> json = wire::ParseJson(text);
    EXPECT_TRUE(json) << text;
    return json ? *json : wire::Json();
  }

  std::string dialect_;
};

TEST_F(CheckCommandTest, FailsOnTheLeastSeverityThatIsNamed) {
  const Tape noted = Tape::Of({"shop"})
                         .Host("{\"id\":1,\"method\":\"buy\",\"params\":{\"n\":1}}\n")
                         .Us(5)
                         .Plugin(kBought)
                         .Exit(0);
  EXPECT_EQ(Check(noted).code, 0);
  EXPECT_EQ(Check(noted, {"--fail-on", "should"}).code, 0);
  EXPECT_EQ(Check(noted, {"--fail-on", "note"}).code, 1);
  EXPECT_EQ(Check(Bad(), {"--fail-on", "note"}).code, 1);
  EXPECT_EQ(Check(Good(), {"--fail-on", "note"}).code, 0);
  EXPECT_EQ(Check(Good(), {"--fail-on", "off"}).code, 2);
}

TEST_F(CheckCommandTest, NamesTheItemThatAPlaceIsIn) {
  const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
  const std::string tools =
      R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a",)"
      R"("inputSchema":{"type":"object"}},{"name":"archive","inputSchema":3}]}})";
  const Tape tape = Tape::Of({"shop"}).Host(list + "\n").Us(5).Plugin(tools + "\n").Exit(0);
  const std::string file = Save("t.pcapng", tape.bytes());
  EXPECT_THAT(Run({"check", file, "--dialect", "mcp"}).out,
              HasSubstr("/result/tools/1/inputSchema in \"archive\": expected "));
  EXPECT_THAT(Run({"check", file, "--dialect", "mcp", "--json"}).out,
              HasSubstr(R"("item":"\"archive\"")"));
}

TEST_F(CheckCommandTest, ALogOfJsonWhereTheDialectHasHeaders) {
  const std::string exit = R"({"jsonrpc":"2.0","method":"exit"})";
  const Tape tape = Tape::Of({"shop"})
                        .Plugin("{\"level\":\"info\"}\n")
                        .Host("Content-Length: " + std::to_string(exit.size()) + "\r\n\r\n" + exit)
                        .Exit(1);
  const Ran ran = Run({"check", Save("t.pcapng", tape.bytes()), "--dialect", "lsp"});
  EXPECT_THAT(ran.out, HasSubstr("stdout.junk"));
  EXPECT_THAT(ran.out, Not(HasSubstr("framing.kind")));
  EXPECT_THAT(ran.out, Not(HasSubstr("    message")));
}

TEST_F(CheckCommandTest, Fine) {
  const Ran ran = Check(Good());
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "fine: 0 must, 0 should, 0 notes in 2 messages, checked against shop\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(CheckCommandTest, AMustIsBroken) {
  const Ran ran = Check(Bad());
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out,
            "    1 -> request      buy\n"
            "      must    params: breaks the schema (type) (clause 4.2)\n"
            "              /params/n: expected an integer, got \"\\u202e<&\"\n"
            "\n"
            "broken: 1 must, 0 should, 0 notes in 2 messages, checked against shop\n");
}

TEST_F(CheckCommandTest, ShouldsAndNotesDoNotFail) {
  const Tape tape = Tape().Host("{\"method\":\"sell\"}\n");
  const Ran ran = Check(tape);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(
      ran.out,
      "fine: 0 must, 0 should, 1 note in 1 message, checked against shop (--notes shows it)\n");
  EXPECT_THAT(Check(tape, {"--notes"}).out, HasSubstr("note    jsonrpc: the version is missing"));
}

TEST_F(CheckCommandTest, StrictAppliesTheStrictForm) {
  Save("shop.json", R"({"dialect":"shop","jsonrpc":"note","unknown_methods":"off",
                        "strict":{"jsonrpc":"must"}})");
  const Tape tape = Tape().Host("{\"method\":\"sell\"}\n");
  EXPECT_EQ(Check(tape).code, 0);
  const Ran ran = Check(tape, {"--strict"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, EndsWith("checked against shop (strict)\n"));
}

TEST_F(CheckCommandTest, DeepJsonIsNotCheckedButIsJson) {
  const auto deep = [](int levels) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":" + std::string(levels, '[') +
           std::string(levels, ']') + "}\n";
  };
  EXPECT_EQ(Check(Tape().Plugin(deep(511))).out,
            "fine: 0 must, 0 should, 0 notes in 1 message, checked against shop\n");
  const Ran ran = Check(Tape().Plugin(deep(600)), {"--notes"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("note    json.depth: nested deeper than 512 levels: not checked"));
  EXPECT_THAT(Check(Tape().Plugin(deep(600).insert(60, "]"))).out, HasSubstr("is not JSON"));
  // A draft of it stays as strict, and the same session passes it.
  Save("deep.pcapng", Tape().Plugin(deep(600)).Plugin(deep(2)).bytes());
  ASSERT_EQ(Run({"infer", Path("deep.pcapng"), "-o", Path("draft.json")}).code, 0);
  EXPECT_EQ(ReadFile(Path("draft.json")).find("\"json\":"), std::string::npos);
  EXPECT_EQ(Run({"check", Path("deep.pcapng"), "--dialect", Path("draft.json")}).code, 0);
}

TEST_F(CheckCommandTest, SessionsHaveTheirHeadings) {
  const Ran ran = Check(Good().File(Bad().bytes()));
  EXPECT_THAT(ran.out, testing::StartsWith("session 2\n    3 -> request      buy\n"));
  EXPECT_THAT(ran.out, HasSubstr("in 4 messages of 2 sessions"));
}

TEST_F(CheckCommandTest, JunkStandsWhereItCame) {
  const Ran ran = Check(
      Tape::Of({"shop"}).Host(kBadBuy).Plugin("oops\n").Plugin(kBought).Plugin(kBought).Exit(0));
  EXPECT_THAT(ran.out, HasSubstr("got \"\\u202e<&\"\n    - <- junk\n      must    stdout.junk"));
  EXPECT_THAT(ran.out, HasSubstr("got oops\\n\n    3 <- response\n      must    answer.once"));
}

TEST_F(CheckCommandTest, TheHundredthOfAKindIsOnlyCounted) {
  Tape tape = Tape::Of({"shop"});
  for (int i = 0; i < 100; ++i) tape.Plugin(kBought);
  const Ran ran = Check(tape);
  EXPECT_THAT(ran.out, HasSubstr("and more of a kind\n      must    answer.known: 80\n"));
  EXPECT_THAT(ran.out, HasSubstr("broken: 100 must"));
}

TEST_F(CheckCommandTest, TooManyToListAreCounted) {
  Tape tape = Tape::Of({"shop"});
  std::string many;
  for (int i = 0; i < 10'005; ++i) many += kBought;
  const Ran ran = Check(tape.Plugin(many), {"--json"});
  EXPECT_EQ(Json(ran.out).Find("findings")->items.size(), 10'000u);
  EXPECT_EQ(Json(ran.out).Find("finding_count")->Integer(), 10'005);
}

TEST_F(CheckCommandTest, AsJson) {
  const Ran ran = Check(Bad(), {"--json"});
  EXPECT_EQ(ran.code, 1);
  const wire::Json json = Json(ran.out);
  EXPECT_EQ(json.String("verb"), "check");
  EXPECT_EQ(json.String("dialect"), "shop");
  EXPECT_FALSE(json.Find("fine")->boolean);
  EXPECT_EQ(json.Find("must")->Integer(), 1);
  ASSERT_EQ(json.Find("findings")->items.size(), 1u);
  const wire::Json& finding = json.Find("findings")->items[0];
  EXPECT_EQ(finding.String("rule"), "params");
  EXPECT_EQ(finding.String("clause"), "4.2");
  EXPECT_EQ(finding.String("severity"), "must");
  EXPECT_EQ(finding.String("dir"), "h2p");
  EXPECT_EQ(finding.String("pointer"), "/params/n");
  EXPECT_EQ(finding.String("got"), "\"\u202e<&\"");
  EXPECT_EQ(finding.Find("n")->Integer(), 1);
}

TEST_F(CheckCommandTest, AsSarif) {
  EXPECT_EQ(Check(Bad(), {"--sarif", Path("r.sarif")}).code, 1);
  const wire::Json json = Json(ReadFile(Path("r.sarif")));
  EXPECT_EQ(json.String("version"), "2.1.0");
  const wire::Json& run = json.Find("runs")->items.at(0);
  const wire::Json& result = run.Find("results")->items.at(0);
  EXPECT_EQ(result.String("ruleId"), "params");
  EXPECT_EQ(result.String("level"), "error");
  const wire::Json& location = result.Find("locations")->items.at(0);
  EXPECT_THAT(location.Find("physicalLocation")->Find("artifactLocation")->String("uri"),
              EndsWith("t.pcapng"));
  EXPECT_EQ(location.Find("logicalLocations")->items.at(0).String("fullyQualifiedName"),
            "session/1/message/1/params/n");
  bool listed = false;
  for (const wire::Json& rule : run.Find("tool")->Find("driver")->Find("rules")->items) {
    listed = listed || rule.String("id") == "params";
  }
  EXPECT_TRUE(listed);
}

TEST_F(CheckCommandTest, AsJunit) {
  EXPECT_EQ(Check(Bad(), {"--junit", Path("r.xml")}).code, 1);
  const std::string xml = ReadFile(Path("r.xml"));
  EXPECT_THAT(xml, HasSubstr("failures=\"1\""));
  EXPECT_THAT(xml, ContainsRegex(" time=\"[0-9]+\\.[0-9][0-9][0-9]\">"));
  EXPECT_THAT(xml,
              HasSubstr("name=\"params\">\n      <failure type=\"must\" message=\"1 finding: "));
  EXPECT_THAT(xml, HasSubstr("name=\"answer.once\"/>"));
  EXPECT_THAT(xml, HasSubstr("\\u202e&lt;&amp;"));
}

TEST_F(CheckCommandTest, AReportThatCannotBeCreated) {
  const Ran ran = Check(Good(), {"--sarif", Path("none/r.sarif")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("cannot create the file of --sarif"));
  EXPECT_EQ(ran.out, "");
}

TEST_F(CheckCommandTest, AReportThatCannotBeWritten) {
  const Ran ran = Check(Good(), {"--sarif", "/dev/full"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("cannot write the SARIF report"));
  EXPECT_EQ(Run({"check", Path("none"), Path("t.pcapng"), "--sarif", "/dev/full"}).code, 2);
}

TEST_F(CheckCommandTest, ADamagedTraceThatIsFineOtherwise) {
  std::string bytes = Good().bytes();
  bytes.insert(bytes.size() / 2, "damage that is in the middle of the file");
  const Ran ran = Run({"check", Save("t.pcapng", bytes), "--dialect", dialect_});
  EXPECT_EQ(ran.code, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("damaged"));
}

TEST_F(CheckCommandTest, TheDialectIsDetectedFromTheFirstMessages) {
  const std::string trace = Save("t.pcapng", Good().bytes());
  const Ran ran = Run({"check", trace});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("dialect json-rpc-2.0, detected (no other one fits)"));
  EXPECT_THAT(ran.out, EndsWith("in 2 messages, checked against json-rpc-2.0\n"));
}

TEST_F(CheckCommandTest, ATraceFromAPipe) {
  Save("t.pcapng", Bad().bytes());
  EXPECT_EQ(system(("'" + MidwirePath() + "' check - < '" + Path("t.pcapng") + "' > '" +
                    Path("piped") + "' 2> /dev/null")
                       .c_str()),
            0);
  EXPECT_THAT(ReadFile(Path("piped")), HasSubstr("in 2 messages, checked against json-rpc-2.0"));
}

TEST_F(CheckCommandTest, MistakesOfTheCall) {
  const std::string trace = Save("t.pcapng", Good().bytes());
  EXPECT_EQ(Run({"check", Path("none.pcapng")}).code, 2);
  EXPECT_EQ(Run({"check", trace, "--", "plugin"}).code, 2);
  EXPECT_EQ(Run({"check", trace, "--dialect", "no-such"}).code, 2);
  EXPECT_THAT(Run({"check", trace, "--dialect", "no-such"}).err, HasSubstr("midwire dialect list"));
  EXPECT_THAT(Run({"check", trace, "--dialect", "none"}).out, HasSubstr("json-rpc-2.0"));
}

TEST_F(CheckCommandTest, NoMessageAtAllIsFineWithAWarning) {
  const Ran ran = Check(Tape::Of({"shop"}).Exit(0));
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("warning: no messages in "), HasSubstr("t.pcapng")));
  EXPECT_EQ(Check(Good()).err, "");
}

TEST_F(CheckCommandTest, ACrashIsNotFine) {
  const Tape crashed = Tape::Of({"shop"}).Event(ExitStatus{.signal = 11}).Event(trace::EndEvent());
  const Ran ran = Check(crashed);
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("should  process.crash: the plugin crashed"));
  EXPECT_THAT(ran.out, EndsWith("\ncrashed: 0 must, 1 should, 0 notes in 0 messages, checked "
                                "against shop\n"));
  EXPECT_FALSE(Json(Check(crashed, {"--json"}).out).Find("fine")->boolean);
}

TEST_F(CheckCommandTest, SaysHowSureItIsOfTheDialect) {
  const std::string golden = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const Ran ran = Run({"check", golden});
  EXPECT_THAT(ran.out, EndsWith("checked against mcp 2025-06-18, detected (certain)\n"));
  EXPECT_THAT(ran.err, HasSubstr("dialect mcp, revision 2025-06-18, detected (certain: "));
  const wire::Json json = Json(Run({"check", golden, "--json"}).out);
  EXPECT_EQ(json.String("sureness"), "certain");
  EXPECT_EQ(json.String("revision"), "2025-06-18");
  EXPECT_THAT(Run({"check", golden, "--dialect", "mcp"}).out,
              EndsWith("checked against mcp 2025-06-18\n"));
}

TEST_F(CheckCommandTest, SaysThatTheSessionAgreedOnNoRevision) {
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
)");
  EXPECT_THAT(Run({"check", trace, "--dialect", "mcp"}).out, HasSubstr(" (not agreed on)"));
}

TEST_F(CheckCommandTest, SaysThatASchemaWasNotChecked) {
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"x":{"type":"string","pattern":"(a)\\1"}}}}]}}}
)");
  const Ran ran = Run({"check", trace, "--dialect", "mcp"});
  EXPECT_THAT(ran.out, HasSubstr("; 1 part not checked (--notes shows "));
  const std::string report = Run({"check", trace, "--dialect", "mcp", "--json"}).out;
  EXPECT_EQ(Json(report).Find("unchecked")->Integer(), 1);
}

TEST_F(CheckCommandTest, TheGravestOfSeveralTraces) {
  const std::string good = Save("good.pcapng", Good().bytes());
  const std::string bad = Save("bad.pcapng", Bad().bytes());
  const auto check = [&](const std::string& a, const std::string& b) {
    return Run({"check", "--dialect", dialect_, a, b});
  };
  EXPECT_EQ(check(good, good).code, 0);
  EXPECT_EQ(check(bad, good).code, 1);
  EXPECT_THAT(check(good, bad).out, AllOf(HasSubstr("good.pcapng"), HasSubstr("bad.pcapng")));
  EXPECT_EQ(check(bad, Path("none")).code, 2);
}

TEST_F(CheckCommandTest, EachTraceIsASuiteOfJunit) {
  const std::string good = Save("good.pcapng", Good().bytes());
  const std::string bad = Save("bad.pcapng", Bad().bytes());
  EXPECT_EQ(Run({"check", "--dialect", dialect_, good, bad, "--junit", Path("r.xml")}).code, 1);
  const std::string xml = ReadFile(Path("r.xml"));
  EXPECT_THAT(xml, ContainsRegex("<testsuite name=\"[^\"]*good.pcapng\" [^>]*failures=\"0\""));
  EXPECT_THAT(xml, ContainsRegex("<testsuite name=\"[^\"]*bad.pcapng\" [^>]*failures=\"1\""));
  EXPECT_THAT(xml, ContainsRegex("<testsuites name=\"midwire check\" [^>]*failures=\"1\""));
  EXPECT_THAT(xml, ContainsRegex("classname=\"midwire.check.[^\"]*bad_pcapng\" name=\"params\">"));
  EXPECT_THAT(xml, EndsWith("</testsuite>\n</testsuites>\n"));
}

TEST_F(CheckCommandTest, ATraceThatCannotBeReadIsAnErrorOfItsSuite) {
  const std::string good = Save("good.pcapng", Good().bytes());
  const std::string text = Save("text.txt", "no trace\n");
  const Ran ran = Run({"check", "--dialect", dialect_, text, good, "--junit", Path("r.xml")});
  EXPECT_EQ(ran.code, 2);
  const std::string xml = ReadFile(Path("r.xml"));
  EXPECT_THAT(xml, ContainsRegex("<testsuites name=\"midwire check\" [^>]*errors=\"1\""));
  EXPECT_THAT(xml, ContainsRegex("<testsuite name=\"[^\"]*text.txt\" tests=\"1\" failures=\"0\" "
                                 "errors=\"1\""));
  EXPECT_THAT(xml, ContainsRegex("<error type=\"unreadable\" message=\"[^\"]*text.txt"));
  EXPECT_THAT(xml, ContainsRegex("<testsuite name=\"[^\"]*good.pcapng\" [^>]*errors=\"0\""));
  EXPECT_THAT(xml, testing::Not(HasSubstr("fine: 0 must, 0 should, 0 notes in 0 messages")));
}

TEST_F(CheckCommandTest, OfSeveralTracesTheReportsNameTheDialects) {
  const std::string good = Save("good.pcapng", Good().bytes());
  const Ran ran = Run({"check", good, good});
  EXPECT_THAT(ran.out, EndsWith("in 2 messages, checked against json-rpc-2.0\n"));
  EXPECT_EQ(ran.err, "");
}

TEST_F(CheckCommandTest, AnEmptyLineIsBetweenTraces) {
  const std::string trace = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const std::string out = Run({"check", trace, trace}).out;
  EXPECT_NE(out.find("\n\n" + trace + ":\n"), std::string::npos) << out;
  EXPECT_EQ(out.find(trace + ":\n"), 0u);
}

TEST_F(CheckCommandTest, RulesOfAnotherProtocolAreNotOfATracesSuite) {
  const std::string mcp = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const std::string dap = SourceFolder() + "/corpora/dap/sessions/golden.jsonl";
  Run({"check", mcp, dap, "--junit", Path("report.xml")});
  const std::string report = ReadFile(Path("report.xml"));
  const size_t second = report.find("<testsuite ", report.find("<testsuite ") + 1);
  EXPECT_EQ(report.substr(0, second).find("name=\"dap."), std::string::npos);
  EXPECT_NE(report.substr(second).find("name=\"dap.seq\""), std::string::npos);
}

TEST_F(CheckCommandTest, AReportOfSeveralTracesOverwritesNone) {
  const std::string good = Save("good.pcapng", Good().bytes());
  const std::string bad = Save("bad.pcapng", Bad().bytes());
  const Ran ran = Run({"check", good, bad, "--sarif", bad});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ReadFile(bad), Bad().bytes());
}

TEST_F(CheckCommandTest, DamageInACassetteHasItsLine) {
  const std::string cassette = Save("t.jsonl",
                                    "{\"midwire\":\"cassette\",\"version\":1}\n"
                                    "{\"from\":\"host\",\"mesage\":{}}\n"
                                    "{\"from\":\"plugin\",\"message\":{}}\n");
  const Ran ran = Run({"check", cassette, "--dialect", dialect_, "--json"});
  EXPECT_THAT(ran.err, HasSubstr("damaged bytes, the first at line 2: a line without exactly one"));
  EXPECT_EQ(Json(ran.out).Find("findings")->items.at(0).Find("line")->Integer(), 3);
}

TEST_F(CheckCommandTest, NoPluginAfterTheDashes) {
  std::filesystem::create_directories(Path("midwire"));
  Save("midwire/newest.pcapng", Good().bytes());
  const Ran ran = Run({"check", "--dialect", dialect_, "--"});
  EXPECT_EQ(ran.code, 2) << "not newest trace: " << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("no plugin after \"--\""));
}

TEST_F(CheckCommandTest, ATapesNameWithoutAPlugin) {
  const Ran ran = Check(Good(), {"-o", Path("kept.pcapng")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("-o needs a plugin"));
}

TEST_F(CheckCommandTest, ADialectThatIsNoJsonHasItsLine) {
  Save("shop.json", "{\"dialect\": \"shop\",\n \"jsonrpc\": \"note\",\n}\n");
  EXPECT_THAT(Check(Good()).err, HasSubstr("shop.json at line 3, column 1"));
}

TEST_F(CheckCommandTest, AMistakeInTheStrictFormIsReportedAsOne) {
  Save("shop.json", R"({"dialect":"shop","strict":{"jsonrpc":"always"}})");
  for (const std::vector<std::string>& strict : {std::vector<std::string>(), {"--strict"}}) {
    const Ran ran = Check(Good(), strict);
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("shop.json at /jsonrpc, in its \"strict\" form"));
  }
}

TEST_F(CheckCommandTest, AMistakeInTheDialectHasItsPlace) {
  Save("shop.json", R"({"dialect":"shop","methods":{"buy":{"from":"hoste","kind":"request"}}})");
  Ran ran = Check(Good());
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("shop.json at /methods/buy/from"));
  EXPECT_EQ(ran.out, "");
  Save("shop.json", R"({"dialect":"shop","rules":[{"id":"r","type":"size","at":"/params"}]})");
  ran = Check(Good());
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("shop.json at /rules/0/max (rule r of type size)"));
  // Also where only --strict would come to it.
  Save("shop.json", R"({"dialect":"shop","strict":{"jsonrpc":"always"}})");
  EXPECT_THAT(Check(Good()).err, HasSubstr("/jsonrpc"));
}

TEST_F(CheckCommandTest, TheBuiltInOnesAreNamed) {
  const Ran ran = Run({"check", "--list"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("json-rpc-2.0  "));
}

// In front of a plugin: cat answers each request with the request itself.
class CheckLiveTest : public CheckCommandTest {
 protected:
  // The host sends this and closes.
  Ran Live(const std::string& sent, const std::string& options, const std::string& plugin) const {
    Save("said", sent);
    Ran ran;
    const int status = system(("TMPDIR='" + folder_ + "' '" + MidwirePath() + "' check " + options +
                               " -- " + plugin + " < '" + Path("said") + "' > '" + Path("out") +
                               "' 2> '" + Path("err") + "'")
                                  .c_str());
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ran.out = ReadFile(Path("out"));
    ran.err = ReadFile(Path("err"));
    return ran;
  }
  std::string Option() const { return "--dialect '" + dialect_ + "'"; }
};

TEST_F(CheckLiveTest, TheHostGetsThePluginsBytesAndStderrTheReport) {
  const Ran ran = Live(kBuy, Option(), "cat");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, kBuy);
  EXPECT_THAT(ran.err, HasSubstr("    2 <- request      buy\n      must    stdout.echo"));
  EXPECT_THAT(ran.err, HasSubstr("\nbroken: "));
}

TEST_F(CheckLiveTest, FineEndsAsThePluginDid) {
  const std::string answers =
      "sh -c \"cat > /dev/null; echo '{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,"
      "\\\"result\\\":1}'; exit ";
  Ran ran = Live(kBuy, Option(), answers + "0\"");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, EndsWith("checked against shop\n"));
  EXPECT_EQ(Live(kBuy, Option(), answers + "7\"").code, 7);
}

TEST_F(CheckLiveTest, AStatusOfThePluginsOwnStays) {
  EXPECT_EQ(Live(kBuy, Option(), "sh -c 'cat; exit 7'").code, 7);
}

TEST_F(CheckLiveTest, ThereIsNoSuchPlugin) {
  const Ran ran = Live(kBuy, Option(), "/no/such/plugin");
  EXPECT_EQ(ran.code, 127);
  EXPECT_THAT(ran.err, HasSubstr("/no/such/plugin"));
}

TEST_F(CheckLiveTest, AMistakeInTheDialectStartsNothing) {
  const Ran ran = Live(kBuy, "--dialect no-such", "cat");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
}

TEST_F(CheckLiveTest, TheTapeIsKeptUnderItsName) {
  const Ran ran = Live(kBuy, Option() + " -o '" + Path("kept.pcapng") + "'", "cat");
  EXPECT_EQ(ran.code, 1);
  const Ran again = Run({"check", Path("kept.pcapng"), "--dialect", dialect_});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(ran.err, HasSubstr(again.out));
}

TEST_F(CheckLiveTest, ASessionThatWasNotCheckedIsNoSuccess) {
  const Ran ran = Live(kBuy, Option() + " -o " + Path("no/dir.pcapng"), "cat");
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, kBuy);
  EXPECT_THAT(ran.err, HasSubstr("was not recorded"));
  EXPECT_EQ(Live(kBuy, Option() + " -o " + Path("no/dir.pcapng"), "sh -c 'cat; exit 7'").code, 7);
}

TEST_F(CheckLiveTest, ASessionWithoutItsEndIsNotFine) {
  // The tape's start fits below the limit of 4 KiB, the request does not.
  Save("said", std::string(20'000, ' ') + kBuy);
  const Ran ran =
      RunOnFullDisk(folder_, "check --dialect " + dialect_ + " -- cat", 8, Path("said"));
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("the recording ends here"));
  EXPECT_THAT(ran.err, HasSubstr("incomplete: 0 must"));
}

TEST_F(CheckLiveTest, AReportThatCannotBeWrittenIsNoSuccess) {
  const Ran ran = Live("", Option() + " --junit /dev/full", "true");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("cannot write the JUnit report"));
}

TEST_F(CheckLiveTest, NothingStaysBehind) {
  EXPECT_EQ(Live(kBuy, Option(), "cat").code, 1);
  size_t folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    folders += entry.is_directory();
  }
  EXPECT_EQ(folders, 0u);
}

}  // namespace
}  // namespace midwire::tools
