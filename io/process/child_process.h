// A child process with non-blocking pipes for its stdin, stdout and stderr: the peers of a fuzz
// campaign (fuzz/live/), and commands (run_command.h). Passive: the caller decides when to write
// and how long to wait; it starts no thread and runs no loop of its own. A recorded plugin is
// started by proxy/spawn.h instead, as the host would start it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/poll.h"
#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::io {

struct ChildOptions {
  bool has_stdin = true;  // a pipe; otherwise it reads /dev/null
  // The kernel kills it when we die, and it starts with default signals, for children that we start
  // and kill in large numbers. Start then ignores SIGPIPE in this process, so that a write to a
  // child that is gone fails with an error.
  bool is_ours = true;
  // A process group of its own, which is killed with it.
  bool own_group = true;
};

class ChildProcess {
 public:
  // `environment`: NAME=VALUE, added to ours or in its place.
  explicit ChildProcess(std::vector<std::string> argv, std::vector<std::string> environment = {},
                        const ChildOptions& options = {});
  ~ChildProcess() { Kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Sets the program for the next Start. An error: it cannot be found.
  Status Set(std::vector<std::string> argv, std::vector<std::string> environment);
  // Kills the previous process first. An error: the program cannot be found or executed.
  Status Start();
  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  // Writes as much as its stdin takes now and returns the number of bytes. A closed stdin drops all
  // of them.
  size_t Write(std::string_view bytes);
  void CloseStdin();
  bool HasRead() const;  // it has read all that was written, or never will
  // Bytes that were written and that it has not read, even if it never will; all, if stdin is
  // closed.
  size_t Unread() const;
  // Whether the process has ended, even if one of its children holds its pipes open.
  bool HasEnded() const;

  static constexpr size_t kMaxOthers = 5;
  // Waits until the child has written something, its stdin has room (if `want_write`), one of
  // `others` (at most kMaxOthers) is ready, or the time is over. Appends what the child wrote.
  // False: nothing happened in time, or a signal handler has run.
  bool Wait(int64_t timeout_ns, bool want_write, std::string* out, std::string* err,
            std::span<PollSlot> others = {});
  bool out_ended() const { return out_ < 0; }  // its stdout is closed
  bool err_ended() const { return err_ < 0; }

  // Waits for its end, reaps it and appends what is left in its pipes. False: it is still running.
  bool Reap(int64_t timeout_ns, ExitStatus* status, std::string* out, std::string* err);
  // Peak memory in bytes of the process that was reaped last; 0: unknown, because it is below ours.
  uint64_t peak_memory() const { return peak_memory_; }
  // Kills it and its process group, and reaps it.
  ExitStatus Kill();
  // Waits for its end without a time limit, and reaps it. Does not kill its group.
  ExitStatus Join();

  // Processor time used so far, in nanoseconds; memory below is in bytes. 0 when it is gone.
  int64_t ProcessorTime() const;
  bool Runs() const;    // or waits for a processor
  bool Sleeps() const;  // waits for something; false: it runs, or has ended
  struct Memory {
    uint64_t resident = 0, total = 0;  // total: private and writable, touched or not
  };
  Memory MemoryUse() const;

 private:
  bool ReadOne(int* fd, std::string* to);
  void CloseAll();
  char State() const;

  std::vector<std::string> argv_, environment_;
  ChildOptions options_;
  std::string path_;    // of the program
  int path_error_ = 0;  // errno: why path_ is empty
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  uint64_t peak_memory_ = 0;
};

}  // namespace midwire::io
