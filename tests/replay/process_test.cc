// How a plugin ends, and how it does not.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr const char* kOneCall = R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    eof host
    exit 0
    end
)";

TEST(ReplayProcessTest, EndsAsRecorded) {
  ExpectReplays(Host(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    eof
    exit 0
    finishes
    same
  )");
}

// ---- a cassette that was written by hand

TEST(ReplayProcessTest, WithoutAnyEndOfAStreamItsStdinIsClosedAfterTheLastMessage) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    exit 0
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    eof
    exit 0
    finishes
    same
  )");
}

TEST(ReplayProcessTest, APluginThatEndedByItselfIsWaitedForWithItsStdinOpen) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"method":"exit"}
    eof plugin
    exit 0
  )",
                R"(
    -> {"method":"exit"}
    wait 5s
    finishes
    hung -: exit 0 | - (did not end within 5 s after the last message; its stdin is open, as recorded)
  )");
}

TEST(ReplayProcessTest, AnotherStatus) {
  ExpectReplays(Host().ShowText(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    eof
    exit 3
    finishes
    ended -: exit 0 | exit 3 (the plugin ended in another way than recorded)
  )");
}

TEST(ReplayProcessTest, ACrashInTheMiddle) {
  ExpectReplays(Host(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    exit signal 11
    eof
    finishes
    missing 2 a: {"id":1,"result":1} | -
    ended -: exit 0 | signal 11
  )");
}

TEST(ReplayProcessTest, AnEarlyExit) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    exit 0
    eof
    finishes
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    ended -: - | exit 0 (exited before 1 message was sent)
    note not sent: 1 message; so not expected: 1 message
  )");
}

TEST(ReplayProcessTest, AnEarlyExitWithTheRecordedStatus) {
  ExpectReplays(Host().ShowText(), R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"b"}
    -> {"method":"c"}
    exit 0
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    exit 0
    eof
    finishes
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    ended - (exited before 2 messages were sent)
    note not sent: 2 messages
  )");
}

TEST(ReplayProcessTest, ACrashAfterTheLastMessageOfARecordingWithoutEnd) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    exit signal 6
    eof
    finishes
    ended -: - | signal 6
  )");
}

TEST(ReplayProcessTest, DoesNotEnd) {
  ExpectReplays(Host().ShowText(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    wait 4999ms
    wait 1ms
    finishes
    hung -: exit 0 | - (did not end within 5 s after its stdin was closed)
  )");
}

TEST(ReplayProcessTest, ThatDoesNotEndWhereTheTraceHasNoExit) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    wait 5s
    finishes
    hung -
  )");
}

TEST(ReplayProcessTest, ThatDoesNotEndWhereTheRecordingIsCutOff) {
  ExpectReplays(Host(), R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    wait 5s
    finishes
    same
    note the recording is cut off: how the session went on is unknown
    note the plugin did not exit and was killed
  )");
}

TEST(ReplayProcessTest, OneThatWasKilledMayEndInAnyOrderlyWay) {
  ExpectReplays(Host(), R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    exit signal 9
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    exit 0
    eof
    finishes
    same
  )");
}

TEST(ReplayProcessTest, ASignalIsSentWhereItWasRecorded) {
  ExpectReplays(Host(), R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    signal 15
    exit signal 15
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    signals 15
    exit signal 15
    eof
    finishes
    same
  )");
}

