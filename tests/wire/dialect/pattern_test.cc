#include "wire/dialect/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/processor_time.h"
#include "tests/wire/dialect/schemas.h"
#include "wire/dialect/schema.h"

namespace midwire::wire {
namespace {

using testing::HasSubstr;

// "yes", "no", or what is wrong with the pattern.
std::string Match(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::Compile(pattern);
  if (!compiled) return compiled.error().what;
  return (*compiled)->Matches(text) ? "yes" : "no";
}

struct PatternCase {
  const char* pattern;
  std::string_view matches;
  std::string_view differs;
};
// Where RE2 means something else by the same text, or does not take it.
TEST(PatternTest, MeansWhatEcma262Means) {
  const PatternCase kCases[] = {
      {"^a$", "a", "a\n"},  // not the end of a line
      {"^a.b$", "a\tb", "a\rb"},
      {"^a.b$",
       "a\xe2\x80\xaa"
       "b",
       "a\xe2\x80\xa8"
       "b"},
      {"^\\s$", "\xc2\xa0", "x"},
      {"^\\s$", "\v", "\xe2\x80\x8b"},
      {"^\\S$", "x", "\xef\xbb\xbf"},
      {"^[\\s_]$", "\xe3\x80\x80", "-"},
      {"^[^\\S]$", " ", "x"},
      {"^[[:alpha:]]$", ":]", "z"},
      {"^[^]$", "]", "]]"},
      {"^x[]?$", "x", "x]"},
      {"^[\\b]$", "\b", "b"},
      {"^[\\w-.]$", "-", "+"},
      {"^\\u00e4\\x41$",
       "\xc3\xa4"
       "A",
       "u00e4A"},
      {"^[\\ud83d\\ude00-\\u{1f602}]$", "\xf0\x9f\x98\x81", "\xf0\x9f\x98\x83"},
      {"^{\\/}$", "{/}", "{"},
      {"^a{2,3}$", "aaa", "a"},
      {"^a{,3}$", "a{,3}", "aaa"},
      {"^\\cJ\\0$", std::string_view("\n\0", 2), "cJ0"},
      {"^\\p{L}$", "\xc3\xa4", "1"},
      {"(a)(b)?", "xay", "b"},
      {"\\bfoo\\b", "a foo.", "food"},
      {"^.$", "\xf0\x9f\x98\x80", "ab"},  // characters, not UTF-16 units
  };
  for (const PatternCase& one : kCases) {
    EXPECT_EQ(Match(one.pattern, one.matches), "yes") << one.pattern;
    EXPECT_EQ(Match(one.pattern, one.differs), "no") << one.pattern;
  }
  EXPECT_EQ(Match("", "any"), "yes");
}

TEST(PatternTest, WhatIsNotSupportedIsNamed) {
  EXPECT_EQ(Match("^(?=a)", ""), "lookahead and lookbehind are not supported");
  EXPECT_EQ(Match("(?<!a)b", ""), "lookahead and lookbehind are not supported");
  EXPECT_EQ(Match("(a)\\1", ""), "backreferences are not supported");
  EXPECT_EQ(Match("\\k<name>", ""), "backreferences are not supported");
  EXPECT_EQ(Match("(?<name>a)", ""), "a group other than \"(\" and \"(?:\" is not supported");
  EXPECT_EQ(Match("(?i)a", ""), "a group other than \"(\" and \"(?:\" is not supported");
  EXPECT_EQ(Match("[\\ud800-\\udfff]", ""),
            "half of a surrogate pair is not a character; write \\u{1f600} or both halves");
}
TEST(PatternTest, WhatIsWrongIsNamed) {
  EXPECT_EQ(Match("a\\", ""), "a \"\\\" at the end");
  EXPECT_EQ(Match("^a\\Z", ""), "no escape of ECMA-262: \\Z");
  EXPECT_EQ(Match("\\Qa\\E", ""), "no escape of ECMA-262: \\Q");
  EXPECT_EQ(Match("\\xg1", ""), "no escape of ECMA-262: \\x");
  EXPECT_EQ(Match("\\u{110000}", ""), "no escape of ECMA-262: \\u");
  EXPECT_EQ(Match("\\01", ""), "no escape of ECMA-262: \\0");
  EXPECT_EQ(Match("[a", ""), "a class without its \"]\"");
  EXPECT_EQ(Match("[z-a]", ""), "a range of a class that ends before it begins");
  EXPECT_EQ(Match("(a", ""), "a parenthesis without its counterpart");
  EXPECT_EQ(Match("a)", ""), "a parenthesis without its counterpart");
  EXPECT_EQ(Match("*a", ""), "a quantifier with nothing to repeat");
  EXPECT_EQ(Match("a**", ""), "a quantifier with nothing to repeat");
  EXPECT_EQ(Match("a{1001}", ""), "a quantifier above 1000, or several that multiply to more");
  EXPECT_EQ(Match("\\p{Nonsense}", ""), "no such class of characters: \\p{Nonsense}");
  EXPECT_EQ(Match("^.{1,1000}$", ""),
            "too large a pattern; shorten its {MIN,MAX}, or use maxLength");
  EXPECT_EQ(Match(std::string(5000, 'a'), ""), "a pattern above 4096 bytes");
}

TEST(PatternTest, BytesThatAreNotUtf8AreCharacters) {
  EXPECT_EQ(Match("^.{3}$", "\x80\xff\xc3"), "yes");
  EXPECT_EQ(Match("^\\ufffd$", "\xff"), "yes");
  EXPECT_EQ(Match("^a\\ufffdb$",
                  "a\xed\xb0\x80"
                  "b"),
            "yes")
      << "half of a surrogate pair is one";
  EXPECT_EQ(Match("^[a-z]$", "\xff"), "no");
  EXPECT_EQ(Match("^.$", "\xed"), "yes");
}

TEST(PatternTest, NoTextTakesMoreThanLinearTime) {
  const std::string text(1 << 20, 'x');
  std::string random;
  uint32_t state = 1;
  for (int i = 0; i < 1 << 16; ++i) random += "ab"[(state = state * 1664525 + 1013904223) >> 31];
  const auto begin = ProcessorTime();
  EXPECT_EQ(Match("^(x+x+)+y$", text), "no");
  EXPECT_EQ(Match("(x*)*(x*)*(x*)*y", text), "no");
  EXPECT_EQ(Match("^(x|xx|xxx)*$", text + "y"), "no");
  EXPECT_EQ(Match("[ab]*a[ab]{500}c", random), "no");  // no automaton of it fits into memory
  // Some 0.5 s.
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(20));
}

TEST(PatternCacheTest, EachPatternOnceAndNotTooMany) {
  PatternCache cache;
  const auto first = cache.Get("^a$"), again = cache.Get("^a$");
  ASSERT_TRUE(first && again);
  EXPECT_EQ(*first, *again);
  std::string pattern = "^a";
  for (size_t i = 1; i < kMaxPatterns; ++i) ASSERT_TRUE(cache.Get(pattern += 'a')) << pattern;
  const auto beyond = cache.Get("b");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().what, "more than 256 different patterns");
  EXPECT_TRUE(cache.Get("^a$"));
}

