// Operations on pipe ends must not block, whatever the host gave.
#include "io/endpoints.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace midwire::io {
namespace {

// A pipe end of the host that cannot be opened again: no descriptor is left for it, as where there
// is no /proc or the pipe is another user's.
class CarefulWriteEndTest : public testing::Test {
 protected:
  CarefulWriteEndTest() {
    EXPECT_EQ(pipe2(pipe_, O_CLOEXEC), 0);
    end_ = Make(pipe_[1]);
    alarm(20);  // a write that blocks would block forever
  }
  ~CarefulWriteEndTest() override {
    alarm(0);
    close(pipe_[0]), close(pipe_[1]);
  }
  // Uses only its own members: UBSan opens descriptors to look at a test object.
  static WriteEnd Make(int fd) {
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t old = std::exchange(limit.rlim_cur, 0);
    setrlimit(RLIMIT_NOFILE, &limit);
    WriteEnd end(fd, Owner::kHosts);
    limit.rlim_cur = old;
    setrlimit(RLIMIT_NOFILE, &limit);
    return end;
  }
  std::string Read(size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(static_cast<size_t>(read(pipe_[0], bytes.data(), size)));
    return bytes;
  }
  int pipe_[2];
  WriteEnd end_;
};

TEST_F(CarefulWriteEndTest, AFullPipeDoesNotBlock) {
  end_.Write(std::string(100'000, 'a'));
  EXPECT_GT(end_.pending(), 30'000u);
  EXPECT_EQ(fcntl(pipe_[1], F_GETFL), O_WRONLY);
}

TEST_F(CarefulWriteEndTest, AlmostFullDoesNotBlockEither) {
  end_.Write(std::string(65536 - 100, 'a'));  // whole pages: the last holds some more
  end_.Write(std::string(60'000, 'b'));
  EXPECT_GT(end_.pending(), 50'000u);
}

TEST_F(CarefulWriteEndTest, EverythingArrivesInOrder) {
  std::string sent, received;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(static_cast<size_t>(i * 37 % 5000), static_cast<char>('a' + i % 26));
    sent += piece;
    end_.Write(piece);
    while (end_.pending() > 0) {
      received += Read(10'000);
      end_.Flush();
    }
  }
  received += Read(65536);
  EXPECT_TRUE(received == sent);
  EXPECT_EQ(end_.sent(), sent.size());
}

TEST_F(CarefulWriteEndTest, ReaderGone) {
  signal(SIGPIPE, SIG_IGN);
  close(pipe_[0]);
  end_.Write("x");
  EXPECT_TRUE(end_.reader_gone());
  EXPECT_EQ(end_.pending(), 0u);
}

TEST(WriteEndTest, WhatIsKeptGoesOutBeforeTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  WriteEnd end(ends[1], Owner::kOurs);
  end.Write(std::string(100'000, 'a'));
  end.CloseWhenFlushed();
  EXPECT_TRUE(end.open());
  char bytes[65536];
  size_t received = 0;
  for (;;) {
    const ssize_t n = read(ends[0], bytes, sizeof bytes);
    if (n == 0) break;
    if (n > 0) received += static_cast<size_t>(n);
    end.Flush();
  }
  EXPECT_EQ(received, 100'000u);
  EXPECT_FALSE(end.open());
  close(ends[0]);
}

TEST(CoverWithNullTest, NothingOpenedLaterLandsThere) {
  const int fd = dup(0);
  CoverWithNull(fd);
  const int later = open("/dev/null", O_RDONLY);
  EXPECT_NE(later, fd);
  EXPECT_EQ(write(fd, "x", 1), 1);
  close(later), close(fd);
}

}  // namespace
}  // namespace midwire::io
