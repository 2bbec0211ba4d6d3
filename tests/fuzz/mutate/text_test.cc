#include "tests/fuzz/mutate/mutants.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

constexpr std::string_view kBodyOfAllTypes = R"({"id":1,"params":{"a":"text","b":[2,true,null]}})";

bool Some(const std::vector<std::string>& made, std::string_view text) {
  return std::any_of(made.begin(), made.end(),
                     [&](const std::string& body) { return body.find(text) != body.npos; });
}

TEST(MutateTextTest, EachDamageIsThere) {
  EXPECT_TRUE(Some(Made("text.lone-surrogate", kBodyOfAllTypes), "\\ud800"));
  EXPECT_TRUE(Some(Made("text.not-a-number", kBodyOfAllTypes), "\"id\":-Infinity"));
  EXPECT_TRUE(Some(Made("text.number-overflow", kBodyOfAllTypes), "\"id\":1e309"));
  EXPECT_TRUE(Some(Made("text.raw-newline", kBodyOfAllTypes), "te\nxt"));
  EXPECT_TRUE(Some(Made("text.line-separator", kBodyOfAllTypes), "\u2028"));
  EXPECT_TRUE(Some(Made("text.trailing-comma", kBodyOfAllTypes), ",]"));
  EXPECT_TRUE(Some(Made("text.comment", kBodyOfAllTypes), "/**/}"));
  EXPECT_TRUE(Some(Made("text.single-quotes", kBodyOfAllTypes), "'text'"));
  EXPECT_TRUE(Some(Made("text.unquoted-name", kBodyOfAllTypes), "{a:\"text\""));
  EXPECT_TRUE(Some(Made("text.escaped-name", kBodyOfAllTypes), "\"\\u0069d\":1"));
  EXPECT_TRUE(Some(Made("text.unterminated-string", kBodyOfAllTypes), "\"text,"));
}

TEST(MutateTextTest, WhatIsNotJsonIsNot) {
  for (const char* name :
       {"text.not-a-number", "text.raw-newline", "text.trailing-comma", "text.leading-comma",
        "text.comment", "text.single-quotes", "text.unquoted-name", "text.odd-number",
        "text.odd-literal", "text.unterminated-string", "text.trailing-text", "text.nested-open",
        "text.invalid-utf8", "text.truncate", "text.byte-order-mark"}) {
    const auto made = Made(name, kBodyOfAllTypes);
    EXPECT_FALSE(made.empty()) << name;
    for (const std::string& body : made) EXPECT_FALSE(wire::IsJson(body)) << name << ": " << body;
  }
}

TEST(MutateTextTest, WhatReadersDisagreeAboutIsJson) {
  for (const char* name : {"text.lone-surrogate", "text.duplicate-name", "text.number-overflow",
                           "text.escaped-nul", "text.escaped-name", "text.many-blanks",
                           "text.non-ascii", "text.many-multibyte", "text.long-number"}) {
    const auto made = Made(name, kBodyOfAllTypes);
    EXPECT_FALSE(made.empty()) << name;
    for (const std::string& body : made) EXPECT_TRUE(wire::IsJson(body)) << name << ": " << body;
  }
}

TEST(MutateTextTest, DeepIsDeeperThanAStack) {
  size_t longest = 0;
  const std::vector<std::string> made = Made("text.nested-arrays", kBodyOfAllTypes);
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    longest = std::max(longest, body.size());
  }
  EXPECT_GT(longest, 20'000u);
}

// A buffer's end is a multiple of four: each place beside that is one where a character begins.
TEST(MutateTextTest, LongCharactersBeginAnywhere) {
  std::set<size_t> begins;
  const std::vector<std::string> made = Made("text.many-multibyte", R"([""])");
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    const size_t at = body.find('\xf0');
    if (at != body.npos) begins.insert((at - 2) % 4);
  }
  EXPECT_EQ(begins, (std::set<size_t>{0, 1, 2, 3}));
}

TEST(MutateTextTest, SomeDepthsAreBelowWhatMostParsersTake) {
  std::set<size_t> depths;
  const std::vector<std::string> made = Made("text.nested-arrays", "[[1]]", Framing::kLine, 600);
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    depths.insert(static_cast<size_t>(std::count(body.begin(), body.end(), '[')));
  }
  EXPECT_LT(*depths.begin(), 32u);
  EXPECT_GT(std::count_if(depths.begin(), depths.end(), [](size_t d) { return d < 100; }), 2);
}

TEST(MutateTextTest, ADuplicateNameStandsTwiceInItsObject) {
  const std::vector<std::string> made = Made("text.duplicate-name", R"({"a":{"b":1}})");
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    EXPECT_TRUE(body.starts_with(R"({"a":{"b":)") || body.starts_with(R"({"a":)")) << body;
    EXPECT_GT(std::count(body.begin(), body.end(), ':'), 2) << body;
  }
}

TEST(MutateTextTest, RawBytesStayInTheirStringOrNumber) {
  const std::vector<std::string> made = Made("text.raw-in-string", R"([1,"text",2])");
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    EXPECT_TRUE(body.starts_with("[1,\"") && body.ends_with("\",2]")) << body;
  }
  const std::vector<std::string> made2 = Made("text.raw-in-number", R"(["a",12345,"b"])");
  ASSERT_FALSE(made2.empty());
  for (const std::string& body : made2) {
    EXPECT_TRUE(body.starts_with("[\"a\",") && body.ends_with(",\"b\"]")) << body;
  }
}

TEST(MutateTextTest, ARawMutationOfALongBodyTakesAWindowOfIt) {
  const std::string body = "{\"a\":\"" + std::string(30'000, 'x') + "\"}";
  const std::vector<std::string> made = Made("text.raw-bytes", body);
  ASSERT_FALSE(made.empty());
  for (const std::string& one : made) {
    size_t same = 0;
    while (same < one.size() && same < body.size() && one[same] == body[same]) ++same;
    size_t end = 0;
    while (end + same < std::min(one.size(), body.size()) &&
           one[one.size() - 1 - end] == body[body.size() - 1 - end]) {
      ++end;
    }
    EXPECT_GE(same + end, body.size() - 4096);
  }
}

}  // namespace
}  // namespace midwire::fuzz
