// One job of a campaign: libFuzzer, linked as a library, drives a live peer. libFuzzer keeps its
// state in globals and never comes back from its driver, so this runs in a process of its own
// (campaign.h), and once.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "fuzz/live/counters.h"
#include "fuzz/live/investigate.h"
#include "fuzz/live/runner.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/seeds.h"

namespace midwire::fuzz {

struct EngineOptions {
  RunnerOptions runner;
  InvestigateOptions investigate;
  uint64_t seed = 1;
  uint64_t max_runs = 0;  // 0: until it is stopped
  int processor = -1;     // to be pinned to; -1: none
  size_t max_len = 64 * 1024;
  std::string corpus;          // folder of inputs, read and added to
  bool shares = false;         // with other jobs: what they add is read each second
  std::string findings;        // folder where findings go
  std::string dialect;         // its name, for findings
  std::set<std::string> kept;  // names of findings that were there before the campaign
  bool stop_on_finding = false;
};

// Lines of JSON for the campaign: {"event":"ready",...}, {"event":"finding",...},
// {"event":"error"}.
using LineSink = std::function<void(const std::string& line)>;

// Does not return. Ends when StopEngine was called, after max_runs, or when the peer cannot be
// started.
[[noreturn]] void RunEngine(const EngineOptions& options, Seeds* seeds, Counters* counters,
                            LineSink tell);
// Asks the engine of this process to end, and to exit with `code`; for a signal handler.
void StopEngine(int code);
// What a job exits with that was asked to end by another process than its watcher.
inline constexpr int kToldByOther = 5;

}  // namespace midwire::fuzz
