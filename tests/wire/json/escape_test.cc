#include "wire/json/escape.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/json/quote.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::wire {
namespace {

using namespace std::string_literals;

std::string Lines(std::string_view text) {
  std::string out;
  AppendEscapedLines(text, "  ", &out);
  return out;
}
std::string OneLine(std::string_view json) {
  std::string out;
  AppendJsonOnOneLine(json, &out);
  return out;
}
std::string Utf8(uint32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(EscapeTest, PlainTextIsLeftAlone) {
  EXPECT_EQ(Escaped("textDocument/didOpen $/x {\"a\": \"\\u001b\"} ~"),
            "textDocument/didOpen $/x {\"a\": \"\\u001b\"} ~");
  EXPECT_EQ(Escaped(""), "");
}

TEST(EscapeTest, OrdinaryUnicodeIsLeftAlone) {
  EXPECT_EQ(Escaped("gr\u00fc\u00df dich \u4e16\u754c \U0001F600"),
            "gr\u00fc\u00df dich \u4e16\u754c \U0001F600");
}

TEST(EscapeTest, TerminalSequencesBecomeVisible) {
  EXPECT_EQ(Escaped("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(Escaped("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(Escaped("a\rb\nc\td\be\0f"s), "a\\rb\\nc\\td\\x08e\\x00f");
  EXPECT_EQ(Escaped("\x7f"), "\\x7f");
}

TEST(EscapeTest, C1AsBytesAndAsCharacters) {
  EXPECT_EQ(Escaped("\x9b"
                    "31m"),
            "\\x9b31m");
  EXPECT_EQ(Escaped("\xc2\x9b"
                    "31m"),
            "\\u009b31m");
  EXPECT_EQ(Escaped("\xc2\x85"), "\\u0085");
}

TEST(EscapeTest, BidirectionalControlsBecomeVisible) {
  for (uint32_t code : {0x202au, 0x202bu, 0x202cu, 0x202du, 0x202eu, 0x2066u, 0x2067u, 0x2068u,
                        0x2069u, 0x200eu, 0x200fu, 0x061cu, 0x2028u, 0x2029u, 0xfeffu, 0x200bu}) {
    char expected[16];
    snprintf(expected, sizeof expected, "a\\u%04xb", code);
    EXPECT_EQ(Escaped("a" + Utf8(code) + "b"), expected);
  }
  EXPECT_EQ(Escaped(Utf8(0xe0041)), "\\U000e0041");
}

TEST(EscapeTest, AHyphenThatIsNotThatOfAsciiBecomesVisible) {
  EXPECT_EQ(Escaped("Content\u2010Length, Content\u2011Length"),
            "Content\\u2010Length, Content\\u2011Length");
  EXPECT_EQ(Escaped("1990\u20132000 \u2014"), "1990\u20132000 \u2014") << "dashes are no letters";
}

TEST(EscapeTest, NoncharactersBecomeVisible) {
  EXPECT_EQ(Escaped("a" + Utf8(0xffff) + Utf8(0xfffe) + Utf8(0xfdd0) + Utf8(0xfdef)),
            "a\\uffff\\ufffe\\ufdd0\\ufdef");
  EXPECT_EQ(Escaped(Utf8(0x1fffe) + Utf8(0x10ffff)), "\\U0001fffe\\U0010ffff");
  EXPECT_EQ(OneLine('"' + Utf8(0xffff) + Utf8(0xeffff) + '"'), "\"\\uffff\\udb7f\\udfff\"");
  for (uint32_t plane = 0; plane <= 0x10; ++plane) {
    EXPECT_TRUE(IsHostile(plane << 16 | 0xfffe) && IsHostile(plane << 16 | 0xffff)) << plane;
  }
  for (uint32_t code : {0xfdcfu, 0xfdf0u, 0xfffdu}) EXPECT_EQ(Escaped(Utf8(code)), Utf8(code));
}

TEST(EscapeTest, BytesThatAreNotUtf8) {
  EXPECT_EQ(Escaped("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(Escaped("\xc0\xaf"), "\\xc0\\xaf");                                      // overlong '/'
  EXPECT_EQ(Escaped("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");                             // overlong CSI
  EXPECT_EQ(Escaped("\xed\xa0\xbd\xed\xb8\x80"), "\\xed\\xa0\\xbd\\xed\\xb8\\x80");  // surrogates
  EXPECT_EQ(Escaped("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(Escaped("cut \xe4\xb8"), "cut \\xe4\\xb8");
  EXPECT_EQ(Escaped("\xe4\xb8-\xe4\xb8\x96"), "\\xe4\\xb8-\u4e16");
}

TEST(EscapeTest, PlainPrefixStopsAtTheFirstOddByteWhereverItIs) {
  for (size_t length = 0; length < 70; ++length) {
    for (char odd : {'\x1b', '\x1f', '\x7f', '\x80', '\xff', '\0'}) {
      const std::string text = std::string(length, '~') + odd + std::string(20, ' ');
      EXPECT_EQ(PlainPrefix(text), length);
    }
    EXPECT_EQ(PlainPrefix(std::string(length, ' ')), length);
  }
}

// Whatever two bytes stand in whatever text: what comes out is UTF-8 and free of controls.
TEST(EscapeTest, NothingHostileComesThroughForAnyPairOfBytes) {
  for (int pair = 0; pair < 65536; ++pair) {
    const std::string text = {'a', static_cast<char>(pair >> 8), static_cast<char>(pair), 'z'};
    for (const std::string& out : {Escaped(text), Lines(text), OneLine(text)}) {
      ASSERT_TRUE(IsUtf8(out)) << pair;
      ASSERT_TRUE(out.starts_with('a') && out.ends_with('z')) << pair;
      for (std::string_view rest = out; !rest.empty();) {
        const Character character = FirstCharacter(rest);
        const bool blank = character.code == '\n' || character.code == '\t';  // of Lines
        ASSERT_TRUE(character.valid && (blank || !IsHostile(character.code))) << pair;
        rest.remove_prefix(character.length);
      }
    }
  }
}

TEST(EscapeTest, SeveralLinesKeepTheirLineEnds) {
  EXPECT_EQ(Lines("{\n\t\"a\": 1\r\n}"), "{\n  \t\"a\": 1\n  }");
  EXPECT_EQ(Lines("over\rwrite \x1b[A"), "over\\rwrite \\x1b[A");
}

TEST(EscapeTest, JsonOnOneLineMeansTheSame) {
  EXPECT_EQ(OneLine("{\r\n\t\"a\": \"\u202e\x7f\u4e16\"}"), "{   \"a\": \"\\u202e\\u007f\u4e16\"}");
}

// A megabyte of the worst for each loop: fails by taking minutes if one of them is quadratic.
TEST(EscapeTest, LongHostileTextTakesLinearTime) {
  const std::string escapes(1 << 20, '\x1b');
  EXPECT_EQ(Lines(escapes).size(), 4u << 20);
  EXPECT_EQ(Escaped(escapes).size(), 4u << 20);
  EXPECT_EQ(OneLine(escapes).size(), 6u << 20);
}

}  // namespace
}  // namespace midwire::wire
