#include "fuzz/live/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/eventually.h"
#include "tests/files.h"
#include "tests/live/live.h"
#include "tests/paths.h"
#include "tests/peers/peer.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// ---- one fault each, and the same input for a correct plugin

class RunnerFaultTest : public testing::TestWithParam<PeerFault> {};

TEST_P(RunnerFaultTest, IsReported) {
  Live live(GetParam().mode);
  const std::string keys = live.Calibrated().Run(GetParam().sent);
  EXPECT_TRUE(keys.starts_with(GetParam().key)) << keys;
  EXPECT_EQ(live.Run(kGood), "") << "on a fresh process all is well";
}

TEST_P(RunnerFaultTest, IsReportedOnAFreshProcessToo) {
  Live live(GetParam().mode);
  EXPECT_TRUE(live.Calibrated().Play(GetParam().sent).starts_with(GetParam().key));
}

TEST_P(RunnerFaultTest, IsNotReportedOfACorrectPlugin) {
  Live live("calm");
  EXPECT_EQ(live.Calibrated().Run(GetParam().sent), "");
}

INSTANTIATE_TEST_SUITE_P(
    Each, RunnerFaultTest,
    testing::Values(
        PeerFault{"crash", kOpen, "signal SIGSEGV after open\n"},
        PeerFault{"assert", kOpen, "signal SIGABRT Assertion `path' failed (ill.cc)"},
        PeerFault{"exit", kOpen, "exit 3 after request open\n"},
        PeerFault{"panic", kOpen, "panic panicked at src/main.rs:7:3\n"},
        PeerFault{"sanitizer", kOpen, "sanitizer AddressSanitizer: heap-use-after-free in Open\n"},
        PeerFault{"undefined", kOpen, "sanitizer ill.cc:#:#: runtime error: index # out of bounds"},
        PeerFault{"hang", kOpen, "hang after request open\n"},
        PeerFault{"silence", kOpen, "silence after request open\n"},
        PeerFault{"closes_stdout", kOpen, "silence closed stdout after request open\n"},
        PeerFault{"missing", kOpen, "missing open\n"},
        PeerFault{"double", kOpenNote, "double open\n"},
        PeerFault{"unknown", kOpenNote, "unknown after "},
        PeerFault{"id_type", kOpen, "id-type open\n"},
        PeerFault{"shape", kOpen, "shape both open\n"},
        PeerFault{"notification", kNote, "notification notification note\n"},
        PeerFault{"pollution", kOpen, "pollution opening nothing at all\n"},
        PeerFault{"nan", kOpen,
                  "bad-message a frame that is no JSON: a number after request open\n"},
        PeerFault{"utf8", kOpen, "utf8 response\n"}),
    [](const auto& fault) { return std::string(fault.param.mode); });

// ---- which message caused it

TEST(RunnerTest, AMessageThatWasNotReadIsNotTheOneThatStopsAPlugin) {
  // No answer to the first is required, because some peers take it for an answer.
  constexpr char kHalf[] = R"({"jsonrpc":"2.0","id":1,"method":"open","params":{},"result":1})";
  Live live("silence");
  EXPECT_EQ(live.Calibrated().Play(std::string(kHalf) + "\n" + kNote),
            "silence after request open\n");
}

TEST(RunnerTest, TheErrorsOfEarlierMessagesAreNotWhyAPluginEnds) {
  Live live("gives_up_late");
  EXPECT_EQ(live.Calibrated().Play(std::string(kOpen) + "{}\n" + kGood),
            "exit 1: gives up: ill: not a message:\n")
      << "nor is the last message, which it has not read";
}

TEST(RunnerTest, APluginThatEndsInTheNextRunHasGivenItsReasonBefore) {
  Live live("dies_late");
  std::string keys = live.Calibrated().Run(kOpen);
  keys += live.Run(kGood);
  EXPECT_EQ(keys, "panic TypeError in open\n");
}

