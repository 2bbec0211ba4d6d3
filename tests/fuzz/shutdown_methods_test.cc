#include "fuzz/shutdown_methods.h"

#include <gtest/gtest.h>

#include <set>

#include "wire/dialect/dialect.h"

namespace midwire::fuzz {
namespace {

constexpr char kPing[] = "{\"id\":1,\"method\":\"ping\"}\n";
constexpr char kShutdown[] = "{\"id\":2,\"method\":\"shutdown\"}\n";
constexpr char kNamesOne[] = "{\"id\":3,\"method\":\"ping\",\"params\":[\"exit\"\n";

std::string LeftOf(const std::string& session) {
  Input input = ParseInput(session);
  ShutdownMethods(nullptr).LeaveOut(&input);
  return input.Bytes();
}

TEST(ShutdownMethodsTest, MessagesThatMayEndASessionAreLeftOut) {
  EXPECT_EQ(LeftOf(std::string(kPing) + kShutdown + kNamesOne + kPing), std::string(kPing) + kPing);
}

TEST(ShutdownMethodsTest, IfNothingWouldBeLeftAllStays) {
  EXPECT_EQ(LeftOf(std::string(kShutdown) + kNamesOne), std::string(kShutdown) + kNamesOne);
  EXPECT_EQ(LeftOf(""), "");
}

TEST(ShutdownMethodsTest, AnEarlierMessageIsMovedBehindTheShutdown) {
  const std::string a = "{\"id\":1,\"method\":\"a\"}\n", b = "{\"id\":2,\"method\":\"b\"}\n";
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Input input = ParseInput(a + b + kShutdown + kPing);
    Random random(seed);
    ShutdownMethods(nullptr).MoveBehind(&input, &random);
    made.insert(input.Bytes());
  }
  EXPECT_EQ(made, (std::set<std::string>{a + kShutdown + b + kPing, b + kShutdown + a + kPing}));
}

TEST(ShutdownMethodsTest, WithoutAnEarlierMessageOrAShutdownNothingIsMoved) {
  for (const std::string& session :
       {std::string(), std::string(kPing), kShutdown + std::string(kPing)}) {
    Input input = ParseInput(session);
    Random random(1);
    ShutdownMethods(nullptr).MoveBehind(&input, &random);
    EXPECT_EQ(input.Bytes(), session);
  }
}

TEST(ShutdownMethodsTest, AnEmptyTextHasNoName) {
  EXPECT_FALSE(ShutdownMethods(nullptr).IsNamedIn({}));  // its data() is null
  EXPECT_TRUE(ShutdownMethods(nullptr).IsNamedIn(kShutdown));
  EXPECT_FALSE(ShutdownMethods(nullptr).IsNamedIn(kPing));
}

TEST(ShutdownMethodsTest, TheDialectDefinesTheMethods) {
  wire::Dialect dialect;
  dialect.last = {"bye"};
  const ShutdownMethods methods(&dialect);
  EXPECT_TRUE(methods.IsMethod("bye"));
  EXPECT_FALSE(methods.IsMethod("shutdown"));
}

}  // namespace
}  // namespace midwire::fuzz
