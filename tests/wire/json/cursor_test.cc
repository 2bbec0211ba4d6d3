#include "wire/json/cursor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

constexpr JsonSyntax kStrict = JsonSyntax::kStrict, kLoose = JsonSyntax::kLoose,
                     kLenient = JsonSyntax::kLenient;

// All tokens, separated by blanks: names end in a colon, the end is "." and what is broken "!".
template <JsonSyntax syntax>
std::string Tokens(std::string_view text) {
  std::string tokens;
  JsonCursor<syntax> cursor(text);
  for (;;) {
    const JsonToken token = cursor.Next();
    if (token == JsonToken::kEnd) return tokens + ".";
    if (token == JsonToken::kBroken) return tokens + "!";
    tokens += cursor.text();
    tokens += token == JsonToken::kName ? ": " : " ";
  }
}

void ExpectTokens(std::string_view text, std::string_view tokens) {
  EXPECT_EQ(Tokens<kStrict>(text), tokens) << text;
  EXPECT_EQ(Tokens<kLoose>(text), tokens) << text;
  EXPECT_EQ(Tokens<kLenient>(text), tokens) << text;
}

TEST(JsonCursorTest, TokensOfValidTextAreTheSameInEverySyntax) {
  ExpectTokens(R"({"a":1,"b":[true,null,-2.5e+3],"c":{},"d":[]})",
               R"({ "a": 1 "b": [ true null -2.5e+3 ] "c": { } "d": [ ] } .)");
  ExpectTokens(" \t\r\n[ \"x\" , [ ] ] ", R"([ "x" [ ] ] .)");
  ExpectTokens(R"({"a":"b","c" : "d:","e\"":"]}"})", R"({ "a": "b" "c": "d:" "e\"": "]}" } .)");
  ExpectTokens("7", "7 .");
  ExpectTokens(R"("a")", R"("a" .)");
}

TEST(JsonCursorTest, StrictAndLooseStopWhereTheGrammarIsBroken) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "!"},
      {"[1,]", "[ 1 !"},
      {"[1 2]", "[ 1 !"},
      {"{\"a\" 1}", "{ \"a\": !"},
      {"{\"a\":}", "{ \"a\": !"},
      {"{1:2}", "{ !"},
      {"[1}", "[ 1 !"},
      {"[\"a\":1]", "[ \"a\" !"},
      {"{} {}", "{ } !"},
      {"[01]", "[ 0 !"},
      {"[\"\\x\"]", "[ !"},
      {"[\"a", "[ !"},
  };
  for (const auto& [text, tokens] : cases) {
    EXPECT_EQ(Tokens<kStrict>(text), tokens) << text;
    EXPECT_EQ(Tokens<kLoose>(text), tokens) << text;
  }
}

TEST(JsonCursorTest, BrokenStaysBroken) {
  JsonCursor<kStrict> cursor("[1,]");
  while (cursor.Next() != JsonToken::kBroken) {
  }
  EXPECT_EQ(cursor.Next(), JsonToken::kBroken);
  EXPECT_EQ(cursor.Next(), JsonToken::kBroken);
}

TEST(JsonCursorTest, OnlyStrictAsksForUtf8) {
  EXPECT_EQ(Tokens<kStrict>("[\"\xff\"]"), "[ !");
  EXPECT_EQ(Tokens<kLoose>("[\"\xff\"]"), "[ \"\xff\" ] .");
  EXPECT_EQ(Tokens<kLenient>("[\"\xff\"]"), "[ \"\xff\" ] .");
  EXPECT_EQ(Tokens<kStrict>("[\"\xc3\xa9\xe2\x82\xac\"]"), "[ \"\xc3\xa9\xe2\x82\xac\" ] .");
  EXPECT_EQ(Tokens<kLoose>("[\"a\nb\"]"), "[ !");
  EXPECT_EQ(Tokens<kLenient>("[\"a\nb\"]"), "[ \"a\nb\" ] .");
}

