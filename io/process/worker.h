// A copy of this process that runs one function: what fork(2) gives, without exec. A fuzz campaign
// (fuzz/live/campaign.h) has one per job, because libFuzzer needs a process of its own. Start it
// from a process with one thread.
#pragma once

#include <sys/types.h>

#include <functional>

#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::io {

class Worker {
 public:
  // The function of the worker. It writes its lines to the descriptor, and may end the process;
  // when it returns, the process exits with 0. Its stdin and stdout are /dev/null, its stderr is
  // log().
  using Work = std::function<void(int lines)>;
  // Called in the worker, in a signal handler, on SIGTERM, which the kernel also sends when the
  // parent dies. The worker ignores Ctrl-C: the parent handles it, and passes it on.
  using OnTerm = void (*)(bool from_parent);

  Worker() = default;
  ~Worker();  // kills it
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&&) = delete;

  static Result<Worker> Start(const Work& work, OnTerm on_term);

  pid_t pid() const { return pid_; }  // -1: it was reaped
  // What it writes; neither blocks. -1: closed. What does not fit into the log is lost.
  int lines() const { return lines_; }
  int log() const { return log_; }
  void CloseLines();

  void Signal(int number) const;
  void WakeIfStopped() const;
  // Waits for its end, and reaps it.
  ExitStatus Join();

 private:
  pid_t pid_ = -1;
  int lines_ = -1, log_ = -1;
};

}  // namespace midwire::io
