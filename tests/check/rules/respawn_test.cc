// The rule type respawn.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kRespawn = R"({"type":"respawn","failures":3,"window_ms":60000,
  "closed_by":["stop"],"delays_ms":[1000,4000,16000]})";

TEST(RespawnRule, QuarantineAfterThreeFailures) {
  EXPECT_EQ(FoundBy(kRespawn, {"spawn p", "+100", "killed 11", "---", "+1000", "spawn p", "+100",
                               "exit 1", "---", "+4000", "spawn p", "exit 1", "---", "+16000",
                               "spawn p", "exit 0", "---", "+100", "spawn p"}),
            "#0 h2p : no session after 3 failures in 60000 ms | "
            "one that began 16000 ms after the last of them\n");
}
TEST(RespawnRule, FailuresThatAreFarBetween) {
  EXPECT_EQ(FoundBy(kRespawn, {"spawn p", "exit 1", "---", "+40000", "spawn p", "exit 1", "---",
                               "+40000", "spawn p", "exit 1", "---", "+40000", "spawn p"}),
            "");
}
TEST(RespawnRule, TooSoonHasItsOwnSeverity) {
  EXPECT_EQ(FoundBy(kRespawn, {"spawn p", "exit 1", "---", "+950", "spawn p", "exit 2", "---",
                               "+1000", "spawn p"}),
            "#0 h2p : 4000 ms after failure 2 in a row | 1000 ms (should)\n");
}
TEST(RespawnRule, WhatTheHostEndedDidNotFail) {
  EXPECT_EQ(
      FoundBy(kRespawn, {"spawn p", "signal 15", "killed 15", "---", "spawn p", Ask('>', 1, "stop"),
                         "exit 1", "---", "spawn p", "exit 0", "---", "spawn p", "exit 1", "---",
                         "+1000", "spawn q", "exit 1", "---", "spawn r"}),
      "");
}
TEST(RespawnRule, WithoutTimesItIsUnknown) {
  EXPECT_EQ(FoundBy(kRespawn, {"untimed", "spawn p", "exit 1", "---", "spawn p", "exit 1", "---",
                               "spawn p", "exit 1", "---", "spawn p"}),
            "");
}

}  // namespace
}  // namespace midwire::trace
