// Findings about a process, made of what the runners measure: how it ended, its stderr, whether it
// responds, its memory. Called by fuzz/live. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "fuzz/finding.h"
#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/sync_state.h"
#include "wire/outcome/exit_status.h"

namespace midwire::fuzz {

// `err`: what it wrote to stderr.

// A plugin ended although its stdin was open. nullopt: it may, in this state of the session.
std::optional<Finding> EndFinding(const ExitStatus& status, const std::string& err,
                                  const FaultPlace& place, SyncState state);
// It ended at the end of its stdin, in order but with another status than the recorded ones.
// nullopt: it has one of them, or the recording does not show 0.
std::optional<Finding> EofStatusFinding(const ExitStatus& status, const std::set<int>& recorded,
                                        const std::string& err);
// Its stdout is closed, and it is still running.
Finding ClosedStdoutFinding(const std::string& err, const FaultPlace& place);
// A running process. nullopt: its stderr has no report of a fault.
std::optional<Finding> StderrFinding(const std::string& err);
// A valid request has no answer. busy: it uses the processor.
Finding NoAnswerFinding(bool busy, const std::string& err, const FaultPlace& place);
// After bytes that do not frame, it answers nothing, and it is still running.
Finding DeafFinding(const std::string& err, const FaultPlace& place);
// Its stdin is closed, and it is still running.
Finding AfterEofFinding(bool busy, const std::string& err);

struct MemoryUse {
  uint64_t resident = 0, total = 0;  // bytes; total 0: not known
};
// nullopt: it has not grown by more than max_growth.
std::optional<Finding> MemoryFinding(const MemoryUse& before, const MemoryUse& now,
                                     uint64_t max_growth);

}  // namespace midwire::fuzz
