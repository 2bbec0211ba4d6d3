#include "replay/shape/shape.h"

#include <gtest/gtest.h>

namespace midwire::replay {
namespace {

Shape Of(std::string_view text) {
  Result<Shape> shape = ParseShape(text);
  EXPECT_TRUE(shape) << shape.error().Text();
  return shape ? *shape : Shape{};
}

std::string Narrowest(std::vector<std::string> values) {
  const std::optional<Shape> shape = ShapeOf(values);
  return shape ? ShapeText(*shape) : "none";
}

void ExpectFits(std::string_view shape, std::initializer_list<const char*> values) {
  for (const char* value : values) EXPECT_TRUE(Fits(Of(shape), value)) << shape << " " << value;
}
void ExpectNot(std::string_view shape, std::initializer_list<const char*> values) {
  for (const char* value : values) EXPECT_FALSE(Fits(Of(shape), value)) << shape << " " << value;
}

TEST(ShapeTest, Timestamps) {
  ExpectFits(
      "timestamp",
      {R"("2026-11-23")", R"("2026-11-23T07:19:46Z")", R"("2026-11-23T07:19:46.123456+02:00")",
       R"("2026-11-23 07:19:46")", R"("20261123T071946Z")", R"("Sun, 06 Nov 1994 08:49:37 GMT")",
       R"("Sun Nov  6 08:49:37 1994")", "1763882386", "1763882386.123", "1763882386123",
       "1763882386123456", "1763882386123456789", R"("1763882386")"});
  ExpectNot("timestamp", {"12", "-1763882386", R"("12")", R"("2026-13-23")", R"("2026-11-23T")",
                          R"("2026-11-23T25:19:46Z")", R"("at 2026-11-23")", "true", "null",
                          R"({"a":1763882386})", R"("20261123")"});
}

TEST(ShapeTest, ATimeInATextIsOneOfTheSameFormats) {
  ExpectFits("text:at {timestamp} ok",
             {R"("at 11:54 ok")", R"("at 1763882386.5 ok")", R"("at 20261126 ok")",
              R"("at Thu Nov 26 11:54:03 2026 ok")"});
  ExpectNot("text:at {timestamp} ok", {R"("at 1.2.3 ok")", R"("at 99:54:03 ok")", R"("at 7 ok")",
                                       R"("at 176388238 ok")", R"("at  ok")"});
  ExpectFits("text:{timestamp}Z and {any}{timestamp}",
             {R"("2026-11-26T11:54:03Z and then 11:54:03")"});
}

TEST(ShapeTest, TimestampsAsProgramsPrintThem) {
  ExpectFits("timestamp",
             {R"-("Thu Nov 26 2026 11:54:03 GMT+0000 (Coordinated Universal Time)")-",
              R"("Thu, 26 Nov 2026 11:54:03 +0000")", R"("26/Nov/2026:11:54:03 +0000")",
              R"("Nov 26 11:54:03")", R"("2026/11/26 11:54:03")", R"("26.11.2026, 11:54:03")",
              R"("11/26/2026, 11:54:03 AM")", R"("11:54:03")", R"("11:54")", R"("9:54 PM")",
              R"("20261126115403")", R"("2026-11-26_11-54-03")", R"("2026-11-23T07:19:46 ")"});
  ExpectNot("timestamp", {R"("1.2.3")", R"("10.15.7")", R"("192.168.11.26")", R"("3/4")",
                          R"("host:1154")", R"("a.c:12:34")", R"("1.5s")", R"("25:10")", "20261126",
                          R"("11:54:03 x")", R"("2026-11-26T11:54:03+25:00")"});
}

TEST(ShapeTest, Uuids) {
  ExpectFits(
      "uuid",
      {R"("123e4567-e89b-12d3-a456-426614174000")", R"("{123E4567-E89B-12D3-A456-426614174000}")",
       R"("urn:uuid:123e4567-e89b-12d3-a456-426614174000")", R"("01ARZ3NDEKTSV4RRFFQ69G5FAV")"});
  ExpectNot("uuid", {R"("123e4567-e89b-12d3-a456-42661417400")", R"("81ARZ3NDEKTSV4RRFFQ69G5FAV")",
                     R"("123e4567ae89b-12d3-a456-426614174000")", "7"});
}

TEST(ShapeTest, AMissingValueIsNoneOfTheShapeUnlessItWasRecorded) {
  const auto fits = [](const char* shape, const std::string& live, const std::string& recorded) {
    return Fits(Of(shape), '"' + live + '"', '"' + recorded + '"');
  };
  const std::string nil = "00000000-0000-0000-0000-000000000000";
  const std::string random = "123e4567-e89b-12d3-a456-426614174000";
  EXPECT_FALSE(fits("uuid", nil, random));
  EXPECT_FALSE(fits("uuid", "{" + nil + "}", random));
  EXPECT_TRUE(fits("uuid", nil, nil));
  EXPECT_TRUE(fits("uuid", random, nil));
  EXPECT_FALSE(fits("timestamp", "0001-01-01T00:00:00Z", "2026-11-26T11:54:03Z"));
  EXPECT_TRUE(fits("timestamp", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"));
}

TEST(ShapeTest, NumbersPathsAndDurations) {
  ExpectFits("integer", {"0", "-17", R"("42")"});
  ExpectNot("integer", {"1.5", "1e2", R"("")", R"("0x1")"});
  ExpectFits("number", {"0", "-1.5", "1e-7", R"("3.25")"});
  ExpectNot("number", {R"("3.")", R"("")"});
  ExpectFits("path", {R"("/tmp/a b")", R"("C:\\x")", R"("~/x")", R"("file:///x")"});
  ExpectNot("path", {R"("tmp/a")", R"("file://")", R"("/a\nb")", "1"});
  ExpectFits("duration", {R"("12ms")", R"("1.5 s")", R"("1m30s")", R"("2 hours, 5 min")",
                          R"("00:01:30.5")", R"("PT1H30M")", "0.25"});
  ExpectNot("duration", {R"("12")", R"("12 mx")", R"("ms")", "-1", R"("P")", R"("")"});
}

TEST(ShapeTest, TextsWithVaryingPieces) {
  ExpectFits("text:indexed {digits} files in {duration}", {R"("indexed 12 files in 3.5ms")"});
  ExpectNot("text:indexed {digits} files in {duration}",
            {R"("indexed twelve files in 3ms")", R"("indexed 12 files in 3ms!")", "12"});
  ExpectFits("text:a.b {{x} {word}", {R"("a.b {x} y7")"});
  ExpectNot("text:a.b {{x} {word}", {R"("aXb {x} y7")"});
  ExpectFits("text:{any}", {R"("")", R"("one\ntwo")"});
  ExpectFits("regex:[ab]+", {R"("abba")"});
  ExpectNot("regex:[ab]+", {R"("xabba")", R"("abbax")", "1"});
}

TEST(ShapeTest, ADurationOfSeveralNumbersInAText) {
  const char* const up = "text:up {duration}, ok";
  ExpectFits(up, {R"("up 6m41s, ok")", R"("up 1 hour, 2 min and 3.5 s, ok")",
                  R"("up 0:37:14.66, ok")", R"("up 2 days, 0:37:14, ok")", R"("up 12 ms, ok")"});
  ExpectNot(up, {R"("up 6m41, ok")", R"("up 37:14, ok")", R"("up 0:7:14, ok")",
                 R"("up and 3 s, ok")", R"("up , ok")"});
}

TEST(ShapeTest, PiecesThatMayEndInManyPlaces) {
  ExpectFits("text:{hex:4}-{hex:2}{any}", {R"("0aF3-00")", R"("0aF3-00f")"});
  ExpectNot("text:{hex:4}-{hex:2}{any}", {R"("aF3-00")", R"("00aF3-00")", R"("0aF3-0x")"});
  ExpectFits("text:{digits}{digits}{word}{hex}.{number}{any}", {R"("12ab.-3.5ms")"});
  ExpectNot("text:{digits}{digits}{word}{hex}.{number}{any}", {R"("123.5")", R"("12ab.-")"});
  ExpectFits("text:{path} {duration}", {R"("~/a/b 3s")", R"("file:///x 3.5 minutes")"});
  ExpectNot("text:{path} {duration}", {R"("a/b 3s")", R"("/a\u00a0b 3s")", R"("/a 3 x")"});
  ExpectFits("text:{any}a{any}b", {R"("abab")", R"("a\n\u00e9b")"});
  ExpectNot("text:{any}a{any}b", {R"("ba")", R"("aba")"});
}

TEST(ShapeTest, AWrongShapeIsOneClearError) {
  for (const char* wrong : {"", "time", "integer ", "text", "text:{digit}", "text:{", "regex:("}) {
    const Result<Shape> shape = ParseShape(wrong);
    ASSERT_FALSE(shape) << wrong;
    EXPECT_EQ(shape.error().Text().find('\n'), std::string::npos) << shape.error().Text();
  }
  EXPECT_NE(ParseShape("tiem").error().Text().find("timestamp"), std::string::npos);
}

TEST(ShapeTest, ARegularExpressionThatIsNoneIsQuoted) {
  for (const char* wrong : {"regex:(a", "regex:a)|(b"}) {
    const Result<Shape> shape = ParseShape(wrong);
    ASSERT_FALSE(shape) << wrong;
    EXPECT_EQ(shape.error().Text(),
              "a parenthesis without its counterpart: \"" + std::string(wrong).substr(6) + "\"");
  }
}

TEST(ShapeTest, TheNarrowestThatFitsAll) {
  EXPECT_EQ(Narrowest({"17", "18"}), "integer");
  EXPECT_EQ(Narrowest({"17", "1763882386"}), "integer");
  EXPECT_EQ(Narrowest({"1763882386", "1763882390"}), "timestamp");
  EXPECT_EQ(Narrowest({"1.5", "2"}), "number");
  EXPECT_EQ(Narrowest({R"("123e4567-e89b-12d3-a456-426614174000")",
                       R"("123e4567-e89b-12d3-a456-426614174001")"}),
            "uuid");
  EXPECT_EQ(Narrowest({R"("12ms")", R"("1.5s")"}), "duration");
  EXPECT_EQ(Narrowest({R"("/tmp/a1/x.c")", R"("/tmp/b2/x.c")"}), "text:/tmp/{hex}/x.c");
  EXPECT_EQ(Narrowest({R"("/tmp/a")", R"("/var/lib/b")"}), "path");
  EXPECT_EQ(Narrowest({"17", R"("17")"}), "none");
  EXPECT_EQ(Narrowest({"true", "false"}), "none");
}

TEST(ShapeTest, TheNarrowestText) {
  EXPECT_EQ(Narrowest({R"("took 12 ms")", R"("took 7 ms")"}), "text:took {digits} ms");
  EXPECT_EQ(Narrowest({R"("took 12ms.")", R"("took 7ms.")"}), "text:took {digits}ms.");
  EXPECT_EQ(Narrowest({R"("took 1.2ms.")", R"("took 7ms.")"}), "text:took {number}ms.");
  EXPECT_EQ(Narrowest({R"("took 1.2ms.")", R"("took 7s.")"}), "text:took {duration}.");
  EXPECT_EQ(Narrowest({R"("job_a1")", R"("job_f0")"}), "text:job_{hex}");
  const std::string digest = "0123456789abcdef0123456789abcdef";
  EXPECT_EQ(Narrowest({"\"etag " + digest + "\"", "\"etag f" + digest.substr(1) + "\""}),
            "text:etag {hex:32}");
  EXPECT_EQ(Narrowest({"\"etag " + digest + "\"", R"("etag f0")"}), "text:etag {hex}");
  EXPECT_EQ(Narrowest({R"("job12")", R"("job7")"}), "text:job{digits}");
  EXPECT_EQ(Narrowest({R"("at 2026-11-23T07:19:46Z ok")", R"("at 2026-11-24T07:19:46Z ok")"}),
            "text:at {timestamp} ok");
  EXPECT_EQ(Narrowest({R"("a b 11:54:03 x, y")", R"("a 11:54:04 x")"}), "text:a {any}");
  EXPECT_EQ(Narrowest({R"("11:54:03: b 1")", R"("11:54:04: b 1 2")"}), "text:{timestamp}: b {any}");
  EXPECT_EQ(Narrowest({R"("say {x} 1")", R"("say {x} 2")"}), "text:say {{x} {digits}");
  EXPECT_EQ(Narrowest({R"("ready: yes")", R"("ready: not yet")"}), "text:ready: {any}");
  EXPECT_EQ(Narrowest({R"("zebra")", R"("")"}), "text:{any}");
}

TEST(ShapeTest, TheWholeOfATimeInWhichDigitsVary) {
  EXPECT_EQ(Narrowest({R"("[11:54:03] ok")", R"("[11:54:04] ok")"}), "text:[{timestamp}] ok");
  EXPECT_EQ(Narrowest({R"("10:00:59.9 to 10:00:59.9")", R"("10:00:59.9 to 10:01:00")"}),
            "text:10:00:59.9 to {timestamp}");
  EXPECT_EQ(Narrowest({R"("log-20261126-115403.txt")", R"("log-20261126-115404.txt")"}),
            "text:log-{timestamp}.txt");
  EXPECT_EQ(Narrowest({R"("I1126 11:54:03.1 main")", R"("I1126 11:54:03.2 main")"}),
            "text:I{timestamp} main");
  EXPECT_EQ(Narrowest({R"("id 1763882386 x")", R"("id 1763882387 x")"}), "text:id {timestamp} x");
}

TEST(ShapeTest, TheWholeOfADurationInWhichNumbersVary) {
  EXPECT_EQ(Narrowest({R"("up 0:37:14.66")", R"("up 0:37:15.1")"}), "text:up {duration}");
  EXPECT_EQ(Narrowest({R"("up 1 day, 0:37:14")", R"("up 1 day, 0:37:15")"}),
            "text:up 1 day, {duration}");
  EXPECT_EQ(
      Narrowest({R"("took 37 minutes and 12 seconds.")", R"("took 37 minutes and 13 seconds.")"}),
      "text:took {duration}.");
  EXPECT_EQ(Narrowest({R"("up 6m41s")", R"("up 6m42s")"}), "text:up {duration}");
  EXPECT_EQ(Narrowest({R"("1m 30s")", R"("1m 31s")"}), "duration");
  EXPECT_EQ(Narrowest({R"("7 files, 3 s")", R"("7 files, 4 s")"}), "text:7 files, {digits} s");
}

TEST(ShapeTest, WhatOnlyLooksLikeATimeKeepsItsPieces) {
  EXPECT_EQ(Narrowest({R"("v1.2.3 x")", R"("v1.2.4 x")"}), "text:v1.2.{digits} x");
  EXPECT_EQ(Narrowest({R"("10.15.7")", R"("10.15.8")"}), "text:10.15.{digits}");
  EXPECT_EQ(Narrowest({R"("a.c:12:34")", R"("a.c:12:35")"}), "text:a.c:12:{digits}");
  EXPECT_EQ(Narrowest({R"("at ::1:11:54:03")", R"("at ::1:11:54:04")"}),
            "text:at ::1:11:54:{digits}");
  EXPECT_EQ(Narrowest({R"("3/4 done")", R"("2/4 done")"}), "text:{digits}/4 done");
  EXPECT_EQ(Narrowest({R"("id 1063882386 x")", R"("id 1963882387 x")"}), "text:id {digits} x");
  EXPECT_EQ(Narrowest({R"("1 11:22:33:44:55:66")", R"("1 11:22:33:44:55:67")"}),
            "text:1 11:22:33:44:55:{digits}");
}

TEST(ShapeTest, AClockThatMayBeSomethingElse) {
  EXPECT_EQ(Narrowest({R"("at 11:54")", R"("at 11:55")"}), "text:at {digits}:{digits}");
  EXPECT_EQ(Narrowest({R"("11:54")", R"("11:55")"}), "duration");
  EXPECT_EQ(Narrowest({R"("00:01:30")", R"("00:01:31")"}), "duration");
  EXPECT_EQ(Narrowest({R"("11:54:03")", R"("11:54:04")"}), "timestamp");
}

TEST(ShapeTest, WhatIsFoundFitsWhatItWasFoundIn) {
  const std::vector<std::vector<std::string>> cases = {
      {R"("a\nb 1")", R"("a\nb 2")"},   {R"("\u00e9t\u00e9 1")", R"("\u00e9t\u00e9 22")"},
      {"\"\xff 1\"", "\"\xff 2\""},     {R"("1.2.3")", R"("1.2.4")", R"("1.10.4")"},
      {R"("x|y[1]$")", R"("x|y[2]$")"}, {R"("-1.5e3")", R"("7")"}};
  for (const std::vector<std::string>& values : cases) {
    const std::optional<Shape> shape = ShapeOf(values);
    ASSERT_TRUE(shape);
    for (const std::string& value : values) EXPECT_TRUE(Fits(*shape, value)) << ShapeText(*shape);
  }
}

std::string NarrowestOfCalls(std::vector<CallValues> calls) {
  const std::optional<Shape> shape = ShapeOf(calls);
  return shape ? ShapeText(*shape) : "none";
}

TEST(ShapeTest, WhatDiffersOnlyFromCallToCallIsTheSame) {
  EXPECT_EQ(NarrowestOfCalls({{R"("Rome: 20 C, by 17")", R"("Rome: 20 C, by 18")"},
                              {R"("New York: 2 C, by 17")", R"("New York: 2 C, by 19")"}}),
            "text:{same}{digits}");
  EXPECT_EQ(NarrowestOfCalls({{R"("17: Rome, 5 ms")", R"("18: Rome, 7 ms")"},
                              {R"("19: Z{rich, 5 ms")", R"("20: Z{rich, 6 ms")"}}),
            "text:{digits}{same}{digits} ms");
}

TEST(ShapeTest, ATimeThatDiffersFromCallToCallStaysATime) {
  EXPECT_EQ(NarrowestOfCalls({{R"("11:54 by 17")", R"("11:54 by 18")"},
                              {R"("11:55 by 17")", R"("11:55 by 19")"}}),
            "text:{digits}:{digits} by {digits}");
}

TEST(ShapeTest, CallsThatVaryInOtherWaysHaveTheShapeOfAll) {
  EXPECT_EQ(NarrowestOfCalls({{R"("a 1")", R"("a 2")"}, {R"("b 1 c 1")", R"("b 2 c 2")"}}),
            "text:{any}");
  EXPECT_EQ(NarrowestOfCalls({{R"("a 1")", R"("a 2")"}, {R"("a 3")", R"("a 4")"}}),
            "text:a {digits}");
}

TEST(ShapeTest, TheSamePartIsThatOfTheRecording) {
  const Shape shape = Of("text:{same}: 20 C by {digits}{same}");
  const char* const rome = R"("Rome: 20 C by 17")";
  EXPECT_TRUE(Fits(shape, R"("Rome: 20 C by 4")", rome));
  EXPECT_FALSE(Fits(shape, R"("Mars: 20 C by 4")", rome));
  EXPECT_FALSE(Fits(shape, R"("Rome: 20 C by 4!")", rome));
  EXPECT_FALSE(Fits(shape, R"("Rome: 20 C by x")", rome));
  EXPECT_TRUE(Fits(shape, R"("Mars: 20 C by 4")"));                // without a recording
  EXPECT_FALSE(Fits(shape, R"("Rome: 20 C by 4")", R"("Rome")"));  // that the text does not fit
}

TEST(ShapeTest, TheSamePartIsAsShortAsItCanBe) {
  const Shape shape = Of("text:{same}{digits}{any}");
  EXPECT_TRUE(Fits(shape, R"("a 99")", R"("a 12 b")"));
  EXPECT_FALSE(Fits(shape, R"("b 12")", R"("a 12 b")"));
}

TEST(ShapeTest, AHostileTextTakesLinearTime) {
  const std::string text = '"' + std::string(1 << 20, 'a') + '"';
  EXPECT_FALSE(Fits(Of("regex:(a*)*b"), text));
  EXPECT_EQ(Narrowest({text, "\"b\""}), "text:{word}");
  EXPECT_FALSE(Fits(Of("text:{any}{word}a{any}{hex}{digits}{any}b"), text));
}

}  // namespace
}  // namespace midwire::replay
