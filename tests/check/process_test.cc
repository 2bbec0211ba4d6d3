// Rules of the plugin's process. The test language is that of conversation.h.
#include <gtest/gtest.h>

#include "tests/check/plain.h"
#include "trace/report/violation_list.h"

namespace midwire::trace {
namespace {

constexpr char kAsk[] = R"(
  spawn
  -> {"id":1,"method":"ask"}
)";
constexpr char kAllAnswered[] = R"(
  spawn
  -> {"id":1,"method":"ask"}
  <- {"id":1,"result":1}
)";
constexpr char kTerm[] = "event {\"event\":\"signal\",\"signal\":\"TERM\",\"number\":15}\n";

std::string After(std::string_view sent, const std::string& then) {
  return Plain(std::string(sent) + then + "end\n");
}

TEST(ProcessRule, ExitWithAllAnswered) {
  EXPECT_EQ(After(kAllAnswered, "exit 0\n"), "");
  EXPECT_EQ(After(kAllAnswered, "exit 1\n"), "");
  EXPECT_EQ(After(kAllAnswered, "eof host\nexit 0\n"), "");
}

TEST(ProcessRule, ExitWhileRequestsAreOpen) {
  EXPECT_EQ(After(kAsk, "exit 1\n"),
            "must process.open -: expected answers first, got exit 1, open: ask (message 1)\n");
}

TEST(ProcessRule, APluginThatPassedOverARequestHasNotLostItByItsExit) {
  EXPECT_EQ(After(kAsk, R"(
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":1}
    exit 0
  )"),
            "must answer.missing 1 ask\n");
}

TEST(ProcessRule, AnOrderlyExitAfterTheEndOfStdinLeavesEachAnswerMissing) {
  EXPECT_EQ(After(kAsk, "eof host\nexit 0\n"), "must answer.missing 1 ask\n");
  EXPECT_EQ(After(kAsk, "eof host\nexit 1\n"),
            "must process.open -: expected answers first, got exit 1, open: ask (message 1)\n");
}

TEST(ProcessRule, ACrashWithOpenRequestsIsOneViolation) {
  EXPECT_EQ(After(kAsk, "signal 11\n"),
            "must process.open -: expected answers first, got exit by SIGSEGV, open: ask "
            "(message 1)\n");
  EXPECT_EQ(After(kAsk, "-> {\"id\":2,\"method\":\"b\"}\n<- {\"id\":2,\"result\":1}\nsignal 9\n"),
            "must answer.missing 1 ask\nnote process.killed -: got exit by SIGKILL\n");
}

TEST(ProcessRule, AnAnswerThatCannotBeReadIsNotLostByTheExit) {
  EXPECT_EQ(After(kAsk, "<- {\"result\":1}\nexit 0\n").find("process."), std::string::npos);
}

TEST(ProcessRule, WhereAnExitWithOpenRequestsIsAllowedEachIsMissing) {
  EXPECT_EQ(Found(std::string(kPlain) + R"(,"severities":{"process.open":"off"})",
                  std::string(kAsk) + "exit 0\nend\n"),
            "must answer.missing 1 ask\n");
}

TEST(ProcessRule, TheLastLineOfStderrIsAtHand) {
  const auto dialect = DialectOf(kPlain);
  ASSERT_TRUE(dialect);
  std::string text;
  auto checker =
      check::Checker::Create(&*dialect, [&](const Violation& found) { text += found.text + "\n"; });
  Talk(checker->get())
      .Play(std::string(kAsk) + "stderr Traceback\nexit 1\nstderr No module\nend\n", {});
  (*checker)->Finish();
  EXPECT_TRUE(
      text.starts_with("the plugin exited while requests were open; it wrote last to "
                       "stderr: No module\n"))
      << text;
}

TEST(ProcessRule, OnlyTheFirstOpenRequestsAreNamed) {
  std::string many = "spawn\n";
  for (int i = 1; i <= 7; ++i) many += "-> {\"id\":" + std::to_string(i) + ",\"method\":\"m\"}\n";
  const std::string found = After(many, "exit 0\n");
  EXPECT_NE(found.find("m (message 5) and 2 more\n"), found.npos) << found;
}

