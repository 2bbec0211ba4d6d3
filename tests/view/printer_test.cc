#include "view/text/printer.h"

#include <gtest/gtest.h>

#include "view/text/append.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using wire::Direction;
using wire::Id;
using wire::Kind;

// A message, made by hand.
struct MadeMessage {
  wire::Frame frame;
  wire::Message message;
  trace::RecordedMessage recorded;
  std::optional<wire::OpenRequest> request;

  explicit MadeMessage(Kind kind) {
    message.kind = kind;
    recorded.number = 7;
    recorded.time_ns = 5'000'000;
    frame.size = 10;
  }
  const trace::RecordedMessage& Recorded() {
    recorded.frame = &frame;
    recorded.message = &message;
    recorded.request = request ? &*request : nullptr;
    return recorded;
  }
};

MadeMessage Request(std::string method, Id id = {Id::Type::kInteger, "1"}) {
  MadeMessage made(Kind::kRequest);
  made.message.method = std::move(method);
  made.message.id = std::move(id);
  return made;
}

MadeMessage Failure(std::string text) {
  MadeMessage made(Kind::kError);
  made.recorded.direction = Direction::kPluginToHost;
  made.message.error_code = -32000;
  made.message.error_message = std::move(text);
  made.request = wire::OpenRequest{3, 1'000'000, "tools/call", "1"};
  return made;
}

std::string TextOf(MadeMessage made, const Style& style = {}, bool body = false) {
  std::string out;
  MakeTextPrinter({.style = style, .body = body}, &out)->Message(1'234'567, made.Recorded(), {});
  return out;
}

std::string JsonOf(MadeMessage made, bool body = false) {
  std::string out;
  MakeJsonPrinter({.body = body}, &out)->Message(1'234'567, made.Recorded(), {});
  EXPECT_EQ(out.find('\n'), out.size() - 1);
  EXPECT_TRUE(wire::IsJson(out)) << out;
  return out;
}

MadeMessage WithBody(std::string_view body) {
  MadeMessage made = Request("m");
  made.frame.bytes = body;
  made.frame.size = made.frame.body_size = body.size();
  return made;
}

TEST(TextPrinterTest, ARequestAndItsAnswer) {
  EXPECT_EQ(TextOf(Request("tools/call")),
            "    7    0.001234 -> request      tools/call                       1                  "
            " 10\n");
  EXPECT_EQ(
      TextOf(Failure("no")),
      "    7    0.001234 <- error        tools/call                                           10"
      "  4.00ms  -32000 no\n");
}

TEST(TextPrinterTest, WithoutTimesThereIsNoLatency) {
  MadeMessage made = Failure("no");
  made.recorded.time_ns = 0;
  std::string out;
  MakeTextPrinter({}, &out)->Message(std::nullopt, made.Recorded(), {});
  EXPECT_EQ(out.find("ms"), out.npos);
  EXPECT_TRUE(out.starts_with("    7           - <- error")) << out;
}

TEST(TextPrinterTest, NothingThatPeersSayReachesTheTerminalRaw) {
  const std::string evil = "\x1b[2J\u202e\xc2\x9b\x9b\n\r\a";
  for (const std::string& text :
       {TextOf(Request(evil, {Id::Type::kString, "\"" + evil + "\""})), TextOf(Failure(evil)),
        TextOf(WithBody(evil), {}, true), TextOf(WithBody("{\"a\":\"\u202e\x7f\"}"), {}, true)}) {
    EXPECT_EQ(text.find_first_of("\x1b\r\a\x9b\x7f"), text.npos) << text;
    EXPECT_EQ(text.find("\u202e"), text.npos) << text;
  }
}

TEST(TextPrinterTest, AMethodWithoutALabelHasThePlaceOfBoth) {
  const auto row = [](std::string_view label) {
    MadeMessage made = Failure("no");
    made.request->method = "resources/templates/list";
    std::string out;
    MakeTextPrinter({.style = {.color = false, .width = 60}, .labels = true}, &out)
        ->Message(1'234'567, made.Recorded(), {.label = label});
    return out;
  };
  const auto before = [](const std::string& row) {
    return ColumnsOf(row.substr(0, row.find("4.00ms")));
  };
  EXPECT_NE(row("").find(" resources/templates/list "), std::string::npos) << row("");
  EXPECT_EQ(row("note").find("resources/templates/list"), std::string::npos) << row("note");
  EXPECT_EQ(before(row("")), before(row("note")));
}

