// Fills the record of a finding, which the header of its cassette holds. Used by the engine and by
// midwire reduce, so that both write the same members.
#pragma once

#include <string>

#include "fuzz/live/investigate.h"
#include "fuzz/live/runner.h"
#include "fuzz/live/target.h"

namespace midwire::fuzz {

// What a record has in addition to the investigated finding. Nothing is owned.
struct RecordContext {
  const RunnerOptions* options = nullptr;
  const Seeds* seeds = nullptr;
  const Target* target = nullptr;     // on which the finding was investigated
  std::string dialect;                // its name; may be empty
  std::vector<std::string> exempt{};  // clauses of it that do not apply
};

FindingRecord RecordOf(const Investigated& found, const RecordContext& context);

}  // namespace midwire::fuzz
