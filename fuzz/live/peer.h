// A peer in a process of its own, with pipes for its stdin, stdout and stderr: what the runner
// talks to. It dies with us, has a process group of its own (what it starts dies with it), and its
// pipes never block us. Passive: it does what it is told, and tells what happened. (proxy/ starts
// plugins as a host would, and keeps out of sight; this one starts ten thousand of them and kills
// them.)
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::fuzz {

class Peer {
 public:
  // `environment`: NAME=VALUE, added to ours or in its place.
  explicit Peer(std::vector<std::string> argv, std::vector<std::string> environment = {});
  ~Peer() { Kill(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Another program, before the next start. An error: it cannot be found.
  Status Set(std::vector<std::string> argv, std::vector<std::string> environment);
  // An error: it cannot be found or executed.
  Status Start();
  bool running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  // Writes what its stdin takes now; how much. A closed stdin takes everything, and drops it.
  size_t Write(std::string_view bytes);
  void CloseStdin();
  bool HasRead() const;  // all that was written, or it never will
  // Whether the process has ended, also where a child of its holds its pipes open.
  bool Ended() const;
  // Waits until it has said something, `want_write` and its stdin has room, or the time is over.
  // Appends what it said. False: nothing happened in time.
  bool Wait(int64_t timeout_ns, bool want_write, std::string* out, std::string* err);
  // Its stdout and stderr, to be polled; -1: closed.
  std::pair<int, int> descriptors() const { return {out_, err_}; }
  bool out_ended() const { return out_ < 0; }  // its stdout is closed

  struct Ending {
    int code = -1;
    int signal = 0;
    uint64_t peak = 0;  // bytes of memory that it had at most; 0: not more than we have ourselves
  };
  // Once it has ended: reaps it, with what is left on its pipes. False: it runs still.
  bool Reap(int64_t timeout_ns, Ending* ending, std::string* out, std::string* err);
  void Kill();  // it and its process group, and reaps it

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
  std::string path_;  // of the program
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
};

// Where execvp(3) would find it; "" when nowhere.
std::string FindProgram(const std::string& name);
// Nanoseconds of the monotonic clock.
int64_t MonotonicNow();
// Pins this thread, and what it starts, to one processor. False: not allowed, or there is none
// such.
bool PinTo(int processor);
// Tells the scheduler that this thread is in no hurry: a peer on the same processor that writes an
// answer goes on until it waits, and is not stopped for us at each one. What we start is in a hurry
// as usual.
void YieldToPeers();

}  // namespace midwire::fuzz