TEST(TextPrinterTest, ALongMethodIsCutOnATerminalOnly) {
  const std::string method(300, 'm');
  EXPECT_NE(TextOf(Request(method)).find(method), std::string::npos);
  for (const size_t width : {40u, 80u, 100u, 132u, 200u}) {
    const std::string row = TextOf(Request(method), {false, width});
    EXPECT_LE(ColumnsOf(row.substr(0, row.size() - 1)), width) << width;
    EXPECT_NE(row.find("m\u2026"), std::string::npos) << width;
  }
}

// The row of a call at a time of day.
std::string ClockRow(size_t width, bool labels) {
  std::string out;
  PrintOptions options = {.style = {.width = width}, .labels = labels};
  options.clock = [](int64_t, std::string* to) { *to += "2026-01-02 03:04:05.000020"; };
  MakeTextPrinter(options, &out)->Message(kFirstDate, Request("tools/call").Recorded(), {});
  return out;
}

TEST(TextPrinterTest, TimesOfDayGetShorterBeforeTheyGo) {
  EXPECT_TRUE(ClockRow(0, true).starts_with("    7 2026-01-02 03:04:05.000020 -> request "));
  EXPECT_TRUE(ClockRow(132, true).starts_with("    7 2026-01-02 03:04:05.000020 -> request "));
  EXPECT_TRUE(ClockRow(100, true).starts_with("    7 03:04:05.000020 -> request "));
  for (const bool labels : {false, true}) {
    for (const size_t width : {60u, 70u, 80u}) {
      EXPECT_NE(ClockRow(width, labels).find(" 03:04:05.000"), std::string::npos) << width;
    }
    for (size_t width = 20; width < 160; ++width) {
      EXPECT_LE(ColumnsOf(ClockRow(width, labels)), width + 1) << width;
    }
  }
}

TEST(TextPrinterTest, ColumnsGoInsteadOfLinesWrapping) {
  for (size_t width = 20; width < 160; ++width) {
    std::string out;
    const auto printer =
        MakeTextPrinter({.style = {.color = false, .width = width}, .labels = true}, &out);
    printer->Header();
    MadeMessage made = Failure("no");
    printer->Message(1'234'567, made.Recorded(), {.label = "file:///a/very/long/path/main.rs"});
    for (size_t from = 0; from < out.size();) {
      const size_t end = out.find('\n', from);
      EXPECT_LE(ColumnsOf(std::string_view(out).substr(from, end - from)), width) << out;
      from = end + 1;
    }
    EXPECT_NE(out.find("<-"), out.npos) << out;
  }
}

TEST(TextPrinterTest, InAPipeAWideCellTakesTheBlanksBehindIt) {
  const std::string narrow = TextOf(Request("m", {Id::Type::kString, R"("s")"}));
  const std::string wide = TextOf(Request("m", {Id::Type::kString, R"("srv-0123456789")"}));
  EXPECT_NE(wide.find(R"( "srv-0123456789" )"), std::string::npos) << wide;
  EXPECT_EQ(wide.size(), narrow.size()) << wide << narrow;
  EXPECT_EQ(TextOf(Request(std::string(40, 'm'))).size(), narrow.size());
}

TEST(TextPrinterTest, InAPipeALongIdIsCutInItsMiddle) {
  MadeMessage made = Request("m", {Id::Type::kString, R"("host-23480-host/ping")"});
  made.frame.size = 12345;
  MadeMessage plain = Request("m");
  plain.frame.size = 12345;
  const std::string cut = TextOf(made);
  EXPECT_NE(cut.find(" \"host\u2026host/ping\" "), std::string::npos) << cut;
  EXPECT_EQ(ColumnsOf(cut), ColumnsOf(TextOf(plain))) << cut;
  EXPECT_NE(JsonOf(made).find("host-23480-host/ping"), std::string::npos);
}

