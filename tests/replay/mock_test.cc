#include <gmock/gmock.h>

#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayMockTest, AnswersUnderTheLiveIds) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"jsonrpc":"2.0", "id":1, "result":1}
  )",
                R"(
    -> {"id":100,"method":"a"}
    <- {"jsonrpc":"2.0", "id":100, "result":1}
    same
  )");
}

TEST(ReplayMockTest, AFirstMessageThatIsNotRecordedIsFramedOtherwiseToo) {
  LiveRun run(TapeOf("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}"), Mock());
  run.Happens(R"(=> {"id":1,"method":"b"})");
  EXPECT_THAT(run.End(), testing::HasSubstr("framing 1 a: line | content-length\n"));
}

TEST(ReplayMockTest, ProgressComesBeforeTheAnswer) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":2}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":2}
    <- {"id":1,"result":1}
    same
  )");
}

TEST(ReplayMockTest, AReverseCallInsideTheCall) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":true}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":5,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":true}
    <- {"id":5,"result":1}
    same
  )");
}

// How a pipe cuts the bytes of a host that waits for nothing depends on the machine.
TEST(ReplayMockTest, ACallAndAnAnswerInOneReadAreJudgedAsInTwo) {
  const std::string tape = TapeOf(R"(
    -> {"id":1,"method":"a"}
    <- {"id":"q","method":"ask"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    -> {"id":"q","result":true}
    <- {"id":1,"result":1}
  )");
  for (const Order order : {Order::kCausal, Order::kStrict, Order::kFree}) {
    LiveRun run(tape, Mock().Ordered(order));
    run.Say(BytesOf(R"(-> {"id":1,"method":"a"})"));
    run.Say(BytesOf(R"(-> {"id":2,"method":"b"})") + BytesOf(R"(-> {"id":"q","result":true})"));
    EXPECT_EQ(run.End(), "same\n");
  }
}

TEST(ReplayMockTest, WhatFollowsTheEndInOneReadIsNotJudged) {
  LiveRun run(TapeOf(R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    exit 0
    end
  )"),
              Mock());
  run.Say(BytesOf(R"(-> {"id":1,"method":"a"})") + BytesOf(R"(-> {"id":2,"method":"b"})"));
  EXPECT_EQ(run.End(), "same\n");
}

TEST(ReplayMockTest, EqualBytesOnceMoreAreASecondRequest) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    -> {"id":3,"method":"c"}
    <- {"id":3,"result":3}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    -> {"id":2,"method":"b"}
    <- {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"midwire: requested more often than recorded"}}
    -> {"id":3,"method":"c"}
    <- {"id":3,"result":3}
    extra - b: - | {"id":<id>,"method":"b"} closest 3
  )");
}

TEST(ReplayMockTest, AHostThatAnswersOtherwiseIsReported) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":true}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":false}
    <- {"id":1,"result":1}
    differs 3 ask /result: true | false
  )");
}

TEST(ReplayMockTest, AHostThatSpeaksInAnotherOrder) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"of a"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":"of b"}
  )",
                R"(
    -> {"id":1,"method":"b"}
    <- {"id":1,"result":"of b"}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":"of a"}
    same
  )");
}

TEST(ReplayMockTest, AHostThatDoesNotAnswerTheReverseCallStillGetsItsAnswer) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":true}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    wait 249ms
    wait 1ms
    <- {"id":1,"result":1}
    missing 3 ask: {"id":1,"result":true} | -
  )");
}

TEST(ReplayMockTest, SaysTheRecordedStderrAndEnds) {
  ExpectReplays(Mock(), R"(
    spawn
    stderr starting
    -> {"id":1,"method":"a"}
    stderr doing a
    <- {"id":1,"result":1}
    -> {"method":"exit"}
    stderr bye
    exit 3
    end
  )",
                R"(
    says starting
    -> {"id":1,"method":"a"}
    says doing a
    <- {"id":1,"result":1}
    -> {"method":"exit"}
    says bye
    finishes
    same
  )");
}

TEST(ReplayMockTest, KnowsHowTheRecordedPluginEnded) {
  LiveRun run(TapeOf("exit 3"), Mock());
  ASSERT_TRUE(run.player().recorded_end().has_value());
  EXPECT_EQ(run.player().recorded_end()->code, 3);
}

TEST(ReplayMockTest, OneThatEofEndedWaitsForIt) {
  ExpectReplays(Mock(), R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    eof host
    exit 0
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    wait 60s
    eof
    finishes
    same
  )");
}

