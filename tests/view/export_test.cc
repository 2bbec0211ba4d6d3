// The rules of each export format, on a session written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "view/export/export_trace.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using testing::HasSubstr;
using testing::Not;
using wire::Json;

constexpr char kHostileMarkup[] = "a`|<b>#;:\x1b[31m\xff";
constexpr char kParent[] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

// A call with a reverse call in it, one that fails, one without an answer, a
// notification.
ExportTrace SmallTrace() {
  ExportTrace trace;
  trace.version = "1";
  trace.sessions.push_back({.trace = "t.pcapng",
                            .title = "plugin",
                            .command = "plugin --x",
                            .dialect = "mcp",
                            .start_ns = 1'000'000'000'000,
                            .duration_ns = 90'000,
                            .ended = true,
                            .exit = "exit 0"});
  const auto request = [&](uint8_t direction, int64_t at, const char* method, const char* id) {
    trace.rows.push_back({.kind = RowKind::kRequest,
                          .direction = direction,
                          .number = trace.rows.size() + 1,
                          .at_ns = at,
                          .method = method,
                          .id = id});
    return trace.rows.size() - 1;
  };
  const auto answer = [&](size_t call, int64_t at) {
    ExportRow row = trace.rows[call];
    row.kind = RowKind::kResponse;
    row.direction ^= 1;
    row.at_ns = at;
    row.number = trace.rows.size() + 1;
    row.request = call;
    row.parent = kNoExport;
    trace.rows[call].answer = trace.rows.size();
    trace.rows.push_back(row);
    return trace.rows.size() - 1;
  };
  const size_t slow = request(0, 10'500, "tools/call", "1");
  trace.rows[slow].label = "slow";
  trace.rows[slow].traceparent = kParent;
  const size_t back = request(1, 20'000, "roots/list", "1");
  trace.rows[back].parent = slow;
  answer(back, 30'000);
  const size_t failed = answer(slow, 50'000);
  trace.rows[failed].kind = RowKind::kError;
  trace.rows[failed].failed = true;
  trace.rows[failed].code = -5;
  trace.rows[failed].error = kHostileMarkup;
  trace.rows[failed].failure = std::string("-5 ") + kHostileMarkup;
  request(0, 60'000, kHostileMarkup, "\"x\"");
  trace.rows.push_back({.kind = RowKind::kNotification,
                        .direction = 1,
                        .number = trace.rows.size() + 1,
                        .at_ns = 70'000,
                        .method = "note"});
  return trace;
}

Json Parsed(const std::string& text) {
  const Result<Json> json = wire::ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? *json : Json();
}

TEST(PerfettoTest, EachEventHasTheMembersOfItsPhase) {
  const Json json = Parsed(PerfettoJson(SmallTrace()));
  std::map<std::string, int> phases;
  for (const Json& event : json.Find("traceEvents")->items) {
    const std::string phase(event.String("ph"));
    ++phases[phase];
    EXPECT_FALSE(event.String("name").empty());
    EXPECT_TRUE(event.Find("pid")->Integer() && event.Find("tid")->Integer());
    if (phase == "M") continue;
    EXPECT_TRUE(event.Find("ts")->is(Json::Type::kNumber));
    EXPECT_EQ(event.String("cat"), "jsonrpc");
    EXPECT_EQ(phase == "i", event.Find("id") == nullptr);
  }
  EXPECT_EQ(phases, (std::map<std::string, int>{{"M", 3}, {"b", 3}, {"e", 2}, {"i", 1}}));
}

TEST(PerfettoTest, AnEndMatchesItsBeginAndIsNotBeforeIt) {
  const Json json = Parsed(PerfettoJson(SmallTrace()));
  std::map<std::string, const Json*> open;
  int ends = 0;
  for (const Json& event : json.Find("traceEvents")->items) {
    if (event.String("ph") == "b") open[std::string(event.String("id"))] = &event;
    if (event.String("ph") != "e") continue;
    ++ends;
    const Json* begin = open[std::string(event.String("id"))];
    ASSERT_NE(begin, nullptr);
    EXPECT_EQ(begin->String("name"), event.String("name"));
    EXPECT_EQ(begin->Find("tid")->text, event.Find("tid")->text);
    EXPECT_LE(std::stod(begin->Find("ts")->text), std::stod(event.Find("ts")->text));
  }
  EXPECT_EQ(ends, 2);
}

// Ends of flows: "b out of 0x1 by 0x1" is the event with id 0x1, from which flow 0x1 leads.
std::vector<std::string> FlowsOf(const ExportTrace& trace) {
  const Json json = Parsed(PerfettoJson(trace));
  std::vector<std::string> flows;
  for (const Json& event : json.Find("traceEvents")->items) {
    if (event.Find("bind_id") == nullptr) continue;
    const char* way = event.Find("flow_out") != nullptr ? " out of " : " into ";
    flows.push_back(std::string(event.String("ph")) + way + std::string(event.String("id")) +
                    " by " + std::string(event.String("bind_id")));
  }
  return flows;
}

TEST(PerfettoTest, AFlowLeadsFromTheCallToTheReverseCall) {
  EXPECT_THAT(FlowsOf(SmallTrace()),
              testing::ElementsAre("b out of 0x1 by 0x1", "b into 0x2 by 0x1"));
}

TEST(PerfettoTest, AReverseCallWithReverseCallsIsInBothFlows) {
  ExportTrace trace = SmallTrace();
  ExportRow deeper = trace.rows[1];
  deeper.direction = 0;
  deeper.parent = 1;
  deeper.answer = kNoExport;
  trace.rows.push_back(deeper);
  EXPECT_THAT(FlowsOf(trace), testing::ElementsAre("b out of 0x1 by 0x1", "b into 0x2 by 0x1",
                                                   "n out of 0x2 by 0x2", "b into 0x7 by 0x2"));
}

TEST(PerfettoTest, ThreadsOfSessionsHaveNumbersOfTheirOwn) {
  ExportTrace trace = SmallTrace();
  trace.sessions.push_back(trace.sessions[0]);
  const Json json = Parsed(PerfettoJson(trace));
  std::set<std::string> threads;
  for (const Json& event : json.Find("traceEvents")->items) {
    if (event.String("name") == "thread_name") threads.insert(event.Find("tid")->text);
  }
  EXPECT_THAT(threads, testing::ElementsAre("1", "2", "3", "4"));
}

bool IsId(std::string_view text, size_t size) {
  return text.size() == size && text.find_first_not_of("0123456789abcdef") == text.npos &&
         text.find_first_not_of('0') != text.npos;
}

TEST(OtlpTest, SpansHaveValidIdsAndTimes) {
  const Json json = Parsed(OtlpJson(SmallTrace()));
  const Json& spans =
      *json.Find("resourceSpans")->items.at(0).Find("scopeSpans")->items.at(0).Find("spans");
  ASSERT_EQ(spans.items.size(), 3u);
  std::set<std::string> ids;
  for (const Json& span : spans.items) {
    EXPECT_TRUE(IsId(span.String("traceId"), 32));
    EXPECT_TRUE(IsId(span.String("spanId"), 16));
    ids.insert(std::string(span.String("spanId")));
    EXPECT_LE(std::stoll(std::string(span.String("startTimeUnixNano"))),
              std::stoll(std::string(span.String("endTimeUnixNano"))));
  }
  EXPECT_EQ(ids.size(), 3u);
}

TEST(OtlpTest, TraceparentAndNestingGiveTraceAndParent) {
  const Json json = Parsed(OtlpJson(SmallTrace()));
  const auto& spans =
      json.Find("resourceSpans")->items.at(0).Find("scopeSpans")->items.at(0).Find("spans")->items;
  EXPECT_EQ(spans[0].String("traceId"), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(spans[0].String("parentSpanId"), "b7ad6b7169203331");
  EXPECT_EQ(spans[1].String("traceId"), spans[0].String("traceId"));
  EXPECT_EQ(spans[1].String("parentSpanId"), spans[0].String("spanId"));
  EXPECT_NE(spans[2].String("traceId"), spans[0].String("traceId"));
  EXPECT_EQ(spans[0].Find("status")->Find("code")->Integer(), 2);
  EXPECT_EQ(spans[1].Find("status"), nullptr);
}

TEST(OtlpTest, AttributesAreThoseOfTheConventions) {
  const std::string text = OtlpJson(SmallTrace());
  for (const char* attribute :
       {R"({"key":"rpc.system.name","value":{"stringValue":"jsonrpc"}})",
        R"({"key":"jsonrpc.request.id","value":{"stringValue":"x"}})",
        R"({"key":"rpc.response.status_code","value":{"stringValue":"-5"}})",
        R"({"key":"error.type","value":{"stringValue":"-5"}})"}) {
    EXPECT_THAT(text, HasSubstr(attribute));
  }
}

TEST(OtlpTest, ACallWithoutAnAnswerIsAnError) {
  ExportTrace trace = SmallTrace();
  const std::string text = OtlpJson(trace);
  EXPECT_THAT(text, HasSubstr(R"({"key":"midwire.unanswered","value":{"boolValue":true}}],)"
                              R"("status":{"code":2,"message":"no answer"})"));
  EXPECT_THAT(text, HasSubstr(R"({"key":"midwire.label","value":{"stringValue":"slow"}})"));
  trace.rows[4].cancelled = true;
  EXPECT_THAT(OtlpJson(trace),
              HasSubstr(R"({"key":"midwire.cancelled","value":{"boolValue":true}}]})"));
}

TEST(OtlpTest, OnlyValidTraceparentsAreUsed) {
  EXPECT_TRUE(IsTraceparent(kParent));
  EXPECT_FALSE(IsTraceparent("00-00000000000000000000000000000000-b7ad6b7169203331-01"));
  EXPECT_FALSE(IsTraceparent("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"));
  EXPECT_FALSE(IsTraceparent("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
  EXPECT_FALSE(IsTraceparent(""));
}

TEST(MermaidTest, ArrowsAreThoseOfTheMessages) {
  const std::string text = MermaidText(SmallTrace());
  EXPECT_THAT(text, HasSubstr("sequenceDiagram\n  participant host\n  participant plugin\n"
                              "  host->>plugin: 1 tools/call slow\n"
                              "  plugin->>host: 2 roots/list\n"
                              "  host-->>plugin: 3 roots/list\n"
                              "  plugin--xhost: 4 tools/call slow#58; -5 a#96;#124;#60;b#62;"));
  EXPECT_THAT(text, HasSubstr("  plugin-)host: 6 note\n"));
}

TEST(MermaidTest, NotesNameCallsWithoutAnAnswerAndTheEnd) {
  ExportTrace trace = SmallTrace();
  trace.rows[4].method = "prompts/get";
  trace.sessions[0].exit = "exit by SIGKILL";
  EXPECT_THAT(MermaidText(trace), HasSubstr("host: 6 note\n"
                                            "  Note over host,plugin: no answer to 5 prompts/get\n"
                                            "  Note over plugin: exit by SIGKILL\n"));
  trace.rows[4].cancelled = true;
  EXPECT_THAT(MermaidText(trace), Not(HasSubstr("no answer")));
}

TEST(MermaidTest, ManyCallsWithoutAnAnswerAreCounted) {
  ExportTrace trace = SmallTrace();
  trace.rows.resize(trace.rows.size() + 30, trace.rows[4]);
  const std::string text = MermaidText(trace);
  EXPECT_THAT(text, HasSubstr("  Note over host,plugin: no answer to 11 more calls\n"));
}

TEST(MermaidTest, ALongSessionIsCutWithANote) {
  ExportTrace trace = SmallTrace();
  trace.rows.resize(kMaxArrows + 3, trace.rows.back());
  const std::string text = MermaidText(trace);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 + 500 + 1);
  EXPECT_THAT(text, HasSubstr("Note over host,plugin: 503 messages, of which the first 500"));
}

TEST(MarkdownTest, ListsCallsFailuresAndOpenCalls) {
  const std::string text = MarkdownText(SmallTrace());
  EXPECT_THAT(text, HasSubstr("| `tools/call slow` | \u2192 | 1 | 1 | 0 | 39.5us | 39.5us |"));
  EXPECT_THAT(text, HasSubstr("| `roots/list` | \u2190 | 1 | 0 | 0 | 10.0us | 10.0us |"));
  EXPECT_THAT(text, HasSubstr("Without an answer:\n\n| # | at (s) | call |\n| "
                              "---: | ---: | --- |\n| 5 |"));
}

TEST(MarkdownTest, NoTextOfAPeerIsMarkup) {
  const std::string text = MarkdownText(SmallTrace());
  EXPECT_THAT(text, HasSubstr("`-5 a'\\|<b>#;:\\x1b[31m\\xff`"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(MarkdownTest, ACancelledCallNeedsNoAnswer) {
  ExportTrace trace = SmallTrace();
  trace.rows[4].cancelled = true;
  EXPECT_THAT(MarkdownText(trace), Not(HasSubstr("Without an answer")));
  EXPECT_THAT(OtlpJson(trace), HasSubstr("\"midwire.cancelled\""));
  EXPECT_THAT(PerfettoJson(trace), HasSubstr("\"cancelled\":true"));
}

TEST(MarkdownTest, ATraceWithoutTimesHasNoLatencies) {
  ExportTrace trace = SmallTrace();
  trace.sessions[0].start_ns = 0;
  EXPECT_THAT(MarkdownText(trace), HasSubstr("| `roots/list` | \u2190 | 1 | 0 | 0 |  |  |"));
}

}  // namespace
}  // namespace midwire::view