TEST(ProcessRule, ACallOfThePluginThatItsHostDidNotAnswerIsNotItsFault) {
  EXPECT_EQ(After("spawn\n", "<- {\"id\":1,\"method\":\"ask\"}\nexit 0\n"),
            "must answer.missing 1 ask\n");
}

TEST(ProcessRule, ElementsOfABatchAreAnsweredOneByOne) {
  EXPECT_EQ(After("spawn\n", R"(-> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- {"id":1,"result":1}
    exit 0
  )"),
            "must process.open -: expected answers first, got exit 0, open: b (message 1)\n");
}

TEST(ProcessRule, ACancelledRequestMayStayOpenWhereItIsNotAnswered) {
  const std::string sent = std::string(kAsk) + "-> {\"id\":2,\"method\":\"b\"}\n" +
                           "-> {\"method\":\"cancel\",\"params\":{\"id\":1}}\nexit 0\nend\n";
  const auto found = [&](const std::string& answered) {
    return Found(
        std::string(kPlain) + R"(,"cancellation":{"at":["cancel:/params/id"])" + answered + "}",
        sent);
  };
  EXPECT_EQ(found(R"(,"answered":false)"),
            "must process.open -: expected answers first, got exit 0, open: b (message 2)\n");
  EXPECT_EQ(found(""),
            "must process.open -: expected answers first, got exit 0, open: ask (message 1), "
            "b (message 2)\n");
}

TEST(ProcessRule, OpenAfterTheLastMessageOrWhereTheHostKilledIt) {
  const std::string members = std::string(kPlain) + R"(,"lifecycle":{"last":["bye"]})";
  const std::string found =
      Found(members, std::string(kAsk) + "-> {\"method\":\"bye\"}\nexit 0\nend\n");
  EXPECT_EQ(found.find("process."), found.npos) << found;
  EXPECT_EQ(After(kAsk, std::string(kTerm) + "signal 15\n"),
            "note answer.cut-off 1 ask\nnote process.killed -: got signal SIGTERM, then exit by "
            "SIGTERM, open: ask (message 1)\n");
}

TEST(ProcessRule, ARequestThatHangsUntilTheHostKillsThePlugin) {
  EXPECT_EQ(After(kAsk, "at 5900\n" + std::string(kTerm) + "signal 15\n"),
            "note answer.cut-off 1 ask\nnote process.killed -: got signal SIGTERM, then exit by "
            "SIGTERM, open: ask (message 1)\n");
  EXPECT_EQ(After(kAsk, "at 6100\n" + std::string(kTerm) + "signal 15\n"),
            "must answer.missing 1 ask\nnote process.killed -: got signal SIGTERM, then exit by "
            "SIGTERM, open: ask (message 1)\n");
  EXPECT_EQ(After(kAsk, std::string(kTerm) + "at 9000\nexit 0\n").find("must"), std::string::npos)
      << "what counts is when the host lost its patience";
}

TEST(ProcessRule, ARequestAfterASignalThatDidNotEndThePlugin) {
  EXPECT_NE(After("spawn\n", std::string(kTerm) + "-> {\"id\":1,\"method\":\"ask\"}\nexit 0\n")
                .find("must answer.missing 1 ask"),
            std::string::npos);
}

constexpr char kHostLeft[] = "event {\"event\":\"closed\",\"stream\":\"plugin-to-host\"}\n";

TEST(ProcessRule, AHostThatClosesTheOutputOfItsPluginWantsNoAnswer) {
  EXPECT_EQ(After(kAsk, std::string("eof host\n") + kHostLeft + "exit 1\n"),
            "note answer.cut-off 1 ask\n");
  EXPECT_EQ(After(kAsk, std::string(kHostLeft) + "signal 13\n"),
            "note answer.cut-off 1 ask\nnote process.killed -: got exit by SIGPIPE\n");
  EXPECT_EQ(After(kAsk, std::string("at 9000\n") + kHostLeft + "exit 1\n"),
            "must answer.missing 1 ask\n");
}

TEST(ProcessRule, AHostThatClosesTheOutputExcusesNoRequestThatWasPassedOver) {
  const std::string passed =
      std::string(kAsk) + "-> {\"id\":2,\"method\":\"ask\"}\n" + "<- {\"id\":2,\"result\":1}\n";
  EXPECT_EQ(After(passed, std::string(kHostLeft) + "exit 0\n"), "must answer.missing 1 ask\n");
}