TEST(ReplayMockTest, AMockOutlastsASilentHost) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    wait 3600s
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    same
  )");
}

TEST(ReplayMockTest, AnExtraRequestGetsAnError) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a","params":1}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":7,"method":"x"}
    <- {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"midwire: no recording of x"}}
    -> {"id":8,"method":"a","params":1}
    <- {"id":8,"result":1}
    extra - x: - | {"id":<id>,"method":"x"}
  )");
}

TEST(ReplayMockTest, OrTheNearestRecordingsAnswer) {
  ExpectReplays(Mock().OnExtras(OnExtra::kNearest), R"(
    -> {"id":1,"method":"a","params":{"x":1,"y":1}}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"a","params":{"x":2,"y":2}}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a","params":{"x":1,"y":1}}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"a","params":{"x":2,"y":2}}
    <- {"id":2,"result":2}
    -> {"id":"n","method":"a","params":{"x":1,"y":3}}
    <- {"id":"n","result":1}
    extra - a /params/y: 1 | 3 closest 1
  )");
}

TEST(ReplayMockTest, OrNone) {
  ExpectReplays(Mock().OnExtras(OnExtra::kSilent), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":7,"method":"x"}
    -> {"id":8,"method":"a"}
    <- {"id":8,"result":1}
    extra - x: - | {"id":<id>,"method":"x"}
  )");
}

constexpr const char* kOnce = R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
)";

TEST(ReplayMockTest, OnceMoreThanRecordedIsAnError) {
  for (const OnExtra extra : {OnExtra::kError, OnExtra::kNearest}) {
    ExpectReplays(Mock().OnExtras(extra), kOnce, R"(
      -> {"id":1,"method":"a"}
      <- {"id":1,"result":1}
      -> {"id":2,"method":"a"}
      <- {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"midwire: requested more often than recorded"}}
      extra - a: - | {"id":<id>,"method":"a"} closest 1
    )");
  }
}

TEST(ReplayMockTest, OrTheLastAnswerAgain) {
  ExpectReplays(Mock().WhenExhausted(OnExhausted::kRepeat), kOnce, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"a"}
    <- {"id":3,"result":1}
    extra - a: - | {"id":<id>,"method":"a"} closest 1
    extra - a: - | {"id":<id>,"method":"a"} closest 1
  )");
}

TEST(ReplayMockTest, ARequestThatComesOnceMoreIsRepeatedAlsoWhileOthersAreLeft) {
  constexpr const char* kTwo = R"(
    -> {"id":1,"method":"get","params":"a"}
    <- {"id":1,"result":"A"}
    -> {"id":2,"method":"get","params":"b"}
    <- {"id":2,"result":"B"}
  )";
  ExpectReplays(Mock().WhenExhausted(OnExhausted::kRepeat), kTwo, R"(
    -> {"id":1,"method":"get","params":"a"}
    <- {"id":1,"result":"A"}
    -> {"id":5,"method":"get","params":"a"}
    <- {"id":5,"result":"A"}
    -> {"id":2,"method":"get","params":"b"}
    <- {"id":2,"result":"B"}
    extra - get: - | {"id":<id>,"method":"get","params":"a"} closest 1
  )");
}

TEST(ReplayMockTest, TheLastOfSeveralThatAreTheSameIsRepeated) {
  ExpectReplays(Mock().WhenExhausted(OnExhausted::kRepeat), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"first"}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":"last"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"first"}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":"last"}
    -> {"id":3,"method":"a"}
    <- {"id":3,"result":"last"}
    extra - a: - | {"id":<id>,"method":"a"} closest 3
  )");
}

TEST(ReplayMockTest, ARequestThatComesOnceMoreDoesNotTakeTheRecordingOfAnother) {
  ExpectReplays(Mock().WhenExhausted(OnExhausted::kRepeat).OnExtras(OnExtra::kNearest), R"(
    -> {"id":1,"method":"get","params":"a"}
    <- {"id":1,"result":"A"}
    -> {"id":2,"method":"get","params":"b"}
    <- {"id":2,"result":"B"}
  )",
                R"(
    -> {"id":1,"method":"get","params":"a"}
    <- {"id":1,"result":"A"}
    -> {"id":5,"method":"get","params":"a"}
    <- {"id":5,"result":"A"}
    -> {"id":2,"method":"get","params":"b"}
    <- {"id":2,"result":"B"}
    extra - get: - | {"id":<id>,"method":"get","params":"a"} closest 1
  )");
}

