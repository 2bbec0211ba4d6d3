// Whatever the host gives as 0, 1 and 2 (files, nothing, closed, sockets, terminals), none of it is
// changed for the host (P4).
#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class HostEndsTest : public RecordTest {};

TEST_F(HostEndsTest, StdinFromAFile) {
  const std::string bytes = Pattern(500'000);
  std::ofstream(Path("in"), std::ios::binary) << bytes;
  Host host({.command = Recorded({"echoes"}), .in = End::kFile, .file = Path("in")});
  EXPECT_TRUE(host.ReceiveAll() == bytes);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(HostEndsTest, StdoutIntoAFile) {
  const std::string bytes = Pattern(500'000);
  std::ofstream(Path("out")) << "kept: ";  // existing content stays: the offset is the host's
  Host host(
      {.command = Recorded({"echoes"}), .out = End::kFile, .file = Path("out"), .before_exec = [] {
         lseek(1, 0, SEEK_END);
       }});
  host.Say(bytes);
  host.CloseIn();
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_TRUE(ReadFile(Path("out")) == "kept: " + bytes);
}

TEST_F(HostEndsTest, StdinIsNothing) {
  Host host({.command = Recorded({"speaks_late", "5"}), .in = End::kNull});
  EXPECT_EQ(host.ReceiveAll(), "xxxxx");
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(HostEndsTest, ClosedEndsAreClosedInThePluginAndTheTapeIsNotOnThem) {
  for (int closed = 1; closed < 8; ++closed) {
    const auto end = [&](int fd) { return (closed >> fd & 1) ? End::kClosed : End::kPipe; };
    const Command peer = {"print_process"};
    std::string sent[2];
    for (bool recorded : {false, true}) {
      Host host({.command = recorded ? Recorded(peer) : Direct(peer),
                 .in = end(0),
                 .out = end(1),
                 .err = end(2)});
      host.CloseIn();
      if (host.out() >= 0) sent[recorded] = host.ReceiveAll();
      EXPECT_EQ(host.Wait(), (Ending{host.out() >= 0 ? 0 : 1, 0}));
    }
    EXPECT_EQ(sent[0].empty(), end(1) == End::kClosed);
    EXPECT_EQ(sent[0], sent[1]);
    EXPECT_TRUE(ReadTape(tape()).readable);
    std::filesystem::remove(tape());
  }
}

TEST_F(HostEndsTest, WhatWasClosedIsCoveredInMidwire) {
  Host host({.command = Recorded({"deaf"}), .in = End::kClosed, .err = End::kClosed});
  ASSERT_EQ(host.Receive(6), "ready\n");
  for (const char* fd : {"0", "2"}) {
    const std::string link = "/proc/" + std::to_string(host.pid()) + "/fd/" + fd;
    EXPECT_EQ(std::filesystem::read_symlink(link), "/dev/null");
  }
}

TEST_F(HostEndsTest, Sockets) {
  const std::string bytes = Pattern(2'000'000);
  Host host({.command = Recorded({"echoes"}), .in = End::kSocket, .out = End::kSocket});
  std::string received;
  for (size_t at = 0; at < bytes.size(); at += 50'000) {
    host.Say(std::string_view(bytes).substr(at, 50'000));
    received += host.Receive(50'000);
  }
  shutdown(host.in(), SHUT_WR);
  EXPECT_EQ(host.ReceiveAll(), "");
  EXPECT_TRUE(received == bytes);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(HostEndsTest, HostThatClosesItsSocketIsABrokenPipeForThePlugin) {
  Host host({.command = Recorded({"floods", "100000"}), .out = End::kSocket});
  host.Receive(1000);
  host.CloseOut();
  EXPECT_EQ(host.Wait(), (Ending{-1, SIGPIPE}));
}

TEST_F(HostEndsTest, Terminal) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_GE(master, 0);
  grantpt(master), unlockpt(master);
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  Host host({.command = Recorded({"echoes"}),
             .in = End::kTerminal,
             .out = End::kTerminal,
             .terminal = slave});
  ASSERT_EQ(write(master, "word\n", 5), 5);
  // The terminal's own echo, and the plugin's; it turns each LF into CRLF.
  EXPECT_EQ(host.ReceiveFrom(master, 12, kPatienceMs), "word\r\nword\r\n");
  ASSERT_EQ(write(master, "\x04", 1), 1);  // end of file
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_EQ(ReadTape(tape()).from_host(), "word\n");
  close(slave), close(master);
}

// O_NONBLOCK belongs to the open file description, which the host shares with midwire.
TEST_F(HostEndsTest, FlagsOfTheHostsEndsAreNeverTouched) {
  int in[2], out[2];
  ASSERT_EQ(pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
  Host host(
      {.command = Recorded({"echoes"}), .in = End::kNull, .out = End::kNull, .before_exec = [&] {
         dup2(in[0], 0), dup2(out[1], 1);
       }});
  for (const char* word : {"one", "two", "three"}) {
    ASSERT_EQ(write(in[1], word, strlen(word)), static_cast<ssize_t>(strlen(word)));
    ASSERT_EQ(host.ReceiveFrom(out[0], strlen(word), kPatienceMs), word);
    EXPECT_EQ(fcntl(in[0], F_GETFL), O_RDONLY);
    EXPECT_EQ(fcntl(out[1], F_GETFL), O_WRONLY);
  }
  host.Signal(SIGKILL);
  host.Wait();
  EXPECT_EQ(fcntl(in[0], F_GETFL), O_RDONLY);
  EXPECT_EQ(fcntl(out[1], F_GETFL), O_WRONLY);
  for (int fd : {in[0], in[1], out[0], out[1]}) close(fd);
}

TEST_F(HostEndsTest, EndsThatArriveNonBlockingWork) {
  const std::string bytes = Pattern(1'000'000);
  Host host({.command = Recorded({"write_and_exit", "1000000"}), .before_exec = [] {
               for (int fd : {0, 1, 2}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
             }});
  // The plugin sees them non-blocking too, as in a direct start, and this one gives up on EAGAIN.
  EXPECT_GE(host.ReceiveAll().size(), 65536u);
  EXPECT_EQ(host.Wait(), (Ending{4, 0}));
}

}  // namespace
}  // namespace midwire::proxy
