#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr const char* kWithPauses = R"(
    at 0s
    -> {"id":1,"method":"a"}
    at 2s
    <- {"id":1,"result":1}
    at 3s
    -> {"method":"b"}
    at 3.5s
    -> {"method":"c"}
)";

TEST(ReplayTimingTest, AsSoonAsPossible) {
  ExpectReplays(Host(), kWithPauses, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"b"}
    -> {"method":"c"}
    closes
    same
  )");
}

TEST(ReplayTimingTest, WithTheRecordedPauses) {
  ExpectReplays(Host().Speed(1), kWithPauses, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    wait 999ms
    wait 1ms
    -> {"method":"b"}
    wait 499ms
    wait 1ms
    -> {"method":"c"}
    closes
    same
  )");
}

TEST(ReplayTimingTest, TenTimesAsFast) {
  ExpectReplays(Host().Speed(10), kWithPauses, R"(
    -> {"id":1,"method":"a"}
    wait 4s
    <- {"id":1,"result":1}
    wait 99ms
    wait 1ms
    -> {"method":"b"}
    wait 50ms
    -> {"method":"c"}
    closes
    same
  )");
}

TEST(ReplayTimingTest, ALongRecordedPauseOfOursIsNoSilenceOfThePeer) {
  ExpectReplays(Host().Speed(1), R"(
    at 0s
    -> {"method":"a"}
    at 60s
    -> {"method":"b"}
  )",
                R"(
    -> {"method":"a"}
    wait 59s
    wait 1s
    -> {"method":"b"}
    closes
    same
  )");
}

TEST(ReplayTimingTest, WhatFollowsASlowAnswerOfAMocksDoesNotPutItOff) {
  ExpectReplays(Mock().Speed(1), R"(
    at 0s
    -> {"id":1,"method":"a"}
    at 2s
    <- {"id":1,"result":1}
    at 2.1s
    -> {"method":"note"}
    at 2.2s
    <- {"method":"log"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    wait 500ms
    wait 1499ms
    wait 1ms
    <- {"id":1,"result":1}
    -> {"method":"note"}
    wait 100ms
    <- {"method":"log"}
    same
  )");
}

TEST(ReplayTimingTest, AnAnswerOfOursHasItsPauseToo) {
  ExpectReplays(Host().Speed(1), R"(
    at 0s
    <- {"id":1,"method":"ask"}
    at 2s
    -> {"id":1,"result":1}
  )",
                R"(
    <- {"id":1,"method":"ask"}
    wait 1999ms
    wait 1ms
    -> {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayTimingTest, ATraceWithoutTimesGoesAsSoonAsPossible) {
  ExpectReplays(Host().Speed(1), R"(
    -> {"method":"a"}
    -> {"method":"b"}
  )",
                R"(
    -> {"method":"a"}
    -> {"method":"b"}
    closes
    same
  )");
}

constexpr const char* kWithLog = R"(
    -> {"method":"a"}
    <- {"method":"log"}
    -> {"method":"b"}
)";

TEST(ReplayTimingTest, APeerThatRunsWhenAWaitEndsIsNotSilent) {
  ExpectReplays(Host(), kWithLog, R"(
    -> {"method":"a"}
    busy
    wait 1.4s
    <- {"method":"log"}
    idle
    wait 1ms
    -> {"method":"b"}
    closes
    same
  )");
}

TEST(ReplayTimingTest, NorAtTheEndOfTheFreeOrder) {
  ExpectReplays(Host().Ordered(Order::kFree), kWithLog, R"(
    -> {"method":"a"}
    -> {"method":"b"}
    busy
    wait 1.4s
    <- {"method":"log"}
    closes
    same
  )");
}

TEST(ReplayTimingTest, NorAtTheTimeout) {
  ExpectReplays(Host(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    busy
    wait 5.4s
    <- {"id":1,"result":1}
    idle
    wait 1ms
    -> {"id":2,"method":"b"}
    wait 5s
    finishes
    hung 4 b
    missing 4 b: {"id":2,"result":2} | -
  )");
}

TEST(ReplayTimingTest, OneThatAlwaysRunsIsNotWaitedForMuchLonger) {
  ExpectReplays(Host(), kWithLog, R"(
    -> {"method":"a"}
    busy
    wait 1499ms
    wait 2ms
    -> {"method":"b"}
    closes
    missing 2 log: {"method":"log"} | -
  )");
}

TEST(ReplayTimingTest, AMockPausesAsItDid) {
  ExpectReplays(Mock().Speed(1), R"(
    at 0s
    -> {"id":1,"method":"a"}
    at 2s
    <- {"id":1,"result":1}
  )",
                R"(
    wait 10s
    -> {"id":1,"method":"a"}
    wait 1999ms
    wait 1ms
    <- {"id":1,"result":1}
    same
  )");
}

}  // namespace
}  // namespace midwire::replay