TEST(ProcessRule, AHostThatClosesTheOutputExcusesNoCrash) {
  const std::string found = After(kAsk, std::string(kHostLeft) + "signal 11\n");
  EXPECT_NE(found.find("must process.open -: "), std::string::npos) << found;
}

TEST(ProcessRule, AHostThatClosesAfterTheEndOfTheOutputDidNotCauseIt) {
  const char kLost[] =
      "must process.open -: expected answers first, got exit 1, open: ask (message 1)\n";
  EXPECT_EQ(After(kAsk, std::string("eof plugin\n") + kHostLeft + "exit 1\n"), kLost);
  EXPECT_EQ(After(kAsk, std::string("exit 1\n") + kHostLeft), kLost);
}

TEST(ProcessRule, ASignalThatEndsNothingExcusesNothing) {
  const char kUsr1[] = "event {\"event\":\"signal\",\"signal\":\"USR1\",\"number\":10}\n";
  EXPECT_EQ(After(kAsk, std::string(kUsr1) + "exit 0\n"),
            "must process.open -: expected answers first, got exit 0, open: ask (message 1)\n");
}

TEST(ProcessRule, WhatMayBeLostIsNotOpen) {
  EXPECT_EQ(After("part 2\n", "-> {\"id\":1,\"method\":\"ask\"}\nexit 0\n"), "");
}

TEST(ProcessRule, GoesOnAfterTheEndOfItsStdin) {
  EXPECT_EQ(After(kAllAnswered, "eof host\nat 3500\nexit 0\n"),
            "should process.stdin-end -: expected an exit within 1.5 s, got an exit after 2.5 s\n");
  EXPECT_EQ(After(kAllAnswered, std::string("eof host\nat 3100\n") + kTerm + "signal 15\n"),
            "note process.killed -: got signal SIGTERM, then exit by SIGTERM\n"
            "should process.stdin-end -: expected an exit within 1.5 s, "
            "got none in 2.1 s, then signal SIGTERM\n");
}

TEST(ProcessRule, TheTimeOfTheStartIsNotTheExits) {
  EXPECT_EQ(After("spawn\n", "eof host\nat 9000\nexit 0\n"), "");
  EXPECT_EQ(After("spawn\n", "eof host\nat 8000\n<- {\"method\":\"ready\"}\nat 9000\nexit 0\n"),
            "");
  EXPECT_EQ(After("spawn\n", "eof host\nat 8000\n<- {\"method\":\"ready\"}\nat 9600\nexit 0\n"),
            "should process.stdin-end -: expected an exit within 1.5 s, got an exit after 1.6 s\n");
  EXPECT_NE(After("spawn\n", std::string("eof host\nat 9000\n") + kTerm + "signal 15\n")
                .find("should process.stdin-end"),
            std::string::npos);
}

TEST(ProcessRule, AnImpatientHostProvesNothing) {
  EXPECT_EQ(After(kAllAnswered, std::string("eof host\n") + kTerm + "at 9000\nsignal 15\n"),
            "note process.killed -: got signal SIGTERM, then exit by SIGTERM\n");
}

TEST(ProcessRule, AnswersAfterTheEndOfStdinAreInTime) {
  EXPECT_EQ(After(kAsk, "eof host\nat 9000\n<- {\"id\":1,\"result\":1}\nexit 0\n"), "");
}

TEST(ProcessRule, TheDialectsGraceCounts) {
  const std::string members =
      std::string(kPlain) + R"(,"lifecycle":{"last":["bye"],"grace_ms":5000})";
  EXPECT_EQ(Found(members, std::string(kAllAnswered) + "eof host\nat 5000\nexit 0\n"), "");
  const std::string found =
      Found(members, std::string(kAllAnswered) + "eof host\nat 9000\nexit 0\n");
  EXPECT_NE(found.find("should process.stdin-end -: expected an exit within 5.0 s"), found.npos);
}

TEST(ProcessRule, CrashesAndSignalsOfOthers) {
  EXPECT_EQ(After(kAllAnswered, "signal 11\n"), "should process.crash -: got exit by SIGSEGV\n");
  EXPECT_EQ(After(kAllAnswered, "signal 9\n"), "note process.killed -: got exit by SIGKILL\n");
  EXPECT_EQ(After(kAllAnswered, "event {\"event\":\"signal\",\"number\":28}\nexit 0\n"), "");
}