TEST(RunnerTest, InLockstepTheMessageBeforeAFaultIsNamed) {
  const std::string said = std::string(kNote) + kNote + "[]\n" + kGood;
  Live live("crash_on_note");
  EXPECT_EQ(live.Calibrated().Play(said), "signal SIGSEGV after note\n");
  // Its id is in flight twice, so no second answer is expected.
  const std::string twice = std::string(kOpen) + kOpen + kNote + "[]\n";
  EXPECT_EQ(Live("hang").Calibrated().Play(twice), "hang after request open\n");
}

// ---- bytes that do not frame as they should, and probes after them

// The blank before the colon: some refuse it, and are out of sync after it.
Case OddThenOpen(Pace pace, bool asks) {
  const std::string ping = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
  const std::string odd = "Content-Length : " + std::to_string(ping.size()) + "\r\n\r\n" + ping;
  const std::string_view open = wire::Trimmed(kOpen);
  return {.input = ParseInput(odd + Framed(open, wire::Framing::kContentLength).bytes,
                              wire::Framing::kContentLength),
          .pace = pace,
          .probes_sync = asks};
}

TEST(RunnerTest, AfterAnOddHeaderAnswersAreExpectedOnlyAfterAProbe) {
  for (const Pace pace : {Pace::kLockstep, Pace::kPipelined}) {
    Live live("silence"), calm("calm");
    EXPECT_EQ(live.WithHeaders().Calibrated().Play(OddThenOpen(pace, false)), "");
    EXPECT_EQ(live.Play(OddThenOpen(pace, true)), "silence after request open\n");
    EXPECT_EQ(calm.WithHeaders().Calibrated().Play(OddThenOpen(pace, true)), "");
  }
}

// ---- many messages at once

TEST(RunnerTest, OfPipelinedMessagesTheFirstUnansweredIsNamed) {
  Live live("crash");
  const std::string text = std::string(kGood) + kOpen + kNote;
  EXPECT_EQ(live.Calibrated().Run(text, Pace::kPipelined), "signal SIGSEGV after open\n");
}

TEST(RunnerTest, AMessageWithAHandleWaitsForTheHandle) {
  Live live("calm");
  auto& bound = live.seeds().live;
  bound.Record(wire::Direction::kPluginToHost, "open", R"({"id":1,"result":{"handle":5}})");
  bound.Record(wire::Direction::kHostToPlugin, "use", R"({"id":2,"params":{"handle":5}})");
  live.Calibrated();
  const std::string use = R"({"jsonrpc":"2.0","id":3,"method":"use","params":{"handle":5}})";
  Transcript transcript;
  const Case life = {.input = ParseInput(kGood + use + "\n", wire::Framing::kLine),
                     .pace = Pace::kPipelined};
  ASSERT_TRUE(live.runner().Play(life, 1, &transcript));
  ASSERT_GE(transcript.chunks.size(), 3u);
  EXPECT_NE(transcript.chunks[2].bytes.find(R"("handle":7)"), std::string::npos);
}

TEST(RunnerTest, AnUnfinishedLineMayWaitForOurAnswer) {
  Live live("asks_first");
  EXPECT_EQ(live.Calibrated().Run(std::string(kOpen)), "");
  EXPECT_EQ(live.Run(std::string_view(kOpen).substr(0, sizeof kOpen - 2)), "");
}

// ---- sanitizers

TEST(RunnerTest, AReportIsReadToItsEnd) {
  Live live("slow_report");
  EXPECT_EQ(live.Calibrated().Run(kOpen),
            "sanitizer AddressSanitizer: heap-use-after-free in Open\n");
}

// ---- the opening

constexpr char kInitialize[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}\n";

TEST(RunnerTest, SometimesTheSessionIsNotOpened) {
  Live live("needs_opening");
  live.seeds().opening = ParseInput(kInitialize, wire::Framing::kLine);
  live.Calibrated();
  std::string keys;
  for (int i = 0; i < 4 && keys.empty(); ++i) {
    keys = live.Run(kOpen);
    live.runner().Retire();
  }
  EXPECT_EQ(keys, "signal SIGSEGV after open\n");
  EXPECT_EQ(live.runner().Recent(1).input.Bytes(), kOpen) << "the history has no opening";
}

