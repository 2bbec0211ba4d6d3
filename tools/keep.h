// What `--keep` of midwire reduce asks of a smaller session: an ending, a finding, or whatever a
// command of the user's looks for. Called by reduce alone; plays nothing itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fuzz/case.h"
#include "fuzz/live/investigate.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// How the key begins of what a command has told to keep.
inline constexpr char kKeptBy[] = "kept by: ";

struct Keep {
  fuzz::Shows shows;
  // Why the user's command can look at nothing more, once that is so: what it says then is no
  // verdict. `code`: what midwire ends with.
  struct Failure {
    std::optional<Error> error;
    int code = 0;
    std::function<bool()> stop;  // whether a command that is under way is to end
  };
  std::shared_ptr<Failure> failure = std::make_shared<Failure>();
};

// `keep` as it was given, may be ""; `record`: the finding that the trace tells of, may be null. An
// error: it cannot be understood.
Result<Keep> UnderstandKeep(const std::string& keep, const fuzz::FindingRecord* record);

}  // namespace midwire::tools
