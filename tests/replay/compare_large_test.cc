// Values with many members or levels are compared in bounded time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "tests/processor_time.h"
#include "tests/replay/comparison.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string ManyMembers(size_t size, uint32_t seed, std::string_view name = "\"member") {
  std::vector<size_t> order(size);
  for (size_t i = 0; i < size; ++i) order[i] = i;
  std::mt19937 random(seed);
  if (seed != 0) std::shuffle(order.begin(), order.end(), random);
  std::string text = "{";
  for (const size_t i : order) {
    text += (text.size() > 1 ? "," : "") + std::string(name) + std::to_string(i) +
            "\":" + std::to_string(i);
  }
  return text + "}";
}

TEST(CompareLargeTest, ManyMembersInAnyOrder) {
  const auto start = ProcessorTime();
  const std::string expected = ManyMembers(100'000, 0);
  EXPECT_THAT(Differences(expected, ManyMembers(100'000, 1)), IsEmpty());
  EXPECT_THAT(Differences(expected, ManyMembers(100'000, 2, "\"me\\u006dber")), IsEmpty());
  EXPECT_THAT(Differences(expected, ManyMembers(100'001, 3)),
              ElementsAre("/member100000:  | 100000"));
  EXPECT_THAT(Differences(expected, ManyMembers(99'999, 4)), ElementsAre("/member99999: 99999 | "));
  // All pairs would take minutes.
  EXPECT_LT(ProcessorTime() - start, std::chrono::seconds(20));
}

TEST(CompareLargeTest, ManyMembersOfOneName) {
  std::string many = "{\"a\":0";
  for (int i = 1; i <= 100'000; ++i) many += ",\"a\":" + std::to_string(i);
  EXPECT_THAT(Differences(many + "}", many + " }"), IsEmpty());
  EXPECT_THAT(Comparison().AtMost(1).Of(R"({"a":100000})", many + "}"), ElementsAre("/a:  | 0"));
  EXPECT_THAT(Differences(many + ",\"b\":1}", many + ",\"a\":1}"), SizeIs(100'003));
}

TEST(CompareLargeTest, ManyElementsMore) {
  std::string many = "[0";
  for (int i = 1; i <= 1'000'000; ++i) many += ",0";
  EXPECT_THAT(Comparison().AtMost(2).Of("[]", many + "]"), ElementsAre("/0:  | 0", "/1:  | 0"));
}

TEST(CompareUnorderedTest, AHostileArrayIsComparedInBoundedTime) {
  const Comparison any = Comparison().Unordered("/*").Unordered("/*/*").AtMost(1);
  std::string left = "[[", right = "[[";
  for (int i = 0; i < 3000; ++i) {
    left += "[" + std::to_string(i) + ",0],";
    right += "[0,-" + std::to_string(i + 1) + "],";
  }
  const auto start = ProcessorTime();
  EXPECT_THAT(any.Of(left + "0]]", right + "0]]"), SizeIs(1));
  EXPECT_LT(ProcessorTime() - start, std::chrono::seconds(2));
}

TEST(CompareLargeTest, AsDeepAsItGoes) {
  const auto nested = [](std::string_view open, std::string_view inner, char close) {
    std::string text;
    for (size_t i = 0; i < wire::kMaxLooseDepth; ++i) text += open;
    return text + std::string(inner) + std::string(wire::kMaxLooseDepth, close);
  };
  const auto arrays = Comparison().Differences(nested("[", "1", ']'), nested("[ ", "2", ']'));
  ASSERT_THAT(arrays, SizeIs(1));
  EXPECT_EQ(arrays[0].pointer.size(), 2 * wire::kMaxLooseDepth);
  EXPECT_THAT(Differences(nested("{\"a\":", "1", '}'), nested("{ \"a\":", "2", '}')), SizeIs(1));
  // Too deep: bytes.
  EXPECT_THAT(Differences(nested("[", "[]", ']'), nested("[", "[ ]", ']')), SizeIs(1));
}

}  // namespace
}  // namespace midwire::replay
