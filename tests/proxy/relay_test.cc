// The relay as a pure machine: events in, actions out, no process and no clock.
#include "proxy/relay.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

namespace midwire::proxy {
namespace {

constexpr Stream kIn = Stream::kHostToPlugin, kOut = Stream::kPluginToHost, kErr = Stream::kStderr;

// Writes down the actions of the machine. `room`: what the host still takes.
class Edge : public Actions {
 public:
  void Send(Stream stream, std::string_view bytes) override {
    log += "send " + std::string(bytes) + ";";
    const size_t taken = stream == kIn ? bytes.size() : std::min(bytes.size(), room);
    if (stream != kIn) room -= taken;
    sent[Index(stream)] += taken;
    pending[Index(stream)] += bytes.size() - taken;
  }
  void CloseSink(Stream s) override { log += "end " + std::string(trace::Name(s)) + ";"; }
  void CloseSource(Stream s) override {
    log += "stop " + std::string(trace::Name(s)) + ";";
    source[Index(s)] = false;
  }
  void SignalPlugin(const SignalInfo& s) override {
    log += "signal " + std::to_string(s.number) + ";";
  }
  void RecordEvent(const trace::Event& event) override { recorded += trace::Describe(event) + ";"; }
  void Finish() override { finished = true; }
  bool HasSource(Stream s) const override { return source[Index(s)]; }
  size_t Pending(Stream s) const override { return pending[Index(s)]; }
  uint64_t Sent(Stream s) const override { return sent[Index(s)]; }
  size_t Unread(Stream s) const override { return unread[Index(s)]; }
  int64_t Now() const override { return now; }