TEST(RunnerTest, APluginMayBeSilentUntilItsSessionIsOpened) {
  Live live("deaf_unopened");
  live.seeds().opening = ParseInput(kInitialize, wire::Framing::kLine);
  live.Calibrated();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(live.Run(kOpen), "");
    live.runner().Retire();
  }
}

TEST(InvestigateTest, TheSecondFindingOfARunIsLookedAtAsWell) {
  Live live("pollution");
  live.Calibrated();
  const auto findings = live.runner().Run(
      ParseInput(std::string(kOpen) + kNote, wire::Framing::kLine), Pace::kLockstep);
  ASSERT_TRUE(findings);
  ASSERT_FALSE(findings->empty());
  for (int i = 0; i < 2; ++i) {
    const auto found = Investigate(&live.runner(), (*findings)[0], {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->hits, kTries) << i;
    EXPECT_NE(found->life.input.Bytes().find("open"), std::string::npos) << i;
  }
}

TEST(InvestigateTest, APluginThatLogsEachMessageShowsItByOne) {
  Live live("logs");
  live.Calibrated();
  const auto findings = live.runner().Run(
      ParseInput(std::string(kOpen) + kNote, wire::Framing::kLine), Pace::kLockstep);
  ASSERT_TRUE(findings);
  ASSERT_FALSE(findings->empty());
  const auto found = Investigate(&live.runner(), (*findings)[0], {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hits, kTries);
  EXPECT_EQ(found->life.input.parts.size(), 1u);
}

TEST(RunnerTest, WhatAPluginWritesAtEachStartIsNotWhyItEnded) {
  Live live("exit");
  live.options().argv = {"/bin/sh", "-c",
                         "echo error: no configuration >&2; exec '" + PeersFolder() + "/ill' exit"};
  live.Calibrated();
  EXPECT_EQ(live.Play(kOpen), "exit 3 after request open\n");
}

// ---- slow plugins

TEST(RunnerTest, ACaseWaitsAfterAMessageThatNeedsNoAnswer) {
  Live live("crash_when_made");
  live.Calibrated();
  // Without a version, which was always there, no answer is expected.
  const std::string open = "{\"id\":1,\"method\":\"open\",\"params\":{\"path\":\"a\"}}\n";
  EXPECT_EQ(live.Play(open + kNote), "signal SIGSEGV after note\n");
}

TEST(RunnerTest, APluginThatAnswersOneByOneIsNotSilent) {
  RunnerOptions options;
  options.timeout_ns = 200'000'000;
  Live live("slow", options);
  live.Calibrated();
  std::string many;
  for (int i = 0; i < 12; ++i) many += kGood;
  EXPECT_EQ(live.Run(many, Pace::kPipelined), "");
}

TEST(RunnerTest, APluginThatWaitsForAProcessorIsNotSilent) {
  Live live("waits_for_child", {.timeout_ns = 100'000'000});
  live.Calibrated();
  const pid_t other = fork();
  if (other == 0) {
    peer::PinToFirst();
    peer::Compute(700);
    _exit(0);
  }
  EXPECT_EQ(live.Play(kOpen), "");
  waitpid(other, nullptr, 0);
}

TEST(RunnerTest, ACrashAMomentAfterExitIsReported) {
  Live live("crash_behind_exit");
  live.seeds().methods.insert("exit");
  live.Calibrated();
  EXPECT_EQ(live.Play("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}\n"),
            "signal SIGSEGV after exit\n");
}

TEST(InvestigateTest, AReportAtTheEndOfStdinIsReproduced) {
  Live live("leaks_at_eof");
  live.Calibrated();
  EXPECT_EQ(live.Run(kGood), "");
  const std::vector<Finding> findings = live.runner().Retire();
  ASSERT_EQ(findings.size(), 1u);
  const auto found = Investigate(&live.runner(), findings[0], {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hits, kTries);
  EXPECT_TRUE(found->life.eof);
}

// ---- the end of stdin, and memory

TEST(RunnerTest, AnEndlessLoopAtTheEndOfStdinIsASpin) {
  Live live("spin");
  live.Calibrated();
  EXPECT_EQ(live.Run(kGood), "");
  EXPECT_EQ(live.Retire(), "spin\n");
  EXPECT_EQ(live.Play("", /*eof=*/true), "spin\n");
  EXPECT_EQ(live.Play(""), "");
}

TEST(RunnerTest, APluginThatSleepsOnIsReportedIfAskedFor) {
  Live asked("sleeps_at_eof", {.oracle = {.oracles = *ParseOracles("+sleep-at-eof")}});
  asked.Calibrated();
  EXPECT_EQ(asked.Run(kGood), "");
  EXPECT_EQ(asked.Retire(), "sleep-at-eof\n");
  Live silent("sleeps_at_eof"), calm("calm", {.oracle = {.oracles = *ParseOracles("all")}});
  EXPECT_EQ(silent.Play("", /*eof=*/true), "");
  EXPECT_EQ(calm.Play("", /*eof=*/true), "");
}

TEST(RunnerTest, MissingAnswersAtTheEndOfStdinAreLost) {
  Live live("lost_at_eof");
  live.Calibrated();
  EXPECT_EQ(live.Run(kGood), "");
  EXPECT_TRUE(live.Retire().starts_with("lost-at-eof "));
}

TEST(RunnerTest, AnEndInOrderIsNoFinding) {
  Live live("calm");
  live.Calibrated();
  EXPECT_EQ(live.Run(kGood), "");
  EXPECT_EQ(live.Retire(), "");
  EXPECT_EQ(live.Play(kGood, /*eof=*/true), "");
}

TEST(RunnerTest, GrowthOfMemoryIsReported) {
  // On a busy machine it grows for longer than the least time for an answer.
  Live live("memory", {.timeout_ns = 20'000'000'000, .max_growth = 32u << 20});
  EXPECT_EQ(live.Calibrated().Play(kOpen), "memory resident\n");
  EXPECT_EQ(live.Play(kGood), "");
}

TEST(RunnerTest, AddressesReservedAtTheStartAreNoGrowth) {
  Live live("reserves");
  live.Calibrated();
  EXPECT_EQ(live.Run(kGood), "");
  EXPECT_EQ(live.Play(kGood), "") << "a fresh process reserves it anew";
  // As a replay does, which knows the plugin from its cassette.
  Live known("reserves");
  known.runner().UseRecord({.probe = R"("method":"ping")", .timeout_ms = 500});
  EXPECT_EQ(known.Play(kGood), "");
}

// ---- difficult plugins

TEST(RunnerTest, AFloodOnStdoutIsOneFinding) {
  Live live("flood");
  const std::string keys = live.Calibrated().Run(kOpen);
  EXPECT_TRUE(keys.starts_with("pollution xxx")) << keys.substr(0, 400);
  EXPECT_LT(std::count(keys.begin(), keys.end(), '\n'), 4);
}

TEST(RunnerTest, AFloodFillsNoTranscript) {
  Live live("flood");
  Transcript transcript;
  live.Calibrated().Play(kOpen, false, &transcript);
  size_t size = 0;
  for (const auto& said : transcript.chunks) size += said.bytes.size();
  EXPECT_GT(size, 0u);
  EXPECT_LE(size, kMaxTranscript + (1u << 20));
}

TEST(RunnerTest, APluginThatSendsRequestsWithoutEndIsStopped) {
  Live live("asks");
  EXPECT_NE(live.Calibrated().Run(kOpen), "") << "it does not answer";
  EXPECT_EQ(live.Run(kGood), "");
}

TEST(RunnerTest, AnAnswerDoesNotGoIntoTheMiddleOfAMessage) {
  const std::string large = R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":")" +
                            std::string(1u << 19, 'a') + "\"}}\n";
  for (const Pace pace : {Pace::kLockstep, Pace::kSplit}) {
    Live live("interrupts", {.timeout_ns = 5'000'000'000});
    EXPECT_EQ(live.Calibrated().Run(large, pace), "") << Name(pace);
  }
}

// Above the size of a pipe, and above what is read at a time by anyone.
constexpr size_t kAbovePipe = 100 * 1024, kHuge = 3u << 19;

TEST(RunnerTest, AMessageAboveTheSizeOfAPipeIsSentWhole) {
  for (const size_t size : {kAbovePipe, kHuge}) {
    const std::string open = R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"pa":")" +
                             std::string(size, 'a') + "\"}}\n";
    for (const Pace pace : {Pace::kLockstep, Pace::kPipelined, Pace::kSplit}) {
      Live calm("calm"), crash("crash");
      EXPECT_EQ(calm.Calibrated().Run(open + kGood, pace), "") << Name(pace);
      EXPECT_EQ(crash.Calibrated().Run(open + kGood, pace), "signal SIGSEGV after open\n");
      EXPECT_EQ(crash.Play(open + kGood), "signal SIGSEGV after open\n");
    }
  }
}

TEST(RunnerTest, AMessageThatIsReadInPartIsTheOneThatStopsAPlugin) {
  const std::string note = R"({"jsonrpc":"2.0","method":"note","params":{"a":")" +
                           std::string(kAbovePipe, 'a') + "\"}}\n";
  EXPECT_EQ(Live("stops_within").Calibrated().Play(kGood + note),
            "silence after notification note\n");
}

TEST(RunnerTest, ADamagedContentLengthStreamMayEndIt) {
  Live live("calm");
  live.WithHeaders().Calibrated();
  EXPECT_EQ(
      live.Run(Framed(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", wire::Framing::kContentLength)
                   .bytes),
      "");
  EXPECT_EQ(live.Run("Content-Length: -5\r\n\r\n{}"), "");
  EXPECT_EQ(live.Run("Content-Length: 5\r\n\r\n{}"), "");
  // A run of the search waits too short a time to see each exit; a single play waits for it.
  Live asked("calm",
             {.oracle = {.oracles = *ParseOracles("+exit-on-junk")}, .timeout_ns = 20'000'000'000});
  asked.WithHeaders().Calibrated();
  EXPECT_EQ(asked.Play("Content-Length: -5\r\n\r\n{}"), "exit-on-junk 0\n");
}

// The broken header claims nothing that a peer could wait for.
const std::string kBroken =
    "Content-Length: -5\r\n\r\n{}" +
    Framed(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", wire::Framing::kContentLength).bytes;

TEST(RunnerTest, APluginThatIsLostAfterABrokenHeaderAndDoesNotEndIsDeaf) {
  Live live("deaf");
  EXPECT_EQ(live.WithHeaders().Calibrated().Play(kBroken), "deaf\n");
  EXPECT_EQ(live.Run(kBroken), "deaf\n");
}

TEST(RunnerTest, APluginThatEndsOrFindsTheNextHeaderIsNotDeaf) {
  for (const char* mode : {"calm", "skips_junk"}) {
    Live live(mode);
    EXPECT_EQ(live.WithHeaders().Calibrated().Play(kBroken), "") << mode;
  }
}

TEST(RunnerTest, UnfinishedAnswersFailTheCalibration) {
  Live live("long_length");
  const Status calibrated = live.WithHeaders().runner().Calibrate();
  ASSERT_FALSE(calibrated);
  EXPECT_THAT(calibrated.error().Text(), testing::AllOf(testing::HasSubstr("unfinished message"),
                                                        testing::HasSubstr("Content-Length")));
}

TEST(RunnerTest, AnEndAfterShutdownIsInOrder) {
  Live live("calm");
  live.Calibrated();
  EXPECT_EQ(live.Run("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}\n"), "");
  EXPECT_EQ(live.Run(kGood), "");
}

TEST(RunnerTest, AllSendModesReportTheSame) {
  const std::string all = std::string(kGood) + kNote + kOpen;
  for (const Pace pace : {Pace::kLockstep, Pace::kPipelined, Pace::kSplit}) {
    Live calm("calm"), crash("crash");
    EXPECT_EQ(calm.Calibrated().Run(all, pace), "") << Name(pace);
    EXPECT_EQ(crash.Calibrated().Run(all, pace), "signal SIGSEGV after open\n") << Name(pace);
  }
}

TEST(RunnerTest, AnOracleThatIsOffIsQuiet) {
  for (const auto& [mode, oracle] : {std::pair("crash", "-signal"), std::pair("exit", "-exit"),
                                     std::pair("panic", "-panic"), std::pair("hang", "-hang")}) {
    Live live(mode, {.oracle = {.oracles = *ParseOracles(oracle)}});
    EXPECT_EQ(live.Calibrated().Run(kOpen), "") << mode;
    EXPECT_EQ(live.Run(kGood), "") << mode;
  }
}

// ---- several processes

TEST(RunnerTest, BytesAfterTheLastAnswerCount) {
  for (int i = 0; i < 20; ++i) {
    Live live("double");
    EXPECT_EQ(live.Calibrated().Play(kOpen), "double open\n");
  }
}

TEST(RunnerTest, OneProcessServesManyInputs) {
  Live live("calm");
  live.Calibrated();
  const uint64_t before = live.runner().starts();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(live.Run(kGood), "");
  EXPECT_EQ(live.runner().starts(), before + 1);
}

TEST(RunnerTest, AFreshProcessReceivesTheOpeningFirst) {
  Live live("crash");
  live.seeds().opening = ParseInput(kGood, wire::Framing::kLine);
  live.Calibrated();
  EXPECT_EQ(live.Run(kOpen), "signal SIGSEGV after open\n");
  EXPECT_EQ(live.runner().Recent(1).input.Bytes(), std::string(kGood) + kOpen);
}

TEST(RunnerTest, TheHistoryIsAllThatTheProcessReceived) {
  Live live("calm");
  live.Calibrated();
  live.Run(kGood);
  live.Run(kNote);
  EXPECT_EQ(live.runner().History().input.Bytes(), std::string(kGood) + kNote);
  EXPECT_EQ(live.runner().Recent(1).input.Bytes(), kNote);
}

TEST(RunnerTest, ATranscriptHasBothPartiesAndNoProbe) {
  Live live("crash");
  Transcript transcript;
  live.Calibrated().Play(std::string(kGood) + kNote + kOpen, false, &transcript);
  std::string host, plugin;
  for (const auto& said : transcript.chunks) {
    (said.direction == wire::Direction::kHostToPlugin ? host : plugin) += said.bytes;
  }
  EXPECT_EQ(host, std::string(kGood) + kNote + kOpen);
  EXPECT_EQ(plugin, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"handle\":7}}\n");
  EXPECT_EQ(transcript.exit.signal, SIGSEGV);
}

TEST(RunnerTest, APluginThatDoesNotStartOrEndsAtOnceIsAnError) {
  Live live("calm");
  live.options().argv = {"/no/such/plugin"};
  EXPECT_FALSE(live.runner().Calibrate());
  Live ends("calm");
  ends.options().argv = {"/bin/sh", "-c", "echo no licence >&2; exit 9"};
  const Status calibrated = ends.runner().Calibrate();
  ASSERT_FALSE(calibrated);
  EXPECT_NE(calibrated.error().Text().find("no licence"), std::string::npos);
}

// Reports that it is open, and dies a moment later.
constexpr char kDiesBehindItsOpening[] =
    "read a; echo '{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}'; echo bad configuration >&2; exit "
    "3";

TEST(RunnerTest, APluginThatEndsDuringTheOpeningIsAnError) {
  Live dies("calm");
  dies.options().argv = {"/bin/sh", "-c", kDiesBehindItsOpening};
  dies.seeds().opening = ParseInput(kInitialize, wire::Framing::kLine);
  const Status calibrated = dies.runner().Calibrate();
  ASSERT_FALSE(calibrated);
  EXPECT_NE(calibrated.error().Text().find("exits during the opening"), std::string::npos)
      << calibrated.error().Text();
  EXPECT_NE(calibrated.error().Text().find("bad configuration"), std::string::npos);
}

TEST(RunnerTest, TheCalibrationStopsWhenAsked) {
  Live silent("mute");
  silent.seeds().opening = ParseInput(kInitialize, wire::Framing::kLine);
  silent.runner().stop = [] { return true; };
  EXPECT_TRUE(silent.runner().Calibrate()) << "it had no time to answer";
}

// ---- what a peer leaves running

// A daemon: its parent has exited, and it has its own session.
constexpr char kDaemon[] = "(setsid sleep 1000 >/dev/null 2>&1 &); exec ";

// Processes that have this in their environment.
int Having(const std::string& variable) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string environment = ReadIfThere(entry.path() / "environ");
    if (environment.find(variable) != std::string::npos) ++count;
  }
  return count;
}

TEST(RunnerTest, NoProcessOfAPluginIsLeft) {
  const std::string mark = "MIDWIRE_TEST=" + std::to_string(getpid());
  RunnerOptions options;
  options.environment = {mark};
  Live live("calm", options);
  live.options().argv = {"/bin/sh", "-c", kDaemon + ("'" + PeersFolder() + "/ill' calm")};
  EXPECT_EQ(live.Calibrated().Run(kGood), "");
  EXPECT_GE(Having(mark), 2);
  EXPECT_EQ(live.Retire(), "");
  EXPECT_EQ(Having(mark), 0) << "a process is left";
}

// As it would be with init: a process that checks for its child's child must not wait.
TEST(RunnerTest, OrphansAreReaped) {
  const std::string file = TemporaryRoot() + "midwire-orphan-" + std::to_string(getpid());
  Live live("calm");
  live.options().argv = {
      "/bin/sh", "-c",
      "(setsid sh -c 'echo $$ >" + file + "' &); exec '" + PeersFolder() + "/ill' calm"};
  // The shell that becomes a peer with a sanitizer is one that reserves much.
  live.options().oracle.oracles.reset(static_cast<size_t>(Oracle::kMemory));
  live.runner().UseRecord({.probe = R"("method":"ping")", .timeout_ms = 10'000});
  ASSERT_EQ(live.Run(kGood), "");
  pid_t orphan = 0;
  ASSERT_TRUE(Eventually([&] { return std::ifstream(file) >> orphan && orphan > 0; }));
  ASSERT_TRUE(Eventually([&] {
    const std::string status = ReadIfThere("/proc/" + std::to_string(orphan) + "/status");
    return status.empty() || status.find("State:\tZ") != std::string::npos;
  }));
  // The runner checks now and then, and whenever nothing arrives for a while.
  for (int i = 0; i < 90 && kill(orphan, 0) == 0; ++i) EXPECT_EQ(live.Run("\n"), "");
  EXPECT_EQ(kill(orphan, 0), -1) << "process " << orphan << " is a zombie";
  EXPECT_EQ(live.runner().starts(), 1u);
  unlink(file.c_str());
}

// ---- times

TEST(RunnerTest, AfterASlowStartTheTimeForAnAnswerFollowsTheAnswers) {
  Live live("calm");
  live.options().argv = {"sh", "-c", "sleep 0.4; exec \"$0\" calm", PeersFolder() + "/ill"};
  const Runner& runner = live.Calibrated().runner();
  EXPECT_GT(runner.timeout_ns(), 450'000'000);
  for (size_t i = 0; i < 3 * AnswerTimes::kEnough; ++i) EXPECT_EQ(live.Run(kGood), "");
  EXPECT_LT(runner.timeout_ns(), 450'000'000);
}

TEST(RunnerTest, ATimeoutThatWasGivenStays) {
  Live live("calm", {.timeout_ns = 700'000'000});
  live.Calibrated();
  for (size_t i = 0; i < 3 * AnswerTimes::kEnough; ++i) live.Run(kGood);
  EXPECT_EQ(live.runner().timeout_ns(), 700'000'000);
}

// ---- investigation

TEST(InvestigateTest, MessagesThatDoNotMatterAreRemoved) {
  Live live("crash");
  live.Calibrated();
  const auto findings = live.runner().Run(
      ParseInput(std::string(kGood) + kNote + kOpen + kGood, wire::Framing::kLine),
      Pace::kPipelined);
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1u);
  const auto found = Investigate(&live.runner(), (*findings)[0], {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hits, kTries);
  EXPECT_EQ(found->life.input.parts.size(), 1u);
  EXPECT_EQ(found->life.pace, Pace::kLockstep);
  EXPECT_EQ(found->finding.key, (*findings)[0].key);
  EXPECT_LT(found->life.input.size(), std::string(kOpen).size());
}

TEST(InvestigateTest, WithoutTimeForAReductionTheResultIsConfirmedAllTheSame) {
  Live live("crash");
  live.Calibrated();
  const Case life = {.input = ParseInput(std::string(kOpen) + kGood, wire::Framing::kLine)};
  const auto shows = [](const std::vector<Finding>& findings, const Transcript&, Finding* found) {
    if (!findings.empty()) *found = findings[0];
    return !findings.empty();
  };
  const auto found = ReduceCase(&live.runner(), life, shows, 1, {.max_time_ns = 0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hits, kTries);
  EXPECT_FALSE(found->finished);
}

TEST(InvestigateTest, AKnownFindingIsNotInvestigated) {
  Live live("crash");
  live.Calibrated();
  const auto findings = live.runner().Run(
      ParseInput(std::string(kGood) + kNote + kOpen + kGood, wire::Framing::kLine),
      Pace::kPipelined);
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1u);
  Finding seen = (*findings)[0];
  seen.key = "signal at an unknown place";  // as a run that sends much at once reports it
  std::string asked;
  InvestigateOptions options;
  const uint64_t starts = live.runner().starts();
  options.known = [&](const Finding& other) { return asked = other.key, true; };
  const auto found = Investigate(&live.runner(), seen, options);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tries, 0);
  EXPECT_EQ(found->finding.key, asked);
  EXPECT_EQ(asked, (*findings)[0].key);
  EXPECT_LE(live.runner().starts(), starts + 2) << "one to look, one to know what it takes at rest";
}

TEST(InvestigateTest, WhenStoppedTheSmallestCaseIsKept) {
  Live live("crash");
  live.Calibrated();
  const auto findings = live.runner().Run(
      ParseInput(std::string(kGood) + kOpen, wire::Framing::kLine), Pace::kLockstep);
  ASSERT_TRUE(findings);
  for (const int plays : {0, 1, 3, 4, 6}) {
    live.Run(std::string(kGood) + kOpen);
    int left = plays;
    const InvestigateOptions options = {.stop = [&] { return left-- <= 0; }};
    const auto found = Investigate(&live.runner(), (*findings)[0], options);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->finding.key, (*findings)[0].key) << plays;
    EXPECT_FALSE(found->transcript.chunks.empty()) << plays;
    EXPECT_NE(found->life.input.Bytes().find("open"), std::string::npos) << plays;
    if (plays < 4) continue;
    EXPECT_GT(found->hits, 0) << "it was seen on fresh processes";
  }
}

}  // namespace
}  // namespace midwire::fuzz
