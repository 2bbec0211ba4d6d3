#include <algorithm>
#include <vector>

#include "replay/match/open_requests.h"
#include "tests/replay/conversation.h"
#include "tests/wire/id_spellings.h"

namespace midwire::replay {
namespace {

TEST(ReplayAnswersTest, Missing) {
  ExpectReplays(Host(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    wait 4999ms
    wait 1ms
    finishes
    hung 4 b
    missing 4 b: {"id":2,"result":2} | -
  )");
}

TEST(ReplayAnswersTest, ARunThatHangsEarlyReportsWhatWasNotReached) {
  ExpectReplays(Host().ShowText(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    wait 5s
    finishes
    hung 2 a (silent for 5 s, waiting for this)
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    note the plugin has sent nothing: it may expect Content-Length, and the recording has lines
    note not sent: 1 message; so not expected: 1 message
  )");
}

TEST(ReplayAnswersTest, FurtherPlacesThatDifferAreNamed) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"name":"x","v":1,"w":1,"x":1,"y":1,"z":1}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"name":"y","v":2,"w":2,"x":2,"y":2,"z":2}}
    closes
    differs 2 a /result/name: "x" | "y" also /result/v also /result/w also /result/x of 5
  )");
}

TEST(ReplayAnswersTest, Doubled) {
  ExpectReplays(Host(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    closes
    doubled - a: - | {"id":1,"result":1} closest 2
  )");
}

// The first answer shows the framing; from then on, equal bytes are taken without a parse.
TEST(ReplayAnswersTest, EqualBytesOnceMoreAreASecondAnswer) {
  ExpectReplays(Host(), R"(
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
    -> {"id":3,"method":"c"}
    <- {"id":2,"result":2}
    <- {"id":3,"result":3}
    closes
    doubled - b: - | {"id":2,"result":2} closest 4
  )");
}

TEST(ReplayAnswersTest, EqualBytesTeachTheValuesThatTheyHold) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"open"}
    <- {"id":2,"result":{"handle":"h-3f9a71c2e4b0"}}
    -> {"id":3,"method":"read","params":{"handle":"h-3f9a71c2e4b0"}}
    <- {"id":3,"result":{"handle":"h-3f9a71c2e4b0"}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"open"}
    <- {"id":2,"result":{"handle":"h-3f9a71c2e4b0"}}
    -> {"id":3,"method":"read","params":{"handle":"h-3f9a71c2e4b0"}}
    <- {"id":3,"result":{"handle":"h-77f1c02d9ae4"}}
    closes
    inconsistent 6 read /result/handle: "h-3f9a71c2e4b0" | <other>
  )");
}

TEST(ReplayAnswersTest, EqualBytesComeTooEarlyAllTheSame) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":"q","method":"ask"}
    -> {"id":"q","result":true}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    <- {"id":"q","method":"ask"}
    -> {"id":"q","result":true}
    closes
    early 6 b
  )");
}

TEST(ReplayAnswersTest, Unknown) {
  ExpectReplays(Host(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":9,"result":1}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    closes
    unknown -: - | {"id":9,"result":1}
  )");
}

TEST(ReplayAnswersTest, BeforeItWasAsked) {
  ExpectReplays(Host(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    wait 5s
    finishes
    hung 4 b
    missing 4 b: {"id":2,"result":2} | -
    unknown - b: - | {"id":2,"result":2} closest 4
  )");
}

TEST(ReplayAnswersTest, WhereTheTraceHasSilence) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"mute"}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"mute"}
    -> {"id":2,"method":"a"}
    <- {"id":1,"result":0}
    <- {"id":2,"result":1}
    closes
    unexpected 1 mute: - | {"id":1,"result":0}
  )");
}

TEST(ReplayAnswersTest, SilenceWhereTheTraceHasSilence) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"mute"}
    -> {"method":"exit"}
  )",
                R"(
    -> {"id":1,"method":"mute"}
    -> {"method":"exit"}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, WhatACutRecordingDidNotSeeMayCome) {
  ExpectReplays(Host(), R"(
    spawn
    -> {"id":1,"method":"a"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    closes
    <- {"id":1,"result":0}
    same
    note the recording is cut off: how the session went on is unknown
  )");
}

TEST(ReplayAnswersTest, ToANotification) {
  ExpectReplays(Host(), R"(
    -> {"method":"a"}
    <- {"id":null,"error":{"code":1}}
  )",
                R"(
    -> {"method":"a"}
    <- {"id":null,"error":{"code":1}}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, ToANotificationThatHadNone) {
  ExpectReplays(Host(), R"(
    -> {"method":"a"}
  )",
                R"(
    -> {"method":"a"}
    closes
    <- {"id":null,"error":{"code":1}}
    unknown -: - | {"id":null,"error":{"code":1}}
  )");
}

TEST(ReplayAnswersTest, ConcurrentOnesComeInAnyOrder) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    -> {"id":3,"method":"c"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    <- {"id":3,"result":3}
  )",
                R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    -> {"id":3,"method":"c"}
    <- {"id":3,"result":3}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, BeforeTheReverseCallThatItNeedsIsEarly) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    closes
    early 4 a (came before our answer to its ask (message 2); if it need not wait for that: --floating ask)
  )");
}

