#include "trace/filter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/processor_time.h"

namespace midwire::trace {
namespace {

using namespace std::string_view_literals;

wire::Id Number(std::string token) { return {wire::Id::Type::kInteger, std::move(token)}; }
wire::Id Text(std::string token) { return {wire::Id::Type::kString, "\"" + token + "\""}; }

bool Matches(std::string_view expression, const Line& line) {
  Result<Filter> filter = Filter::Compile(expression);
  EXPECT_TRUE(filter) << filter.error().Text();
  return filter && filter->Matches(line);
}

std::string Refusal(std::string_view expression) {
  Result<Filter> filter = Filter::Compile(expression);
  return filter ? "accepted" : filter.error().Text();
}

Line Request(std::string_view method) {
  Line line;
  line.kind = "request";
  line.direction = wire::Direction::kHostToPlugin;
  line.method = method;
  return line;
}

Line Answer(int64_t latency_ns) {
  Line line;
  line.kind = "response";
  line.direction = wire::Direction::kPluginToHost;
  line.latency_ns = latency_ns;
  return line;
}

Line Sized(uint64_t size) {
  Line line;
  line.size = size;
  return line;
}

Line WithId(const wire::Id& id) {
  Line line;
  line.id = &id;
  return line;
}

TEST(FilterTest, NothingAskedMatchesAll) {
  EXPECT_TRUE(Matches("", Line{}));
  EXPECT_TRUE(Matches(" \t", Request("a")));
}

TEST(FilterTest, MethodByGlob) {
  EXPECT_TRUE(Matches("method=tools/*", Request("tools/call")));
  EXPECT_TRUE(Matches("method=*/c?ll", Request("tools/call")));
  EXPECT_TRUE(Matches("method=$/cancelRequest", Request("$/cancelRequest")));
  EXPECT_FALSE(Matches("method=tools", Request("tools/call")));
  EXPECT_FALSE(Matches("method!=tools/*", Request("tools/call")));
  EXPECT_TRUE(Matches("method~ol", Request("tools/call")));
}

TEST(FilterTest, QuotedMethodIsNoGlob) {
  EXPECT_TRUE(Matches("method=\"a*\"", Request("a*")));
  EXPECT_FALSE(Matches("method=\"a*\"", Request("ab")));
}

TEST(FilterTest, DirectionAndKind) {
  EXPECT_TRUE(Matches("dir=h2p kind=request", Request("x")));
  EXPECT_FALSE(Matches("dir=p2h", Request("x")));
  EXPECT_TRUE(Matches("dir!=p2h", Request("x")));
  EXPECT_TRUE(Matches("kind!=error", Request("x")));
}

TEST(FilterTest, ArrowsOfTheColumnAreDirections) {
  EXPECT_TRUE(Matches("dir=->", Request("x")));
  EXPECT_FALSE(Matches("(dir=<-)", Request("x")));
  EXPECT_TRUE(Matches("dir!=<- kind=request", Request("x")));
}

TEST(FilterTest, ATermForStderrAsksForIt) {
  EXPECT_TRUE(Filter::Compile("kind=error or kind=stderr")->asks_stderr());
  EXPECT_FALSE(Filter::Compile("kind!=stderr")->asks_stderr());
}

TEST(FilterTest, IdsAreTyped) {
  EXPECT_TRUE(Matches("id=7", WithId(Number("7"))));
  EXPECT_FALSE(Matches("id=7", WithId(Text("7"))));
  EXPECT_TRUE(Matches("id=\"7\"", WithId(Text("7"))));
  EXPECT_FALSE(Matches("id=\"7\"", WithId(Number("7"))));
  EXPECT_FALSE(Matches("id=7", WithId({wire::Id::Type::kFraction, "7.0"})));
  EXPECT_TRUE(Matches("id=-1", WithId(Number("-1"))));
  EXPECT_TRUE(Matches("id=null", WithId({wire::Id::Type::kNull, "null"})));
  EXPECT_FALSE(Matches("id=\"null\"", WithId({wire::Id::Type::kNull, "null"})));
}

TEST(FilterTest, StringIdsWithoutQuotesAndAsGlobs) {
  EXPECT_TRUE(Matches("id=abc", WithId(Text("abc"))));
  EXPECT_TRUE(Matches("id=host-*-ping", WithId(Text("host-123-ping"))));
  EXPECT_FALSE(Matches("id=\"host-*\"", WithId(Text("host-123"))));
  EXPECT_FALSE(Matches("id=*", WithId(Number("7"))));
  EXPECT_TRUE(Matches("id~123", WithId(Text("host-123"))));
}

TEST(FilterTest, AnEscapedStringIdMatchesItsText) {
  EXPECT_TRUE(Matches("id=\"a/b\"", WithId(Text("a\\/b"))));
}

TEST(FilterTest, LatencyWithUnits) {
  EXPECT_TRUE(Matches("latency>50ms", Answer(50'000'001)));
  EXPECT_FALSE(Matches("latency>50ms", Answer(50'000'000)));
  EXPECT_TRUE(Matches("latency>=50ms", Answer(50'000'000)));
  EXPECT_TRUE(Matches("latency<=1.5us", Answer(1500)));
  EXPECT_TRUE(Matches("latency=12ns", Answer(12)));
  EXPECT_TRUE(Matches("latency<2h", Answer(7'199'000'000'000)));
}

TEST(FilterTest, SizeWithUnits) {
  EXPECT_TRUE(Matches("size>1kB", Sized(1001)));
  EXPECT_FALSE(Matches("size>1k", Sized(1024)));
  EXPECT_FALSE(Matches("size>1KiB", Sized(1024)));
  EXPECT_TRUE(Matches("size=1.5MB", Sized(1'500'000)));
  EXPECT_TRUE(Matches("size<=200B", Sized(200)));
  EXPECT_TRUE(Matches("size>3GiB", Sized(4ull << 30)));
}

TEST(FilterTest, ErrorCodeAndText) {
  Line line;
  line.error_code = -32601;
  line.error = "Method not found";
  EXPECT_TRUE(Matches("code=-32601 error~\"not found\"", line));
  EXPECT_TRUE(Matches("code<-32000 error=Method*", line));
  EXPECT_FALSE(Matches("code=1", Line{}));
}

TEST(FilterTest, TextIsASubstringOfRawBytes) {
  Line line;
  line.text = "{\"a\":\"two words\0\xff\"}"sv;
  EXPECT_TRUE(Matches("text~\"two words\"", line));
  EXPECT_TRUE(Matches("text~{\"a\":", line));
  EXPECT_TRUE(Matches("text~\"\\\"a\\\":\"", line));
  EXPECT_TRUE(Matches("text~\"\xff\"", line));
  EXPECT_FALSE(Matches("text~Two", line));
  line.text = R"({"m":"\u001b"})";
  EXPECT_TRUE(Matches(R"(text~"\u001b")", line));
}

TEST(FilterTest, ALineWithoutTextHoldsNoNeedle) {
  EXPECT_FALSE(Matches("text~x", Line{}));
  EXPECT_TRUE(Matches("not text~x", Line{}));
}

TEST(FilterTest, WhatALineLacksIsNeitherEqualNorUnequal) {
  EXPECT_FALSE(Matches("method=x", Line{}));
  EXPECT_FALSE(Matches("method!=x", Line{}));
  EXPECT_TRUE(Matches("not method=x", Line{}));
  EXPECT_FALSE(Matches("latency<1h", Request("x")));
  EXPECT_FALSE(Matches("id!=7", Line{}));
}

TEST(FilterTest, AndBindsTighterThanOr) {
  EXPECT_TRUE(Matches("method=a or method=b kind=error", Request("a")));
  EXPECT_FALSE(Matches("(method=a or method=b) kind=error", Request("a")));
  EXPECT_FALSE(Matches("method=a and kind=error or method=b", Request("a")));
}

TEST(FilterTest, NotBindsTightest) {
  EXPECT_TRUE(Matches("not method=b method=a", Request("a")));
  EXPECT_TRUE(Matches("not (method=b or method=c)", Request("a")));
  EXPECT_TRUE(Matches("not not method=a", Request("a")));
}

TEST(FilterTest, BlanksAreFree) {
  EXPECT_TRUE(Matches(" ( method = a )and( kind=request )", Request("a")));
}

TEST(FilterTest, NeedsTextOnlyWhenItLooksAtText) {
  EXPECT_TRUE(Filter::Compile("kind=error or text~x")->needs_text());
  EXPECT_FALSE(Filter::Compile("kind=error")->needs_text());
  EXPECT_TRUE(Filter::Compile("kind=error not (latency>1s)")->needs_time());
  EXPECT_TRUE(Filter::Compile("at<5ms")->needs_time());
  EXPECT_FALSE(Filter::Compile("kind=error number=4")->needs_time());
}

TEST(FilterTest, ErrorsNameTheColumnAndWhatWasExpected) {
  EXPECT_EQ(
      Refusal("dir=h2p metod=x"),
      "cannot read the filter: column 9, at metod=x (did you mean \"method\"? expected a field: "
      "number, at, dir, kind, method, label, id, size, latency, code, error or text; or a word: "
      "failed, unanswered or "
      "pending)");
  EXPECT_EQ(
      Refusal("latency>50"),
      "cannot read the filter: column 9, at 50 (expected a time with its unit, such as 50ms or "
      "1.5s)");
  EXPECT_EQ(Refusal("method"),
            "cannot read the filter: column 7, at the end (expected one of = != < <= > >= ~ after "
            "method)");
  EXPECT_EQ(Refusal("method<x"),
            "cannot read the filter: column 7, at <x (expected method with one of  = != ~)");
  EXPECT_EQ(Refusal("dir=host"),
            "cannot read the filter: column 5, at host (expected h2p (or ->) or p2h (or "
            "<-))");
  EXPECT_EQ(Refusal("id="), "cannot read the filter: column 4, at the end (expected a value)");
  EXPECT_EQ(Refusal("id==7"), "cannot read the filter: column 4, at =7 (expected a value)");
  EXPECT_EQ(Refusal("text~\"x"),
            "cannot read the filter: column 6, at \"x (expected a closing quote)");
  EXPECT_EQ(Refusal("(id=1"),
            "cannot read the filter: column 6, at the end (expected a term, \"and\", \"or\" or ))");
  EXPECT_EQ(Refusal("id=1)"),
            "cannot read the filter: column 5, at ) (expected a term, \"and\", \"or\" or the end)");
}

TEST(FilterTest, QuotesThatTheShellAteAreSuspected) {
  EXPECT_NE(Refusal("text~two words").find("text~\"two words\""), std::string::npos);
}

TEST(FilterTest, RefusesIncompleteAndAbsurdExpressions) {
  for (const char* bad : {"and",
                          "or",
                          "not",
                          "(",
                          ")",
                          "()",
                          "id=1 or",
                          "id=1 and",
                          "not)",
                          "=",
                          "~x",
                          "\"x\"",
                          "size>1q",
                          "size>",
                          "size>1.2.3",
                          "size>-1",
                          "number~1",
                          "code=x",
                          "latency>99999999999h",
                          "kind=reqest",
                          "text=x",
                          "id<7"}) {
    EXPECT_NE(Refusal(bad), "accepted") << bad;
  }
}

TEST(FilterTest, DepthIsCapped) {
  const std::string deep(100'000, '(');
  EXPECT_NE(Refusal(deep + "id=1").find("at most 64 levels"), std::string::npos);
  std::string nots;
  for (int i = 0; i < 10'000; ++i) nots += "not ";
  EXPECT_NE(Refusal(nots + "id=1").find("at most 64 levels"), std::string::npos);
  EXPECT_EQ(Refusal(std::string(60, '(') + "id=1" + std::string(60, ')')), "accepted");
}

TEST(FilterTest, TermsAreCapped) {
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "id=1 ";
  EXPECT_NE(Refusal(many).find("at most 1024 terms"), std::string::npos);
}

// Exponential matching would take longer than the age of the universe here.
TEST(FilterTest, GlobsAreNotExponential) {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a";
  EXPECT_FALSE(GlobMatches(glob + "b", std::string(4000, 'a')));
  EXPECT_TRUE(GlobMatches(glob, std::string(4000, 'a')));
}

TEST(FilterTest, GlobEdges) {
  EXPECT_TRUE(GlobMatches("", ""));
  EXPECT_TRUE(GlobMatches("*", ""));
  EXPECT_TRUE(GlobMatches("**", "x"));
  EXPECT_FALSE(GlobMatches("?", ""));
  EXPECT_TRUE(GlobMatches("a*b*c", "aXbXbXc"));
  EXPECT_FALSE(GlobMatches("a*b*c", "aXbXbX"));
}

// A needle and a text that make naive searches quadratic: 4 MB of "a", and a needle of half that.
TEST(FilterTest, TextSearchIsLinear) {
  const std::string text(4 << 20, 'a');
  Line line;
  line.text = text;
  const auto start = ProcessorTime();
  EXPECT_FALSE(Matches("text~" + std::string(2 << 20, 'a') + "b", line));
  EXPECT_LT(ProcessorTime() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace midwire::trace
