#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr const char* kInFlightTogether = R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    -> {"method":"c"}
    <- {"id":1,"result":1}
    -> {"method":"d"}
)";

TEST(ReplayOrderTest, WhatWasInFlightTogetherIsAgain) {
  ExpectReplays(Host(), kInFlightTogether, R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    -> {"method":"c"}
    -> {"method":"d"}
    closes
    same
  )");
}

TEST(ReplayOrderTest, StrictWantsTheRecordedOrderOfThePeer) {
  ExpectReplays(Host().Ordered(Order::kStrict), kInFlightTogether, R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    -> {"method":"c"}
    -> {"method":"d"}
    closes
    order 5 a
  )");
}

TEST(ReplayOrderTest, FreeSendsAtOnce) {
  ExpectReplays(Host().Ordered(Order::kFree), kInFlightTogether, R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    -> {"method":"c"}
    -> {"method":"d"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayOrderTest, FreeStillWaitsForAValueThatThePeerMakes) {
  ExpectReplays(Host().Ordered(Order::kFree), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-99"}}
    -> {"id":2,"method":"read","params":{"handle":"h-99"}}
    <- {"id":2,"result":1}
    closes
    same
    bound b1 "h-81"
  )");
}

TEST(ReplayOrderTest, ASendWaitsForThePeersRequest) {
  ExpectReplays(Host(), R"(
    <- {"id":8,"method":"ask"}
    -> {"method":"go"}
    -> {"id":8,"result":true}
  )",
                R"(
    wait 4s
    <- {"id":8,"method":"ask"}
    -> {"method":"go"}
    -> {"id":8,"result":true}
    closes
    same
  )");
}

TEST(ReplayOrderTest, ASendWaitsASecondForNotifications) {
  ExpectReplays(Host(), R"(
    <- {"method":"ready"}
    -> {"method":"go"}
  )",
                R"(
    wait 999ms
    wait 1ms
    -> {"method":"go"}
    closes
    <- {"method":"ready"}
    same
  )");
}

TEST(ReplayOrderTest, ANotificationThatComesReleasesTheSend) {
  ExpectReplays(Host(), R"(
    <- {"method":"ready"}
    -> {"method":"go"}
  )",
                R"(
    wait 500ms
    <- {"method":"ready"}
    -> {"method":"go"}
    closes
    same
  )");
}

TEST(ReplayOrderTest, NotificationsMayComeAmongAnswersAnywhere) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"id":1,"result":1}
    <- {"method":"status"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"status"}
    <- {"id":1,"result":1}
    <- {"method":"log","params":1}
    closes
    same
  )");
}

TEST(ReplayOrderTest, OfOneMethodTheyKeepTheirOrder) {
  ExpectReplays(Host(), R"(
    <- {"method":"log","params":1}
    <- {"method":"other","params":1}
    <- {"method":"log","params":2}
  )",
                R"(
    <- {"method":"log","params":2}
    <- {"method":"log","params":1}
    <- {"method":"other","params":1}
    closes
    order 1 log
  )");
}

TEST(ReplayOrderTest, PerProgressToken) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a","params":{"_meta":{"progressToken":1}}}
    -> {"id":2,"method":"a","params":{"_meta":{"progressToken":2}}}
    <- {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    <- {"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
    <- {"method":"notifications/progress","params":{"progressToken":2,"progress":2}}
  )",
                R"(
    -> {"id":1,"method":"a","params":{"_meta":{"progressToken":1}}}
    -> {"id":2,"method":"a","params":{"_meta":{"progressToken":2}}}
    <- {"method":"notifications/progress","params":{"progressToken":2,"progress":2}}
    <- {"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
    <- {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    closes
    order 4 notifications/progress
  )");
}

TEST(ReplayOrderTest, AVolatileMethodFloatsAndMayBeMoreOrLess) {
  ExpectReplays(Host().Volatile("log/*"), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log/x","params":1}
    <- {"method":"log/x","params":2}
    <- {"id":1,"result":1}
    <- {"method":"log/y"}
    -> {"method":"exit"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log/x","params":2}
    <- {"id":1,"result":1}
    -> {"method":"exit"}
    closes
    <- {"method":"log/x","params":1}
    <- {"method":"log/x","params":3}
    <- {"method":"log/new"}
    same
  )");
}

TEST(ReplayOrderTest, TheAnswerToAVolatileCallIsAsDueAsAnyOther) {
  ExpectReplays(Host().Volatile("a"), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"exit"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":2}
    -> {"method":"exit"}
    closes
    differs 2 a /result: 1 | 2
  )");
}

TEST(ReplayOrderTest, AVolatileReverseCallMayBeMissingAndIsAnsweredWhenItComesTwice) {
  ExpectReplays(Host().Volatile("ping"), R"(
    <- {"id":1,"method":"ping"}
    -> {"id":1,"result":"pong"}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":2,"method":"a"}
    <- {"id":4,"method":"ping"}
    -> {"id":4,"result":"pong"}
    <- {"id":5,"method":"ping"}
    -> {"id":5,"result":"pong"}
    <- {"id":2,"result":1}
    closes
    same
  )");
}

TEST(ReplayOrderTest, AfterTheCloseNothingIsSentAnyMore) {
  ExpectReplays(Host().Volatile("ping"), R"(
    <- {"id":1,"method":"ping"}
    -> {"id":1,"result":"pong"}
    -> {"method":"exit"}
  )",
                R"(
    -> {"method":"exit"}
    closes
    <- {"id":4,"method":"ping"}
    <- {"id":5,"method":"other"}
    extra - other: - | {"id":<id>,"method":"other"}
  )");
}

TEST(ReplayOrderTest, AnAnswerWaitsForWhatWasSentInsideTheCall) {
  ExpectReplays(Host(), R"(
    <- {"id":8,"method":"ask"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":8,"result":true}
  )",
                R"(
    <- {"id":8,"method":"ask"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":8,"result":true}
    closes
    same
  )");
}

TEST(ReplayOrderTest, NothingIsSentWhileThePeerDoesNotRead) {
  ExpectReplays(Host(), R"(
    <- {"method":"go"}
    -> {"method":"a"}
    -> {"method":"b"}
  )",
                R"(
    full
    <- {"method":"go"}
    wait 1s
    room
    -> {"method":"a"}
    -> {"method":"b"}
    closes
    same
  )");
}

TEST(ReplayOrderTest, APeerThatNeverReadsIsReported) {
  ExpectReplays(Host().ShowText(), R"(
    <- {"method":"go"}
    -> {"method":"a"}
  )",
                R"(
    full
    <- {"method":"go"}
    wait 5s
    finishes
    hung - (did not read for 5 s)
    note not sent: 1 message
  )");
}

}  // namespace
}  // namespace midwire::replay
