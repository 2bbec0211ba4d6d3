// Calls and notifications of a plugin that the trace has not, and those that it has and do not
// come.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr const char* kAskOnce = R"(
    -> {"id":1,"method":"a"}
    <- {"id":9,"method":"ask","params":{"x":1}}
    -> {"id":9,"result":true}
    <- {"id":1,"result":1}
)";

TEST(ReplayExtrasTest, AnExtraReverseCallGetsAnErrorAndTheSessionGoesOn) {
  ExpectReplays(Host(), kAskOnce, R"(
    -> {"id":1,"method":"a"}
    <- {"id":"x","method":"other"}
    -> {"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"midwire: no recording of other"}}
    <- {"id":9,"method":"ask","params":{"x":1}}
    -> {"id":9,"result":true}
    <- {"id":1,"result":1}
    closes
    extra - other: - | {"id":"<id>","method":"other"}
  )");
}

TEST(ReplayExtrasTest, TheErrorIsFramedAsOurRoleFrames) {
  ExpectReplays(Host(), R"(
    => {"id":1,"method":"a"}
    <= {"id":1,"result":1}
  )",
                R"(
    => {"id":1,"method":"a"}
    <= {"id":2,"method":"other"}
    => {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"midwire: no recording of other"}}
    <= {"id":1,"result":1}
    closes
    extra - other: - | {"id":<id>,"method":"other"}
  )");
}

TEST(ReplayExtrasTest, ASecondTimeItNamesTheClosestRecordingAndWhatDiffers) {
  ExpectReplays(Host(), kAskOnce, R"(
    -> {"id":1,"method":"a"}
    <- {"id":9,"method":"ask","params":{"x":1}}
    -> {"id":9,"result":true}
    <- {"id":10,"method":"ask","params":{"x":2}}
    -> {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"midwire: no recording of ask with this content; closest: message 2, /params/x"}}
    <- {"id":1,"result":1}
    closes
    extra - ask /params/x: 1 | 2 closest 2
  )");
}

TEST(ReplayExtrasTest, AReverseCallThatDoesNotCome) {
  ExpectReplays(Host(), kAskOnce, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    wait 1s
    closes
    missing 2 ask: {"id":9,"method":"ask","params":{"x":1}} | -
    early 4 a
  )");
}

TEST(ReplayExtrasTest, OneNotificationMore) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":1}
    <- {"id":1,"result":1}
    closes
    extra - log: - | {"method":"log","params":1} closest 2
  )");
}

TEST(ReplayExtrasTest, OneNotificationLess) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":2}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"id":1,"result":1}
    wait 1s
    closes
    missing 3 log: {"method":"log","params":2} | -
  )");
}

TEST(ReplayExtrasTest, ARequestInPlaceOfANotification) {
  ExpectReplays(Host(), R"(
    <- {"method":"log"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    <- {"id":1,"method":"log"}
    -> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"midwire: no recording of log"}}
    wait 1s
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    missing 1 log: {"method":"log"} | -
    extra - log: - | {"id":<id>,"method":"log"}
  )");
}

TEST(ReplayExtrasTest, AFloodIsCountedAndKeptUpToItsCap) {
  std::string flood;
  for (int i = 0; i < 5000; ++i) flood += "{\"method\":\"x\"}\n";
  LiveRun run(TapeOf("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}"), Host());
  run.Say(flood + "{\"id\":1,\"result\":1}\n");
  run.Eof();
  run.Exit({.code = 0});
  const ReplayReport report = run.TakeReport();
  EXPECT_EQ(report.differences.size(), kMaxDifferences);
  EXPECT_EQ(report.difference_count, 5000u);
  EXPECT_EQ(report.matched, 1u);
}

TEST(ReplayExtrasTest, AFloodOfCallsWhoseAnswersAreNotReadIsBounded) {
  LiveRun run(TapeOf("<- {\"id\":1,\"method\":\"a\"}\n-> {\"id\":1,\"result\":1}"), Host());
  run.SetFull(true);
  const std::string call = "{\"id\":\"" + std::string(4000, 'i') + "\",\"method\":\"x\"}\n";
  for (int i = 0; i < 10'000; ++i) run.Say(call);
  run.SetFull(false);
  EXPECT_LT(run.sent().size(), kMaxMadeUpBytes + (1u << 20));
  EXPECT_GT(run.sent().size(), kMaxMadeUpBytes / 2);
}

}  // namespace
}  // namespace midwire::replay
