// What a fuzz run, a reduction or a replay of a finding starts from: traces and a dialect, named or
// told by the traces, as seeds. Called by fuzz and reduce.
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
  std::string dialect_name;                // as the user may write it again
  bool dialect_told = false;               // by the first messages of a trace
  bool made_up = false;                    // the inputs: no trace has any
  uint64_t damaged_bytes = 0;              // of the traces: not read
  fuzz::Seeds seeds{wire::Direction::kHostToPlugin};
};

// `dialect`: a name, a file, "none", or "" to be told by the traces. Without traces the seeds are
// made up. An error: a trace or a dialect cannot be read.
Result<std::unique_ptr<LoadedSeeds>> LoadSeeds(const std::vector<std::string>& traces,
                                               const std::string& dialect, wire::Direction role);

}  // namespace midwire::tools
