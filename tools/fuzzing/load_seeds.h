// Loads the seeds of a fuzz run, a reduction or a replay of a finding: traces and a dialect, named
// or detected from the traces. Called by fuzz, reduce and replay_finding.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/seeds.h"
#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct LoadedSeeds {
  std::unique_ptr<wire::Dialect> dialect;  // null: none
  std::string dialect_name;                // as --dialect takes it
  bool dialect_detected = false;           // from the first messages of a trace
  bool made_up = false;                    // the inputs are made up: no trace has any
  uint64_t damaged_bytes = 0;              // unreadable bytes of the traces
  fuzz::Seeds seeds{wire::Direction::kHostToPlugin};
};

// `dialect`: a name, a file, "none", or "" to detect it from the traces. Without traces the seeds
// are made up. An error: a trace or a dialect cannot be read.
Result<std::unique_ptr<LoadedSeeds>> LoadSeeds(const std::vector<std::string>& traces,
                                               const std::string& dialect, wire::Direction role);

}  // namespace midwire::tools
