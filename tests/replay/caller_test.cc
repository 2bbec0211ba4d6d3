// Reverse calls that a request of ours or the notification before it may have caused.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

// The call may be what the peer does once it is ready, or a part of b.
constexpr const char* kReadyAsks = R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"ready"}
    -> {"id":2,"method":"b"}
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":true}
    <- {"id":2,"result":2}
)";

// Up to where the replay waits with b.
constexpr const char* kUntilReady = R"(
    -> {"id":1,"method":"a"}
    stirs
    <- {"id":1,"result":1}
    -> {"method":"ready"}
)";
// Our answer waits for idleness, and the answer to b does not wait for it.
constexpr const char* kAnswersTooEarly = R"(
    <- {"id":8,"method":"ask"}
    <- {"id":2,"result":2}
    wait 1ms
    idle
    wait 1ms
    -> {"id":8,"result":true}
    closes
    early 7 b
)";

std::string EarlyAfter(const std::string& sent) { return kUntilReady + sent + kAnswersTooEarly; }

TEST(ReplayCallerTest, ACallThatCameBeforeTheRequestWasSentIsNoPartOfIt) {
  for (const Order order : {Order::kCausal, Order::kStrict}) {
    ExpectReplays(Host().Ordered(order), kReadyAsks, std::string(kUntilReady) + R"(
      <- {"id":8,"method":"ask"}
      wait 1ms
      idle
      wait 1ms
      -> {"id":2,"method":"b"}
      -> {"id":8,"result":true}
      <- {"id":2,"result":2}
      closes
      same
    )");
  }
}

TEST(ReplayCallerTest, ItIsAnsweredAtOnceAfterTheRequest) {
  LiveRun run(TapeOf(kReadyAsks), Host());
  run.Happens("stirs");
  for (const char* line :
       {R"(<- {"id":1,"result":1})", R"(<- {"id":8,"method":"ask"})", "wait 501ms"})
    run.Happens(line);
  EXPECT_TRUE(
      run.Done().ends_with("-> {\"id\":2,\"method\":\"b\"}\n-> {\"id\":8,\"result\":true}\n"));
}

TEST(ReplayCallerTest, ACallThatTheRequestCausedIsAPartOfIt) {
  for (const Order order : {Order::kCausal, Order::kStrict}) {
    ExpectReplays(Host().Ordered(order), kReadyAsks, EarlyAfter(R"(
      wait 1ms
      idle
      wait 1ms
      -> {"id":2,"method":"b"}
      busy
    )"));
  }
}

TEST(ReplayCallerTest, AfterARequestThatWaitedInVainAnAnswerWaitsToo) {
  ExpectReplays(Host(), kReadyAsks, EarlyAfter(R"(
    wait 501ms
    -> {"id":2,"method":"b"}
  )"));
}

}  // namespace
}  // namespace midwire::replay
