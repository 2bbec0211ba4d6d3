// The machine of chaos under a real relay, as plain calls: no process and no clock.
#include "tools/fuzzing/chaos_machine.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "proxy/relay.h"

namespace midwire::tools {
namespace {

using proxy::Stream;

constexpr Stream kIn = Stream::kHostToPlugin, kOut = Stream::kPluginToHost, kErr = Stream::kStderr;
constexpr int64_t kMs = 1'000'000;

// The driver: writes down its calls; its clock is the test's.
class Edge : public proxy::Actions {
 public:
  void Send(Stream stream, std::string_view bytes) override {
    if (closed[static_cast<int>(stream)]) return;
    log += std::string(stream == kIn ? ">" : stream == kOut ? "<" : "!") + std::string(bytes);
  }
  void CloseSink(Stream s) override {
    log += "end " + std::string(trace::Name(s)) + ";";
    closed[static_cast<int>(s)] = true;
  }
  void CloseSource(Stream s) override {
    log += "stop " + std::string(trace::Name(s)) + ";";
    source[static_cast<int>(s)] = false;
  }
  void SignalPlugin(const proxy::SignalInfo& s) override {
    log += "signal " + std::to_string(s.number) + ";";
  }
  void Hold(Stream s, bool on) override { held[static_cast<int>(s)] = on; }
  void RecordEvent(const trace::Event& event) override { recorded += Describe(event) + "\n"; }
  void Finish() override { ++finished; }
  bool HasSource(Stream s) const override { return source[static_cast<int>(s)]; }
  size_t Pending(Stream) const override { return 0; }
  uint64_t Sent(Stream) const override { return 0; }
  size_t Unread(Stream) const override { return 0; }
  int64_t Now() const override { return now; }

  std::string log, recorded;
  bool source[3] = {true, true, true}, held[3] = {}, closed[3] = {};
  int64_t now = 0;
  int finished = 0;
};

class ChaosMachineTest : public testing::Test {
 protected:
  void Begin(fuzz::Fault fault, std::string_view on = "", int64_t stall_ms = 1000) {
    filter_.emplace(std::move(*trace::Filter::Compile(on)));
    chaos_.emplace(fuzz::ChaosOptions{.seed = 3,
                                      .rate = 1,
                                      .faults = {fault},
                                      .delay_ms = 1,
                                      .stall_ms = stall_ms,
                                      .piece_ms = 5},
                   &*filter_);
    machine_.emplace(&relay_, &*chaos_, "begins");
    machine_->OnStart(&edge_);
  }
  void Host(std::string_view bytes) { machine_->OnBytes(kIn, bytes, &edge_); }
  void Plugin(std::string_view bytes) { machine_->OnBytes(kOut, bytes, &edge_); }
  // Advances the clock and calls timers as the driver does.
  void After(int64_t ms) {
    const int64_t until = edge_.now + ms * kMs;
    while (machine_->Deadline() <= until) {
      edge_.now = std::max(edge_.now, machine_->Deadline());
      machine_->OnTime(&edge_);
      ASSERT_TRUE(edge_.finished || machine_->Deadline() > edge_.now) << "it would spin";
      if (edge_.finished) return;
    }
    edge_.now = until;
  }
  std::string Log() { return std::exchange(edge_.log, ""); }

