#include "fuzz/live/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace midwire::fuzz {
namespace {

// One read of a pipe; its usual capacity.
constexpr size_t kRead = 64 * 1024;
// What a pipe may hold at most (/proc/sys/fs/pipe-max-size).
constexpr size_t kMaxLeft = 1u << 20;
// Of what a peer that is to end writes meanwhile the first is kept; it tells the cause.
constexpr size_t kMaxReaped = 16 * kMaxLeft;

bool OpenPipe(int* reader, int* writer) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  *reader = ends[0];
  *writer = ends[1];
  return true;
}

void CloseOne(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// vfork: our memory may be gigabytes of corpus by now. The child does nothing but system calls, and
// changes nothing of ours. `ends`: what becomes its 0, 1 and 2; `tell` gets errno if exec fails.
pid_t Launch(const char* path, char* const* argv, char* const* environment,
             const std::array<int, 3> ends, int tell) {
  const pid_t parent = getpid();
  const pid_t pid = vfork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  for (int fd = 0; fd < 3; ++fd) {
    // One of ours may be 0, 1 or 2 itself when we were started without them.
    if (ends[fd] == fd ? fcntl(fd, F_SETFD, 0) < 0 : dup2(ends[fd], fd) < 0) _exit(127);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGALRM, SIGXFSZ}) {
    sigaction(number, &usual, nullptr);
  }
  execve(path, argv, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(tell, &error, sizeof error);
  _exit(127);
}

}  // namespace

Peer::Peer(std::vector<std::string> argv, std::vector<std::string> environment) {
  (void)Set(std::move(argv), std::move(environment));  // Start tells what is wrong
}

Status Peer::Set(std::vector<std::string> argv, std::vector<std::string> environment) {
  argv_ = std::move(argv);
  path_ = argv_.empty() ? "" : FindProgram(argv_[0]);
  environment_.clear();
  const auto named = [](std::string_view of) { return of.substr(0, of.find('=') + 1); };
  for (char** at = environ; *at != nullptr; ++at) {
    const bool replaced = std::any_of(
        environment.begin(), environment.end(),
        [&](const std::string& ours) { return std::string_view(*at).starts_with(named(ours)); });
    if (!replaced) environment_.push_back(*at);
  }
  environment_.insert(environment_.end(), environment.begin(), environment.end());
  if (path_.empty()) {
    return Error{"cannot be started", argv_.empty() ? "" : argv_[0], "no such program"};
  }
  return Ok{};
}

