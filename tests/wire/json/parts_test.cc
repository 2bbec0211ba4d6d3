#include "wire/json/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "wire/json/decimal.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Pointer P(std::string_view text) { return text.empty() ? Pointer{} : *ParsePointer(text); }

// "name=value" of members, "value" of elements.
std::vector<std::string> Parts(std::string_view container) {
  std::vector<std::string> all;
  JsonParts parts(container);
  for (JsonPart part; parts.Next(&part);) {
    all.push_back((part.name.empty() ? "" : std::string(part.name) + "=") +
                  std::string(part.value));
  }
  return all;
}

// "/pointer=value".
std::vector<std::string> Scalars(std::string_view text) {
  std::vector<std::string> all;
  WalkScalars(text, [&](const Path& path, std::string_view value) {
    all.push_back(PointerText(path) + "=" + std::string(value));
  });
  return all;
}

std::string At(std::string_view text, std::string_view pointer) {
  return std::string(ValueAt(text, P(pointer)).value_or("nothing"));
}

std::string Nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(LooseJsonTest, TakesEveryKindOfValue) {
  for (const std::string_view text : {"null",
                                      "true",
                                      "false",
                                      "0",
                                      "-0",
                                      "-1.5e+10",
                                      "1E-2",
                                      "12",
                                      "\"\"",
                                      "\"a\"",
                                      "[]",
                                      "{}",
                                      " [ ] ",
                                      "\t{ }\r\n",
                                      "[1,[2,{}],{\"a\":[]}]",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"\":{\"b\":[null]}}",
                                      "[ 1 , 2 ]",
                                      "{ \"a\" : 1 , \"b\" : 2 }",
                                      R"("\"\\\/\b\f\n\r\t\u00Af")"}) {
    EXPECT_TRUE(IsLooseJson(text)) << text;
  }
}

TEST(LooseJsonTest, StringsHoldAnyByteButControls) {
  for (int byte = 0; byte < 256; ++byte) {
    // Once within reach of the wide loop and once not.
    for (const std::string pad : {"", "0123456789abcdef0123456789abcdef"}) {
      const std::string text = "\"" + pad + static_cast<char>(byte) + pad + "\"";
      const bool fine = byte >= 0x20 && byte != '\\' && byte != '"';
      EXPECT_EQ(IsLooseJson(text), fine) << byte;
    }
  }
  EXPECT_TRUE(IsLooseJson("\"\xed\xa0\x80 \xc3\""));
  EXPECT_TRUE(IsLooseJson(R"("\ud800 \udc00\ud800")"));
}

TEST(LooseJsonTest, RefusesWhatIsNotJson) {
  for (const std::string_view text : {"",
                                      " ",
                                      "nul",
                                      "nulll",
                                      "True",
                                      "01",
                                      "-",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "1e+",
                                      "0x10",
                                      "NaN",
                                      "--1",
                                      "1 2",
                                      "[",
                                      "]",
                                      "[1",
                                      "[1,",
                                      "[,",
                                      "[1,]",
                                      "[,1]",
                                      "[1 2]",
                                      "[1}",
                                      "{",
                                      "}",
                                      "{]",
                                      "{\"a\"",
                                      "{\"a\":",
                                      "{\"a\":1",
                                      "{\"a\":1,}",
                                      "{,}",
                                      "{\"a\" 1}",
                                      "{a:1}",
                                      "{1:2}",
                                      "{\"a\":1 \"b\":2}",
                                      "{\"a\":1]",
                                      "[\"a\":1]",
                                      "[]]",
                                      "{}{}",
                                      "\"",
                                      "\"a",
                                      "\"\\\"",
                                      "\"\\",
                                      "'a'",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\u12g4\"",
                                      "\"\\u",
                                      "\"\\u123",
                                      "[1]//",
                                      "\xef\xbb\xbf[]",
                                      "\v1"}) {
    EXPECT_FALSE(IsLooseJson(text)) << text;
  }
}