TEST(JsonCursorTest, LenientFindsWhatLooksLikeTokens) {
  EXPECT_EQ(Tokens<kLenient>("{\"a\":tru,,\"b\" 1}]"), "{ \"a\": tru \"b\" 1 } ] .");
  EXPECT_EQ(Tokens<kLenient>("nul\"a\"[x{"), "nul \"a\" [ x { .");
  EXPECT_EQ(Tokens<kLenient>("\"a\":\"b\":1"), "\"a\": \"b\" 1 .") << "a value is no name";
  EXPECT_EQ(Tokens<kLenient>("{\"a"), "{ \"a .");
  EXPECT_EQ(Tokens<kLenient>("\"a\\"), "\"a\\ .");
  EXPECT_EQ(Tokens<kLenient>("\xff\x01"), "\xff\x01 .");
}

TEST(JsonCursorTest, DepthCountsTheOpenContainers) {
  JsonCursor<kStrict> strict("[{\"a\":[]}]");
  JsonCursor<kLenient> lenient("[{\"a\":[]}]");
  for (const size_t depth : {1, 2, 2, 3, 2, 1, 0, 0}) {
    strict.Next(), lenient.Next();
    EXPECT_EQ(strict.depth(), depth);
    EXPECT_EQ(lenient.depth(), depth);
  }
  JsonCursor<kLenient> closed("]]}[");
  for (const size_t depth : {0, 0, 0, 1}) {
    closed.Next();
    EXPECT_EQ(closed.depth(), depth);
  }
}

TEST(JsonCursorTest, SkipsAContainerWithBracketsInStrings) {
  // Escapes at every place of the blocks that skipping reads.
  for (size_t pad = 0; pad < 130; ++pad) {
    const std::string inner =
        "[\"" + std::string(pad, ' ') + R"(\\\"]}[{",{"k\\":"\\\\"},"\u005d","]"])";
    const std::string text = "[" + inner + ",7]";
    JsonCursor<> cursor(text);
    cursor.Next();
    ASSERT_EQ(cursor.Next(), JsonToken::kOpen);
    cursor.SkipContainer();
    EXPECT_EQ(cursor.text(), inner) << pad;
    EXPECT_EQ(cursor.depth(), 1u);
    ASSERT_EQ(cursor.Next(), JsonToken::kScalar);
    EXPECT_EQ(cursor.text(), "7") << pad;
  }
}

// What ends in a null pointer or a cap is found by reading to the end.
template <JsonSyntax syntax>
JsonToken Last(std::string_view text) {
  JsonCursor<syntax> cursor(text);
  for (;;) {
    const JsonToken token = cursor.Next();
    if (token == JsonToken::kEnd || token == JsonToken::kBroken) return token;
  }
}

TEST(JsonCursorTest, HostileDepth) {
  const size_t deep = 4'000'000;
  const std::string open(deep, '['), nested = open + std::string(deep, ']');
  EXPECT_EQ(Last<kStrict>(nested), JsonToken::kEnd);
  EXPECT_EQ(Last<kStrict>(open), JsonToken::kBroken);
  EXPECT_EQ(Last<kStrict>(nested + "]"), JsonToken::kBroken);
  EXPECT_EQ(Last<kLoose>(nested), JsonToken::kBroken);
  EXPECT_EQ(Last<kLenient>(nested), JsonToken::kEnd);
  EXPECT_EQ(Last<kLenient>(open), JsonToken::kEnd);

  // Kinds are kept on both sides of the levels that cost an allocation.
  std::string mixed, closing;
  for (size_t i = 0; i < 2 * kMaxLooseDepth; ++i) {
    mixed += i % 3 == 0 ? "[" : "{\"a\":";
    closing.insert(0, 1, i % 3 == 0 ? ']' : '}');
  }
  EXPECT_EQ(Last<kStrict>(mixed + "1" + closing), JsonToken::kEnd);
  for (const size_t at : {size_t{0}, kMaxLooseDepth - 1, kMaxLooseDepth, kMaxLooseDepth + 1}) {
    std::string wrong = closing;
    wrong[at] = wrong[at] == ']' ? '}' : ']';
    EXPECT_EQ(Last<kStrict>(mixed + "1" + wrong), JsonToken::kBroken) << at;
  }
}

