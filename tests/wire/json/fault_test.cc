#include "wire/json/fault.h"

#include <gtest/gtest.h>

#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

// "12 /a/0 what is wrong", "" if nothing is.
std::string Text(const std::optional<JsonFault>& fault) {
  if (!fault) return "";
  return std::to_string(fault->offset) + " " + fault->pointer + " " + fault->what;
}
std::string Broken(std::string_view text) {
  EXPECT_EQ(!FindJsonFault(text), IsLooseJson(text)) << text;
  return Text(FindJsonFault(text));
}

TEST(JsonFaultTest, NothingIsWrong) {
  for (const char* text : {"{}", "[1,{\"a\":\"\xff\"}]", " 7 ", "{\"a\":[],\"b\":{\"c\":null}}"}) {
    EXPECT_EQ(Broken(text), "");
  }
}

TEST(JsonFaultTest, ControlCharactersInStrings) {
  EXPECT_EQ(Broken(std::string_view("{\"a\":[1,{\"b\":\"x\0y\"}]}", 20)),
            "15 /a/1/b a NUL byte in a string: not escaped");
  EXPECT_EQ(Broken("{\"a\":\"x\ny\"}"), "7 /a a line feed in a string: not escaped");
  EXPECT_EQ(Broken("[\"\x1b[0m\"]"), "2 /0 the control character 0x1b in a string: not escaped");
}

TEST(JsonFaultTest, EscapesThatJsonDoesNotHave) {
  EXPECT_EQ(Broken(R"({"path":"C:\src"})"), "11 /path an escape that JSON does not have");
  EXPECT_EQ(Broken(R"(["\u12g4"])"), "2 /0 an escape that JSON does not have");
  EXPECT_EQ(Broken(R"(["\u12)"), "2 /0 an escape that JSON does not have");
}

TEST(JsonFaultTest, WhatPythonAndScriptsPrint) {
  EXPECT_EQ(Broken(R"({"a":NaN})"), "5 /a NaN: JSON has no such number");
  EXPECT_EQ(Broken(R"([-Infinity])"), "1 /0 -Infinity: JSON has no such number");
  EXPECT_EQ(Broken(R"({'a': 1})"),
            "1  a single quote, as in a printed Python dict: JSON has double quotes");
  EXPECT_EQ(Broken(R"({"a": None})"), "6 /a None: JSON has null");
  EXPECT_EQ(Broken(R"({a:1})"), "1  a name without quotes");
  EXPECT_EQ(Broken(R"([1 // one
    ])"),
            "3 /1 a comment: JSON has none");
}

TEST(JsonFaultTest, ACommaBeforeTheEnd) {
  EXPECT_EQ(Broken(R"({"a":[1,2,]})"), "10 /a/2 a comma before ']'");
  EXPECT_EQ(Broken("{\"a\":1,\n}"), "8 /a a comma before '}'");
}

TEST(JsonFaultTest, MistakesWithoutAName) {
  EXPECT_EQ(Broken(R"({"a":1}})"), "7  '}' after the JSON text");
  EXPECT_EQ(Broken(R"({"a" 1})"), "5 /a '1' where JSON has none");
  EXPECT_EQ(Broken(R"([1 nul])"), "3 /1 'n' where JSON has none");
}

TEST(JsonFaultTest, WordsAndNumbersThatAreSpeltOtherwise) {
  EXPECT_EQ(Broken(R"([nul])"), "1 /0 nul: JSON has the words true, false and null");
  EXPECT_EQ(Broken(R"({"a":tru})"), "5 /a tru: JSON has the words true, false and null");
  EXPECT_EQ(Broken(R"([-NaN])"), "1 /0 -NaN: a number that JSON does not write so");
  EXPECT_EQ(Broken(R"([1,+1])"), "3 /1 +1: a number that JSON does not write so");
  EXPECT_EQ(Broken(R"({"a":1.,"b":2})"), "5 /a 1.: a number that JSON does not write so");
  EXPECT_EQ(Broken("nil"), "0  nil: JSON has the words true, false and null");
}

TEST(JsonFaultTest, MistakesOfAKindDifferInTheirValuesOnly) {
  const auto kind = [](std::string_view text) { return FindJsonFault(text)->kind; };
  for (const char* number : {"[NaN]", "[-Infinity]", "[+1]", "{\"a\":1.}"}) {
    EXPECT_EQ(kind(number), "a number") << number;
  }
  EXPECT_EQ(kind("[nul]"), kind("[True]"));
  EXPECT_EQ(kind("[1,}"), "a comma before the end");
  EXPECT_EQ(kind("[1 2]"), "an unexpected byte");
  EXPECT_EQ(kind("{\"a\":1}}"), "an unexpected byte");
  EXPECT_EQ(kind("[\"\n\"]"), "a control character");
  EXPECT_EQ(kind("{\"a\":"), "an early end");
}

TEST(JsonFaultTest, TextsThatEndTooEarly) {
  EXPECT_EQ(Broken(""), "0  nothing");
  EXPECT_EQ(Broken(R"({"a":[1)"), "7 /a the text ends too early");
  EXPECT_EQ(Broken(R"({"a":)"), "5 /a the text ends too early");
  EXPECT_EQ(Broken(R"({"jsonrpc":"2.0","id":5)"), "23  the text ends too early");
  EXPECT_EQ(Broken(R"([{"a":1}, {"b":2})"), "17  the text ends too early");
  EXPECT_EQ(Broken(R"({"a":"bc)"), "5 /a a string without its end");
}

TEST(JsonFaultTest, BytesThatAreNotUtf8) {
  EXPECT_EQ(Text(FindBadUtf8("{\"h\":{\"v\":\"é\xc2\"}}")), "13 /h/v byte 0xc2 is not UTF-8 here");
  EXPECT_EQ(Text(FindBadUtf8("[\"\xed\xb8\x80\"]")),
            "2 /0 U+DE00, half of a surrogate pair, which UTF-8 does not have");
  EXPECT_EQ(Text(FindBadUtf8("{\"a\":\"é\"}")), "");
}

TEST(JsonFaultTest, HalvesOfSurrogatePairs) {
  EXPECT_EQ(Text(FindLoneSurrogate(R"(["\ud83d\ude00","\ud83d"])")),
            "17 /1 half of a surrogate pair: it stands for no character");
  EXPECT_EQ(Text(FindLoneSurrogate(R"({"a":"\uDE00"})")),
            "6 /a half of a surrogate pair: it stands for no character");
  EXPECT_EQ(Text(FindLoneSurrogate(R"(["\ud83d\ud83d\ude00"])")).substr(0, 2), "2 ");
  EXPECT_EQ(Text(FindLoneSurrogate(R"(["\\ud800","\u00e9\n"])")), "");
}

TEST(JsonFaultTest, TheTextAroundItIsCutAndEscaped) {
  const std::string text = std::string(50, 'a') + "\xc2" + std::string(50, 'b');
  EXPECT_EQ(Around(text, 50),
            "..." + std::string(30, 'a') + "\\xc2" + std::string(29, 'b') + "...");
  EXPECT_EQ(Around("a\nb", 1), "a\\nb");
  EXPECT_EQ(Around("", 0), "");
}

}  // namespace
}  // namespace midwire::wire