  proxy::Relay relay_{2000 * kMs, false};
  std::optional<trace::Filter> filter_;
  std::optional<fuzz::Chaos> chaos_;
  std::optional<ChaosMachine> machine_;
  Edge edge_;
};

constexpr char kNoteA[] = "{\"method\":\"a\"}\n", kNoteB[] = "{\"method\":\"b\"}\n";

TEST_F(ChaosMachineTest, APauseHoldsItsDirectionAndWhatFollowsWaits) {
  Begin(fuzz::Fault::kStall, "method=a");
  Host(kNoteA);
  Host(kNoteB);
  EXPECT_TRUE(edge_.held[0]);
  EXPECT_FALSE(edge_.held[1]);
  Plugin(kNoteB);
  EXPECT_EQ(Log(), std::string("<") + kNoteB);
  After(999);
  EXPECT_EQ(Log(), "");
  After(1);
  EXPECT_EQ(Log(), std::string(">") + kNoteA + ">" + kNoteB);
  EXPECT_FALSE(edge_.held[0]);
}

TEST_F(ChaosMachineTest, PiecesGoOutOneAfterTheOther) {
  Begin(fuzz::Fault::kSplit);
  Host(kNoteA);
  const std::string first = Log();
  EXPECT_GT(first.size(), 1u);
  After(4);
  EXPECT_EQ(Log(), "");
  After(1);
  EXPECT_NE(Log(), "");
}

TEST_F(ChaosMachineTest, AMessageThatWaitsForTheNextIsReleasedInTime) {
  Begin(fuzz::Fault::kReorder);
  Host(kNoteA);
  After(499);
  EXPECT_EQ(Log(), "");
  After(1);
  EXPECT_EQ(Log(), std::string(">") + kNoteA);
}

TEST_F(ChaosMachineTest, TheNextThatComesInTimeGoesFirst) {
  Begin(fuzz::Fault::kReorder, "method=a");
  Host(kNoteA);
  After(499);
  Host(kNoteB);
  EXPECT_EQ(Log(), std::string(">") + kNoteB + ">" + kNoteA);
  After(10'000);
  EXPECT_EQ(Log(), "");
}

TEST_F(ChaosMachineTest, TheHostsEndComesAfterAPausedMessage) {
  Begin(fuzz::Fault::kStall);
  Host(kNoteA);
  machine_->OnEof(kIn, &edge_);
  EXPECT_EQ(Log(), "");
  After(1000);
  EXPECT_EQ(Log(), std::string(">") + kNoteA + "end host-to-plugin;");
}

TEST_F(ChaosMachineTest, ThePluginsLastMessageComesBeforeTheEndAndTheSummary) {
  Begin(fuzz::Fault::kStall, "dir=p2h");
  Plugin(kNoteA);
  machine_->OnEof(kOut, &edge_);
  machine_->OnEof(kErr, &edge_);
  edge_.source[1] = edge_.source[2] = false;
  machine_->OnExit({.code = 0}, &edge_);
  EXPECT_EQ(edge_.finished, 0);
  After(1000);
  EXPECT_EQ(edge_.finished, 1);
  EXPECT_EQ(Log(), std::string("<") + kNoteA + "end plugin-to-host;" +
                       "!midwire: " + ChaosSummary(*chaos_) + "\n");
}

TEST_F(ChaosMachineTest, AfterTheDrainTimeAllIsSent) {
  Begin(fuzz::Fault::kStall, "dir=p2h", 60'000);
  Plugin(kNoteA);
  machine_->OnExit({.code = 0}, &edge_);
  After(2000);
  EXPECT_EQ(edge_.finished, 1);
  EXPECT_EQ(Log(), std::string("<") + kNoteA + "!midwire: " + ChaosSummary(*chaos_) + "\n");
}

TEST_F(ChaosMachineTest, CloseEndsBothSidesOfTheDirection) {
  Begin(fuzz::Fault::kClose, "method=b");
  Host(std::string(kNoteA) + kNoteB + kNoteA);
  EXPECT_EQ(Log(), std::string(">") + kNoteA + "end host-to-plugin;stop host-to-plugin;");
}

TEST_F(ChaosMachineTest, KillIsASignal) {
  Begin(fuzz::Fault::kKill);
  Host(kNoteA);
  EXPECT_EQ(Log(), "signal 9;");
}

TEST_F(ChaosMachineTest, AReaderThatIsGoneEndsThePause) {
  Begin(fuzz::Fault::kStall);
  Host(kNoteA);
  machine_->OnClosed(kIn, &edge_);
  EXPECT_FALSE(edge_.held[0]);
  EXPECT_EQ(Log(), "stop host-to-plugin;");
  After(5000);
  EXPECT_EQ(Log(), "");
}

TEST_F(ChaosMachineTest, TheTapeHasTheStartEachFaultAndTheSummary) {
  Begin(fuzz::Fault::kDrop);
  Host(kNoteA);
  edge_.source[1] = edge_.source[2] = false;  // its outputs have ended
  machine_->OnExit({.code = 0}, &edge_);
  After(200);
  EXPECT_EQ(edge_.recorded,
            "note: begins\nchaos: drop message 1 (1 of host-to-plugin)\n"
            "note: chaos: seed 3: 1 fault in 1 message (drop 1)\n");
}

}  // namespace
}  // namespace midwire::tools