TEST(ReplayAnswersTest, BeforeAReverseCallThatMayComeAtAnyPlace) {
  ExpectReplays(Host().Floating("ask"), R"(
    -> {"id":1,"method":"a"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, AnotherRequestsAnswerMayComeBeforeTheReverseCall) {
  // Both were in flight: the caller is unknown, so neither is early.
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, TheLastOfSeveralThatMayHaveAskedIsEarly) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    closes
    early 5 a
  )");
}

TEST(ReplayAnswersTest, AParentRequestIdShowsWhoseCallItWas) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":8,"method":"ask","parentRequestId":2}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    <- {"id":8,"method":"ask","parentRequestId":2}
    -> {"id":8,"result":true}
    closes
    early 6 b
  )");
}

TEST(ReplayAnswersTest, ACallThatCameAfterTheAnswerToAnotherMustNotComeBeforeIt) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":9,"method":"tell"}
    -> {"id":9,"result":false}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":9,"method":"tell"}
    -> {"id":9,"result":false}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
    closes
    early 4 tell (came before our answer to its ask (message 2); if it need not wait for that: --floating ask)
  )");
}

TEST(ReplayAnswersTest, OneThatIsHeldBackUntilThePeerIsIdleIsNotOvertaken) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a"}
    busy
    <- {"id":8,"method":"ask"}
    <- {"id":1,"result":1}
    wait 1ms
    idle
    wait 1ms
    -> {"id":8,"result":true}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    closes
    early 4 a
  )");
}

TEST(ReplayAnswersTest, OneIsHeldBackUntilThePeerIsIdleInEachOrder) {
  for (const Order order : {Order::kCausal, Order::kStrict, Order::kFree}) {
    ExpectReplays(Host().Ordered(order), R"(
      -> {"id":1,"method":"a"}
      <- {"id":8,"method":"ask"}
      -> {"id":8,"result":true}
      <- {"id":1,"result":1}
    )",
                  R"(
      -> {"id":1,"method":"a"}
      busy
      <- {"id":8,"method":"ask"}
      <- {"id":1,"result":1}
      wait 1ms
      idle
      wait 1ms
      -> {"id":8,"result":true}
      closes
      early 4 a
    )");
  }
}

TEST(ReplayAnswersTest, WhatWasOwedAtAnExitCountsAsSent) {
  constexpr const char* kRecorded = R"(
    -> {"id":1,"method":"a"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":1,"result":1}
  )";
  for (const Order order : {Order::kCausal, Order::kStrict, Order::kFree}) {
    const Role role = Host().Ordered(order);
    LiveRun held(TapeOf(kRecorded), role), answered(TapeOf(kRecorded), role);
    held.Happens("busy");
    for (LiveRun* run : {&held, &answered}) {
      run->Happens(R"(<- {"id":8,"method":"ask"})");
      run->Happens("exit 1");
      run->Happens("eof");
    }
    EXPECT_EQ(held.sent().find("true"), std::string::npos);
    EXPECT_NE(answered.sent().find("true"), std::string::npos);
    EXPECT_EQ(held.TakeReport().sent, 2u);
    EXPECT_EQ(answered.TakeReport().sent, 2u);
  }
}

TEST(ReplayAnswersTest, SpellingsOfOneIdFindTheirRequest) {
  for (const wire::IdSpelling& each : wire::kIdSpellings) {
    OpenRequests open;
    open.Open(wire::Direction::kHostToPlugin, each.asked, 3);
    const OpenRequests::Found found = open.Find(wire::Direction::kHostToPlugin, each.answered);
    EXPECT_EQ(!found.steps.empty(), each.same_id) << each.asked << " " << each.answered;
    if (found.steps.empty()) continue;
    open.Answer(wire::Direction::kHostToPlugin, found, 0);
    EXPECT_TRUE(open.Find(wire::Direction::kHostToPlugin, each.answered).steps.empty());
  }
}

TEST(ReplayAnswersTest, RequestsOfOneIdKeepTheirOrderWhicheverIsAnswered) {
  constexpr auto kHost = wire::Direction::kHostToPlugin;
  OpenRequests open;
  std::vector<StepIndex> expected;
  for (StepIndex step = 0; step < 200; ++step) {
    open.Open(kHost, "1", step);
    expected.push_back(step);
  }
  for (size_t place = 7; !expected.empty(); place = place * 5 + 1) {
    const OpenRequests::Found found = open.Find(kHost, "1");
    ASSERT_TRUE(
        std::equal(found.steps.begin(), found.steps.end(), expected.begin(), expected.end()));
    const size_t answered = place % std::min<size_t>(expected.size(), 64);
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(answered));
    open.Answer(kHost, found, answered);
  }
  EXPECT_TRUE(open.Find(kHost, "1").steps.empty());
}