TEST(ReplayMockTest, AnErrorNamesTheClosestRecording) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"get","params":{"k":"a"}}
    <- {"id":1,"result":"A"}
  )",
                R"(
    -> {"id":1,"method":"get","params":{"k":"b"}}
    <- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"midwire: no recording of get with this content; closest: message 1, /params/k"}}
    extra - get /params/k: "a" | "b" closest 1
  )");
}

// ---- a host of another name

constexpr const char* kHandshake = R"(
    -> {"id":0,"method":"initialize","params":{"caps":{},"clientInfo":{"name":"old","version":"1"}}}
    <- {"id":0,"result":{}}
)";

TEST(ReplayMockTest, AnotherHostGetsTheRecordedAnswer) {
  ExpectReplays(Mock(), kHandshake, R"(
    -> {"id":0,"method":"initialize","params":{"caps":{},"clientInfo":{"name":"new","title":"N"}}}
    <- {"id":0,"result":{}}
    same
    note another host than recorded: /params/clientInfo/name is "new", not "old"
  )");
}

TEST(ReplayMockTest, ButNotOneOfOtherCapabilities) {
  ExpectReplays(Mock(), kHandshake, R"(
    -> {"id":0,"method":"initialize","params":{"caps":{"x":1},"clientInfo":{"name":"new","version":"1"}}}
    <- {"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"midwire: no recording of initialize with this content; closest: message 1, /params/caps/x"}}
    extra - initialize /params/caps/x: - | 1 closest 1
  )");
}

TEST(ReplayMockTest, AnotherHostIsNotedOnce) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a","params":{}}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b","params":{}}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a","params":{"_meta":{"progressToken":4}}}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b","params":{"_meta":{"progressToken":5}}}
    <- {"id":2,"result":2}
    same
    note another host than recorded: /params/_meta is {"progressToken":4}, not missing
  )");
}

TEST(ReplayMockTest, AnotherHostWithIdsOfAnotherTypeGetsItToo) {
  ExpectReplays(Mock(), kHandshake, R"(
    -> {"id":"a","method":"initialize","params":{"caps":{},"clientInfo":{"name":"new","version":"1"}}}
    <- {"id":"a","result":{}}
    differs 1 initialize /id: 0 | "a"
    note another host than recorded: /params/clientInfo/name is "new", not "old"
  )");
}

TEST(ReplayMockTest, AHostThatAsksForProgressGetsTheRecordedAnswerToo) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"list","params":{}}
    <- {"id":1,"result":[]}
  )",
                R"(
    -> {"id":7,"method":"list","params":{"_meta":{"progressToken":4}}}
    <- {"id":7,"result":[]}
    same
    note another host than recorded: /params/_meta is {"progressToken":4}, not missing
  )");
}

TEST(ReplayMockTest, MetadataAreTheHostsOwn) {
  ExpectReplays(Mock(), kHandshake, R"(
    -> {"id":0,"method":"initialize","params":{"caps":{},"clientInfo":{"name":"old","version":"1"},"_meta":{"x":1}}}
    <- {"id":0,"result":{}}
    same
    note another host than recorded: /params/_meta is {"x":1}, not missing
  )");
}

// ---- an answer that was recorded after a later call of the host

constexpr const char* kLaunch = R"(
    -> {"id":1,"method":"launch"}
    -> {"id":2,"method":"configurationDone"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
)";

TEST(ReplayMockTest, ItWaitsForThatCall) {
  ExpectReplays(Mock(), kLaunch, R"(
    -> {"id":1,"method":"launch"}
    wait 900ms
    -> {"id":2,"method":"configurationDone"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
    same
  )");
}

TEST(ReplayMockTest, AHostThatBlocksOnItIsFound) {
  ExpectReplays(Mock().ShowText(), kLaunch, R"(
    -> {"id":1,"method":"launch"}
    wait 999ms
    wait 1ms
    <- {"id":1,"result":1}
    -> {"id":2,"method":"configurationDone"}
    <- {"id":2,"result":2}
    waits 2 configurationDone (the host waits for the answer to launch (message 1), which was recorded after this call)
  )");
}

TEST(ReplayMockTest, AHostThatHasClosedItsEndIsNotWaitedFor) {
  ExpectReplays(Mock(), kLaunch, R"(
    -> {"id":1,"method":"launch"}
    eof
    <- {"id":1,"result":1}
    finishes
    missing 2 configurationDone: {"id":2,"method":"configurationDone"} | -
  )");
}

TEST(ReplayMockTest, InTheFreeOrderNoAnswerWaits) {
  ExpectReplays(Mock().Ordered(Order::kFree), kLaunch, R"(
    -> {"id":1,"method":"launch"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"configurationDone"}
    <- {"id":2,"result":2}
    same
  )");
}

// ---- a batch

TEST(ReplayMockTest, ABatchOfOneIsAnsweredByABatch) {
  ExpectReplays(Mock(), R"(
    -> [{"id":1,"method":"a"}]
    <- [{"id":1,"result":1}]
  )",
                R"(
    -> [{"id":7,"method":"a"}]
    <- [{"id":7,"result":1}]
    same
  )");
}