TEST(ReplayProcessTest, AGrandchildThatHoldsTheOutputDoesNotHoldTheRun) {
  ExpectReplays(Host(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    exit 0
    wait 199ms
    wait 1ms
    finishes
    same
  )");
}

TEST(ReplayProcessTest, WhatComesAfterTheExitStillCounts) {
  ExpectReplays(Host(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    exit 0
    <- {"id":1,"result":1}
    closes
    eof
    finishes
    same
  )");
}

TEST(ReplayProcessTest, WhatIsHalfSentWhenTheTimeIsOverIsReported) {
  ExpectReplays(Host().ShowText(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    <. {"id":1,"res
    wait 5s
    finishes
    hung 2 a (silent for 5 s, waiting for this)
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    junk -: - | {"id":1,"res (the start of a message whose rest was not received (wrong length?))
  )");
}

TEST(ReplayProcessTest, ATimeoutOfOnesOwn) {
  ExpectReplays(Host().Timeout("100ms").ShowText(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    wait 99ms
    wait 1ms
    finishes
    hung 2 a (silent for 0.1 s, waiting for this)
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    note the plugin has sent nothing: it may expect Content-Length, and the recording has lines
  )");
}

TEST(ReplayProcessTest, ReadingErrorsIsNoProgress) {
  std::string live = R"(
    -> {"id":1,"method":"a"}
  )";
  const std::string round = R"(
    wait 4s
    full
    <- {"id":7,"method":"x"}
    room
    -> {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"midwire: no recording of x"}}
  )";
  // The first reading is that of our call, too.
  for (int i = 0; i < 5; ++i) live += round;
  live += R"(
    wait 4s
    finishes
  )";
  std::string report = "hung 2 a (nothing expected arrived for 20 s, waiting for this)\n";
  LiveRun run(TapeOf(kOneCall), Host().ShowText());
  std::string done = run.Done();
  for (const std::string& line : LinesOf(live)) {
    if (run.Happens(line)) done += line + "\n" + run.Done();
  }
  EXPECT_EQ(done, Joined(LinesOf(live)));
  EXPECT_NE(run.End().find(report), std::string::npos);
}

TEST(ReplayProcessTest, TalkThatLeadsNowhereEndsAfterFourTimesTheTimeout) {
  ExpectReplays(Host().Volatile("log").ShowText(), kOneCall, R"(
    -> {"id":1,"method":"a"}
    wait 4s
    <- {"method":"log"}
    wait 4s
    <- {"method":"log"}
    wait 4s
    <- {"method":"log"}
    wait 4s
    <- {"method":"log"}
    wait 3999ms
    wait 1ms
    finishes
    hung 2 a (nothing expected arrived for 20 s, waiting for this)
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
  )");
}

TEST(ReplayProcessTest, WhateverComesIsNoSilence) {
  ExpectReplays(Host().Volatile("log"), kOneCall, R"(
    -> {"id":1,"method":"a"}
    wait 4s
    <- {"method":"log"}
    wait 4s
    <- {"method":"log"}
    wait 4s
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayProcessTest, ALongRecordedSilenceIsHintedAt) {
  ExpectReplays(Host().ShowText(), R"(
    at 0s
    -> {"id":1,"method":"a"}
    at 9s
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    wait 5s
    finishes
    hung 2 a (silent for 5 s, waiting for this; the recording was silent for 9 s here: see --timeout)
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    note the plugin has sent nothing: it may expect Content-Length, and the recording has lines
  )");
}

TEST(ReplayProcessTest, AnAnswerMayTakeAsLongAsRecorded) {
  constexpr char kSlow[] = R"(
    at 0s
    -> {"id":1,"method":"a"}
    at 9s
    <- {"id":1,"result":1}
  )";
  ExpectReplays(Host().WaitsAsRecorded(), kSlow, R"(
    -> {"id":1,"method":"a"}
    wait 17s
    <- {"id":1,"result":1}
    closes
    same
  )");
  ExpectReplays(Host().WaitsAsRecorded().ShowText(), kSlow, R"(
    -> {"id":1,"method":"a"}
    wait 18s
    finishes
    hung 2 a (silent for 18 s, waiting for this)
    missing 2 a: {"id":1,"result":1} | - (this request was not answered)
    note the plugin has sent nothing: it may expect Content-Length, and the recording has lines
  )");
}

TEST(ReplayProcessTest, OnlyTheFirstSessionIsPlayed) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    session
    -> {"id":1,"method":"b"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    same
    note only the first session of the trace is played
  )");
}

TEST(ReplayProcessTest, AFunctionHasNoEndAndNoTime) {
  ExpectReplays(Host().InProcess(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log"}
    <- {"id":1,"result":1}
    -> {"method":"b"}
    eof host
    exit 0
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"b"}
    closes
    missing 2 log: {"method":"log"} | -
  )");
}

TEST(ReplayProcessTest, ASessionOfNothing) {
  ExpectReplays(Host(), "spawn\neof host\nexit 0\nend", R"(
    closes
    exit 0
    eof
    finishes
    same
  )");
}

TEST(ReplayProcessTest, AFailureAfterTheLastMessageOfARecordingWithoutExit) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    exit 1
    eof
    finishes
    ended -: - | exit 1 (the trace has no exit; if this one is right, add the line {"event":{"event":"exit","code":1}} to it)
  )");
}

TEST(ReplayProcessTest, WhereTheRecordedPluginWasKilledAnotherExitIsNoted) {
  ExpectReplays(Host(), R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    exit signal 9
    end
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    exit 1
    eof
    finishes
    same
    note the plugin ended with exit 1; how it ended when recorded is unknown
  )");
}

}  // namespace
}  // namespace midwire::replay