// All that pairs agrees (respelt_ids.h), so what was recorded is as recorded.
TEST(ReplayAnswersTest, SpellingsOfOneIdAreAsRecorded) {
  for (const wire::IdSpelling& each : wire::kIdSpellings) {
    if (!each.same_id) continue;
    for (const auto& [call, answer] : {std::pair("-> ", "<- "), std::pair("<- ", "-> ")}) {
      const std::string session = std::string("-> {\"id\":\"x\",\"method\":\"first\"}\n") + call +
                                  "{\"id\":" + each.asked + ",\"method\":\"a\"}\n" + answer +
                                  "{\"id\":" + each.answered + ",\"result\":1}\n" +
                                  "<- {\"id\":\"x\",\"result\":1}\n";
      ExpectReplays(Host(), session, session + "closes\nsame");
    }
  }
}

TEST(ReplayAnswersTest, AnotherSpellingThanRecordedDiffers) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":"1","result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    differs 2 a /id: "1" | 1
  )");
}

// ---- from a plugin that prints what it was asked once, without reading what it is asked now

TEST(ReplayAnswersTest, ARequestIsSentWhenThePluginHasNothingLeftToSay) {
  for (const Order order : {Order::kCausal, Order::kStrict}) {
    ExpectReplays(Host().Ordered(order).ShowText(), kTwoCalls, R"(
      -> {"id":1,"method":"a"}
      busy
      <- {"id":1,"result":1}
      <- {"id":2,"result":2}
      idle
      wait 300ms
      -> {"id":2,"method":"b"}
      wait 5s
      finishes
      hung 4 b (silent for 5 s, waiting for this)
      missing 4 b: {"id":2,"result":2} | - (this request was not answered)
      unknown - b: - | {"id":2,"result":2} closest 4 (an answer to a request that was not sent yet (message 3))
    )");
  }
}

TEST(ReplayAnswersTest, InTheFreeOrderTooIfTheRequestWaitsForAValue) {
  ExpectReplays(Host().Ordered(Order::kFree), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"open"}
    busy
    <- {"id":1,"result":{"handle":"h-81"}}
    <- {"id":2,"result":1}
    idle
    wait 300ms
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
    wait 5s
    finishes
    hung 4 read
    missing 4 read: {"id":2,"result":1} | -
    unknown - read: - | {"id":2,"result":1} closest 4
  )");
}

TEST(ReplayAnswersTest, InTheFreeOrderOneThatIsReadBeforeItsRequestWasSentIsUnknown) {
  ExpectReplays(Host().Ordered(Order::kFree).Stirs(), kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    idle
    wait 300ms
    -> {"id":2,"method":"b"}
    wait 5s
    finishes
    hung 4 b
    missing 4 b: {"id":2,"result":2} | -
    unknown - b: - | {"id":2,"result":2} closest 4
  )");
}

constexpr const char* kOverlapped = R"(
  -> {"id":1,"method":"a"}
  <- {"method":"log"}
  -> {"id":2,"method":"b"}
  <- {"id":1,"result":1}
  <- {"id":2,"result":2}
)";

TEST(ReplayAnswersTest, OneInThePipeIsReadBeforeItsRequestIsSentWhileAnotherIsInFlight) {
  for (const Order order : {Order::kCausal, Order::kStrict}) {
    ExpectReplays(Host().Ordered(order), kOverlapped, R"(
      -> {"id":1,"method":"a"}
      more
      <- {"method":"log"}
      <- {"id":2,"result":2}
      -> {"id":2,"method":"b"}
      <- {"id":1,"result":1}
      wait 5s
      finishes
      hung 5 b
      missing 5 b: {"id":2,"result":2} | -
      unknown - b: - | {"id":2,"result":2} closest 5
    )");
  }
}

TEST(ReplayAnswersTest, OfAPluginThatWritesWithoutEndWhatItHadWrittenIsRead) {
  ExpectReplays(Host(), kOverlapped, R"(
    -> {"id":1,"method":"a"}
    more
    <- {"method":"log"}
    more
    wait 400ms
    <- {"method":"log"}
    wait 101ms
    -> {"id":2,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    closes
    extra - log: - | {"method":"log"} closest 2
  )");
}

TEST(ReplayAnswersTest, WhatOverlappedWithARequestIsSentWhileThePluginWorks) {
  ExpectReplays(Host(), kOverlapped, R"(
    -> {"id":1,"method":"a"}
    busy
    <- {"method":"log"}
    -> {"id":2,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, APluginThatAlwaysComputesIsWaitedForOnce) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    -> {"id":3,"method":"c"}
    <- {"id":3,"result":3}
  )",
                R"(
    -> {"id":1,"method":"a"}
    busy
    <- {"id":1,"result":1}
    wait 501ms
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    -> {"id":3,"method":"c"}
    <- {"id":3,"result":3}
    closes
    same
  )");
}

TEST(ReplayAnswersTest, OneToNoRequestThatIsMissingIsNotCalledThatOfARequest) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"method":"note"}
    <- {"id":null,"error":{"code":-32600,"message":"no"}}
  )",
                R"(
    -> {"method":"note"}
    wait 1s
    closes
    missing 2: {"id":null,"error":{"code":-32600,"message":"no"}} | - (not received; an answer to no request)
  )");
}

}  // namespace
}  // namespace midwire::replay
