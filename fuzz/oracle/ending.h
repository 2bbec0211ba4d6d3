// Classifies the end of a process: a sanitizer's report, a signal, a panic or a plain exit. Called
// by fuzz/live. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/finding.h"
#include "wire/outcome/exit_status.h"

namespace midwire::fuzz {

// Where in a session something was noticed.
struct FaultPlace {
  FaultPlace(std::string last, std::string what_is_odd = "", bool is_nonsense = false)
      : after(std::move(last)), odd(std::move(what_is_odd)), nonsense(is_nonsense) {}
  FaultPlace(const char* last) : after(last) {}
  std::string Text() const { return after + odd; }

  std::string after;      // the last message sent to the process: "request tools/call"
  std::string odd;        // what may be the cause instead (ProtocolOracle::OddBefore); may be empty
  bool nonsense = false;  // peers may not read the last message as one
};

// "SIGSEGV", "exit 3".
std::string EndingText(const ExitStatus& status);

// "it wrote nothing to stderr", "it wrote: ...": the beginning of its stderr on one line, for an
// error message.
std::string StderrText(std::string_view err);

// The finding for a process that ended. `err`: what it wrote to stderr. nullopt: it exited by
// itself, which the caller classifies.
std::optional<Finding> DeathOf(const ExitStatus& status, const std::string& err,
                               const FaultPlace& place);

}  // namespace midwire::fuzz
