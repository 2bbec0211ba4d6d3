#include "fuzz/closing.h"

#include <gtest/gtest.h>

#include "wire/dialect.h"

namespace midwire::fuzz {
namespace {

constexpr char kPing[] = "{\"id\":1,\"method\":\"ping\"}\n";
constexpr char kShutdown[] = "{\"id\":2,\"method\":\"shutdown\"}\n";
constexpr char kNamesOne[] = "{\"id\":3,\"method\":\"ping\",\"params\":[\"exit\"\n";

std::string LeftOf(const std::string& session) {
  Input input = ParseInput(session);
  Closing(nullptr).LeaveOut(&input);
  return input.Bytes();
}

TEST(ClosingTest, MessagesThatMayEndASessionAreLeftOut) {
  EXPECT_EQ(LeftOf(std::string(kPing) + kShutdown + kNamesOne + kPing), std::string(kPing) + kPing);
}

TEST(ClosingTest, WhereNothingWouldBeLeftAllStays) {
  EXPECT_EQ(LeftOf(std::string(kShutdown) + kNamesOne), std::string(kShutdown) + kNamesOne);
  EXPECT_EQ(LeftOf(""), "");
}

TEST(ClosingTest, NothingNamesNothing) {
  EXPECT_FALSE(Closing(nullptr).IsNamedIn({}));  // of it the bytes are nowhere
  EXPECT_TRUE(Closing(nullptr).IsNamedIn(kShutdown));
  EXPECT_FALSE(Closing(nullptr).IsNamedIn(kPing));
}

TEST(ClosingTest, TheDialectSaysWhichTheyAre) {
  wire::Dialect dialect;
  dialect.last = {"bye"};
  const Closing closing(&dialect);
  EXPECT_TRUE(closing.IsMethod("bye"));
  EXPECT_FALSE(closing.IsMethod("shutdown"));
}

}  // namespace
}  // namespace midwire::fuzz