TEST(LooseJsonTest, NulIsNoBlankAndNoEnd) {
  using namespace std::literals;
  for (const std::string_view text :
       {"[1]\0"sv, "\0[1]"sv, "[1\0]"sv, "[1,\0 2]"sv, "\"a\0b\""sv, "\"\\\0\""sv, "\0"sv}) {
    EXPECT_FALSE(IsLooseJson(text));
  }
}

TEST(LooseJsonTest, DepthHasACap) {
  EXPECT_TRUE(IsLooseJson(Nested(kMaxLooseDepth)));
  EXPECT_FALSE(IsLooseJson(Nested(kMaxLooseDepth + 1)));
  EXPECT_FALSE(IsLooseJson(std::string(1 << 20, '[')));
  std::string objects;
  for (size_t i = 0; i < kMaxLooseDepth; ++i) objects += "{\"a\":";
  EXPECT_TRUE(IsLooseJson(objects + "1" + std::string(kMaxLooseDepth, '}')));
  EXPECT_FALSE(IsLooseJson(objects + "[]" + std::string(kMaxLooseDepth, '}')));
}

TEST(JsonPartsTest, MembersWithTheirSpans) {
  EXPECT_THAT(Parts(R"({"a":1,"b":{"c":[2]},"d\"":"}"})"),
              ElementsAre("\"a\"=1", "\"b\"={\"c\":[2]}", "\"d\\\"\"=\"}\""));
  EXPECT_THAT(Parts("{ \"a\" : 1 ,\n\"b\" :\ttrue }"), ElementsAre("\"a\"=1", "\"b\"=true"));
  EXPECT_THAT(Parts(R"({"":"","":""})"), ElementsAre("\"\"=\"\"", "\"\"=\"\""));
}

TEST(JsonPartsTest, ElementsWithTheirSpans) {
  EXPECT_THAT(Parts(R"(["a",[],{"x":"]"},null , -1.5e3 ,"b\\"])"),
              ElementsAre("\"a\"", "[]", "{\"x\":\"]\"}", "null", "-1.5e3", "\"b\\\\\""));
  EXPECT_THAT(Parts("[]"), IsEmpty());
  EXPECT_THAT(Parts("{ \n}"), IsEmpty());
}

TEST(JsonPartsTest, EscapesAndBracketsInDeepStrings) {
  // Backslashes at all places of the blocks that skipping reads.
  for (size_t pad = 0; pad < 130; ++pad) {
    const std::string inner =
        "[\"" + std::string(pad, ' ') + R"(\\\"]}[{",{"k\\":"\\\\"},"\u005d","]"])";
    ASSERT_TRUE(IsLooseJson(inner));
    EXPECT_THAT(Parts("[" + inner + "," + inner + ",7]"), ElementsAre(inner, inner, "7")) << pad;
  }
}

TEST(JsonPartsTest, TypesAndTrimming) {
  EXPECT_EQ(TypeOf("null"), JsonType::kNull);
  EXPECT_EQ(TypeOf("true"), JsonType::kBool);
  EXPECT_EQ(TypeOf("false"), JsonType::kBool);
  EXPECT_EQ(TypeOf("-1"), JsonType::kNumber);
  EXPECT_EQ(TypeOf("0"), JsonType::kNumber);
  EXPECT_EQ(TypeOf("\"1\""), JsonType::kString);
  EXPECT_EQ(TypeOf("[1]"), JsonType::kArray);
  EXPECT_EQ(TypeOf("{}"), JsonType::kObject);
  EXPECT_EQ(Trimmed(" \r\n\t{ } \n"), "{ }");
  EXPECT_EQ(Trimmed(" \n"), "");
}

