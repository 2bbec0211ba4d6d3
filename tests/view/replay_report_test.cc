#include "view/text/replay_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/paths.h"
#include "wire/json/escape.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using testing::HasSubstr;
using testing::Not;
using trace::Difference;
using trace::DifferenceKind;
using trace::ReplayReport;
using wire::Json;
using wire::Kind;

// Everything that a terminal, a page or an XML parser must not be handed.
constexpr char kHostile[] = "</failure>]]>&\"'\x01\x1b[31m\xff\xe2\x80\xae\xef\xbf\xbe\xed\xa0\x80";

// A report as a script: Ran(12, 14).Found(Difference).
struct MadeReport {
  ReplayReport report;
  ReportContext context = {"session.jsonl", "replay", "", {}};

  MadeReport& Found(Difference item) {
    report.differences.push_back(std::move(item));
    ++report.difference_count;
    return *this;
  }
  MadeReport& Ended(std::string how) {
    context.ending = std::move(how);
    return *this;
  }
  std::string Text(const Style& style = {}) const {
    std::string out;
    AppendReplayText(report, context, style, &out);
    return out;
  }
  std::string Json() const {
    std::string out;
    AppendReplayJson(report, context, &out);
    return out;
  }
  std::string Junit() const {
    std::string out;
    AppendReplayJunit(report, context, &out);
    return out;
  }
  wire::Json Parsed() const {
    Result<wire::Json> json = wire::ParseJson(Json());
    EXPECT_TRUE(json) << Json();
    return json ? *json : wire::Json();
  }
};

MadeReport Ran(uint64_t sent, uint64_t matched) {
  MadeReport made;
  made.report.sent = made.report.to_send = sent;
  made.report.matched = made.report.expected = matched;
  return made;
}

Difference Differs() {
  Difference item;
  item.frame = 12;
  item.kind = Kind::kResponse;
  item.method = "tools/call";
  item.pointer = "/result/content/0/text";
  item.expected = "\"twelve\"";
  item.got = "\"thirteen\"";
  item.text = "the answer has another value";
  return item;
}

Difference Missing() {
  Difference item;
  item.difference = DifferenceKind::kMissing;
  item.frame = 14;
  item.kind = Kind::kNotification;
  item.method = "notes/progress";
  item.expected = R"({"method":"notes/progress"})";
  return item;
}

Difference Extra() {
  Difference item;
  item.difference = DifferenceKind::kExtra;
  item.closest = 9;
  item.kind = Kind::kRequest;
  item.method = "host/ping";
  item.got = R"({"method":"host/ping"})";
  return item;
}

Difference Ended() {
  Difference item;
  item.difference = DifferenceKind::kEnded;
  item.expected = "exit 0";
  item.got = "signal SEGV";
  return item;
}

// One of each sort.
MadeReport Different() {
  MadeReport made = Ran(12, 14);
  made.report.sent = 11;
  made.report.matched = 12;
  made.Found(Missing()).Found(Differs()).Found(Extra()).Found(Ended()).Ended("signal SEGV");
  made.report.bindings = {
      {"b1", "open:/result/handle", "read:/params/handle", "\"h-81\"", true},
      {"b2", "open:/result/session", "read:/params/session", "\"s-1\"", false},
  };
  made.report.notes = {"the trace has 2 sessions; the first was played"};
  made.context.methods = {"", "open", "tools/call", "notes/progress"};
  return made;
}

