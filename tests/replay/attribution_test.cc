// Which recording an additional, late, lost or changed message is counted as, and the order that a
// trace proves.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr const char* kThreeLogs = R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":2}
    <- {"method":"log","params":3}
    <- {"id":1,"result":1}
)";

TEST(ReplayAttributionTest, AnAdditionalMessageBeforeTheRecordedOnes) {
  ExpectReplays(Host(), kThreeLogs, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":"new"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":2}
    <- {"method":"log","params":3}
    <- {"id":1,"result":1}
    closes
    extra - log /params: 3 | "new" closest 4
  )");
}

TEST(ReplayAttributionTest, AChangedMessageIsTheOneThatNeverCame) {
  ExpectReplays(Host(), kThreeLogs, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":"new"}
    <- {"method":"log","params":1}
    <- {"method":"log","params":3}
    <- {"id":1,"result":1}
    closes
    differs 3 log /params: 2 | "new"
  )");
}

TEST(ReplayAttributionTest, ALostMessageDoesNotShiftTheOthers) {
  ExpectReplays(Host(), kThreeLogs, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":2}
    <- {"method":"log","params":3}
    <- {"id":1,"result":1}
    wait 1s
    closes
    missing 2 log: {"method":"log","params":1} | -
  )");
}

constexpr const char* kTwoReverseCalls = R"(
    -> {"id":1,"method":"a"}
    <- {"id":7,"method":"ask","params":1}
    -> {"id":7,"result":1}
    <- {"id":8,"method":"ask","params":2}
    -> {"id":8,"result":2}
    <- {"id":1,"result":1}
)";

TEST(ReplayProvenOrderTest, TheNextCallWaitsForTheAnswerToTheOneBefore) {
  ExpectReplays(Host(), kTwoReverseCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":7,"method":"ask","params":1}
    -> {"id":7,"result":1}
    <- {"id":8,"method":"ask","params":2}
    -> {"id":8,"result":2}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayProvenOrderTest, ACallBeforeTheAnswerToTheOneBeforeIsEarly) {
  LiveRun run(TapeOf(kTwoReverseCalls), Host());
  run.Say(
      "{\"id\":7,\"method\":\"ask\",\"params\":1}\n{\"id\":8,\"method\":\"ask\",\"params\":2}\n");
  run.Say("{\"id\":1,\"result\":1}\n");
  EXPECT_EQ(run.End(), "early 4 ask\n");
}

TEST(ReplayProvenOrderTest, ACallWhosePredecessorIsMissingIsNotEarly) {
  LiveRun run(TapeOf(kTwoReverseCalls), Host());
  run.Say("{\"id\":8,\"method\":\"ask\",\"params\":2}\n");
  EXPECT_EQ(run.Done(), "-> {\"id\":1,\"method\":\"a\"}\n-> {\"id\":8,\"result\":2}\n");
  run.Say("{\"id\":1,\"result\":1}\n");
  EXPECT_EQ(run.End(),
            "missing 2 ask: {\"id\":7,\"method\":\"ask\",\"params\":1} | -\nearly 6 a\n");
}

TEST(ReplayProvenOrderTest, CallsThatOverlappedMayComeInAnyOrder) {
  LiveRun run(TapeOf(R"(
    -> {"id":1,"method":"a"}
    <- {"id":7,"method":"ask","params":1}
    <- {"id":8,"method":"ask","params":2}
    -> {"id":7,"result":1}
    -> {"id":8,"result":2}
    <- {"id":1,"result":1}
  )"),
              Host());
  run.Say(
      "{\"id\":8,\"method\":\"ask\",\"params\":2}\n{\"id\":7,\"method\":\"ask\",\"params\":1}\n");
  run.Say("{\"id\":1,\"result\":1}\n");
  EXPECT_EQ(run.End(), "same\n");
}

TEST(ReplayProvenOrderTest, CallsOfSeveralRequestsAreIndependent) {
  LiveRun run(TapeOf(R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":7,"method":"ask","params":1}
    -> {"id":7,"result":1}
    <- {"id":8,"method":"ask","params":2}
    -> {"id":8,"result":2}
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
  )"),
              Host());
  run.Say(
      "{\"id\":7,\"method\":\"ask\",\"params\":1}\n{\"id\":8,\"method\":\"ask\",\"params\":2}\n");
  run.Say("{\"id\":1,\"result\":1}\n{\"id\":2,\"result\":2}\n");
  EXPECT_EQ(run.End(), "same\n");
}

}  // namespace
}  // namespace midwire::replay
