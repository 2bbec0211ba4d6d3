// What the tape says of a reader that stopped, and of bytes that were never read.
#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class StalledTest : public RecordTest {
 protected:
  template <typename T>
  bool IsOnTape() {
    return Eventually([&] { return !ReadTape(tape()).All<T>().empty(); });
  }
  // As much as fits, until a plugin that reads nothing makes the host wait.
  static void Fill(Host* host) { host->SayFor(std::string(1'000'000, '\n'), 100); }
};

TEST_F(StalledTest, APluginThatStopsReading) {
  Host host({.command = Recorded({"deaf"})});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  Fill(&host);
  ASSERT_TRUE(IsOnTape<trace::StalledEvent>());
  const trace::StalledEvent stalled = ReadTape(tape()).All<trace::StalledEvent>().at(0);
  EXPECT_EQ(stalled.stream, "host-to-plugin");
  EXPECT_GE(stalled.ms, 3000);
  EXPECT_GT(stalled.unread, 65'536);  // a full pipe, and what midwire holds
  host.Signal(SIGUSR1);
  EXPECT_EQ(host.Wait(), (Ending{6, 0}));
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.All<trace::StalledEvent>().size(), 1u);
  EXPECT_EQ(taped.All<trace::ResumedEvent>().size(), 0u);
  EXPECT_EQ(taped.All<trace::ClosedEvent>().at(0).unread, stalled.unread);
}

TEST_F(StalledTest, AHostThatReadsAgain) {
  Host host({.command = Recorded({"write_and_exit", "300000"})});
  ASSERT_TRUE(Eventually([&] { return TapeHasStarted(); }));
  ASSERT_TRUE(IsOnTape<trace::StalledEvent>());
  EXPECT_EQ(host.ReceiveAll().size(), 300'000u);
  host.Wait();
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.All<trace::StalledEvent>().at(0).stream, "plugin-to-host");
  EXPECT_GE(taped.All<trace::ResumedEvent>().at(0).ms, 3000);
}

TEST_F(StalledTest, WhereAllIsReadNothingIsRecorded) {
  Host host({.command = Recorded({"write_and_exit", "300000"})});
  EXPECT_EQ(host.ReceiveAll().size(), 300'000u);
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.All<trace::StalledEvent>().size(), 0u);
  EXPECT_EQ(taped.All<trace::HeldEvent>().size(), 0u);
  for (const trace::ClosedEvent& closed : taped.All<trace::ClosedEvent>()) {
    EXPECT_EQ(closed.unread, 0) << closed.stream;
  }
}

TEST_F(StalledTest, BytesThatThePluginNeverRead) {
  Host host({.command = Recorded({"deaf"})});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  host.Say("{\"id\":1}\n");
  ASSERT_TRUE(Eventually([&] { return !ReadTape(tape()).from_host().empty(); }));
  host.Signal(SIGUSR1);
  EXPECT_EQ(host.Wait(), (Ending{6, 0}));
  EXPECT_EQ(ReadTape(tape()).All<trace::ClosedEvent>().at(0).unread, 9);
}

TEST_F(StalledTest, AProcessThatKeepsTheOutputOpen) {
  Host host({.command = Recorded({"leaves_grandchild"})});
  const pid_t grandchild = std::stoi(host.ReceiveLine());
  EXPECT_EQ(host.Wait(), (Ending{9, 0}));
  kill(grandchild, SIGKILL);
  const auto held = ReadTape(tape()).All<trace::HeldEvent>();
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[0].stream, "plugin-to-host");
}

}  // namespace
}  // namespace midwire::proxy