// How often `part` stands in `text`.
size_t Count(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

TEST(ReplayTextTest, SameIsOneLine) {
  EXPECT_EQ(Ran(12, 14).Text(), "same: 12 messages sent, 14 received as recorded\n");
  EXPECT_EQ(Ran(1, 0).Text(), "same: 1 message sent, 0 received as recorded\n");
}

TEST(ReplayTextTest, FindingsThenWhatNeverCameThenVerdict) {
  EXPECT_EQ(Different().Text(),
            R"(   12 <- response     tools/call               differs: the answer has another value
         /result/content/0/text: expected "twelve", got "thirteen"
    - <- request      host/ping                extra
         got {"method":"host/ping"}
         closest recording: 9
    - ** process                               ended
         expected exit 0, got signal SEGV

recorded, but not received
   14 <- notification notes/progress           missing
         expected {"method":"notes/progress"}

replaced by live values
b1    open:/result/handle -> read:/params/handle, recorded as "h-81"

note: the trace has 2 sessions; the first was played
ended: signal SEGV
different: 4 differences (11 of 12 messages sent, 12 of 14 received as recorded)
)");
}

TEST(ReplayTextTest, AMemberMoreOrLess) {
  Difference gone = Differs(), more = Differs();
  gone.got = "";
  more.expected = "";
  const std::string text = Ran(1, 1).Found(gone).Found(more).Text();
  EXPECT_THAT(text, HasSubstr("/text: expected \"twelve\", got nothing\n"));
  EXPECT_THAT(text, HasSubstr("/text: expected nothing, got \"thirteen\"\n"));
}

TEST(ReplayTextTest, LongValuesStandBelowEachOther) {
  Difference item = Differs();
  item.expected = "\"" + std::string(90, 'a') + "\"";
  item.got = "\"" + std::string(89, 'a') + "b\"";
  EXPECT_THAT(Ran(1, 1).Found(item).Text(), HasSubstr("         /result/content/0/text\n"
                                                      "         expected " +
                                                      item.expected +
                                                      "\n"
                                                      "         got      " +
                                                      item.got + "\n"));
}

TEST(ReplayTextTest, OfALongTextTheLineIsNamed) {
  Difference item = Differs();
  item.line = 41;
  const MadeReport made = Ran(1, 1).Found(item);
  EXPECT_THAT(made.Text(), HasSubstr("/result/content/0/text, line 41: expected \"twelve\""));
  EXPECT_THAT(made.Json(), HasSubstr(R"("pointer":"/result/content/0/text","line":41,"expected")"));
}

// An array of three items of which one went, one moved and one differs.
Difference WithItems() {
  using What = trace::ItemChange::What;
  Difference item = Differs();
  item.items = {.pointer = "/result/tools", .recorded = 3, .came = 3, .first = {}, .count = 5};
  item.items.first.push_back({What::kNew, "\"n\"", 0, 2});
  item.items.first.push_back({What::kGone, "\"a\\u001b\"", 1, 0});
  item.items.first.push_back({What::kMoved, "7", 2, 0});
  item.items.first.push_back({What::kDiffers, "\"b\"", 0, 1, "/result/tools/0/x", "1", "2"});
  return item;
}

TEST(ReplayTextTest, ItemsOfAnArrayStandInPlaceOfTheFirstPlace) {
  EXPECT_THAT(Ran(1, 1).Found(WithItems()).Text(),
              HasSubstr("\n         /result/tools: 3 items, not the recorded ones in their order"
                        "\n         \"n\" is new at 2"
                        "\n         \"a\\u001b\" is gone from 1"
                        "\n         7 moved from 2 to 0"
                        "\n         /result/tools/0/x: expected 1, got 2"
                        "\n         and 1 more change\n"));
}

TEST(ReplayTextTest, AnotherNumberOfItemsIsNamed) {
  Difference item = WithItems();
  item.items.came = 4;
  EXPECT_THAT(Ran(1, 1).Found(item).Text(), HasSubstr("/result/tools: expected 3 items, got 4\n"));
}

TEST(ReplayJsonTest, ItemsFollowTheFirstPlace) {
  EXPECT_THAT(Ran(1, 1).Found(WithItems()).Json(),
              HasSubstr(R"("items":{"pointer":"/result/tools","recorded":3,"came":3,)"
                        R"("change_count":5,"changes":[)"
                        R"({"change":"new","item":"\"n\"","at":2},)"
                        R"({"change":"gone","item":"\"a\\u001b\"","from":1},)"
                        R"({"change":"moved","item":"7","from":2,"at":0},)"
                        R"({"change":"differs","item":"\"b\"","from":0,"at":1,)"
                        R"("pointer":"/result/tools/0/x","expected":"1","got":"2"}]})"));
}

TEST(ReplayTextTest, ANarrowTerminalBreaksEarlier) {
  EXPECT_THAT(Ran(1, 1).Found(Differs()).Text({false, 60}),
              HasSubstr("expected \"twelve\"\n         got      \"thirteen\"\n"));
}

TEST(ReplayTextTest, AProcessFindingMayNameWhatWasAwaited) {
  Difference hung = Differs();
  hung.difference = DifferenceKind::kHung;
  hung.pointer = hung.expected = hung.got = "";
  hung.text = "silent for 5 s";
  EXPECT_THAT(Ran(1, 1).Found(hung).Text(),
              HasSubstr("   12 ** process      tools/call               hung: silent for 5 s\n"));
}