TEST(ReplayMockTest, SoIsABatchOfOneWhereNoneWasRecorded) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    => {"id":2,"method":"b"}
    <= {"id":2,"result":2}
  )",
                R"(
    -> [{"id":7,"method":"a"}]
    <- [{"id":7,"result":1}]
    => [{"id":8,"method":"b"}]
    <= [{"id":8,"result":2}]
    => [{"id":9,"method":"c"}]
    <= [{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"midwire: no recording of c"}}]
    framing 1 a: single message | batch
    framing 3 b: single message | batch
    extra - c: - | {"id":<id>,"method":"c"}
  )");
}

TEST(ReplayMockTest, NotificationsAtTheStart) {
  ExpectReplays(Mock(), R"(
    <- {"method":"ready"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"method":"later"}
  )",
                R"(
    <- {"method":"ready"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"method":"later"}
    same
  )");
}

TEST(ReplayMockTest, ANotificationOfTheHostThatStaysAwayIsWaitedForASecond) {
  ExpectReplays(Mock(), R"(
    -> {"method":"ready"}
    <- {"method":"go"}
  )",
                R"(
    wait 999ms
    wait 1ms
    <- {"method":"go"}
    missing 1 ready: {"method":"ready"} | -
  )");
}

TEST(ReplayMockTest, AHostThatGoesEarlyLeavesTheRest) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    eof
    finishes
    missing 3 b: {"id":2,"method":"b"} | -
  )");
}

constexpr const char* kThreeCalls = R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"c"}
    <- {"id":3,"result":1}
)";

TEST(ReplayMockTest, WhatAHostThatHasGoneDidNotSendIsOneDifference) {
  ExpectReplays(Mock(), kThreeCalls, R"(
    eof
    finishes
    missing 1 a: {"id":1,"method":"a"} | -
    note the host closed its end; so not received: 2 messages
  )");
}

TEST(ReplayMockTest, AHostThatGoesAfterARefusalHasACause) {
  ExpectReplays(Mock(), kThreeCalls, R"(
    -> {"id":1,"method":"a","params":1}
    <- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"midwire: no recording of a with this content; closest: message 1, /params"}}
    eof
    finishes
    extra - a /params: - | 1 closest 1
    note the host closed its end; so not received: 2 messages
  )");
}

TEST(ReplayMockTest, AMessageThatWasLeftOutIsMissingAllTheSame) {
  ExpectReplays(Mock(), kThreeCalls, R"(
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":1}
    eof
    finishes
    missing 1 a: {"id":1,"method":"a"} | -
    missing 5 c: {"id":3,"method":"c"} | -
  )");
}

TEST(ReplayMockTest, AHostOfAnotherFramingHasACause) {
  LiveRun run(TapeOf(kThreeCalls), Mock());
  run.Happens(R"(=> {"id":1,"method":"a"})");
  run.Happens("eof");
  EXPECT_EQ(run.End(),
            "framing 1 a: line | content-length\n"
            "note the host closed its end; so not received: 2 messages\n");
}

TEST(ReplayMockTest, AValueThatTheHostMadeIsRepeatedAsItIsNow) {
  ExpectReplays(Mock(), R"(
    -> {"id":1,"method":"subscribe","params":{"callbackId":"cb-17"}}
    <- {"id":1,"result":{}}
    <- {"method":"event","params":{"callbackId":"cb-17"}}
  )",
                R"(
    -> {"id":1,"method":"subscribe","params":{"callbackId":"cb-99"}}
    <- {"id":1,"result":{}}
    <- {"method":"event","params":{"callbackId":"cb-99"}}
    same
    bound b1 "cb-17"
  )");
}

TEST(ReplayMockTest, StrictOrder) {
  ExpectReplays(Mock().Ordered(Order::kStrict), R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":8,"method":"a"}
    -> {"id":9,"method":"b"}
    <- {"id":9,"result":2}
    <- {"id":8,"result":1}
    same
  )");
}

}  // namespace
}  // namespace midwire::replay
