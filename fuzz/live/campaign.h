// A campaign: several jobs at once, each an engine with its own peer on its own processor, watched
// by one process. They share the folder of inputs (libFuzzer reads what others add) and that of
// findings (a file's name is derived from the finding's key, so none is saved twice). Called by
// commands/fuzz.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/live/counters.h"
#include "fuzz/live/engine.h"
#include "io/process/orphan_reaper.h"
#include "io/process/worker.h"

namespace midwire::fuzz {

struct Totals {
  uint64_t runs = 0, messages = 0, starts = 0, states = 0, findings = 0, known = 0, skipped = 0;
  uint64_t features = 0;                       // of the job with the most
  uint64_t inputs = 0;                         // in the corpus of that job
  int64_t new_ns = 0;                          // when the last new feature was found
  int64_t confirming_ns = 0, reducing_ns = 0;  // time that findings have taken, per job
  bool fails = false;                          // a finding, known or new, is more than a note
};

class Campaign {
 public:
  Campaign() = default;
  ~Campaign();
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  // Writes the seeds to the corpus folder and starts the jobs. Call once, from a process with one
  // thread.
  Status Start(const EngineOptions& options, int jobs, Seeds* seeds);
  // Waits at most `timeout_ms` for lines of the jobs and appends them, with `"job":N` in each.
  // False: all jobs have ended and no line is left. For a job that ends abnormally without an error
  // line, the line {"job":N,"event":"died","text":...} is appended; the others continue.
  bool Poll(int64_t timeout_ns, std::vector<std::string>* lines);
  // Signals the jobs to end. A finding that is being reduced is saved as it is then. On the second
  // call, or after some seconds, they are killed.
  void Stop();
  Totals totals() const;
  // At the end. An error: inputs could not be written; what there is of them was removed.
  Status CheckInputs() const;
  // Whether a job ended abnormally: killed, or with an error.
  bool failed() const { return failed_; }
  // Whether Start failed because a folder or seed could not be written: the disk is full.
  bool output_failed() const { return output_failed_; }

 private:
  struct Job {
    io::Worker worker;  // its log has libFuzzer's output, from which the totals are read
    std::string pending, log_line, last_words;
    uint64_t features = 0, inputs = 0;
    int64_t new_ns = 0;     // when it last found a new feature
    bool reported = false;  // its failure and the reason
  };
  void ReadLog(Job* job);
  void OnEnd(Job* job, size_t index, std::vector<std::string>* lines);

  std::string corpus_;  // folder
  std::vector<Job> jobs_;
  Counters* counters_ = nullptr;  // one per job
  size_t counted_ = 0;
  io::OrphanReaper orphans_;  // of jobs that were killed
  int64_t stopped_ = 0;       // when the jobs were signalled to end; 0: not yet
  bool killed_ = false, failed_ = false, output_failed_ = false;
};

}  // namespace midwire::fuzz
