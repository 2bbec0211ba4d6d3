// One job of a campaign: libFuzzer, linked as a library, drives a live peer. libFuzzer keeps its
// state in globals and its driver never returns, so the campaign runs each job in its own process
// (campaign.h).
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
  uint64_t max_runs = 0;            // 0: until it is stopped
  int64_t max_time_ns = 0;          // when it will be stopped; 0: not known
  size_t job = 0, jobs = 1;         // which one this is, of how many
  int processor = -1;               // to pin the job to; -1: none
  size_t max_len = 64 * 1024;       // of ordinary inputs
  size_t max_input = 0;             // of the rare large inputs; up to max_len: there are none
  std::string corpus;               // folder of inputs, read and added to; jobs share it
  std::string findings;             // folder where findings go
  std::string dialect;              // its name, for findings
  std::vector<std::string> exempt;  // its clauses that do not apply, for findings
  std::set<std::string> kept;       // names of findings that were there before the campaign
  bool stop_on_finding = false;
};

// Lines of JSON for the campaign: {"event":"ready",...}, {"event":"finding",...},
// {"event":"error"}.
using LineSink = std::function<void(const std::string& line)>;

// Does not return. Exits after StopEngine, after max_runs, or if the peer cannot be started.
[[noreturn]] void RunEngine(const EngineOptions& options, Seeds* seeds, Counters* counters,
                            LineSink print_line);
// Makes the engine of this process exit with `code`, soon; async-signal-safe.
void StopEngine(int code);
bool EngineStops();  // whether it was called
// Exit code of a job that was signalled by another process than its watcher.
inline constexpr int kEndedByOther = 5;

}  // namespace midwire::fuzz