TEST(ReplayTextTest, FindingsBeyondTheListAreCounted) {
  MadeReport made = Ran(1, 1).Found(Differs());
  made.report.difference_count = 3;
  EXPECT_THAT(made.Text(), HasSubstr("\nand 2 more differences\n"));
  EXPECT_THAT(made.Text(), HasSubstr("different: 3 differences"));
}

TEST(ReplayTextTest, DiffSendsNothing) {
  MadeReport made = Ran(12, 14);
  made.context.verb = "diff";
  EXPECT_EQ(made.Text(), "same: 26 messages in both\n");
  made.report.matched = 13;
  made.Found(Differs());
  EXPECT_THAT(made.Text(), HasSubstr("different: 1 difference (13 of 14 messages the same)\n"));
}

TEST(ReplayTextTest, DiffSaysWhatIsOfWhichTrace) {
  MadeReport made = Different();
  made.context.verb = "diff";
  made.report.differences[1].other = 15;
  made.report.differences[2].other = 3;
  const std::string text = made.Text();
  EXPECT_EQ(
      text.substr(0, text.find("\nnote")),
      R"(  A12   B15 <- response     tools/call               differs: the answer has another value
         /result/content/0/text: A has "twelve", B has "thirteen"
    -     - ** process                               ended
         A has exit 0, B has signal SEGV

in A, but not in B
  A14     - <- notification notes/progress           only in A
         A has {"method":"notes/progress"}

in B, but not in A
    -    B3 <- request      host/ping                only in B
         B has {"method":"host/ping"}
         closest in A: A9

values of A that are others in B
b1    open:/result/handle -> read:/params/handle, in A "h-81"
)");
  EXPECT_THAT(made.Json(), HasSubstr("\"n\":12,\"b\":15,"));
}

TEST(ReplayTextTest, DiffNamesTheDialectOfBIfItIsAnother) {
  MadeReport made = Ran(12, 14);
  made.context.verb = "diff";
  made.context.head = {.dialect = "mcp", .revision = "2025-06-18", .agreed = true};
  made.context.other = {.dialect = "lsp", .sureness = "likely"};
  EXPECT_THAT(made.Text(), HasSubstr("dialect: mcp 2025-06-18; B: lsp, detected (likely)\n"));
}

TEST(ReplayTextTest, ColorsOnlyWhenAsked) {
  EXPECT_THAT(Different().Text(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Different().Text({true, 0}), HasSubstr("\x1b[31mdiffers\x1b[0m"));
  EXPECT_THAT(Ran(1, 1).Text({true, 0}), HasSubstr("\x1b[32msame"));
}

// A hostile string wherever one can stand.
MadeReport Hostile() {
  MadeReport made = Different();
  for (Difference& item : made.report.differences) {
    item.method = item.pointer = item.expected = item.got = item.text = kHostile;
  }
  for (trace::BindingUse& use : made.report.bindings) {
    use.name = use.from = use.to = use.recorded = kHostile;
  }
  made.report.notes = {kHostile};
  made.context.trace = made.context.ending = kHostile;
  made.context.methods = {kHostile};
  return made;
}

bool IsPrintable(std::string_view text) {
  while (!text.empty()) {
    const wire::Character character = wire::FirstCharacter(text);
    if (!character.valid || (character.code != '\n' && wire::IsHostile(character.code))) {
      return false;
    }
    text.remove_prefix(character.length);
  }
  return true;
}

TEST(ReplayReportTest, HostileTextIsPrintableInEachForm) {
  const MadeReport made = Hostile();
  EXPECT_TRUE(IsPrintable(made.Text())) << made.Text();
  EXPECT_TRUE(IsPrintable(made.Json())) << made.Json();
  EXPECT_TRUE(IsPrintable(made.Junit())) << made.Junit();
}

TEST(ReplayReportTest, HostileNamesAreCutInTextAndWholeInJson) {
  Difference item = Differs();
  item.method = std::string(4096, 'm');
  item.pointer = "/" + std::string(100'000, 'p');
  const MadeReport made = Ran(1, 1).Found(item);
  EXPECT_LT(made.Text().size(), 700u);
  EXPECT_THAT(made.Json(), HasSubstr(item.pointer));
  EXPECT_LT(made.Junit().size(), 10'000u);
}

TEST(ReplayJsonTest, OneLineInAStableOrder) {
  EXPECT_EQ(
      Different().Json(),
      R"({"midwire":"report","version":1,"verb":"replay","trace":"session.jsonl","same":false,)"
      R"("sent":11,"to_send":12,"matched":12,"expected":14,"ending":"signal SEGV","finding_count":4,)"
      R"("findings":[)"
      R"({"finding":"missing","n":14,"dir":"p2h","kind":"notification","method":"notes/progress",)"
      R"("pointer":"","expected":"{\"method\":\"notes/progress\"}"},)"
      R"({"finding":"differs","n":12,"dir":"p2h","kind":"response","method":"tools/call",)"
      R"("pointer":"/result/content/0/text","expected":"\"twelve\"","got":"\"thirteen\"",)"
      R"("text":"the answer has another value"},)"
      R"({"finding":"extra","dir":"p2h","kind":"request","method":"host/ping","pointer":"",)"
      R"("got":"{\"method\":\"host/ping\"}","closest":9},)"
      R"({"finding":"ended","expected":"exit 0","got":"signal SEGV"}],)"
      R"("bindings":[{"name":"b1","from":"open:/result/handle","to":"read:/params/handle",)"
      R"("recorded":"\"h-81\"","replaced":true},{"name":"b2","from":"open:/result/session",)"
      R"("to":"read:/params/session","recorded":"\"s-1\"","replaced":false}],)"
      R"("notes":["the trace has 2 sessions; the first was played"]})"
      "\n");
}

