// The test language of the relay: a Host starts a command with the ends that a test needs, talks to
// it and sees how it ends. No fixed sleeps: all waiting is for a condition, with kPatience as the
// limit on a busy machine.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/eventually.h"
#include "tests/files.h"
#include "tests/paths.h"
#include "wire/outcome/exit_status.h"

namespace midwire {

inline std::ostream& operator<<(std::ostream& out, const ExitStatus& status) {
  return out << "code " << status.code << " signal " << status.signal;
}

}  // namespace midwire

namespace midwire::proxy {

inline const int kPatienceMs = std::chrono::milliseconds(kPatience).count();

using Command = std::vector<std::string>;

// What the child gets as 0, 1 or 2.
enum class End { kPipe, kSocket, kNull, kClosed, kFile, kTerminal, kLikeStdout };

struct Start {
  Command command;
  End in = End::kPipe, out = End::kPipe, err = End::kPipe;
  std::string file;                     // for kFile
  int terminal = -1;                    // for kTerminal: the slave
  std::function<void()> before_exec{};  // in the child
};

using Ending = ExitStatus;

inline int64_t NowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Host {
 public:
  explicit Host(const Start& start);
  ~Host();
  Host(const Host&) = delete;

  pid_t pid() const { return pid_; }
  int in() const { return in_; }
  int out() const { return out_; }

  // All of it must be taken.
  void Say(std::string_view text) { ASSERT_EQ(SayFor(text, kPatienceMs), text.size()); }
  // How much was taken, until nothing was for that long, or the reader had closed.
  size_t SayFor(std::string_view text, int patience_ms);
  bool ReaderGone() const { return reader_gone_; }
  void CloseIn() { Close(&in_); }
  void CloseOut() { Close(&out_); }
  void CloseErr() { Close(&err_); }

  // Up to the size or the end. After kPatience the test fails.
  std::string Receive(size_t size) { return ReceiveFrom(out_, size, kPatienceMs); }
  std::string ReceiveLine();
  std::string ReceiveAll() { return ReceiveFrom(out_, std::string::npos, kPatienceMs); }
  std::string ReceiveErrors() { return ReceiveFrom(err_, std::string::npos, kPatienceMs); }
  std::string ReceiveFrom(int fd, size_t size, int patience_ms);

  void Signal(int number) { kill(pid_, number); }
  Ending Wait();
  // Does not wait.
  bool HasEnded();

 private:
  static void Close(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  int Give(End end, const Start& start, int number, int* ours);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  bool reader_gone_ = false;
  bool ended_ = false;
  int status_ = 0;
};

// The child's descriptor; -1 for closed, -2 for "as stdout".
inline int Host::Give(End end, const Start& start, int number, int* ours) {
  int ends[2] = {-1, -1};
  switch (end) {
    case End::kPipe:
      EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
      if (number == 0) std::swap(ends[0], ends[1]);
      *ours = ends[0];
      fcntl(*ours, F_SETFL, O_NONBLOCK);
      return ends[1];
    case End::kSocket:
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
      *ours = ends[0];
      fcntl(*ours, F_SETFL, O_NONBLOCK);
      return ends[1];
    case End::kNull:
      return open("/dev/null", O_RDWR | O_CLOEXEC);
    case End::kFile:
      return open(start.file.c_str(), number == 0 ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CLOEXEC);
    case End::kTerminal:
      return dup(start.terminal);
    case End::kClosed:
      return -1;
    case End::kLikeStdout:
      return -2;
  }
  return -1;
}

inline Host::Host(const Start& start) {
  int given[3] = {Give(start.in, start, 0, &in_), Give(start.out, start, 1, &out_),
                  Give(start.err, start, 2, &err_)};
  pid_ = fork();
  if (pid_ == 0) {
    for (int& fd : given) {  // out of the way of 0, 1 and 2
      if (fd >= 0) fd = fcntl(fd, F_DUPFD, 100);
    }
    for (int i = 0; i < 3; ++i) {
      if (given[i] == -2) {
        dup2(1, i);
      } else if (given[i] >= 0) {
        dup2(given[i], i);
      } else {
        close(i);
      }
    }
    for (int fd : given) {
      if (fd >= 0) close(fd);
    }
    signal(SIGPIPE, SIG_DFL);  // the tests ignore it
    if (start.before_exec) start.before_exec();
    std::vector<char*> argv;
    for (const std::string& word : start.command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(99);
  }
  for (int fd : given) {
    if (fd >= 0) close(fd);
  }
}

inline Host::~Host() {
  Close(&in_), Close(&out_), Close(&err_);
  if (pid_ > 0 && !HasEnded()) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

inline size_t Host::SayFor(std::string_view text, int patience_ms) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = send(in_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    const ssize_t m =
        n < 0 && errno == ENOTSOCK ? write(in_, text.data() + done, text.size() - done) : n;
    if (m >= 0) {
      done += static_cast<size_t>(m);
    } else if (errno != EAGAIN) {
      reader_gone_ = true;
      return done;
    } else {
      pollfd slot = {in_, POLLOUT, 0};
      if (poll(&slot, 1, patience_ms) <= 0) return done;
    }
  }
  return done;
}

inline std::string Host::ReceiveFrom(int fd, size_t size, int patience_ms) {
  std::string received;
  char bytes[65536];
  while (received.size() < size) {
    pollfd slot = {fd, POLLIN, 0};
    if (poll(&slot, 1, patience_ms) <= 0) {
      EXPECT_LT(patience_ms, kPatienceMs)
          << "neither bytes nor an end after: " << received.substr(0, 100);
      break;
    }
    const ssize_t n = read(fd, bytes, std::min(sizeof bytes, size - received.size()));
    if (n < 0 && errno == EAGAIN) continue;
    if (n <= 0) break;
    received.append(bytes, static_cast<size_t>(n));
  }
  return received;
}

inline std::string Host::ReceiveLine() {
  std::string line;
  while (!line.ends_with('\n')) {
    const std::string byte = Receive(1);
    if (byte.empty()) break;
    line += byte;
  }
  return line;
}

inline bool Host::HasEnded() {
  if (!ended_) ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
  return ended_;
}

inline Ending Host::Wait() {
  EXPECT_TRUE(Eventually([&] { return HasEnded(); })) << "it does not end";
  if (!ended_) return {};
  if (WIFSIGNALED(status_)) return {-1, WTERMSIG(status_)};
  return {WEXITSTATUS(status_), 0};
}

// Every byte value, in an order that repeats late: a lost or doubled piece cannot hide.
inline std::string Pattern(size_t size) {
  std::string bytes(size, '\0');
  uint64_t state = 88172645463325252u;
  for (char& c : bytes) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    c = static_cast<char>(state);
  }
  return bytes;
}

// A test with its own folder, and the two ways to start a peer.
class RecordTest : public testing::Test {
 protected:
  RecordTest() {
    signal(SIGPIPE, SIG_IGN);
    // What the test runner left open does not belong to the host: its log, for example, whose
    // offset moves.
    for (int fd = 3; fd < 1024; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
    // Tapes that no test names, such as that of a plugin that cannot be started, are not the
    // user's.
    setenv("XDG_STATE_HOME", Path("state").c_str(), 1);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string tape() const { return Path("tape.pcapng"); }
  // Its start, one write, is complete.
  bool TapeHasStarted() const {
    std::error_code none_yet;
    const auto size = std::filesystem::file_size(tape(), none_yet);
    return !none_yet && size > 0;
  }

  static Command Direct(Command peer) {
    if (peer[0].find('/') == std::string::npos) peer[0] = PeersFolder() + "/" + peer[0];
    return peer;
  }
  Command Recorded(Command peer, Command options = {}) const {
    Command command = {MidwirePath(), "record", "-o", tape()};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("--");
    peer = Direct(peer);
    command.insert(command.end(), peer.begin(), peer.end());
    return command;
  }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

}  // namespace midwire::proxy