Status Peer::Start() {
  Kill();
  // Who writes to a peer that is gone is to be told, not ended. Launch gives the peer its own back.
  signal(SIGPIPE, SIG_IGN);
  if (path_.empty()) {
    return Error{"cannot be started", argv_.empty() ? "" : argv_[0], "no such program"};
  }
  std::vector<char*> arguments, environment;
  for (std::string& argument : argv_) arguments.push_back(argument.data());
  for (std::string& variable : environment_) environment.push_back(variable.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);

  int in = -1, out = -1, err = -1;  // the peer's ends
  // A pipe by which exec tells its errno: it closes when exec succeeds.
  int told = -1, tell = -1;
  if (!OpenPipe(&in, &in_) || !OpenPipe(&out_, &out) || !OpenPipe(&err_, &err) ||
      !OpenPipe(&told, &tell)) {
    const Error error = {"cannot be started", strerror(errno), "too many files are open"};
    for (int* fd : {&in, &out, &err, &told, &tell}) CloseOne(fd);
    CloseAll();
    return error;
  }
  pid_ = Launch(path_.c_str(), arguments.data(), environment.data(), {in, out, err}, tell);
  for (int* fd : {&in, &out, &err, &tell}) CloseOne(fd);
  int error = pid_ < 0 ? errno : 0;
  if (pid_ > 0 && read(told, &error, sizeof error) > 0) {
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  close(told);
  if (pid_ < 0) {
    CloseAll();
    return Error{"cannot be started", argv_[0], strerror(error)};
  }
  for (const int fd : {in_, out_, err_}) fcntl(fd, F_SETFL, O_NONBLOCK);
  return Ok{};
}

size_t Peer::Write(std::string_view bytes) {
  if (in_ < 0) return bytes.size();
  const ssize_t written = write(in_, bytes.data(), bytes.size());
  if (written >= 0) return static_cast<size_t>(written);
  if (errno == EAGAIN || errno == EINTR) return 0;
  CloseOne(&in_);
  return bytes.size();
}

bool Peer::HasRead() const {
  pollfd in = {in_, 0, 0};
  if (in_ < 0 || (poll(&in, 1, 0) > 0 && (in.revents & POLLERR) != 0)) return true;
  int unread = 0;
  return ioctl(in_, FIONREAD, &unread) != 0 || unread == 0;
}

bool Peer::Ended() const {
  siginfo_t ended = {};
  return pid_ > 0 &&
         waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == pid_;
}

void Peer::CloseStdin() { CloseOne(&in_); }

bool Peer::ReadOne(int* fd, std::string* to) {
  char buffer[kRead];
  const ssize_t count = read(*fd, buffer, sizeof buffer);
  if (count > 0) {
    to->append(buffer, static_cast<size_t>(count));
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  CloseOne(fd);
  return true;
}

bool Peer::Wait(int64_t timeout_ns, bool want_write, std::string* out, std::string* err) {
  pollfd fds[3] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {want_write ? in_ : -1, POLLOUT, 0}};
  const int64_t wait = std::max<int64_t>(timeout_ns, 0);
  const timespec timeout = {wait / 1'000'000'000, wait % 1'000'000'000};
  if (out_ < 0 && err_ < 0 && !(want_write && in_ >= 0)) {
    nanosleep(&timeout, nullptr);
    return false;
  }
  if (ppoll(fds, 3, &timeout, nullptr) <= 0) return false;
  if (fds[0].revents != 0) ReadOne(&out_, out);
  if (fds[1].revents != 0) ReadOne(&err_, err);
  return true;
}

bool Peer::Reap(int64_t timeout_ns, Ending* ending, std::string* out, std::string* err) {
  const int64_t end = MonotonicNow() + timeout_ns;
  int status = 0;
  rusage used = {};
  while (pid_ > 0) {
    const pid_t got = wait4(pid_, &status, WNOHANG, &used);
    if (got == pid_) break;
    const int64_t left = end - MonotonicNow();
    if (left <= 0) return false;
    // A pipe that closes comes first, the process is gone a little later; one that is not may write
    // without an end.
    Wait(std::min<int64_t>(left, 1'000'000), false, out, err);
    for (std::string* text : {out, err}) text->resize(std::min(text->size(), kMaxReaped));
  }
  if (pid_ <= 0) return false;
  kill(-pid_, SIGKILL);
  // What it had written stays in the pipes; a child of its that holds them is not waited for, and
  // one that has left the group and writes on is not heard to its end.
  for (auto [fd, text] : {std::pair(&out_, out), std::pair(&err_, err)}) {
    const size_t most = text->size() + kMaxLeft;
    while (*fd >= 0 && text->size() < most && ReadOne(fd, text)) continue;
  }
  *ending = WIFSIGNALED(status) ? Ending{-1, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
  // Where vfork is used, what we had ourselves counts as had by the child.
  rusage own = {};
  getrusage(RUSAGE_SELF, &own);
  if (used.ru_maxrss > own.ru_maxrss) ending->peak = uint64_t(used.ru_maxrss) * 1024;
  pid_ = -1;
  CloseAll();
  return true;
}

void Peer::Kill() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
  CloseAll();
}

void Peer::CloseAll() {
  for (int* fd : {&in_, &out_, &err_}) CloseOne(fd);
}

int64_t Peer::ProcessorTime() const {
  clockid_t clock;
  timespec used;
  if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return 0;
  return int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

bool Peer::Runs() const { return State() == 'R'; }

bool Peer::Sleeps() const { return State() == 'S'; }

// As in /proc/PID/stat; '\0': not known.
char Peer::State() const {
  if (pid_ <= 0) return 0;
  char name[40];
  snprintf(name, sizeof name, "/proc/%d/stat", static_cast<int>(pid_));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[512] = {};
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  // "12 (a name) R 1 ...", and the name may have anything in it.
  const char* name_end = size > 0 ? strrchr(text, ')') : nullptr;
  return name_end != nullptr && name_end[1] == ' ' ? name_end[2] : '\0';
}

Peer::Memory Peer::MemoryUse() const {
  Memory memory;
  if (pid_ <= 0) return memory;
  char name[40];
  snprintf(name, sizeof name, "/proc/%d/statm", static_cast<int>(pid_));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return memory;
  char text[128] = {};
  if (read(fd, text, sizeof text - 1) > 0) {
    // Of all that is mapped: private and writable, "data". A shared map of a file reserves nothing.
    unsigned long resident = 0, data = 0;
    if (sscanf(text, "%*u %lu %*u %*u %*u %lu", &resident, &data) == 2) {
      const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
      memory = {.resident = resident * page, .total = data * page};
    }
  }
  close(fd);
  return memory;
}

std::string FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  while (true) {
    const size_t end = rest.find(':');
    const std::string folder(rest.substr(0, end));
    const std::string candidate = folder.empty() ? name : folder + "/" + name;
    struct stat info;
    if (stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    if (end == std::string_view::npos) return "";
    rest.remove_prefix(end + 1);
  }
}

int64_t MonotonicNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void YieldToPeers() {
  const sched_param none = {};
  sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &none);
}

bool PinTo(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace midwire::fuzz
