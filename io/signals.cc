#include "io/signals.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace midwire::io {
namespace {

// The kernel raises these for one process and not for a terminal's group. A timer that the host set
// before exec keeps running in us, and is meant for the plugin.
bool IsTimer(int signal) { return signal == SIGALRM || signal == SIGVTALRM || signal == SIGPROF; }

}  // namespace

SignalGuard::SignalGuard() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &host_mask_);
  struct sigaction reset = {};
  reset.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &reset, &host_sigchld_);
  fd_ = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

SignalGuard::~SignalGuard() {
  if (fd_ >= 0) close(fd_);
}

std::optional<SignalInfo> SignalGuard::Next() {
  for (;;) {
    signalfd_siginfo info;
    if (read(fd_, &info, sizeof info) != sizeof info) return std::nullopt;
    const bool from_user = info.ssi_code <= 0;
    if (from_user && info.ssi_pid == static_cast<uint32_t>(getpid())) continue;
    return SignalInfo{.number = static_cast<int>(info.ssi_signo),
                      .from_terminal = !from_user && !IsTimer(static_cast<int>(info.ssi_signo)),
                      .queued = info.ssi_code == SI_QUEUE,
                      .value = info.ssi_ptr};
  }
}

void SignalGuard::Restore() {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGPIPE);
  sigaddset(&own, SIGXFSZ);
  const timespec now = {};
  while (sigtimedwait(&own, nullptr, &now) > 0) continue;
  RestoreInChild();
}

void SignalGuard::RestoreInChild() const {
  sigaction(SIGCHLD, &host_sigchld_, nullptr);
  sigprocmask(SIG_SETMASK, &host_mask_, nullptr);
}

void PassOn(const SignalInfo& signal, pid_t to) {
  if (!signal.queued) {
    kill(to, signal.number);
    return;
  }
  union sigval value = {};
  value.sival_ptr = reinterpret_cast<void*>(signal.value);
  sigqueue(to, signal.number, value);
}

void IgnoreSignals(std::initializer_list<int> signals) {
  for (const int number : signals) signal(number, SIG_IGN);
}

void DieBy(int signal) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  const bool stops =
      signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
  if (!stops) raise(signal);
  // Not reached: a signal that ended the plugin ends this process too. But never return.
  _exit(128 + signal);
}

}  // namespace midwire::io
