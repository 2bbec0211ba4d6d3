#include "replay/rehearsal.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

// Plays the live session, in the language of conversations, against the recorded one.
std::string Rehearsed(std::string_view recorded, std::string_view live,
                      ExitStatus ended = {.code = 0}) {
  const auto loaded = LoadTape(TapeOf(recorded), Host());
  LiveSession session;
  for (const std::string& line : LinesOf(live)) {
    if (line.find('>') == 1) {
      session.AddSent();
    } else {
      session.AddReceived(BytesOf(line));
    }
  }
  const auto report = Rehearse(loaded.get(), &session, ended, Host().options);
  EXPECT_TRUE(report.ok()) << report.error().Text();
  return Reported(*report);
}

TEST(Rehearsal, TheSessionOfTheTraceIsTheSame) {
  EXPECT_EQ(Rehearsed(kTwoCalls, kTwoCalls), "same\n");
  EXPECT_EQ(Rehearsed(kTwoCalls, kTwoCalls, {.code = 3}), "ended -: - | exit 3\n");
}

TEST(Rehearsal, AnotherValueDiffers) {
  EXPECT_EQ(Rehearsed(kTwoCalls, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":3}
  )"),
            "differs 4 b /result: 2 | 3\n");
}

TEST(Rehearsal, ACallBeforeTheRequestThatCausesItNeverComes) {
  EXPECT_TRUE(Rehearsed(R"(
    <- {"id":7,"method":"x"}
    -> {"id":1,"method":"a"}
    -> {"id":7,"result":0}
    <- {"id":1,"result":1}
  )",
                        R"(
    -> {"id":1,"method":"a"}
    <- {"id":7,"method":"x"}
    -> {"id":7,"result":0}
    <- {"id":1,"result":1}
  )")
                  .starts_with("hung 1 x"));
}

TEST(Rehearsal, APluginThatWasKilledDoesNotEndByItself) {
  EXPECT_EQ(Rehearsed(std::string(kTwoCalls) + "exit signal 9\n", kTwoCalls, {.signal = 9}),
            "same\n");
}

}  // namespace
}  // namespace midwire::replay
