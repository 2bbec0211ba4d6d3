#include "fuzz/shutdown_methods.h"

#include <gtest/gtest.h>

#include <set>

#include "wire/dialect/dialect.h"

namespace midwire::fuzz {
namespace {

constexpr char kPingLine[] = "{\"id\":1,\"method\":\"ping\"}\n";
constexpr char kShutdownLine[] = "{\"id\":2,\"method\":\"shutdown\"}\n";
constexpr char kNamesOneLine[] = "{\"id\":3,\"method\":\"ping\",\"params\":[\"exit\"\n";

std::string LeftOf(const std::string& session) {
  Input input = ParseInput(session);
  ShutdownMethods(nullptr).LeaveOut(&input);
  return input.Bytes();
}

TEST(ShutdownMethodsTest, MessagesThatMayEndASessionAreLeftOut) {
  EXPECT_EQ(LeftOf(std::string(kPingLine) + kShutdownLine + kNamesOneLine + kPingLine),
            std::string(kPingLine) + kPingLine);
}

TEST(ShutdownMethodsTest, IfNothingWouldBeLeftAllStays) {
  EXPECT_EQ(LeftOf(std::string(kShutdownLine) + kNamesOneLine),
            std::string(kShutdownLine) + kNamesOneLine);
  EXPECT_EQ(LeftOf(""), "");
}

TEST(ShutdownMethodsTest, AnEarlierMessageIsMovedBehindTheShutdown) {
  const std::string a = "{\"id\":1,\"method\":\"a\"}\n", b = "{\"id\":2,\"method\":\"b\"}\n";
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Input input = ParseInput(a + b + kShutdownLine + kPingLine);
    Random random(seed);
    ShutdownMethods(nullptr).MoveBehind(&input, &random);
    made.insert(input.Bytes());
  }
  EXPECT_EQ(made, (std::set<std::string>{a + kShutdownLine + b + kPingLine,
                                         b + kShutdownLine + a + kPingLine}));
}

TEST(ShutdownMethodsTest, WithoutAnEarlierMessageOrAShutdownNothingIsMoved) {
  for (const std::string& session :
       {std::string(), std::string(kPingLine), kShutdownLine + std::string(kPingLine)}) {
    Input input = ParseInput(session);
    Random random(1);
    ShutdownMethods(nullptr).MoveBehind(&input, &random);
    EXPECT_EQ(input.Bytes(), session);
  }
}

TEST(ShutdownMethodsTest, AnEmptyTextHasNoName) {
  EXPECT_FALSE(ShutdownMethods(nullptr).IsNamedIn({}));  // its data() is null
  EXPECT_TRUE(ShutdownMethods(nullptr).IsNamedIn(kShutdownLine));
  EXPECT_FALSE(ShutdownMethods(nullptr).IsNamedIn(kPingLine));
}

TEST(ShutdownMethodsTest, MethodsThatEndedTheRecordedPluginAreAdded) {
  const ShutdownMethods methods(nullptr, {"quit"});
  EXPECT_TRUE(methods.IsMethod("quit"));
  EXPECT_TRUE(methods.IsMethod("exit"));
  EXPECT_FALSE(ShutdownMethods(nullptr).IsMethod("quit"));
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
