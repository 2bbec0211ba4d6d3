#include "io/process/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <utility>

#include "io/pipe.h"
#include "io/process/reap.h"

namespace midwire::io {
namespace {

// Of this process, if it is a worker.
pid_t parent = 0;
Worker::OnTerm on_term = nullptr;

void OnSignal(int, siginfo_t* info, void*) { on_term(info->si_pid == parent); }

[[noreturn]] void RunWork(const Worker::Work& work, int lines, int log) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(0);
  signal(SIGINT, SIG_IGN);
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTERM, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0) dup2(null, 1), dup2(null, 0);
  dup2(log, 2);
  work(lines);
  _exit(0);
}

}  // namespace

Worker::Worker(Worker&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      lines_(std::exchange(other.lines_, -1)),
      log_(std::exchange(other.log_, -1)) {}

Worker::~Worker() {
  if (pid_ > 0) {
    Signal(SIGKILL);
    Join();
  }
  CloseLines();
  CloseDescriptor(&log_);
}

Result<Worker> Worker::Start(const Work& work, OnTerm handler) {
  Pipe lines, log;
  if (!lines.Open() || !log.Open())
    return Error{"cannot start a job", strerror(errno), "raise the limit (ulimit -n)"};
  SetNonBlocking(log.reader);
  SetNonBlocking(log.writer);
  const pid_t us = getpid();
  const pid_t pid = fork();
  if (pid < 0) return Error{"cannot start a job", strerror(errno), "use fewer --jobs"};
  if (pid == 0) {
    parent = us;
    on_term = handler;
    RunWork(work, lines.writer, log.writer);
  }
  SetNonBlocking(lines.reader);
  Worker worker;
  worker.pid_ = pid;
  worker.lines_ = std::exchange(lines.reader, -1);
  worker.log_ = std::exchange(log.reader, -1);
  return worker;
}

void Worker::CloseLines() { CloseDescriptor(&lines_); }

void Worker::Signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

void Worker::WakeIfStopped() const { io::WakeIfStopped(pid_); }

ExitStatus Worker::Join() {
  const pid_t pid = std::exchange(pid_, -1);
  return pid > 0 ? WaitForEnd(pid) : ExitStatus{};
}

}  // namespace midwire::io
