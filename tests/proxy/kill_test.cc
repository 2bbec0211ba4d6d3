// P2 under fire: midwire is killed at random moments under load, and every byte that either peer
// had received by then is on the tape.
#include <random>

#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

constexpr int kKills = 200;

class KillTest : public RecordTest {};

TEST_F(KillTest, EveryByteThatAPeerHasReceivedIsOnTheTape) {
  std::mt19937 random(20260);
  std::string load;
  for (int i = 0; i < 3000; ++i) {
    load += "{\"id\":" + std::to_string(i) + ",\"method\":\"" + std::string(random() % 900, 'm') +
            "\"}\n";
  }
  size_t received = 0;
  for (int round = 0; round < kKills; ++round) {
    Host host({.command = Recorded({"echoes", Path("log")})});
    ASSERT_TRUE(Eventually([&] { return TapeHasStarted(); }));
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 15'000);
    std::string output;
    size_t sent = 0;
    bool killed = false;
    // In pieces and at once, both ways, until the kill; then what is left in the pipe.
    for (;;) {
      if (!killed && std::chrono::steady_clock::now() >= until) {
        host.Signal(SIGKILL);
        killed = true;
      }
      if (!killed && sent < load.size()) {
        sent += host.SayFor(std::string_view(load).substr(sent, 1 + random() % 20'000), 0);
      }
      char bytes[65536];
      const ssize_t n = read(host.out(), bytes, sizeof bytes);
      if (n > 0) output.append(bytes, static_cast<size_t>(n));
      if (n == 0) break;
    }
    EXPECT_EQ(host.Wait(), (Ending{-1, SIGKILL}));
    const Taped taped = ReadTape(tape());
    // Not there if it was killed before the plugin wrote.
    const std::string log = ReadIfThere(Path("log"));
    ASSERT_EQ(taped.damaged, 0u) << "round " << round;
    ASSERT_TRUE(taped.from_plugin().starts_with(output)) << "round " << round;
    ASSERT_TRUE(taped.from_host().starts_with(log)) << "round " << round;
    ASSERT_TRUE(load.starts_with(taped.from_host())) << "round " << round;
    ASSERT_TRUE(taped.All<trace::EndEvent>().empty());
    received += output.size();
    std::filesystem::remove(tape());
    std::filesystem::remove(Path("log"));
  }
  EXPECT_GT(received, kKills * 10'000u);  // there was load
}

}  // namespace
}  // namespace midwire::proxy
