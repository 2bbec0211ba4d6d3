// Signals of the driver (proxy/): all are blocked and read from a signalfd, so that the relay can
// pass them on and none interrupts it. A guard keeps the mask and dispositions of the host, which
// the plugin gets unchanged. Commands without a driver use interrupt.h. Includes <signal.h>.
#pragma once

#include <signal.h>

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace midwire::io {

// A signal that midwire received.
struct SignalInfo {
  int number = 0;
  bool from_terminal = false;  // raised by the kernel for the whole process group, plugin included
  bool queued = false;         // sent by sigqueue(3), with a value
  uint64_t value = 0;
};

class SignalGuard {
 public:
  // Blocks everything and resets SIGCHLD: where the host ignores it, exit statuses would be lost.
  SignalGuard();
  // Leaves everything blocked (see Restore): a recorder then only ends as the plugin did.
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  int fd() const { return fd_; }
  // The next pending signal. Those that midwire's own writes raise (SIGPIPE, SIGXFSZ) are dropped.
  // A child's SIGCHLD comes with from_terminal set, like all that the kernel raises
  // except alarms.
  std::optional<SignalInfo> Next();
  // Our own mask and dispositions as they were, for a caller that continues. Signals that our own
  // writes have raised are dropped; those that others have sent meanwhile are delivered.
  void Restore();
  // In the child, before exec: the host's mask and dispositions. Async-signal-safe.
  void RestoreInChild() const;

 private:
  int fd_ = -1;
  sigset_t host_mask_;
  struct sigaction host_sigchld_;
};

// Sends `signal` to a process as it was sent to us (value included).
void PassOn(const SignalInfo& signal, pid_t to);

// A write that fails because of one (SIGPIPE, SIGXFSZ) then returns an error, which is reported.
void IgnoreSignals(std::initializer_list<int> signals);

// Ends this process by the signal, with no core file: it would overwrite the plugin's.
[[noreturn]] void DieBy(int signal);

}  // namespace midwire::io