TEST(TextPrinterTest, RemarksOfACallAreApartFromHowItEnded) {
  std::string out;
  const auto printer = MakeTextPrinter({}, &out);
  const Outcome outcome = {.fate = Outcome::Fate::kUnanswered};
  EXPECT_NE(printer->Ending("during 3", outcome).find("  unanswered, during 3\n"), out.npos);
  EXPECT_NE(printer->Ending("[crlf]", outcome).find("  unanswered [crlf]\n"), out.npos);
}

TEST(TextPrinterTest, OfALongPathTheEndIsShown) {
  std::string out;
  MadeMessage made = Request("open");
  MakeTextPrinter({.style = {.color = false, .width = 160}, .labels = true}, &out)
      ->Message(0, made.Recorded(), {.label = "file:///a/very/long/path/main.rs"});
  EXPECT_NE(out.find("\u2026/very/long/path/main.rs "), out.npos) << out;
}

TEST(TextPrinterTest, AnIdIsCutAtItsFront) {
  std::string out;
  MadeMessage made = Request("m", {Id::Type::kString, "\"server-request-101\""});
  MakeTextPrinter({.style = {.color = false, .width = 160}}, &out)->Message(0, made.Recorded(), {});
  EXPECT_NE(out.find(" \u2026equest-101\" "), out.npos) << out;
}

TEST(TextPrinterTest, TheBytesOfJunkAreInTheirColumnOrARemark) {
  const wire::Junk junk{"oops", 4, wire::JunkReason::kText};
  for (const size_t width : {60u, 80u, 160u}) {
    std::string out;
    const auto printer =
        MakeTextPrinter({.style = {.color = false, .width = width}, .labels = true}, &out);
    printer->Header();
    printer->Junk(5, {Direction::kPluginToHost, 1, &junk});
    const size_t bytes = out.find("bytes");
    const std::string row = out.substr(out.find('\n') + 1);
    if (bytes < out.find('\n')) {
      EXPECT_EQ(row.find(" 4 "), bytes + sizeof "bytes" - 3) << out;
    } else {
      EXPECT_NE(row.find("4 bytes: \"oops\""), row.npos) << out;
    }
  }
}

TEST(TextPrinterTest, CallsThatWereNotAnsweredAreNumbered) {
  std::string out;
  const uint64_t numbers[] = {12, 13};
  MakeTextPrinter({}, &out)->OpenCalls(2, numbers);
  EXPECT_EQ(out.substr(18), "** open         2 calls were not answered: 12, 13\n");
  out.clear();
  MakeTextPrinter({}, &out)->OpenCalls(30, numbers);
  EXPECT_EQ(out.substr(18), "** open         30 calls were not answered, the oldest: 12, 13\n");
}

TEST(TextPrinterTest, OnANarrowTerminalTheErrorGetsItsOwnLine) {
  const std::string rows = TextOf(Failure("the tool does not exist in this plugin"), {false, 80});
  EXPECT_EQ(rows,
            "    7    0.001234 <- error        tools/call                          10  4.00ms\n"
            "                     -32000 the tool does not exist in this plugin\n");
}

TEST(TextPrinterTest, ALongErrorIsCutOnATerminalOnly) {
  const std::string error(500, 'e');
  EXPECT_NE(TextOf(Failure(error)).find(error), std::string::npos);
  const std::string row = TextOf(Failure(error), {false, 160});
  EXPECT_EQ(ColumnsOf(row.substr(0, row.size() - 1)), 160u);
}

TEST(TextPrinterTest, ColoursOnlyWhenAsked) {
  EXPECT_NE(TextOf(Failure("no"), {true, 0}).find("\x1b[31merror\x1b[0m"), std::string::npos);
  EXPECT_EQ(TextOf(Failure("no")).find('\x1b'), std::string::npos);
}