TEST(ReplayJsonTest, SameHasEmptyLists) {
  const Json json = Ran(2, 3).Parsed();
  EXPECT_TRUE(json.Find("same")->boolean);
  EXPECT_TRUE(json.Find("findings")->items.empty());
  EXPECT_EQ(json.Find("ending"), nullptr);
}

// They would look the same as text: each would be U+FFFD.
TEST(ReplayJsonTest, AnInvalidByteIsNoReplacementCharacter) {
  Difference item = Differs();
  item.expected = "\"\xef\xbf\xbd\"";
  item.got = "\"\xff\"";
  const Json json = Ran(1, 1).Found(item).Parsed();
  const Json& found = json.Find("findings")->items.at(0);
  EXPECT_EQ(found.String("expected"), "\"\xef\xbf\xbd\"");
  EXPECT_EQ(found.String("got_base64"), "Iv8i");
  EXPECT_EQ(found.Find("got"), nullptr);
}

TEST(ReplayJunitTest, ATestAMethodAndOneForTheProcess) {
  MadeReport made = Different();
  made.context.seconds = 2.5;
  made.context.method_seconds = {{"tools/call", 1.25}, {"host/ping", 0.0004}, {"other", 1}};
  EXPECT_EQ(made.Junit(), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="midwire replay" tests="5" failures="4" errors="0" time="2.500">
  <testsuite name="session.jsonl" tests="5" failures="4" errors="0" time="2.500">
    <testcase classname="midwire.replay.session_jsonl" name="process" time="1.250">
      <failure type="ended" message="1 difference">    - ** process                               ended
         expected exit 0, got signal SEGV
</failure>
    </testcase>
    <testcase classname="midwire.replay.session_jsonl" name="open" time="0.000"/>
    <testcase classname="midwire.replay.session_jsonl" name="tools/call" time="1.250">
      <failure type="differs" message="1 difference">   12 &lt;- response     tools/call               differs: the answer has another value
         /result/content/0/text: expected &quot;twelve&quot;, got &quot;thirteen&quot;
</failure>
    </testcase>
    <testcase classname="midwire.replay.session_jsonl" name="notes/progress" time="0.000">
      <failure type="missing" message="1 difference">   14 &lt;- notification notes/progress           missing
         expected {&quot;method&quot;:&quot;notes/progress&quot;}
</failure>
    </testcase>
    <testcase classname="midwire.replay.session_jsonl" name="host/ping" time="0.000">
      <failure type="extra" message="1 difference">    - &lt;- request      host/ping                extra
         got {&quot;method&quot;:&quot;host/ping&quot;}
         closest recording: 9
</failure>
    </testcase>
    <system-out>note: the trace has 2 sessions; the first was played
ended: signal SEGV
different: 4 differences (11 of 12 messages sent, 12 of 14 received as recorded)
</system-out>
  </testsuite>
</testsuites>
)");
}

TEST(ReplayJunitTest, FindingsOfOneMethodAreOneFailure) {
  const std::string xml = Ran(1, 3).Found(Differs()).Found(Differs()).Junit();
  EXPECT_EQ(Count(xml, "<failure"), 1u);
  EXPECT_THAT(xml, HasSubstr("message=\"2 differences\""));
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\""));
}