  static size_t Index(Stream s) { return static_cast<size_t>(s); }
  std::string log, recorded;
  bool source[3] = {true, true, true};
  size_t pending[3] = {}, unread[3] = {}, room = 1 << 30;
  uint64_t sent[3] = {};
  int64_t now = 0;
  bool finished = false;
};

class RelayTest : public testing::Test {
 protected:
  void Eof(Stream s) {
    edge_.source[Edge::Index(s)] = false;
    relay_.OnEof(s, &edge_);
  }
  // The host takes what was kept.
  void Take(Stream s, size_t size) {
    edge_.pending[Edge::Index(s)] -= size;
    edge_.sent[Edge::Index(s)] += size;
    if (edge_.pending[Edge::Index(s)] == 0) relay_.OnSent(s, &edge_);
  }
  void PassTime(int64_t ns) {
    edge_.now += ns;
    while (!edge_.finished && relay_.Deadline() <= edge_.now) relay_.OnTime(&edge_);
  }
  static constexpr int64_t kDrain = 1'000'000'000;
  Relay relay_{kDrain, false};
  Edge edge_;
};

TEST_F(RelayTest, PassesOnWhatComes) {
  relay_.OnBytes(kIn, "ping", &edge_);
  relay_.OnBytes(kOut, "pong", &edge_);
  Eof(kIn);
  relay_.OnClosed(kOut, &edge_);
  EXPECT_EQ(edge_.log, "send ping;send pong;end host-to-plugin;stop plugin-to-host;");
}

TEST_F(RelayTest, EndsWhenThePluginHasAndNothingIsOnTheWay) {
  Eof(kOut);
  Eof(kErr);
  EXPECT_FALSE(edge_.finished);
  relay_.OnExit({.code = 0}, &edge_);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, ExitBeforeTheLastWords) {
  edge_.unread[1] = 4;
  relay_.OnExit({.code = 0}, &edge_);
  EXPECT_FALSE(edge_.finished);
  relay_.OnBytes(kOut, "last", &edge_);
  Eof(kOut);
  EXPECT_FALSE(edge_.finished);
  Eof(kErr);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, AGrandchildThatWritesIsReadForTheDrainTime) {
  relay_.OnExit({.code = 0}, &edge_);
  for (int i = 0; i < 19; ++i) {
    PassTime(kDrain / 20);
    relay_.OnBytes(kOut, "chat", &edge_);
    EXPECT_FALSE(edge_.finished);
  }
  PassTime(kDrain / 20);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, ASilentGrandchildDelaysTheExitByATenthOfASecond) {
  relay_.OnExit({.code = 0}, &edge_);
  PassTime(99'999'999);
  EXPECT_FALSE(edge_.finished);
  PassTime(1);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, AProcessThatKeepsAnOutputOpenIsRecorded) {
  Eof(kErr);
  relay_.OnExit({.code = 0}, &edge_);
  PassTime(kDrain);
  EXPECT_EQ(edge_.recorded, "another process keeps stdout open after the exit;");
}

TEST_F(RelayTest, WithoutSuchAProcessNothingIsRecorded) {
  relay_.OnExit({.code = 0}, &edge_);
  Eof(kErr);
  Eof(kOut);
  EXPECT_TRUE(edge_.finished);
  EXPECT_EQ(edge_.recorded, "");
}

TEST_F(RelayTest, WhereTheHostDoesNotReadNoOtherProcessIsNamed) {
  edge_.room = 0;
  Eof(kErr);
  relay_.OnBytes(kOut, "12345", &edge_);
  relay_.OnExit({.code = 0}, &edge_);
  PassTime(kDrain);
  EXPECT_TRUE(edge_.finished);
  EXPECT_EQ(edge_.recorded, "");
}

TEST_F(RelayTest, ShortDrainTimeEndsTheSilenceToo) {
  Relay impatient(10, false);
  impatient.OnExit({.code = 0}, &edge_);
  edge_.now += 10;
  impatient.OnTime(&edge_);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, HostThatTakesSomethingNowAndThenGetsEverything) {
  edge_.room = 0;
  relay_.OnBytes(kOut, "12345", &edge_);
  relay_.OnExit({.code = 0}, &edge_);
  Eof(kOut);
  Eof(kErr);
  for (int i = 0; i < 4; ++i) {
    Take(kOut, 1);
    PassTime(kDrain);
    EXPECT_FALSE(edge_.finished) << i;
  }
  Take(kOut, 1);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, HostThatTakesNothingIsGivenUp) {
  edge_.room = 0;
  relay_.OnBytes(kOut, "12345", &edge_);
  relay_.OnExit({.code = 0}, &edge_);
  PassTime(kDrain - 1);
  EXPECT_FALSE(edge_.finished);
  PassTime(1);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, ThePluginsLastBytesArePassedOnAfterTheDrainTime) {
  edge_.room = 3;
  edge_.unread[1] = 8;
  relay_.OnExit({.code = 0}, &edge_);
  relay_.OnBytes(kOut, "1234", &edge_);
  PassTime(kDrain);  // the host took three bytes since the exit
  EXPECT_FALSE(edge_.finished);
  Take(kOut, 1);
  relay_.OnBytes(kOut, "5678", &edge_);
  Take(kOut, 4);
  EXPECT_TRUE(edge_.finished);
}

TEST_F(RelayTest, SignalsGoToThePluginWhileItRuns) {
  relay_.OnSignal({.number = SIGTERM}, &edge_);
  relay_.OnSignal({.number = SIGINT, .from_terminal = true}, &edge_);
  EXPECT_EQ(edge_.log, "signal 15;");
  relay_.OnExit({.code = 0}, &edge_);
  relay_.OnSignal({.number = SIGWINCH}, &edge_);
  EXPECT_FALSE(edge_.finished);
  relay_.OnSignal({.number = SIGTERM}, &edge_);
  EXPECT_TRUE(edge_.finished);
  EXPECT_EQ(edge_.log, "signal 15;");
}

TEST_F(RelayTest, StderrEndsALittleAfterThePluginsEnd) {
  Eof(kErr);
  EXPECT_EQ(edge_.log, "");  // room for a last warning
  PassTime(kDrain);
  EXPECT_EQ(edge_.log, "end stderr;");
  EXPECT_FALSE(edge_.finished);
}

TEST(MergedRelayTest, TheOnePipeEndsWhenBothOfTheHostsEndsAreClosed) {
  Edge edge;
  edge.source[2] = false;
  Relay relay(1000, true);
  edge.source[1] = false;
  relay.OnEof(kOut, &edge);
  edge.now = 1'000'000'000;
  relay.OnTime(&edge);
  EXPECT_EQ(edge.log, "end plugin-to-host;end stderr;");
}

}  // namespace
}  // namespace midwire::proxy
