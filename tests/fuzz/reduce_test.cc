#include "fuzz/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "fuzz/mutate/edit.h"
#include "tests/sanitized.h"
#include "wire/json/valid.h"

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
            "{\"id\":1,\"method\":\"m\",\"params\":{\"a\":[{\"deep\":true}]}}\n");
}

TEST(ReduceTest, ARequestStaysOne) {
  EXPECT_EQ(Left(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"b":2},"x":3})"
                 "\n",
                 {"\"a\":1"}),
            R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}})"
            "\n");
}

TEST(ReduceTest, WhatIsNoMessageMayLoseItsMethod) {
  EXPECT_EQ(Left(R"({"id":[],"method":5,"params":{"a":1}})"
                 "\n",
                 {"\"a\":1"}),
            "{\"params\":{\"a\":1}}\n");
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

// ---- large inputs

// A parser that recurses, whose stack holds this many levels.
size_t DepthOf(std::string_view text) {
  size_t depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

// Within the tests that a finding gets; `most`: the size of the result.
void ExpectReduced(const std::string& text, const std::function<bool(const Input&)>& still,
                   size_t most) {
  ASSERT_TRUE(still(ParseInput(text)));
  const Reduced reduced = Reduce(ParseInput(text), still);
  EXPECT_TRUE(reduced.finished) << reduced.tests;
  EXPECT_LE(reduced.tests, 500u);
  EXPECT_LE(reduced.input.size(), most);
  EXPECT_TRUE(still(reduced.input));
}

TEST(ReduceTest, DeepNestingIsHalvedTogetherWithWhatClosesIt) {
  const size_t least = Many(50'000);
  const auto still = [least](const Input& input) {
    return input.parts.size() == 1 && wire::IsJson(input.parts[0].body()) &&
           DepthOf(input.Bytes()) >= least;
  };
  const auto message = [](const std::string& deep) {
    return R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"a/b","x":)" + deep + "}}\n";
  };
  const size_t levels = Many(300'000);
  ExpectReduced(message(Repeated("[", levels) + Repeated("]", levels)), still, Many(105'000));
  ExpectReduced(message(Repeated("{\"a\":", levels) + "0" + Repeated("}", levels)), still,
                Many(310'000));
}

TEST(ReduceTest, NestingThatIsNotClosedIsHalved) {
  const auto still = [](const Input& input) { return DepthOf(input.Bytes()) >= 50'000; };
  ExpectReduced("{\"id\":1,\"params\":" + Repeated("[", 400'000) + "\n", still, 52'000);
  ExpectReduced(Repeated("{\"\":", 400'000), still, 260'000);
}

// Where a stack ends differs from process to process.
TEST(ReduceTest, ADepthStaysAboveTheLeastThatShowsIt) {
  const auto still = [](const Input& input) { return DepthOf(input.Bytes()) >= 50'000; };
  const Reduced reduced = Reduce(ParseInput(Repeated("[", 400'000) + "\n"), still);
  EXPECT_GE(DepthOf(reduced.input.Bytes()), 50'500u);
}

TEST(ReduceTest, ALongStringBecomesAsShortAsShowsIt) {
  const auto still = [](const Input& input) { return input.size() > 65'536; };
  ExpectReduced("{\"id\":1,\"s\":\"" + Repeated("a", 1'000'000) + "\"}\n", still, 65'600);
}

TEST(ReduceTest, ALongRunOfMembersIsHalved) {
  std::string text = "{\"id\":1,\"params\":{";
  for (int i = 0; i < 20'000; ++i) text += "\"m" + std::to_string(i) + "\":0,";
  text.back() = '}';
  const auto still = [](const Input& input) {
    const std::string bytes = input.Bytes();
    return std::count(bytes.begin(), bytes.end(), ',') >= 4096;
  };
  ExpectReduced(text + "}\n", still, 4100 * 10);
}

TEST(ReduceTest, ALongRunOfHeadersIsHalved) {
  const auto still = [](const Input& input) {
    return !input.parts.empty() && !input.parts[0].junk() && input.parts[0].head >= 4096;
  };
  std::string numbered;
  for (int i = 0; i < 1500; ++i) numbered += "X-" + std::to_string(i) + ": b\r\n";
  for (const std::string& lines : {Repeated("X-A: b\r\n", 1500), numbered}) {
    ExpectReduced(lines + "Content-Length: 14\r\n\r\n{\"id\":1,\"a\":2}", still, 4200);
  }
}

TEST(ReduceTest, AHeaderThatDoesNotMatterGoes) {
  EXPECT_EQ(Left("X-A: b\r\nContent-Length: 7\r\nX-B: c\r\n\r\n{\"a\":1}", {"X-B", "\"a\":1"}),
            "Content-Length: 7\r\nX-B: c\r\n\r\n{\"a\":1}");
}

TEST(ReduceTest, ManyMessagesBecomeAsFewAsShowIt) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "{\"id\":" + std::to_string(i) + "}\n";
  const auto still = [](const Input& input) { return input.parts.size() >= 300; };
  const Reduced reduced = Reduce(ParseInput(text), still);
  EXPECT_EQ(reduced.input.parts.size(), 300u);
}

TEST(ReduceTest, WhatIsSmallestStays) {
  const auto still = [](const Input& input) { return !input.parts.empty(); };
  const Reduced reduced = Reduce(ParseInput("{}\n"), still);
  EXPECT_TRUE(reduced.finished);
  EXPECT_EQ(reduced.input.parts.size(), 1u);
}

}  // namespace
}  // namespace midwire::fuzz
