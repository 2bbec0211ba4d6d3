// A program in a process of its own, with pipes for its stdin, stdout and stderr that never block
// us: the peers of a fuzz campaign (fuzz/live/), and commands (run_command.h). Passive: the caller
// decides when to write and how long to wait, and there is no thread and no loop in here. A plugin
// that is recorded is started by proxy/spawn.h, as the host would start it.
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
  bool has_stdin = true;  // a pipe; else it reads /dev/null
  // It dies with us and has default signals, whatever ours are: for one of many that we start and
  // kill. Start then ignores SIGPIPE in this process: a write to a child that is gone is an error.
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

  // Another program, before the next start. An error: it cannot be found.
  Status Set(std::vector<std::string> argv, std::vector<std::string> environment);
  // Ends the one before. An error: it cannot be found or executed.
  Status Start();
  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  // Writes what its stdin takes now; how much. A closed stdin takes everything, and drops it.
  size_t Write(std::string_view bytes);
  void CloseStdin();
  bool HasRead() const;  // all that was written, or it never will
  // Whether the process has ended, also where a child of its holds its pipes open.
  bool HasEnded() const;

  static constexpr size_t kMaxOthers = 5;
  // Waits until it has written something, `want_write` and its stdin has room, one of `others` (at
  // most kMaxOthers) is ready, or the time is over. Appends what it wrote. False: nothing happened
  // in time, or a signal handler has run.
  bool Wait(int64_t timeout_ns, bool want_write, std::string* out, std::string* err,
            std::span<PollSlot> others = {});
  bool out_ended() const { return out_ < 0; }  // its stdout is closed
  bool err_ended() const { return err_ < 0; }

  // Once it has ended: reaps it, with what is left on its pipes. False: it runs still.
  bool Reap(int64_t timeout_ns, ExitStatus* status, std::string* out, std::string* err);
  // Of the one that was reaped last: bytes of memory that it had at most; 0: not more than we have.
  uint64_t peak_memory() const { return peak_memory_; }
  // Kills it and its process group, and reaps it.
  ExitStatus Kill();
  // Waits for its end without a limit, and reaps it; its group lives on.
  ExitStatus Join();

  // Processor time it has used, and memory, in nanoseconds and bytes; 0 when it is gone.
  int64_t ProcessorTime() const;
  bool Runs() const;    // or would, had it a processor
  bool Sleeps() const;  // waits for something; false: it runs, or has ended
  struct Memory {
    uint64_t resident = 0, total = 0;  // total: what is its own to write, touched or not
  };
  Memory MemoryUse() const;

 private:
  bool ReadOne(int* fd, std::string* to);
  void CloseAll();
  char State() const;

  std::vector<std::string> argv_, environment_;
  ChildOptions options_;
  std::string path_;    // of the program
  int path_error_ = 0;  // errno: why there is none
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  uint64_t peak_memory_ = 0;
};

}  // namespace midwire::io
