// Signals at the edge: all are blocked and read from a signalfd, so that the relay can pass them on
// and none interrupts it. Remembers what the host had set up, to hand it to the plugin unchanged.
#pragma once

#include <signal.h>

#include <optional>

#include "proxy/machine.h"

namespace midwire::proxy {

class SignalGuard {
 public:
  // Blocks everything and resets SIGCHLD: where the host ignores it, exit statuses would be lost.
  SignalGuard();
  // Leaves everything blocked (see Restore): a recorder has nothing left to do but to end as the
  // plugin did.
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  int fd() const { return fd_; }
  // The next signal that waits. Those that midwire's own deeds raise (SIGPIPE, SIGXFSZ) are
  // dropped. A child's SIGCHLD comes with from_terminal set, like all that the kernel raises,
  // alarms excepted.
  std::optional<SignalInfo> Next();
  // Our own mask and dispositions as they were, for a caller that lives on. What our own writes
  // have raised is forgotten; what others have sent meanwhile is delivered.
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

// Ends this process by the signal, with no core file: it would overwrite the plugin's.
[[noreturn]] void DieBy(int signal);

}  // namespace midwire::proxy