TEST(TextPrinterTest, BodiesAreIndentedWhereTheyAreJson) {
  EXPECT_NE(TextOf(WithBody(R"({"a":[1]})"), {}, true)
                .find("\n        {\n          \"a\": [\n            1\n          ]\n        }\n"),
            std::string::npos);
  EXPECT_NE(TextOf(WithBody("{not json\r\n"), {}, true).find("\n        {not json\n"),
            std::string::npos);
}

TEST(TextPrinterTest, ABodyThatWasCutSaysSo) {
  MadeMessage made = WithBody("{\"a\":");
  made.frame.size = 100;
  EXPECT_NE(TextOf(made, {}, true).find("only the first 5 bytes"), std::string::npos);
}

TEST(TextPrinterTest, WhatIsNoMessageShowsItsText) {
  MadeMessage made = WithBody("{'a': \"\x1b\"}");
  made.message = {};
  made.message.flags = wire::kMalformed;
  EXPECT_TRUE(TextOf(made).ends_with("\"{'a': \"\\x1b\"}\" [malformed]\n")) << TextOf(made);
  EXPECT_EQ(TextOf(made, {}, true).find("\" [malformed]"), std::string::npos) << "it follows";
  EXPECT_EQ(TextOf(WithBody("{'a': 1}")).find("'a'"), std::string::npos) << "a request";
}

TEST(TextPrinterTest, AMessageThatParsersRefuseIsMarked) {
  EXPECT_TRUE(TextOf(WithBody("{\"id\":1,\"result\":NaN}")).ends_with(" [not-json]\n"));
  EXPECT_TRUE(TextOf(WithBody("{\"id\":1,\"result\":[1,]}")).ends_with(" [not-json]\n"));
  EXPECT_EQ(TextOf(WithBody("{\"id\":1,\"result\":1}")).find("not-json"), std::string::npos);
}

TEST(TextPrinterTest, RemarksAboutAnOddFrame) {
  MadeMessage made = Request("m");
  made.frame.oddities = wire::kUnterminated | wire::kInvalidUtf8;
  made.message.flags = wire::kDuplicateMember | wire::kNoVersion;
  EXPECT_TRUE(TextOf(made).ends_with("  [unterminated,invalid-utf8,duplicate-member]\n"));
}

TEST(TextPrinterTest, TheCarriageReturnsOfAHeaderAreSeen) {
  MadeMessage made = Request("m");
  made.frame.oddities = wire::kDoubledCr;
  made.frame.bytes = "Content-Length: 2\r\r\n\r\r\n{}";
  made.frame.body_offset = made.frame.bytes.size() - 2;
  made.frame.body_size = 2;
  EXPECT_TRUE(TextOf(made).ends_with(R"([doubled-cr: "Content-Length: 2\r\r\n\r\r\n"])"
                                     "\n"))
      << TextOf(made);
}

TEST(TextPrinterTest, TheCarriageReturnsOfLongJunkAreSeen) {
  const std::string bytes = std::string(200, 'x') + "\r\ny\r\r\nz\n";
  const wire::Junk junk{bytes, bytes.size(), wire::JunkReason::kText};
  std::string out;
  MakeTextPrinter({.body = true}, &out)->Junk(5, {Direction::kPluginToHost, 1, &junk});
  EXPECT_TRUE(out.ends_with("x\\r\n        y\\r\\r\n        z\n")) << out;
}

TEST(JsonPrinterTest, KeysOfARequestAndOfAnError) {
  EXPECT_EQ(JsonOf(Request("tools/call")),
            R"({"type":"message","n":7,"at_ns":1234567,"dir":"h2p","kind":"request",)"
            R"("method":"tools/call","id":1,"size":10,"body_size":0})"
            "\n");
  EXPECT_EQ(JsonOf(Failure("no \"x\"")),
            R"({"type":"message","n":7,"at_ns":1234567,"dir":"p2h","kind":"error",)"
            R"("method":"tools/call","request":3,"latency_ns":4000000,"code":-32000,)"
            R"("error":"no \"x\"","size":10,"body_size":0})"
            "\n");
}

