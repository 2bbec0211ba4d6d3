// Rule type "exit". The test language is that of conversation.h.
#include <gtest/gtest.h>

#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

const std::string kMembers = R"("jsonrpc":"off","unknown_methods":"off","rules":[{"id":"x",
  "type":"exit","after":["exit"],"with":["shutdown"],"code":0,"otherwise":1}])";

constexpr char kAsked[] = R"(
  spawn
  -> {"id":1,"method":"shutdown"}
  <- {"id":1,"result":null}
  -> {"method":"exit"}
)";
constexpr char kNotAsked[] = R"(
  spawn
  -> {"method":"exit"}
)";

std::string Ended(std::string_view sent, const std::string& how) {
  return Found(kMembers, std::string(sent) + how + "\nend\n");
}

TEST(ExitRule, AsTheProtocolHasIt) {
  EXPECT_EQ(Ended(kAsked, "exit 0"), "");
  EXPECT_EQ(Ended(kNotAsked, "exit 1"), "");
}
TEST(ExitRule, OtherwiseAfterShutdown) {
  EXPECT_EQ(Ended(kAsked, "exit 1"),
            "must x -: expected exit 0 after exit with shutdown, got exit 1\n");
  EXPECT_EQ(Ended(kNotAsked, "exit 0"),
            "must x -: expected exit 1 after exit without shutdown, got exit 0\n");
}
TEST(ExitRule, OnlyAfterIt) { EXPECT_EQ(Ended("spawn\n-> {\"method\":\"a\"}\n", "exit 7"), ""); }
TEST(ExitRule, ShutdownAfterExitIsTooLate) {
  EXPECT_EQ(Ended("-> {\"method\":\"exit\"}\n-> {\"method\":\"shutdown\"}\n", "exit 1"), "");
}
TEST(ExitRule, ACrashIsNoExitStatus) {
  EXPECT_NE(Ended(kAsked, "signal 11").find("must x -: expected exit 0 after exit with"),
            std::string::npos);
}
TEST(ExitRule, WhereShutdownMayBeLostNothingIsReported) {
  EXPECT_EQ(Ended("spawn\ngap\n-> {\"method\":\"exit\"}\n", "exit 0"), "");
  EXPECT_NE(Ended(std::string(kAsked) + "gap\n", "exit 1"), "");
}
TEST(ExitRule, EachSessionForItself) {
  EXPECT_EQ(Ended(std::string(kAsked) + "exit 0\nsession\n" + kNotAsked, "exit 1"), "");
}
TEST(ExitRule, WithoutOtherwiseOnlyWhatWasAskedCounts) {
  const std::string members = R"("jsonrpc":"off","unknown_methods":"off","rules":[{"id":"x",
    "type":"exit","after":["exit"],"with":["shutdown"],"code":0}])";
  EXPECT_EQ(Found(members, std::string(kNotAsked) + "exit 9\n"), "");
}

}  // namespace
}  // namespace midwire::trace
