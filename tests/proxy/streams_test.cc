// What passes: every byte, both ways, ends included, and the pace of the slower side (P1, P4, P6).
#include <algorithm>

#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"
#include "tests/sanitized.h"

namespace midwire::proxy {
namespace {

class StreamsTest : public RecordTest {};

// Peak memory of a process, in KiB.
size_t PeakMemory(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6));
  }
  return 0;
}

// 24 MiB are the issue's; sanitizers have shadow memory and a quarantine.
const size_t kMemoryLimit = (IsSanitized() ? 400 : 24) << 10;

TEST_F(StreamsTest, AnythingInAnyChunkingComesOutAsItWentIn) {
  const std::string bytes = Pattern(3'000'000);
  Host host({.command = Recorded({"echoes"})});
  std::string received;
  size_t at = 0;
  for (size_t size = 1; at < bytes.size(); size = size * 3 % 70001 + 1) {
    const std::string_view piece = std::string_view(bytes).substr(at, size);
    host.Say(piece);
    received += host.Receive(piece.size());
    at += piece.size();
  }
  host.CloseIn();
  EXPECT_EQ(host.ReceiveAll(), "");
  EXPECT_TRUE(received == bytes);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  const Taped taped = ReadTape(tape());
  EXPECT_TRUE(taped.from_host() == bytes);
  EXPECT_TRUE(taped.from_plugin() == bytes);
  EXPECT_EQ(taped.damaged + taped.torn, 0u);
}

