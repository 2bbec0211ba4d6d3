// The behaviour that `--keep` of midwire reduce names: a way to end, a finding, or a condition that
// the user's command tests. Called by the reduction only; plays nothing itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fuzz/case.h"
#include "fuzz/live/investigate.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// Start of the key of a behaviour that a command tests.
inline constexpr char kKeptBy[] = "kept by: ";

struct Keep {
  fuzz::Shows shows;
  // Set once the user's command cannot run any more, so that its exit status is no verdict. `code`:
  // midwire's exit code.
  struct Failure {
    std::optional<Error> error;
    int code = 0;
    std::function<bool()> stop;  // whether a running command must be ended
  };
  std::shared_ptr<Failure> failure = std::make_shared<Failure>();
};

// `keep`: the option's value, may be "". `record`: the finding in the trace's header, may be null.
// An error: the value is malformed.
Result<Keep> ParseKeep(const std::string& keep, const fuzz::FindingRecord* record);

}  // namespace midwire::tools