TEST(SchemaPatternTest, StringsWithoutTheirEscapes) {
  EXPECT_EQ(Check(R"({"pattern":"^\\d+$"})", "\"12\""), "fine");
  EXPECT_EQ(Check(R"({"pattern":"^\\d+$"})", "\"1a\""), " pattern ");
  EXPECT_EQ(Check(R"({"pattern":"^\\d+$"})", "1.5"), "fine") << "only strings";
  EXPECT_EQ(Check(R"({"pattern":"^a/b\n$"})", R"("\u0061\/b\n")"), "fine");
  EXPECT_EQ(Check(R"({"pattern":"u0061"})", R"("\u0061")"), " pattern ");
  EXPECT_EQ(Check(R"({"pattern":"^\"$"})", R"("\"")"), "fine");
  EXPECT_EQ(Check(R"({"pattern":"^.$"})", R"("\ud83d\ude00")"), "fine");
  EXPECT_EQ(Check(R"({"pattern":"^.$"})", R"("\udc00")"), "fine");
  EXPECT_EQ(Check("{\"pattern\":\"^..$\"}", "\"\xff\xc3\""), "fine");
  EXPECT_EQ(Check(R"({"pattern":"^$"})", "\"\""), "fine");
}
TEST(SchemaPatternTest, LengthAndPatternTogether) {
  const char kSchema[] = R"({"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-z]*$"})";
  EXPECT_EQ(Check(kSchema, "\"abc\""), "fine");
  EXPECT_EQ(Check(kSchema, "\"a\""), " minLength ");
  EXPECT_EQ(Check(kSchema, "\"ABCD\""), " maxLength ");
  EXPECT_EQ(Check(kSchema, "\"ABC\""), " pattern ");
  EXPECT_EQ(Expected(kSchema, "\"ABC\""),
            "a string of 2 to 3 characters that matches \"^[a-z]*$\"");
}