TEST_F(StreamsTest, EachByteIsPassedOnAtOnce) {
  Host host({.command = Recorded({"echoes"})});
  for (const char c : std::string("Content-Length: 9\r\n\r\n{\"a\": [1]")) {
    host.Say(std::string(1, c));
    ASSERT_EQ(host.Receive(1), std::string(1, c));  // before the next is written
  }
  host.CloseIn();
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(StreamsTest, LateOutputAfterTheHostClosedStdin) {
  Host host({.command = Recorded({"speaks_late", "300000"})});
  host.Say("{}\n");
  host.CloseIn();
  EXPECT_EQ(host.ReceiveAll().size(), 300000u);
  EXPECT_EQ(host.ReceiveErrors(), "stdin has ended\n");
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_EQ(ReadTape(tape()).errors(), "stdin has ended\n");
}

TEST_F(StreamsTest, StdoutClosedWhileThePluginRuns) {
  Host host({.command = Recorded({"closes_stdout"})});
  EXPECT_EQ(host.ReceiveAll(), "bye\n");  // the stream ends, and the plugin has not
  EXPECT_FALSE(host.HasEnded());
  host.CloseIn();
  EXPECT_EQ(host.ReceiveErrors(), "still there\n");
  EXPECT_EQ(host.Wait(), (Ending{5, 0}));
}

TEST_F(StreamsTest, PluginThatClosesStdinIsABrokenPipeForTheHost) {
  for (const Command& command : {Direct({"closes_stdin"}), Recorded({"closes_stdin"})}) {
    Host host({.command = command});
    ASSERT_EQ(host.ReceiveLine(), "closed\n");
    EXPECT_TRUE(Eventually([&] { return host.SayFor("x", 0), host.ReaderGone(); }));
    host.Signal(SIGTERM);
    EXPECT_EQ(host.Wait(), (Ending{-1, SIGTERM}));
  }
  EXPECT_EQ(ReadTape(tape()).All<trace::ClosedEvent>().at(0).stream, "host-to-plugin");
}

TEST_F(StreamsTest, HostThatClosesItsEndIsABrokenPipeForThePlugin) {
  for (const Command& command : {Direct({"floods", "100000"}), Recorded({"floods", "100000"})}) {
    Host host({.command = command});
    host.Receive(1000);
    host.CloseOut();
    EXPECT_EQ(host.Wait(), (Ending{-1, SIGPIPE}));
  }
}

TEST_F(StreamsTest, APluginExitsWhileItsOutputIsPending) {
  // More than the host's pipe holds: some of it is in midwire when the plugin has exited.
  Host host({.command = Recorded({"write_and_exit", "120000"})});
  const auto plugin_gone = [&] { return !ReadTape(tape()).All<ExitStatus>().empty(); };
  ASSERT_TRUE(Eventually([&] { return TapeHasStarted(); }));
  ASSERT_TRUE(Eventually(plugin_gone));
  EXPECT_EQ(host.ReceiveAll(), std::string(120000, 'y'));
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
}

TEST_F(StreamsTest, HostThatNeverReadsIsNotWaitedForLongerThanTheDrainTime) {
  Host host({.command = Recorded({"write_and_exit", "120000"}, {"--drain", "300ms"})});
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
  EXPECT_EQ(ReadTape(tape()).from_plugin().size(), 120000u);
}

TEST_F(StreamsTest, HostThatReadsSlowlyGetsEverything) {
  Host host({.command = Recorded({"write_and_exit", "120000"}, {"--drain", "400ms"})});
  std::string received;
  while (received.size() < 120000) {
    const std::string piece = host.Receive(20000);
    if (piece.empty()) break;
    received += piece;
    usleep(200'000);  // this host's speed: in total more than the drain time
  }
  EXPECT_EQ(received.size(), 120000u);
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
}

TEST_F(StreamsTest, HostThatStopsReadingStopsThePlugin) {
  Host host({.command = Recorded({"floods", "30", "newlines"})});
  ASSERT_TRUE(Eventually([&] { return TapeHasStarted(); }));
  // The tape stops growing when all is full: two pipes of 64 KiB and what midwire holds.
  uintmax_t size = 0;
  ASSERT_TRUE(Eventually([&] {
    const uintmax_t before = size;
    usleep(100'000);
    size = std::filesystem::file_size(tape());
    return size == before && size > 64 << 10;
  }));
  EXPECT_LT(ReadTape(tape()).from_plugin().size(), 256u << 10);
  EXPECT_EQ(host.ReceiveAll().size(), 30u << 20);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(StreamsTest, PluginThatStopsReadingStopsTheHost) {
  Host host({.command = Recorded({"deaf"})});
  ASSERT_EQ(host.Receive(6), "ready\n");
  const size_t taken = host.SayFor(std::string(1 << 20, 'x'), 500);
  EXPECT_LE(taken, 256u << 10);
  EXPECT_GE(taken, 128u << 10);
  host.Signal(SIGUSR1);
  EXPECT_EQ(host.Wait(), (Ending{6, 0}));
}

TEST_F(StreamsTest, FullPipesInBothDirectionsAreNoDeadlock) {
  Host host({.command = Recorded({"echoes"})});
  const std::string bytes = Pattern(4 << 20);
  std::string received;
  for (size_t at = 0; at < bytes.size();) {
    at += host.SayFor(std::string_view(bytes).substr(at), 50);
    received += host.ReceiveFrom(host.out(), bytes.size(), 50);
  }
  host.CloseIn();
  received += host.ReceiveAll();
  EXPECT_TRUE(received == bytes);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(StreamsTest, AGigabyteInOneLineTakesNoMoreMemory) {
  // The tape would be as long: the recording is made to fail early, right after its start.
  Host host({.command = Recorded({"floods", "1024"}, {"--max-size", "4M", "--keep", "2"}),
             .out = End::kPipe});
  char bytes[1 << 16];
  size_t received = 0;
  size_t peak = 0;
  for (;;) {
    pollfd slot = {host.out(), POLLIN, 0};
    if (poll(&slot, 1, kPatienceMs) <= 0) break;
    const ssize_t n = read(host.out(), bytes, sizeof bytes);
    if (n <= 0) break;
    received += static_cast<size_t>(n);
    // More is to come than pipes hold, so it is there still.
    if (received > (1u << 30) - (8 << 20) && peak == 0) peak = PeakMemory(host.pid());
  }
  EXPECT_EQ(received, 1u << 30);
  EXPECT_GT(peak, 0u);
  EXPECT_LT(peak, kMemoryLimit);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(StreamsTest, GrandchildThatKeepsStdoutOpenHoldsUpNothingForLong) {
  for (const Command& peer :
       {Command{"leaves_grandchild"}, Command{"leaves_grandchild", "chatty"}}) {
    Host host({.command = Recorded(peer, {"--drain", "300ms"})});
    const pid_t grandchild = std::stoi(host.ReceiveLine());
    const int64_t start = NowMs();
    EXPECT_EQ(host.Wait(), (Ending{9, 0}));
    EXPECT_LT(NowMs() - start, 5000);
    kill(grandchild, SIGKILL);
    std::filesystem::remove(tape());
  }
}

// What the host does not read holds the end up; output of a grandchild, as of leaves_grandchild,
// would do so only while it is scheduled often enough.
TEST_F(StreamsTest, ASignalWhileItDrainsEndsIt) {
  Host host({.command = Recorded({"write_and_exit", "120000"}, {"--drain", "50s"})});
  ASSERT_TRUE(
      Eventually([&] { return TapeHasStarted() && !ReadTape(tape()).All<ExitStatus>().empty(); }));
  host.Signal(SIGTERM);
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
}

TEST_F(StreamsTest, StdoutAndStderrInOnePipeKeepTheirOrder) {
  const Command peer = {"alternates", "200"};
  Host direct({.command = Direct(peer), .err = End::kLikeStdout});
  Host recorded({.command = Recorded(peer), .err = End::kLikeStdout});
  const std::string expected = direct.ReceiveAll();
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 400);
  EXPECT_EQ(recorded.ReceiveAll(), expected);
  EXPECT_EQ(recorded.Wait(), (Ending{0, 0}));
  const Taped taped = ReadTape(tape());
  EXPECT_TRUE(taped.All<trace::SpawnEvent>().at(0).merged_stderr);
  EXPECT_EQ(taped.errors(), "");
}

TEST_F(StreamsTest, StderrIsRecordedAndPassedOn) {
  Host host({.command = Recorded({"alternates", "3"})});
  EXPECT_EQ(host.ReceiveErrors(), "err 0\nerr 1\nerr 2\n");
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_EQ(ReadTape(tape()).errors(), "err 0\nerr 1\nerr 2\n");
}

TEST_F(StreamsTest, NoStderrPassesItOnUnrecorded) {
  Host host({.command = Recorded({"alternates", "3"}, {"--no-stderr"})});
  EXPECT_EQ(host.ReceiveErrors(), "err 0\nerr 1\nerr 2\n");
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_EQ(ReadTape(tape()).errors(), "");
}

// Whatever the host's end is: waiting for it must not keep midwire from anything else.
TEST_F(StreamsTest, HostThatStopsReadingDoesNotStopSignals) {
  for (const End out : {End::kPipe, End::kSocket}) {
    Host host({.command = Recorded({"floods", "100"}, {"--drain", "100ms"}), .out = out});
    ASSERT_TRUE(Eventually([&] { return TapeHasStarted(); }));
    uintmax_t size = 0;
    ASSERT_TRUE(Eventually([&] {
      const uintmax_t before = size;
      usleep(100'000);
      size = std::filesystem::file_size(tape());
      return size == before && size > 64 << 10;
    }));
    host.Signal(SIGTERM);
    EXPECT_EQ(host.Wait(), (Ending{-1, SIGTERM}));
    std::filesystem::remove(tape());
  }
}

TEST_F(StreamsTest, SegmentsOnTheTapeAreCutAtFrames) {
  Host host({.command = Recorded({"echoes"})});
  host.Say("{\"a\":1}\n{\"b\":2}\n{\"c\"");
  EXPECT_EQ(host.Receive(20), "{\"a\":1}\n{\"b\":2}\n{\"c\"");
  host.Say(":3}\n");
  host.CloseIn();
  host.ReceiveAll();
  host.Wait();
  const Taped taped = ReadTape(tape());
  ASSERT_EQ(taped.segments.size(), 8u);
  EXPECT_EQ(taped.segments[0], "{\"a\":1}\n");
  EXPECT_EQ(taped.segments[1], "{\"b\":2}\n");
  EXPECT_EQ(taped.segments[2], "{\"c\"");
}

TEST_F(StreamsTest, TheTapeHasAllEvents) {
  Host host({.command = Recorded({"echoes"})});
  host.Say("{}\n");
  host.CloseIn();
  host.ReceiveAll();
  host.Wait();
  const Taped taped = ReadTape(tape());
  const auto spawns = taped.All<trace::SpawnEvent>();
  ASSERT_EQ(spawns.size(), 1u);
  EXPECT_EQ(spawns[0].argv, Direct({"echoes"}));
  EXPECT_EQ(spawns[0].cwd, std::filesystem::current_path());
  std::vector<std::string> ends;
  for (const auto& eof : taped.All<trace::EofEvent>()) ends.push_back(eof.stream);
  EXPECT_EQ(ends.at(0), "host-to-plugin");
  EXPECT_EQ(taped.All<ExitStatus>().at(0).code, 0);
  EXPECT_TRUE(std::holds_alternative<trace::EndEvent>(taped.events.back()));
}

}  // namespace
}  // namespace midwire::proxy