TEST(JsonStringTest, ValuesWithoutEscapes) {
  EXPECT_EQ(StringValue(R"("")"), "");
  EXPECT_EQ(StringValue(R"("plain")"), "plain");
  EXPECT_EQ(StringValue(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(StringValue(R"("a\u0041\u00e9\u20ac\ud83d\ude00z")"), "aA\u00e9\u20ac\U0001f600z");
  EXPECT_EQ(StringValue("\"\\u0000\""), std::string(1, '\0'));
  EXPECT_EQ(StringValue("\"\xff\xed\xa0\x80\""), "\xff\xed\xa0\x80");
}

TEST(JsonStringTest, BrokenSurrogatesKeepTheirNumber) {
  EXPECT_EQ(StringValue(R"("\ud800")"), "\xed\xa0\x80");
  EXPECT_EQ(StringValue(R"("\udfff\ud800")"), "\xed\xbf\xbf\xed\xa0\x80");
  EXPECT_EQ(StringValue(R"("\ud800\ud83d\ude00")"), "\xed\xa0\x80\U0001f600");
  EXPECT_EQ(StringValue(R"("\ud800\u0041")"), "\xed\xa0\x80\x41");
}

TEST(JsonStringTest, SameMeaning) {
  EXPECT_TRUE(SameString(R"("a\/b")", R"("a/b")"));
  EXPECT_TRUE(SameString(R"("\u0041bc")", R"("A\u0062c")"));
  EXPECT_TRUE(SameString(R"("\ud83d\ude00")", "\"\U0001f600\""));
  EXPECT_TRUE(SameString(R"("\n")", R"("\u000A")"));
  EXPECT_FALSE(SameString(R"("a\/b")", R"("a/bc")"));
  EXPECT_FALSE(SameString(R"("a\/bc")", R"("a/b")"));
  EXPECT_FALSE(SameString(R"("a")", R"("b")"));
  EXPECT_FALSE(SameString("\"\xef\xbf\xbd\"", "\"\xff\""));
  EXPECT_FALSE(SameString(R"("\ufffd")", "\"\xff\""));
  EXPECT_FALSE(SameString(R"("\ufffd")", R"("\ud800")"));
  EXPECT_FALSE(SameString(R"("\\n")", R"("\n")"));
}

void ExpectSame(std::initializer_list<std::string_view> numbers) {
  for (const std::string_view a : numbers) {
    for (const std::string_view b : numbers) EXPECT_TRUE(SameNumber(a, b)) << a << " " << b;
  }
}

void ExpectDifferent(std::initializer_list<std::string_view> numbers) {
  for (const std::string_view a : numbers) {
    for (const std::string_view b : numbers) {
      EXPECT_EQ(SameNumber(a, b), a.data() == b.data()) << a << " " << b;
    }
  }
}

TEST(JsonNumberTest, SpellingsOfOneNumber) {
  ExpectSame({"100", "1e2", "100.0", "1.00E+2", "1000e-1", "0.1e3", "100e0", "0.00100e5"});
  ExpectSame({"-1.5", "-15e-1", "-0.15e1", "-1.50"});
  ExpectSame({"0", "-0", "0.0", "0e5", "-0.00e-99999999999999999999999", "0e99999999999999999999"});
  ExpectSame({"0.001", "1e-3", "0.0010", "10e-4"});
  ExpectSame({"10.01", "1001e-2", "1.001e1"});
  ExpectSame({"9007199254740993", "9007199254740993.0", "9.007199254740993e15"});
}

TEST(JsonNumberTest, DifferentNumbers) {
  ExpectDifferent({"1", "-1", "10", "0.1", "1.01", "11", "101", "0", "1e-1000", "1e1000"});
  ExpectDifferent({"9007199254740992", "9007199254740993", "9007199254740992.5"});
  ExpectDifferent({"0.1", "0.1000000000000000000000000000000000001", "0.01"});
  ExpectDifferent({"1.0e400", "1e401", "-1e400", "1e-400"});
}

TEST(JsonNumberTest, HostileExponents) {
  ExpectSame({"1e999999999999999999999", "10e999999999999999999998", "0.1e1000000000000000000000",
              "1E+0999999999999999999999"});
  ExpectSame(
      {"1e-1000000000000000000000", "10e-1000000000000000000001", "0.1e-999999999999999999999"});
  // On both sides of what fits into 64 bits.
  ExpectSame({"1e1000000000000000000", "10e999999999999999999", "100e999999999999999998",
              "0.1e1000000000000000001"});
  ExpectSame({"1e9223372036854775808", "10e9223372036854775807", "1.0e9223372036854775808"});
  ExpectSame({"1e-9223372036854775808", "0.1e-9223372036854775807"});
  ExpectDifferent({"1e999999999999999999999", "1e999999999999999999998", "1e-999999999999999999999",
                   "2e999999999999999999999", "-1e999999999999999999999", "1e18446744073709551616",
                   "1", "1e1"});
  const std::string nines(1 << 20, '9');
  EXPECT_TRUE(SameNumber("0.1e1" + std::string(nines.size(), '0'), "1e" + nines));
  EXPECT_FALSE(SameNumber("1e1" + std::string(nines.size(), '0'), "1e" + nines));
}

TEST(JsonPathTest, PointersEscapeNames) {
  EXPECT_EQ(PointerText(Path{}), "");
  EXPECT_EQ(PointerText({{"\"params\""}, {"\"items\""}, {{}, 3}, {R"("n\u0061\/~me")"}}),
            "/params/items/3/na~1~0me");
  EXPECT_EQ(PointerText(Path{{"\"\""}}), "/");
}

TEST(JsonPathTest, MatchesTheWholePath) {
  const Path path = {{"\"items\""}, {{}, 12}, {R"("k\u0065y")"}};
  for (const char* pointer : {"/items/12/key", "/*/12/*", "/items/*/key", "/*/*/*"}) {
    EXPECT_TRUE(Matches(P(pointer), path)) << pointer;
  }
  for (const char* pointer : {"/items/12", "/items/12/key/x", "/items/1/key", "/items/012/key",
                              "/items/12/ke", "/items/12/KEY", "/items/-/key", "/Items/12/key"}) {
    EXPECT_FALSE(Matches(P(pointer), path)) << pointer;
  }
  EXPECT_TRUE(Matches(Pointer{}, {}));
  EXPECT_FALSE(Matches(Pointer{}, path));
}

TEST(ValueAtTest, MembersAndElements) {
  constexpr std::string_view kText = R"( {"a":{"b":[10,{"c":true}]},"x\/y":1,"3":"three"} )";
  EXPECT_EQ(At(kText, "/a/b/0"), "10");
  EXPECT_EQ(At(kText, "/a/b/1/c"), "true");
  EXPECT_EQ(At(kText, "/a/b"), R"([10,{"c":true}])");
  EXPECT_EQ(At(kText, "/x~1y"), "1");
  EXPECT_EQ(At(kText, "/3"), "\"three\"");
  EXPECT_EQ(At(kText, ""), Trimmed(kText));
}

TEST(ValueAtTest, Nothing) {
  for (const char* pointer : {"/b", "/a/1", "/a/00", "/a/-", "/a/0/x", "/a/0/*", "/a/*/*"}) {
    EXPECT_EQ(At(R"({"a":[0]})", pointer), "nothing") << pointer;
  }
  EXPECT_EQ(At("3", "/*"), "nothing");
}

TEST(ValueAtTest, AnyStepTriesOneAfterTheOther) {
  EXPECT_EQ(At(R"({"items":[{"x":1},{"key":2},{"key":3}]})", "/items/*/key"), "2");
  EXPECT_EQ(At(R"([{"a":[]},{"b":[5]}])", "/*/*/0"), "5");
}

TEST(ValueAtTest, TheLastOfANameCounts) {
  EXPECT_EQ(At(R"({"a":{"b":1},"\u0061":{"b":2}})", "/a/b"), "2");
  EXPECT_EQ(At(R"({"a":{"b":1},"a":{"c":2}})", "/a/b"), "nothing");
}

TEST(WalkScalarsTest, EachWithItsPath) {
  EXPECT_THAT(Scalars(R"( {"a":[1,[],{"b/c":null}, "x"] , "d":{}, "e":{"f":false}} )"),
              ElementsAre("/a/0=1", "/a/2/b~1c=null", "/a/3=\"x\"", "/e/f=false"));
  EXPECT_THAT(Scalars("[[1,2],[[3]],4]"), ElementsAre("/0/0=1", "/0/1=2", "/1/0/0=3", "/2=4"));
  EXPECT_THAT(Scalars(" 7 "), ElementsAre("=7"));
  EXPECT_THAT(Scalars("[]"), IsEmpty());
  EXPECT_THAT(Scalars("[[],{}]"), IsEmpty());
  EXPECT_THAT(Scalars(R"({"a":1,"a":2})"), ElementsAre("/a=1", "/a=2"));
}

constexpr std::string_view kLooseSamples[] = {
    R"({"jsonrpc":"2.0","id":1.0,"params":{"a":[1,-2.5e+3,{"b\u0041\n":"\ud83d\ude00"}],"c":null}})",
    "[ true , false,\t[[{}],\"\\\\\"], {\"\":0e0} ]",
    "{\"k\xff\":\"0123456789abcdef\x7f\xed\xa0\x80\",\"k\":["
    "\"0123456789abcdef0123456789\\\"abcdef\"]}",
};

// The strict grammar of json.h, except the bytes of strings.
bool IsJsonExceptUtf8(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = 'x';
  }
  return IsJson(text);
}

// On the heap and of exact size, so that a sanitizer sees a read outside.
void WalkAndLookUp(std::string_view text) {
  const auto copy = std::make_unique<char[]>(text.size());
  std::copy(text.begin(), text.end(), copy.get());
  const std::string_view exact(copy.get(), text.size());
  const auto lies_inside = [&](std::string_view value) {
    return value.data() >= exact.data() &&
           value.data() + value.size() <= exact.data() + exact.size();
  };
  ASSERT_EQ(IsLooseJson(exact), IsJsonExceptUtf8(std::string(text))) << text;
  if (!IsLooseJson(exact)) return;
  WalkScalars(exact, [&](const Path& path, std::string_view value) {
    ASSERT_TRUE(lies_inside(value)) << exact;
    ASSERT_TRUE(IsLooseJson(value)) << exact;
    ASSERT_TRUE(lies_inside(*ValueAt(exact, Pointer{}))) << exact;
    // A member whose name comes again is not found.
    if (const auto found = ValueAt(exact, P(PointerText(path)))) {
      ASSERT_TRUE(lies_inside(*found)) << exact;
    }
    if (TypeOf(value) == JsonType::kString) {
      ASSERT_LT(StringValue(value).size(), value.size());
    }
    if (TypeOf(value) == JsonType::kNumber) {
      ASSERT_FALSE(SameNumber(value, "123456.75e1"));
    }
  });
}

TEST(HostileJsonTest, EveryPrefix) {
  for (const std::string_view sample : kLooseSamples) {
    ASSERT_TRUE(IsLooseJson(sample)) << sample;
    for (size_t size = 0; size < sample.size(); ++size) {
      EXPECT_FALSE(IsLooseJson(sample.substr(0, size)));
      WalkAndLookUp(sample.substr(0, size));
    }
    WalkAndLookUp(sample);
  }
}

TEST(HostileJsonTest, EveryByteToEveryByte) {
  for (const std::string_view sample : kLooseSamples) {
    for (size_t at = 0; at < sample.size(); ++at) {
      std::string text(sample);
      for (int byte = 0; byte < 256; ++byte) {
        text[at] = static_cast<char>(byte);
        WalkAndLookUp(text);
      }
    }
  }
}

}  // namespace
}  // namespace midwire::wire
