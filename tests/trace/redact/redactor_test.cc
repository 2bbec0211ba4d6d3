#include "trace/redact/redactor.h"

#include <gtest/gtest.h>

#include "tests/trace/redact/key.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::trace::redact {
namespace {

// Redacts whole and byte by byte; both must agree, keep the length and stay JSON.
std::string Redact(std::vector<std::string> pointers, std::string text) {
  std::vector<wire::Pointer> parsed;
  for (const std::string& pointer : pointers) parsed.push_back(*wire::ParsePointer(pointer));
  Redactor whole(parsed, kKey), bytes(parsed, kKey);
  std::string slow = text, fast = text;
  whole.Rewrite(fast.data(), fast.size());
  for (char& c : slow) bytes.Rewrite(&c, 1);
  EXPECT_EQ(fast, slow);
  EXPECT_EQ(fast.size(), text.size());
  EXPECT_TRUE(wire::IsJson(fast)) << fast;
  return fast;
}

// The token of a secret string value.
std::string TokenOfString(const std::string& raw) {
  return Redact({"/s"}, "{\"s\":\"" + raw + "\"}").substr(6, raw.size());
}

TEST(RedactorTest, OnlyTheValueAtThePointerChanges) {
  const std::string text = Redact(
      {"/params/token"}, R"({"token":"a","params":{"token":"secret","x":"secret"},"y":"token"})");
  EXPECT_EQ(text.substr(0, 32), R"({"token":"a","params":{"token":")");
  EXPECT_NE(text.substr(32, 6), "secret");
  EXPECT_EQ(text.substr(38), R"(","x":"secret"},"y":"token"})");
}

TEST(RedactorTest, EqualSecretsGetEqualTokens) {
  EXPECT_EQ(TokenOfString("hunter2"), TokenOfString("hunter2"));
  EXPECT_NE(TokenOfString("hunter2"), TokenOfString("punter2"));
}

TEST(RedactorTest, AnotherKeyGivesAnotherToken) {
  std::string text = R"({"s":"hunter2hunter2"})";
  Redactor other({*wire::ParsePointer("/s")}, {9});
  other.Rewrite(text.data(), text.size());
  EXPECT_NE(text, Redact({"/s"}, R"({"s":"hunter2hunter2"})"));
}

