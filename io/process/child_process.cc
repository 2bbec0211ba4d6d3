#include "io/process/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "io/pipe.h"
#include "io/process/launcher.h"
#include "io/process/reap.h"

namespace midwire::io {
namespace {

// One read of a pipe; its usual capacity.
constexpr size_t kRead = 64 * 1024;
// What a pipe may hold at most (/proc/sys/fs/pipe-max-size).
constexpr size_t kMaxLeft = 1u << 20;
// While a child is awaited, only the beginning of its output is kept: it shows the cause.
constexpr size_t kMaxReaped = 16 * kMaxLeft;
// How long Reap waits for output before it looks again whether the child has ended.
constexpr int64_t kReapLookNs = 1'000'000;

Error CannotStart(const std::string& name, int error) {
  return {"cannot be started", name, error == ENOENT ? "no such program" : strerror(error)};
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> argv, std::vector<std::string> environment,
                           const ChildOptions& options)
    : options_(options) {
  (void)Set(std::move(argv), std::move(environment));  // Start says what is wrong
}

Status ChildProcess::Set(std::vector<std::string> argv, std::vector<std::string> environment) {
  argv_ = std::move(argv);
  path_ = FindExecutable(argv_.empty() ? "" : argv_[0], &path_error_);
  environment_.clear();
  const auto named = [](std::string_view of) { return of.substr(0, of.find('=') + 1); };
  for (char** at = environ; *at != nullptr; ++at) {
    const bool replaced = std::any_of(
        environment.begin(), environment.end(),
        [&](const std::string& ours) { return std::string_view(*at).starts_with(named(ours)); });
    if (!replaced) environment_.push_back(*at);
  }
  environment_.insert(environment_.end(), environment.begin(), environment.end());
  if (path_.empty()) return CannotStart(argv_.empty() ? "" : argv_[0], path_error_);
  return Ok{};
}

Status ChildProcess::Start() {
  Kill();
  if (options_.is_ours) signal(SIGPIPE, SIG_IGN);
  if (path_.empty()) return CannotStart(argv_.empty() ? "" : argv_[0], path_error_);
  Pipe in, out, err;
  if (options_.has_stdin ? !in.Open() : (in.reader = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0) {
    return Error{"cannot be started", strerror(errno), "too many files are open"};
  }
  if (!out.Open() || !err.Open()) {
    return Error{"cannot be started", strerror(errno), "too many files are open"};
  }
  std::vector<const char*> environment;
  for (const std::string& variable : environment_) environment.push_back(variable.c_str());
  environment.push_back(nullptr);
  const int error = Launch({.path = path_,
                            .argv = argv_,
                            .environment = environment.data(),
                            .ends = {in.reader, out.writer, err.writer},
                            .dies_with_us = options_.is_ours,
                            .own_group = options_.own_group,
                            .signals = options_.is_ours ? LaunchOptions::Signals::kDefault
                                                        : LaunchOptions::Signals::kOurs},
                           &pid_);
  if (error != 0) return CannotStart(argv_[0], error);
  in_ = std::exchange(in.writer, -1);
  out_ = std::exchange(out.reader, -1);
  err_ = std::exchange(err.reader, -1);
  for (const int fd : {in_, out_, err_}) {
    if (fd >= 0) SetNonBlocking(fd);
  }
  return Ok{};
}

size_t ChildProcess::Write(std::string_view bytes) {
  if (in_ < 0) return bytes.size();
  const ssize_t written = write(in_, bytes.data(), bytes.size());
  if (written >= 0) return static_cast<size_t>(written);
  if (errno == EAGAIN || errno == EINTR) return 0;
  CloseDescriptor(&in_);
  return bytes.size();
}

bool ChildProcess::HasRead() const {
  PollSlot in[] = {ForHangUp(in_)};
  if (in_ < 0 || (Poll(in, 0) > 0 && (in[0].revents & POLLERR) != 0)) return true;
  int unread = 0;
  return ioctl(in_, FIONREAD, &unread) != 0 || unread == 0;
}

size_t ChildProcess::Unread() const {
  int unread = 0;
  if (in_ < 0 || ioctl(in_, FIONREAD, &unread) != 0) return SIZE_MAX;
  return static_cast<size_t>(unread);
}

bool ChildProcess::HasEnded() const { return io::HasEnded(pid_); }

void ChildProcess::CloseStdin() { CloseDescriptor(&in_); }

bool ChildProcess::ReadOne(int* fd, std::string* to) {
  char buffer[kRead];
  const ssize_t count = read(*fd, buffer, sizeof buffer);
  if (count > 0) {
    to->append(buffer, static_cast<size_t>(count));
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  CloseDescriptor(fd);
  return true;
}

bool ChildProcess::Wait(int64_t timeout_ns, bool want_write, std::string* out, std::string* err,
                        std::span<PollSlot> others) {
  std::array<PollSlot, 3 + kMaxOthers> slots = {ForRead(out_), ForRead(err_),
                                                ForWrite(want_write ? in_ : -1)};
  const size_t count = std::min(others.size(), kMaxOthers);
  // Not copy_n: g++ 12 warns of it in a batch whose callers all have none (-Wnonnull).
  for (size_t i = 0; i < count; ++i) slots[3 + i] = others[i];
  const int ready = Poll(std::span(slots).first(3 + count), timeout_ns);
  for (size_t i = 0; i < count; ++i) others[i] = slots[3 + i];
  if (ready <= 0) return false;
  if (IsReady(slots[0])) ReadOne(&out_, out);
  if (IsReady(slots[1])) ReadOne(&err_, err);
  return true;
}

bool ChildProcess::Reap(int64_t timeout_ns, ExitStatus* status, std::string* out,
                        std::string* err) {
  if (pid_ <= 0) return false;
  const int64_t end = MonotonicNow() + timeout_ns;
  std::optional<ExitStatus> ended;
  while (!(ended = ReapIfEnded(pid_, &peak_memory_))) {
    const int64_t left = end - MonotonicNow();
    if (left <= 0) return false;
    // A process closes its pipes a little before it is gone. Until then it may write without end.
    Wait(std::min(left, kReapLookNs), false, out, err);
    for (std::string* text : {out, err}) text->resize(std::min(text->size(), kMaxReaped));
  }
  if (options_.own_group) kill(-pid_, SIGKILL);
  // Its last output is still in the pipes. A child of it that holds them is not awaited, and one
  // that left the group and keeps writing is read up to kMaxLeft only.
  for (auto [fd, text] : {std::pair(&out_, out), std::pair(&err_, err)}) {
    const size_t most = text->size() + kMaxLeft;
    while (*fd >= 0 && text->size() < most && ReadOne(fd, text)) continue;
  }
  *status = *ended;
  pid_ = -1;
  CloseAll();
  return true;
}

ExitStatus ChildProcess::Kill() {
  if (pid_ > 0 && options_.own_group) kill(-pid_, SIGKILL);
  if (pid_ > 0) kill(pid_, SIGKILL);
  return Join();
}

ExitStatus ChildProcess::Join() {
  const ExitStatus status = pid_ > 0 ? WaitForEnd(pid_) : ExitStatus{};
  pid_ = -1;
  CloseAll();
  return status;
}

void ChildProcess::CloseAll() {
  for (int* fd : {&in_, &out_, &err_}) CloseDescriptor(fd);
}

int64_t ChildProcess::ProcessorTime() const {
  clockid_t clock;
  timespec used;
  if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return 0;
  return int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

bool ChildProcess::Runs() const { return State() == 'R'; }

bool ChildProcess::Sleeps() const { return State() == 'S'; }

// As in /proc/PID/stat; '\0': not known.
char ChildProcess::State() const {
  if (pid_ <= 0) return 0;
  char name[40];
  snprintf(name, sizeof name, "/proc/%d/stat", static_cast<int>(pid_));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[512] = {};
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  // "12 (a name) R 1 ...": the name may contain any byte.
  const char* name_end = size > 0 ? strrchr(text, ')') : nullptr;
  return name_end != nullptr && name_end[1] == ' ' ? name_end[2] : '\0';
}

ChildProcess::Memory ChildProcess::MemoryUse() const {
  Memory memory;
  if (pid_ <= 0) return memory;
  char name[40];
  snprintf(name, sizeof name, "/proc/%d/statm", static_cast<int>(pid_));
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return memory;
  char text[128] = {};
  if (read(fd, text, sizeof text - 1) > 0) {
    // "data" is the private and writable part of what is mapped. A shared map of a file reserves
    // nothing.
    unsigned long resident = 0, data = 0;
    if (sscanf(text, "%*u %lu %*u %*u %*u %lu", &resident, &data) == 2) {
      const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
      memory = {.resident = resident * page, .total = data * page};
    }
  }
  close(fd);
  return memory;
}

}  // namespace midwire::io