TEST(ProcessRule, AFailureBeforeAnyMessage) {
  EXPECT_EQ(After("spawn\n", "stderr No module\nexit 1\n"), "should process.crash -: got exit 1\n");
  EXPECT_EQ(After("spawn\n", "exit 0\n"), "");
  EXPECT_EQ(After("spawn\n-> {\"method\":\"exit\"}\n", "exit 1\n"), "");
  EXPECT_EQ(After("spawn\n", std::string(kTerm) + "exit 1\n"),
            "note process.killed -: got signal SIGTERM, then exit 1\n");
}

TEST(ProcessRule, AnotherProcessHoldsItsOutput) {
  EXPECT_EQ(After(kAllAnswered,
                  "exit 0\nevent {\"event\":\"held\",\"stream\":\"plugin-to-host\"}\n"
                  "event {\"event\":\"held\",\"stream\":\"stderr\"}\n"),
            "should process.held -\nnote process.held -\n");
}

TEST(ProcessRule, AReaderThatStops) {
  const std::string stalled =
      "event {\"event\":\"stalled\",\"stream\":\"host-to-plugin\",\"ms\":3000,\"unread\":9}\n";
  EXPECT_EQ(
      After(kAllAnswered, stalled + "event {\"event\":\"resumed\",\"stream\":\"host-to-plugin\","
                                    "\"ms\":7200}\nexit 0\n"),
      "should process.stalled -: got plugin has not read stdin for 7.2 s, 9 bytes waiting\n");
  EXPECT_EQ(After(kAllAnswered, "at 2000\n" + stalled + "at 4000\nexit 0\n"),
            "should process.stalled -: got plugin has not read stdin for 5 s, 9 bytes waiting\n");
  EXPECT_EQ(After(kAllAnswered, "at 2000\n" + stalled +
                                    "at 5000\nevent {\"event\":\"closed\",\"stream\":"
                                    "\"host-to-plugin\"}\nexit 0\n"),
            "should process.stalled -: got plugin has not read stdin for 6 s, 9 bytes waiting\n");
  EXPECT_EQ(Plain("spawn\n" + stalled),
            "should process.stalled -: got plugin has not read stdin for 3 s, 9 bytes waiting\n");
}

TEST(ProcessRule, MessagesThatWereNeverRead) {
  const std::string closed =
      "event {\"event\":\"closed\",\"stream\":\"host-to-plugin\",\"unread\":";
  constexpr char kThree[] =
      "spawn\n-> {\"method\":\"a\"}\n\n-> {\"method\":\"b\"}\n"
      "<- {\"method\":\"x\"}\n-> {\"method\":\"c\"}\n";
  EXPECT_EQ(After(kThree, closed + "15}\nexit 0\n"), "note process.unread -: got message 4\n");
  EXPECT_EQ(After(kThree, closed + "16}\nexit 0\n"),
            "note process.unread -: got messages 2 to 4\n");
  EXPECT_EQ(After(kThree, closed + "999}\nexit 0\n"),
            "note process.unread -: got messages 1 to 4\n");
  EXPECT_EQ(After(kThree, "event {\"event\":\"closed\",\"stream\":\"host-to-plugin\"}\nexit 0\n"),
            "");
}

TEST(ProcessRule, APluginThatCannotBeStarted) {
  EXPECT_EQ(After("spawn\n",
                  "event {\"event\":\"cannot-start\",\"file\":\"p\",\"path\":\"/bin\","
                  "\"error\":\"No such file or directory\",\"number\":2}\nexit 127\n"),
            "must process.start -: got No such file or directory: p\n");
}

TEST(ViolationListTest, WhatExplainsTheRestIsFirstInItsSession) {
  ViolationList list;
  list.Add({.rule = "b", .session = 1, .frame = 1}, 1);
  list.Add({.rule = "a", .session = 1, .leads = true}, 9);
  list.Add({.rule = "c", .session = 2, .frame = 12}, 12);
  list.Sort();
  EXPECT_EQ(list.listed()[0].violation.rule, "a");
  EXPECT_EQ(list.listed()[2].violation.rule, "c");
}

}  // namespace
}  // namespace midwire::trace