TEST(JsonCursorTest, LooseTextHasACapOnDepth) {
  const auto nested = [](size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_EQ(Last<kLoose>(nested(kMaxLooseDepth)), JsonToken::kEnd);
  EXPECT_EQ(Last<kLoose>(nested(kMaxLooseDepth + 1)), JsonToken::kBroken);
}

constexpr std::string_view kUtf8Samples[] = {
    R"({"jsonrpc":"2.0","id":1.0,"params":{"a":[1,-2.5e+3,{"b\u0041\n":"\ud83d\ude00"}],"c":null}})",
    "[ true , false,\t[[{}],\"\\\\\"], {\"\":0e0} ]",
    "{\"k\xc3\xa9\":\"0123456789abcdef\x7f\xe2\x82\xac\",\"k\":["
    "\"0123456789abcdef0123456789\\\"abcdef\"]}",
};

// On the heap and of exact size, so that a sanitizer sees a read outside.
class Exact {
 public:
  explicit Exact(std::string_view text) : copy_(new char[text.size()]), size_(text.size()) {
    std::copy(text.begin(), text.end(), copy_.get());
  }
  std::string_view text() const { return {copy_.get(), size_}; }

 private:
  std::unique_ptr<char[]> copy_;
  size_t size_;
};

// Every token lies in the text, after the one before; of valid text all three find the same.
void CompareCursors(std::string_view sample) {
  const Exact exact(sample);
  const std::string_view text = exact.text();
  JsonCursor<kLenient> lenient(text);
  JsonCursor<kLoose> loose(text);
  JsonCursor<kStrict> strict(text);
  const char* before = text.data();
  const bool is_loose = IsLooseJson(text), is_strict = IsJson(text);
  for (;;) {
    const JsonToken token = lenient.Next();
    ASSERT_NE(token, JsonToken::kBroken) << sample;
    const std::string_view span = lenient.text();
    ASSERT_TRUE(span.data() >= before && span.data() + span.size() <= text.data() + text.size());
    if (is_loose) {
      ASSERT_EQ(loose.Next(), token) << sample;
      ASSERT_TRUE(token == JsonToken::kEnd || loose.text() == span) << sample;
    }
    if (is_strict) {
      ASSERT_EQ(strict.Next(), token) << sample;
      ASSERT_TRUE(token == JsonToken::kEnd || strict.text() == span) << sample;
    }
    if (token == JsonToken::kEnd) break;
    ASSERT_FALSE(span.empty()) << sample;
    before = span.data() + span.size();
  }
  ASSERT_LE(is_strict, is_loose) << "strict text this shallow is loose: " << sample;
}

TEST(JsonCursorTest, EveryPrefix) {
  for (const std::string_view sample : kUtf8Samples) {
    ASSERT_TRUE(IsJson(sample)) << sample;
    for (size_t size = 0; size < sample.size(); ++size) {
      EXPECT_FALSE(IsJson(sample.substr(0, size)));
      CompareCursors(sample.substr(0, size));
    }
    CompareCursors(sample);
  }
}

TEST(JsonCursorTest, EveryByteToEveryByte) {
  for (const std::string_view sample : kUtf8Samples) {
    for (size_t at = 0; at < sample.size(); ++at) {
      std::string text(sample);
      for (int byte = 0; byte < 256; ++byte) {
        text[at] = static_cast<char>(byte);
        CompareCursors(text);
      }
    }
  }
}

TEST(JsonCursorTest, AnyMixOfPieces) {
  const std::string_view pieces[] = {"{",       "}",    "[", "]",  ",",  ":",       "\"a\"",
                                     "\"\\n\"", "1",    "-", ".",  "0",  "e",       "+",
                                     "true",    "null", " ", "\"", "\\", "\xC3\xA9"};
  std::mt19937 random(1);
  int valid = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (int n = 1 + random() % 9; n > 0; --n) text += pieces[random() % std::size(pieces)];
    valid += IsJson(text);
    CompareCursors(text);
  }
  EXPECT_GT(valid, 300);
}

}  // namespace
}  // namespace midwire::wire