constexpr char kMembers[] = R"({"properties":{"id":{"type":"integer"}},"patternProperties":
    {"^i":{"minimum":1},"^x-":{"type":"string"},"-n$":{"minLength":2}},"additionalProperties":false})";
TEST(SchemaPatternTest, MembersWhoseNamesMatch) {
  EXPECT_EQ(Check(kMembers, R"({"id":1,"x-a":"b","x-n":"bc","index":2})"), "fine");
  EXPECT_EQ(Check(kMembers, R"({"id":0})"), "/id minimum /patternProperties/^i")
      << "beside properties";
  EXPECT_EQ(Check(kMembers, R"({"id":"1"})"), "/id type /properties/id");
  EXPECT_EQ(Check(kMembers, R"({"x-a":7})"), "/x-a type /patternProperties/^x-");
  EXPECT_EQ(Check(kMembers, R"({"x-n":"b"})"), "/x-n minLength /patternProperties/-n$")
      << "each that matches";
  EXPECT_EQ(Check(kMembers, R"({"\u0078-a":7})"), "/x-a type /patternProperties/^x-");
  EXPECT_EQ(Check(kMembers, R"({"other":{"a":[1]}})"), "/other additionalProperties ");
  EXPECT_EQ(Expected(kMembers, R"({"other":1})"),
            "no members but id, those that match \"^i\", those that match \"^x-\" and those that "
            "match \"-n$\"");
}
TEST(SchemaPatternTest, AdditionalMembersAreThoseThatNoPatternMatches) {
  const char kSchema[] =
      R"({"patternProperties":{"^x":{}},"additionalProperties":{"type":"null"}})";
  EXPECT_EQ(Check(kSchema, R"({"x":1,"y":null})"), "fine");
  EXPECT_EQ(Check(kSchema, R"({"x":1,"y":2})"), "/y type /additionalProperties");
}
TEST(SchemaPatternTest, SchemaThatContainsItselfUnderAPattern) {
  Schema schema =
      Compiled(R"({"type":"object","patternProperties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}})");
  EXPECT_EQ(Check(schema, R"({"a":{"b":{"ab":{}}}})"), "fine");
  EXPECT_EQ(Check(schema, R"({"a":{"b":{"ab":1}}})"), "/a/b/ab type ");
  // Each level is checked twice, below the same one: work without end.
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "{\"ab\":";
  deep += "{}" + std::string(500, '}');
  EXPECT_EQ(Check(schema, deep), "gave up");
  EXPECT_EQ(Check(schema, "{}"), "fine");
}

TEST(SchemaPatternTest, PatternsThatAreRefusedAreNamedWithTheirPlace) {
  EXPECT_EQ(Refused(R"x({"properties":{"x":{"pattern":"^(?!a)"}}})x"),
            "/properties/x/pattern: lookahead and lookbehind are not supported: \"^(?!a)\"");
  EXPECT_EQ(Refused(R"({"patternProperties":{"a/(":{}}})"),
            "/patternProperties/a~1(: a parenthesis without its counterpart: \"a/(\"");
  EXPECT_EQ(Refused(R"({"pattern":1})"), "/pattern: a regular expression");
  EXPECT_EQ(Refused(R"({"patternProperties":["a"]})"), "/patternProperties: an object of schemas");
  EXPECT_EQ(Refused(R"({"patternProperties":{"a":true}})"),
            "/patternProperties/a: a schema is an object");
  std::string many = R"({"anyOf":[{})";
  for (int i = 0; i < 300; ++i) many += R"(,{"pattern":")" + std::to_string(i) + "\"}";
  EXPECT_THAT(Refused(many + "]}"), HasSubstr("more than 256 different patterns"));
}
TEST(SchemaPatternTest, LongStringsUnderALargePatternAreGivenUp) {
  Schema schema = Compiled(R"({"items":{"pattern":"[ab]*a[ab]{900}c"}})");
  const auto begin = ProcessorTime();
  EXPECT_EQ(Check(schema, "[\"" + std::string(1 << 20, 'a') + "\"]"), "gave up");
  EXPECT_EQ(Check(schema, "[\"abc\"]"), "/0 pattern /items");
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(20));
  Schema usual = Compiled(R"({"pattern":"^[\\p{L}0-9._-]+$"})");
  EXPECT_EQ(Check(usual, "\"" + std::string(4000, 'a') + "\""), "fine");
}

}  // namespace
}  // namespace midwire::wire
