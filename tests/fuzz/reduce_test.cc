#include "fuzz/reduce.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

// What is left of `text` while it still contains all of `needed`.
std::string Left(const std::string& text, const std::vector<std::string>& needed,
                 ReduceOptions options = {}) {
  const auto still = [&](const Input& input) {
    const std::string bytes = input.Bytes();
    size_t at = 0;
    for (const std::string& word : needed) {
      at = bytes.find(word, at);
      if (at == std::string::npos) return false;
    }
    return true;
  };
  return Reduce(ParseInput(text), still, options).input.Bytes();
}

TEST(ReduceTest, MessagesThatDoNotMatterGo) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "{\"id\":" + std::to_string(i) + "}\n";
  EXPECT_EQ(Left(text, {"{\"id\":7}", "{\"id\":31}"}), "{\"id\":7}\n{\"id\":31}\n");
}

TEST(ReduceTest, MembersAndElementsThatDoNotMatterGo) {
  EXPECT_EQ(Left(R"({"id":1,"method":"m","params":{"a":[1,2,{"deep":true}],"b":"x"}})"
                 "\n",
                 {"\"deep\":true"}),
            "{\"params\":{\"a\":[{\"deep\":true}]}}\n");
}

TEST(ReduceTest, ValuesBecomeTheSmallestOfTheirType) {
  EXPECT_EQ(Left(R"({"text":"some long text","n":123456,"o":{"p":{"q":1}}})"
                 "\n",
                 {"\"text\":\"", "\"n\":", "\"o\":{"}),
            "{\"text\":\"\",\"n\":0,\"o\":{}}\n");
}

TEST(ReduceTest, OfAStringTheBytesThatMatterStay) {
  EXPECT_EQ(Left("{\"s\":\"some where in MAGIC there\"}\n", {"\"s\":\"", "MAGIC"}),
            "{\"s\":\"MAGIC\"}\n");
}

TEST(ReduceTest, WhenStoppedTheSmallestInputIsKept) {
  int calls = 0;
  const std::string text = "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4}\n";
  EXPECT_EQ(Left(text, {"4"}, {.stop = [] { return true; }}), text);
  EXPECT_EQ(Left(text, {"4"}, {.stop = [&] { return ++calls > 8; }}), "{\"id\":3}\n{\"id\":4}\n");
}

TEST(ReduceTest, ALengthFollowsItsBody) {
  EXPECT_EQ(Left("Content-Length: 21\r\n\r\n{\"a\":1,\"b\":[1,2,3,4]}", {"\"a\":1"}),
            "Content-Length: 7\r\n\r\n{\"a\":1}");
}

TEST(ReduceTest, JunkLosesBytes) {
  EXPECT_EQ(Left("a line that does not frame with XYZ in it\n", {"XYZ"}), "XYZ");
}

TEST(ReduceTest, StopsWhenItsTestsAreSpent) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "{\"id\":" + std::to_string(i) + "}\n";
  size_t tests = 0;
  const auto still = [&](const Input&) { return ++tests, false; };
  const Reduced reduced = Reduce(ParseInput(text), still, {.max_tests = 10});
  EXPECT_EQ(tests, 10u);
  EXPECT_FALSE(reduced.finished);
  EXPECT_EQ(reduced.input.Bytes(), text);
}

TEST(ReduceTest, WhatIsSmallestStays) {
  const auto still = [](const Input& input) { return !input.parts.empty(); };
  const Reduced reduced = Reduce(ParseInput("{}\n"), still);
  EXPECT_TRUE(reduced.finished);
  EXPECT_EQ(reduced.input.parts.size(), 1u);
}

}  // namespace
}  // namespace midwire::fuzz