TEST(JsonPrinterTest, IdsKeepTheirSpelling) {
  const auto id = [](Id id) {
    const std::string line = JsonOf(Request("m", std::move(id)));
    const size_t from = line.find("\"method\":\"m\",") + 13;
    return line.substr(from, line.find(",\"size\"") - from);
  };
  EXPECT_EQ(id({Id::Type::kInteger, "9007199254740993"}), "\"id\":9007199254740993");
  EXPECT_EQ(id({Id::Type::kInteger, "-1"}), "\"id\":-1");
  EXPECT_EQ(id({Id::Type::kFraction, "1.0"}), "\"id\":1.0");
  EXPECT_EQ(id({Id::Type::kString, "\"a\\u001b\""}), "\"id\":\"a\\u001b\"");
  EXPECT_EQ(id({Id::Type::kString, "\"\u202e\""}), "\"id\":\"\\u202e\"");
  EXPECT_EQ(id({Id::Type::kNull, "null"}), "\"id\":null");
}

TEST(JsonPrinterTest, AnIdThatIsNotJsonIsTextAboutIt) {
  for (const char* token : {"007", "1-2", "\"cut", "\"a\x1b\"", "\"\xff\"", ""}) {
    const Id id{*token == '"' ? Id::Type::kString : Id::Type::kInteger, token};
    EXPECT_NE(JsonOf(Request("m", id)).find("\"id_text\":"), std::string::npos) << token;
  }
}

TEST(JsonPrinterTest, AJsonBodyIsEmbeddedOnOneLine) {
  EXPECT_NE(JsonOf(WithBody("{\r\n\t\"a\": 1.0}"), true).find(",\"body\":{   \"a\": 1.0}"),
            std::string::npos);
  EXPECT_NE(JsonOf(WithBody("{\"a\":\"\u202e\"}"), true).find("\"body\":{\"a\":\"\\u202e\"}"),
            std::string::npos);
}

TEST(JsonPrinterTest, OtherBodiesAreTextOrBase64) {
  EXPECT_NE(JsonOf(WithBody("{oops\x1b"), true).find(R"("body_text":"{oops\u001b")"),
            std::string::npos);
  EXPECT_NE(JsonOf(WithBody("{\"\xff\"}"), true).find(R"("body_base64":"eyL/In0=")"),
            std::string::npos);
  MadeMessage cut = WithBody("{}");
  cut.frame.size = 100;
  EXPECT_NE(JsonOf(cut, true).find(R"("body_cut":true,"body_text":"{}")"), std::string::npos);
}

TEST(JsonPrinterTest, NothingThatPeersSayReachesTheTerminalRaw) {
  const std::string evil = "\x1b[2J\u202e\xc2\x9b\x9b\n\r\a";
  for (const std::string& line : {JsonOf(Request(evil, {Id::Type::kString, "\"" + evil + "\""})),
                                  JsonOf(Failure(evil)), JsonOf(WithBody(evil), true)}) {
    EXPECT_EQ(line.find_first_of("\x1b\r\a\x9b\x7f"), line.npos) << line;
    EXPECT_EQ(line.find("\u202e"), line.npos) << line;
  }
}

TEST(JsonPrinterTest, JunkStderrEventsAndDamage) {
  std::string out;
  const std::unique_ptr<Printer> printer = MakeJsonPrinter({}, &out);
  const wire::Junk junk{"ready \xff", 7, wire::JunkReason::kText};
  printer->Junk(5, {Direction::kPluginToHost, 1, &junk});
  printer->StderrLine(6, "log \x1b");
  printer->Event(std::nullopt, 0, trace::NoteEvent{"\x1b"});
  printer->Damage({4096, 12, "a packet whose CRC32 does not match"});
  EXPECT_EQ(
      out,
      R"({"type":"junk","at_ns":5,"dir":"p2h","reason":"text","size":7,"base64":"cmVhZHkg/w=="})"
      "\n"
      R"({"type":"stderr","at_ns":6,"text":"log \u001b"})"
      "\n"
      R"({"type":"event","event":{"event":"note","text":"\u001b"}})"
      "\n"
      R"({"type":"damage","offset":4096,"size":12,"reason":"a packet whose CRC32 does not match"})"
      "\n");
}

}  // namespace
}  // namespace midwire::view
