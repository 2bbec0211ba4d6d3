#include "fuzz/live/host_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/live/live.h"
#include "tests/paths.h"

namespace midwire::fuzz {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kOpening[] = "{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":{}}\n";
constexpr char kOpened[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"handle\":\"h-1\"}}\n";
constexpr char kGot[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"text\":\"hello\"}}\n";
constexpr char kRefused[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}\n";
constexpr char kWrongId[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"handle\":\"h-1\"}}\n";
constexpr char kEmpty[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
const std::string kLong =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"handle\":\"" + std::string(5000, 'h') + "\"}}\n";
const std::string kInOrder = std::string(kOpening) + kOpened + kGot;

// A host of tests/peers, and what its plugin sends to it; the keys of the findings, one per line.
class LiveHost {
 public:
  explicit LiveHost(const std::string& mode, RunnerOptions options = {}) {
    seeds_.framing = wire::Framing::kLine;
    seeds_.methods = {"open", "get", "note", "bye"};
    seeds_.peer_ids = {{"1", {"open"}}, {"2", {"get"}}};
    seeds_.inputs = {ParseInput(kInOrder, seeds_.framing)};
    options.host = true;
    if (options.oracle.oracles == DefaultOracles()) options.oracle.oracles = *ParseOracles("-exit");
    options.argv = {PeersFolder() + "/host_ill", mode, "exec", "{plugin}"};
    if (options.timeout_ns == 0) options.timeout_ns = 10'000'000'000;
    options_ = std::move(options);
    runner_ = std::make_unique<HostRunner>(options_, &seeds_, &features_);
  }
  HostRunner& runner() { return *runner_; }

  // As a replay does: the host ends by itself, with 0.
  LiveHost& Known(int64_t timeout_ms = 10'000) {
    runner_->UseRecord({.probe = "ends 0", .timeout_ms = timeout_ms});
    return *this;
  }
  std::string Play(std::string_view text, Transcript* transcript = nullptr,
                   Pace pace = Pace::kLockstep) {
    const Case life = {.input = ParseInput(text, seeds_.framing), .pace = pace};
    const auto findings = runner_->Play(life, 1, transcript);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    return findings ? Live::KeysOf(*findings) : findings.error().Text();
  }
  static std::string Of(const Transcript& transcript, wire::Direction direction) {
    std::string text;
    for (const auto& said : transcript.chunks) {
      if (said.direction == direction) text += said.bytes;
    }
    return text;
  }

 private:
  Seeds seeds_{wire::Direction::kPluginToHost};
  Features features_{{}};
  RunnerOptions options_;
  std::unique_ptr<HostRunner> runner_;
};

// ---- one fault each, and the same input for a correct host

class HostRunnerFaultTest : public testing::TestWithParam<PeerFault> {
 protected:
  // A host that hangs is given a short timeout, the others a long one.
  static int64_t Timeout() {
    const std::string mode = GetParam().mode;
    return mode == "hang" || mode == "silence" || mode == "hopes" ? 150 : 10'000;
  }
  static RunnerOptions Options() {
    return {.oracle = {.oracles = *ParseOracles("all,-dialect")}, .max_growth = 48u << 20};
  }
};

TEST_P(HostRunnerFaultTest, IsReported) {
  LiveHost live(GetParam().mode, Options());
  EXPECT_THAT(live.Known(Timeout()).Play(kOpening + GetParam().sent + kGot),
              StartsWith(GetParam().key));
  EXPECT_EQ(live.Known().Play(kInOrder), "") << "on a fresh process all is well";
}

TEST_P(HostRunnerFaultTest, IsNotReportedOfACorrectHost) {
  RunnerOptions options = Options();
  options.oracle.oracles.reset(static_cast<size_t>(Oracle::kExit));
  LiveHost live("calm", options);
  EXPECT_EQ(live.Known().Play(kOpening + GetParam().sent + kGot), "");
}

INSTANTIATE_TEST_SUITE_P(
    Each, HostRunnerFaultTest,
    testing::Values(PeerFault{"crash", kRefused, "signal SIGSEGV after error\n"},
                    PeerFault{"throws", kRefused, "panic KeyError in <module>\n"},
                    PeerFault{"exit", kEmpty, "exit 3 after response\n"},
                    PeerFault{"hang", kWrongId, "hang after "},
                    PeerFault{"silence", kWrongId, "silence after "},
                    PeerFault{"memory", kLong, "memory resident\n"},
                    PeerFault{"bursts", kLong, "memory resident\n"}),
    [](const auto& fault) { return std::string(fault.param.mode); });

TEST(HostRunnerTest, AHostThatWaitsAfterItsPluginHasEndedIsSilent) {
  EXPECT_THAT(LiveHost("hopes").Known(150).Play(kWrongId), StartsWith("silence after "));
}

TEST(HostRunnerTest, TheLastMessageOfAHostIsRead) {
  LiveHost live("last_words");
  EXPECT_EQ(live.Known().Play(kInOrder), "unknown after response\n");
}

// ---- correct hosts of many kinds

class HostRunnerModeTest : public testing::TestWithParam<const char*> {};

TEST_P(HostRunnerModeTest, HasNoFindings) {
  // Descriptors inherited from the test runner are not for shows_descriptors to see.
  for (int fd = 3; fd < 1024; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
  LiveHost live(GetParam());
  const Status calibrated = live.runner().Calibrate();
  ASSERT_TRUE(calibrated) << calibrated.error().Text();
  EXPECT_EQ(live.runner().AliveText(), "exits as with its recorded plugin (exit 0)");
  for (const Pace pace : {Pace::kLockstep, Pace::kSplit}) {
    Transcript transcript;
    EXPECT_EQ(live.Play(kInOrder, &transcript, pace), "");
    EXPECT_EQ(LiveHost::Of(transcript, wire::Direction::kPluginToHost), kInOrder);
    EXPECT_EQ(transcript.exit.code, 0) << transcript.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, HostRunnerModeTest,
                         testing::Values("calm", "twice", "slow", "batch", "chatters", "kills",
                                         "grandchild", "own_session", "shows_descriptors"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST(HostRunnerTest, AtTheEndOfItsStdinThePluginSendsTheRest) {
  LiveHost live("batch");
  Transcript transcript;
  EXPECT_EQ(live.Known().Play(kInOrder + kOpening, &transcript), "");
  EXPECT_EQ(LiveHost::Of(transcript, wire::Direction::kPluginToHost), kInOrder + kOpening);
}

TEST(HostRunnerTest, AHostThatKeepsRunningIsNotSilent) {
  LiveHost live("lives", {.timeout_ns = 150'000'000});
  ASSERT_TRUE(live.runner().Calibrate());
  EXPECT_EQ(live.runner().AliveText(), "keeps running");
  EXPECT_EQ(live.Play(kInOrder), "");
}

TEST(HostRunnerTest, AHostThatIgnoresItsPluginHasNoFindings) {
  LiveHost live("ignores");
  EXPECT_EQ(live.Known().Play(kInOrder), "");
}

TEST(HostRunnerTest, NoProcessOfAHostInTheBackgroundIsLeft) {
  LiveHost live("daemon");
  EXPECT_EQ(live.Known().Play(kInOrder), "");  // and Play looks for remaining processes
}

TEST(HostRunnerTest, ATranscriptHasBothParties) {
  LiveHost live("crash");
  Transcript transcript;
  live.Known().Play(std::string(kOpening) + kRefused, &transcript);
  EXPECT_EQ(LiveHost::Of(transcript, wire::Direction::kHostToPlugin),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\",\"params\":{\"path\":\"/a\"}}\n");
  EXPECT_EQ(LiveHost::Of(transcript, wire::Direction::kPluginToHost),
            std::string(kOpening) + kRefused);
  EXPECT_EQ(transcript.exit.signal, SIGSEGV);
}

TEST(HostRunnerTest, AHostThatStartsNoPluginIsAnError) {
  LiveHost never("never");
  const Status calibrated = never.runner().Calibrate();
  ASSERT_FALSE(calibrated);
  EXPECT_THAT(calibrated.error().Text(), HasSubstr("does not start its plugin"));
  EXPECT_THAT(calibrated.error().Text(), HasSubstr("no licence"));
}

TEST(HostRunnerTest, StopsWhenAsked) {
  LiveHost live("never_lives");
  int left = 3;
  live.runner().stop = [&] { return left-- <= 0; };
  EXPECT_TRUE(live.runner().Calibrate());
  EXPECT_EQ(live.Play(kInOrder), "");
}

TEST(HostRunnerTest, ARecordHasTheResultOfTheCalibration) {
  LiveHost live("calm");
  ASSERT_TRUE(live.runner().Calibrate());
  FindingRecord record;
  live.runner().Describe(&record);
  EXPECT_TRUE(record.of_host);
  EXPECT_EQ(record.probe, "ends 0");
  EXPECT_EQ(record.timeout_ms, 10'000);
}

}  // namespace
}  // namespace midwire::fuzz
