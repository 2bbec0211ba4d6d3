// Several engines at once, each with its own peer on its own processor, and one who watches them:
// `midwire fuzz`. They share the folder of inputs (libFuzzer reads what others add) and that of
// findings (a file's name is its finding's key, so none is kept twice).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/live/counters.h"
#include "fuzz/live/engine.h"
#include "fuzz/live/orphan_reaper.h"

namespace midwire::fuzz {

struct Totals {
  uint64_t runs = 0, messages = 0, starts = 0, states = 0, findings = 0, known = 0;
  uint64_t features = 0;  // of the job that has seen most
  uint64_t inputs = 0;    // in the corpus of that job
  int64_t new_ns = 0;     // when something was new last
};

class Campaign {
 public:
  Campaign() = default;
  ~Campaign();
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  // Writes the seeds into the corpus folder, and starts the jobs. Call once, from a process with
  // one thread.
  Status Start(const EngineOptions& options, int jobs, Seeds* seeds);
  // Waits a while for what the jobs tell; appends their lines, with `"job":N` in each. False: all
  // have ended, and nothing is left to be told. A job that ends in a way that it should not and has
  // not told why leaves {"job":N,"event":"died","text":...}; the others go on.
  bool Poll(int timeout_ms, std::vector<std::string>* lines);
  // They end as soon as what they are at can be left: a finding at hand is saved as far as it is
  // reduced. Twice, or when they have not ended some seconds later: they are killed.
  void Stop();
  Totals totals() const;
  // Whether a job ended in a way that it should not: killed, or with an error.
  bool failed() const { return failed_; }

 private:
  struct Job;
  void ReadLog(Job* job);
  void WakeStopped() const;
  void OnEnd(Job* job, size_t index, int status, std::vector<std::string>* lines);
  struct Job {
    pid_t pid = -1;
    int from = -1;  // its lines
    std::string pending;
    int log = -1;  // what libFuzzer says: how much it has seen
    std::string log_line, last_words;
    uint64_t features = 0, inputs = 0;
    int64_t new_ns = 0;  // when it saw a feature last that was new
    bool told = false;   // that and why it failed
  };
  std::vector<Job> jobs_;
  Counters* counters_ = nullptr;  // one each
  size_t counted_ = 0;
  OrphanReaper strays_;  // of jobs that were killed
  int64_t stopped_ = 0;  // when they were asked to end; 0: not yet
  bool killed_ = false, failed_ = false;
};

}  // namespace midwire::fuzz
