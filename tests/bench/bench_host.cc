// The host under the benchmarks: starts a command, talks to it, prints one number.
//
//   bench_host latency COUNT SIZE -- COMMAND...     median round trip of one message, ns
//   bench_host throughput BYTES SIZE -- COMMAND...  bytes sent and echoed, MB/s of one direction
//   bench_host feed BYTES SIZE -- COMMAND...        peak memory of a command that is sent BYTES,
//   KiB bench_host startup COUNT 0 -- COMMAND...        median time from fork to exit, us
//   bench_host exchanges COUNT SIZE -- COMMAND...   requests answered one after the other, a second
//
// BENCH_WARM_MB=N touches and frees N MiB first: a virtual machine that gives freed memory back to
// its host pays dearly for the first touch of a page, and a fresh file's page cache is nothing but
// such pages. BENCH_PIN=1 pins host, command and plugin to one CPU: unpinned, cross-CPU wake-ups
// make the round trip bimodal.
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  pid_t pid = 0;
  int in = -1, out = -1;
};

Child Start(char** command) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::exit(2);
  Child child;
  child.pid = fork();
  if (child.pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execvp(command[0], command);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  child.in = in[1];
  child.out = out[0];
  return child;
}

// Returns the peak memory, in KiB, of the command and the processes it waited for.
long Stop(Child* child) {
  if (child->in >= 0) close(child->in);
  close(child->out);
  int status = 0;
  rusage usage{};
  wait4(child->pid, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "bench_host: the command failed (status %#x)\n", status);
    std::exit(1);
  }
  return usage.ru_maxrss;
}

// One line of exactly `size` bytes.
std::string MessageOf(size_t size, size_t id = 12345) {
  std::string message = R"({"jsonrpc":"2.0","id":)" + std::to_string(id);
  message += R"(,"method":"textDocument/hover","params":{"position":{"line":12,)"
             R"("character":7},"text":")";
  const std::string_view end = "\"}}\n";
  if (message.size() + end.size() < size) message.append(size - message.size() - end.size(), 'x');
  return message.append(end);
}

void WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote <= 0) std::exit(1);
    bytes.remove_prefix(wrote);
  }
}

void WarmMemory(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory != MAP_FAILED) munmap(memory, bytes);
}

template <typename T>
T Median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

long long Latency(size_t count, size_t size, char** command) {
  Child child = Start(command);
  const std::string message = MessageOf(size);
  std::vector<char> answer(message.size());
  std::vector<long long> times;
  const size_t warm_up = count / 10 + 10;
  for (size_t i = 0; i < count + warm_up; ++i) {
    const auto start = Clock::now();
    WriteAll(child.in, message);
    for (size_t got = 0; got < answer.size();) {
      const ssize_t n = read(child.out, answer.data() + got, answer.size() - got);
      if (n <= 0) std::exit(1);
      got += n;
    }
    if (i >= warm_up) times.push_back((Clock::now() - start).count());
  }
  Stop(&child);
  return Median(times);
}

double Throughput(size_t bytes, size_t size, char** command) {
  Child child = Start(command);
  fcntl(child.in, F_SETFL, O_NONBLOCK);
  const std::string message = MessageOf(size);
  std::string block;  // whole messages, so that the next write may start anywhere in it
  while (block.size() < 256 * 1024) block += message;
  std::vector<char> buffer(256 * 1024);
  const size_t total = bytes / block.size() * block.size();
  size_t sent = 0, got = 0;
  const auto start = Clock::now();
  while (got < total) {
    pollfd ends[2] = {{sent < total ? child.in : -1, POLLOUT, 0}, {child.out, POLLIN, 0}};
    poll(ends, 2, -1);
    if (ends[0].revents & POLLOUT) {
      const size_t at = sent % block.size();
      const ssize_t n =
          write(child.in, block.data() + at, std::min(block.size() - at, total - sent));
      if (n < 0 && errno != EAGAIN) std::exit(1);
      if (n > 0) sent += n;
    }
    if (ends[1].revents) {
      const ssize_t n = read(child.out, buffer.data(), buffer.size());
      if (n <= 0) std::exit(1);
      got += n;
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  Stop(&child);
  return static_cast<double>(total) / seconds / 1e6;
}

// Size 0: one line of all the bytes.
long Feed(size_t bytes, size_t size, char** command) {
  Child child = Start(command);
  if (size == 0) {
    WriteAll(child.in, R"({"jsonrpc":"2.0","method":"big","params":")");
    const std::string piece(64 * 1024, 'x');
    for (size_t sent = 0; sent < bytes; sent += piece.size()) WriteAll(child.in, piece);
    WriteAll(child.in, "\"}\n");
  } else {
    const std::string message = MessageOf(size);
    for (size_t sent = 0; sent < bytes; sent += message.size()) WriteAll(child.in, message);
  }
  return Stop(&child);
}

long long Startup(size_t count, char** command) {
  std::vector<long long> times;
  for (size_t i = 0; i < count; ++i) {
    const auto start = Clock::now();
    Child child = Start(command);
    Stop(&child);
    times.push_back((Clock::now() - start).count() / 1000);
  }
  return Median(times);
}

// The bare ping-pong that a replay is compared with: it checks only the line's end.
double Exchanges(size_t count, size_t size, char** command) {
  const auto start = Clock::now();
  Child child = Start(command);
  std::vector<char> answer(256 * 1024);
  for (size_t id = 1; id <= count; ++id) {
    WriteAll(child.in, MessageOf(size, id));
    for (ssize_t n = 0; n == 0 || answer[n - 1] != '\n';) {
      n = read(child.out, answer.data(), answer.size());
      if (n <= 0) std::exit(1);
    }
  }
  Stop(&child);
  return static_cast<double>(count) / std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || std::strcmp(argv[4], "--") != 0) {
    std::fprintf(
        stderr,
        "usage: bench_host latency|throughput|feed|startup|exchanges N SIZE -- COMMAND...\n");
    return 2;
  }
  if (std::getenv("BENCH_PIN")) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  if (const char* warm = std::getenv("BENCH_WARM_MB")) {
    WarmMemory(std::strtoull(warm, nullptr, 10) << 20);
  }
  signal(SIGPIPE, SIG_IGN);
  const std::string_view mode = argv[1];
  const size_t n = std::strtoull(argv[2], nullptr, 10), size = std::strtoull(argv[3], nullptr, 10);
  char** const command = argv + 5;
  if (mode == "latency") std::printf("%lld\n", Latency(n, size, command));
  if (mode == "throughput") std::printf("%.1f\n", Throughput(n, size, command));
  if (mode == "feed") std::printf("%ld\n", Feed(n, size, command));
  if (mode == "startup") std::printf("%lld\n", Startup(n, command));
  if (mode == "exchanges") std::printf("%.0f\n", Exchanges(n, size, command));
  return 0;
}