TEST(RedactorTest, EscapesAndUtf8AreReplacedByteForByte) {
  for (const char* raw : {"a\\\"b", "\\u00e9", "\xc3\xa9", "\\\\", ""}) {
    EXPECT_EQ(TokenOfString(raw).find_first_not_of(
                  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
              std::string::npos);
  }
}

TEST(RedactorTest, NumbersStayNumbers) {
  const std::string text = Redact({"/n"}, R"({"n":-10.50e+03,"m":10})");
  EXPECT_EQ(text.substr(5, 1), "-");
  EXPECT_EQ(text.substr(8, 1), ".");
  EXPECT_EQ(text.substr(11), R"(e+03,"m":10})");
  EXPECT_NE(text.substr(6, 5), "10.50");
}

TEST(RedactorTest, LiteralsAndNamesStay) {
  EXPECT_EQ(Redact({"/a", "/b"}, R"({"a":true,"b":{"c":null}})"), R"({"a":true,"b":{"c":null}})");
}

TEST(RedactorTest, AContainerIsHiddenWithAllInIt) {
  const std::string text = Redact({"/env"}, R"({"env":{"K":["v1",{"L":"v2"}]},"x":"v1"})");
  EXPECT_EQ(text.find("\"v1\""), text.rfind("\"v1\""));
  EXPECT_EQ(text.find("v2"), std::string::npos);
  EXPECT_NE(text.find("\"L\""), std::string::npos);
}

TEST(RedactorTest, StarMatchesAnyNameAndAnyIndex) {
  const std::string text = Redact({"/a/*/k"}, R"({"a":[{"k":"s0"},{"k":"s1","o":"s1"}],"k":"s0"})");
  EXPECT_EQ(text.find("s0"), text.rfind("s0"));
  EXPECT_EQ(text.find("s1"), text.rfind("s1"));
}

TEST(RedactorTest, DeepStepsMatchAnyNumberOfSteps) {
  const std::string text =
      Redact({"/a/**/k/*"}, R"({"a":{"b":[{"k":["s0"]}],"k":{"x":"s1"}},"k":["s2"]})");
  EXPECT_EQ(text.find("s0"), text.npos);
  EXPECT_EQ(text.find("s1"), text.npos);
  EXPECT_NE(text.find("s2"), text.npos);
}

TEST(RedactorTest, AnIndexMatchesOneElement) {
  EXPECT_EQ(Redact({"/a/1"}, R"({"a":["x","z","x"]})").find("z"), std::string::npos);
  EXPECT_EQ(Redact({"/a/1"}, R"({"a":["xyz","z","xyz"]})").substr(6, 5), "\"xyz\"");
}

TEST(RedactorTest, EscapedNamesMatch) {
  EXPECT_EQ(Redact({"/to~1k"}, R"({"t\u006f\/k":"hide-me"})").find("hide-me"), std::string::npos);
}

TEST(RedactorTest, EveryElementOfABatch) {
  const std::string text = Redact({"/p/t"}, R"([{"p":{"t":"one"}},{"p":{"t":"two","u":"one"}}])");
  EXPECT_EQ(text.find("\"one\""), text.rfind("\"one\""));
  EXPECT_EQ(text.find("two"), std::string::npos);
}

TEST(RedactorTest, DeepNestingIsBounded) {
  std::string deep = "{\"s\":" + std::string(100'000, '[') + "\"x\"";
  Redactor redactor({*wire::ParsePointer("/s")}, kKey);
  redactor.Rewrite(deep.data(), deep.size());
  EXPECT_EQ(deep.find("\"x\""), std::string::npos);
}

TEST(PointerTest, WhatIsNoPointerIsRefusedWithARemedy) {
  for (const char* text : {"", "params", "/a~", "/a~2"})
    EXPECT_FALSE(wire::ParsePointer(text).ok()) << text;
  EXPECT_EQ(wire::ParsePointer("/a~1b/~0//c")->steps,
            (std::vector<std::string>{"a/b", "~", "", "c"}));
}

std::string RedactNames(std::vector<std::string> names, std::string text) {
  Redactor redactor({}, kKey, std::move(names));
  for (char& c : text) redactor.Rewrite(&c, 1);
  return text;
}
// The text with a ~ for each byte of a secret.
std::string Located(std::vector<std::string> names, std::string text) {
  Redactor redactor({}, kKey, std::move(names));
  std::vector<Redactor::Place> places;
  for (size_t at = 0; at < text.size(); ++at) {
    redactor.Locate(std::string_view(text).substr(at, 1), at, &places);
  }
  for (const auto& [at, size] : places) text.replace(at, size, size, '~');
  return text;
}

TEST(RedactorTest, NamesOfMembersAnywhere) {
  const std::string text =
      RedactNames({"token"}, R"([{"a":{"To\u006Ben":{"x":"secret"}},"t":"secret"}])");
  EXPECT_EQ(text.find("secret"), text.rfind("secret"));
  EXPECT_NE(text.find(R"("t":"secret")"), std::string::npos);
}

TEST(RedactorTest, ASchemaIsNoSecret) {
  const std::string schema =
      R"({"schema":{"properties":{"token":{"anyOf":[{"type":"string"}],"items":[{"pattern":"a"}]}}}})";
  EXPECT_EQ(RedactNames({"token"}, schema), schema);
  EXPECT_EQ(Located({"token"}, R"({"properties":{"token":{"type":"string","default":"abc"}}})"),
            R"({"properties":{"token":{"type":"string","default":"~~~"}}})");
  EXPECT_EQ(Located({"token"}, R"({"properties":{"token":"abc","type":"x"}})"),
            R"({"properties":{"token":"~~~","type":"x"}})");
}

TEST(RedactorTest, WhereSecretsStand) {
  EXPECT_EQ(Located({"k"}, R"({"k":["a",-1.5e3,true,null],"j":"a"})"),
            R"({"k":["~",~~~~~~,true,null],"j":"a"})");
}

}  // namespace
}  // namespace midwire::trace::redact