TEST(ReplayJunitTest, PassedTestsAreOfEachMethodOnce) {
  MadeReport made = Ran(1, 1);
  made.context.methods = {"", "a", "b", "a"};
  const std::string xml = made.Junit();
  EXPECT_EQ(Count(xml, "<testcase"), 3u);
  EXPECT_EQ(Count(xml, "<failure"), 0u);
}

// A plugin whose method is called "process" hides nothing: there is one test of that name.
TEST(ReplayJunitTest, NoTwoTestsHaveOneName) {
  Difference posing = Differs();
  posing.method = "process";
  Difference masked = Differs(), spelt = Differs();
  masked.method = "\x01";
  spelt.method = "\\x01";
  const std::string xml = Ran(1, 1).Found(Ended()).Found(posing).Found(masked).Found(spelt).Junit();
  EXPECT_EQ(Count(xml, "name=\"process\""), 1u);
  EXPECT_EQ(Count(xml, "name=\"\\x01\""), 1u);
  EXPECT_EQ(Count(xml, "message=\"2 differences\""), 2u);
}

TEST(ReplayJunitTest, FindingsBeyondTheListFailATestOfTheirOwn) {
  MadeReport made = Ran(1, 1).Found(Differs());
  made.report.difference_count = 3;
  EXPECT_THAT(made.Junit(), HasSubstr("name=\"more differences\""));
  EXPECT_EQ(Count(made.Junit(), "<failure"), 2u);
}

TEST(ReplayJunitTest, NothingBreaksOutOfItsElement) {
  const std::string xml = Hostile().Junit();
  EXPECT_EQ(Count(xml, "</failure>"), Count(xml, "<failure "));
  EXPECT_THAT(xml, Not(HasSubstr("]]>")));
  EXPECT_THAT(xml, Not(HasSubstr("\xef\xbf\xbe")));  // U+FFFE, which XML 1.0 refuses
}

TEST(ReplayJunitTest, AMessageWithoutAMethod) {
  Difference item = Differs();
  item.method = "";
  item.difference = DifferenceKind::kUnknown;
  EXPECT_THAT(Ran(1, 1).Found(item).Junit(), HasSubstr("name=\"other messages\""));
}

// A block of doc/replay.md from `start` to `end`, without its indent.
std::string DocBlock(const std::string& start, const std::string& end) {
  const std::string text = ReadFile(SourceFolder() + "/doc/replay.md");
  const size_t from = text.find("    " + start);
  const size_t to = text.find(end, from);
  if (from == text.npos || to == text.npos) return "no such block: " + start;
  std::string block = "\n" + text.substr(from, to + end.size() - from) + "\n";
  for (size_t at = 0; (at = block.find("\n    ", at)) != block.npos; ++at) block.erase(at + 1, 4);
  return block.substr(1);
}

// As the matcher words them.
Difference WithText(Difference item, const char* text) {
  item.text = text;
  return item;
}

TEST(ReplayDocTest, TheTextOfTheGuideIsReal) {
  Difference extra = WithText(Extra(), "once more than recorded");
  extra.got = R"({"jsonrpc":"2.0","id":<id>,"method":"host/ping"})";
  Difference missing = WithText(Missing(), "not received");
  missing.expected = R"({"jsonrpc":"2.0","method":"notes/progress"})";
  const Difference differs = WithText(Differs(), "");
  MadeReport made = Ran(12, 14).Found(differs).Found(extra).Found(missing).Ended("exit 0");
  made.report.sent = 11;
  made.report.matched = 12;
  made.report.bindings = {{"b1", "open:/result/handle", "read:/params/handle", "\"h-81\"", true}};
  EXPECT_EQ(made.Text(), DocBlock("   12 <- response", "as recorded)"));
}

TEST(ReplayDocTest, TheJsonOfTheGuideIsReal) {
  MadeReport made = Ran(12, 14).Found(WithText(Differs(), "")).Ended("exit 0");
  made.report.matched = 13;
  std::string block = DocBlock("{\"midwire\":\"report\"", "\"notes\":[]}");
  for (size_t at; (at = block.find("\n ")) != block.npos;) {
    block.erase(at, block.find_first_not_of(' ', at + 1) - at);
  }
  EXPECT_EQ(made.Json(), block);
}

}  // namespace
}  // namespace midwire::view
