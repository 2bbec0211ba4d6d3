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
  std::string dialect_text;                // what was chosen, and how sure, for people
  // Clauses of the dialect that the traces themselves break: "result tools/call". The dialect here
  // no longer has them.
  std::vector<std::string> exempt;
  bool made_up = false;        // the inputs are made up: no trace has any
  uint64_t damaged_bytes = 0;  // unreadable bytes of the traces
  fuzz::Seeds seeds{wire::Direction::kHostToPlugin};
};

// `dialect`: a name, a file, "none", or "" to detect it from the traces. Without traces the seeds
// are made up. An error: a trace or a dialect cannot be read.
// What a trace breaks of a dialect that is detected is exempted; with a named one, nothing is.
Result<std::unique_ptr<LoadedSeeds>> LoadSeeds(const std::vector<std::string>& traces,
                                               const std::string& dialect, wire::Direction role);

// Takes clauses away from a dialect, as LoadedSeeds::exempt has them. Others are ignored.
void Exempt(const std::vector<std::string>& clauses, wire::Dialect* dialect);

}  // namespace midwire::tools
