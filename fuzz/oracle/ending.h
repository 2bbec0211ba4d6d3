// Classifies the end of a process: a sanitizer's report, a signal, a panic or a plain exit. Called
// by fuzz/live. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fuzz/finding.h"
#include "wire/outcome/exit_status.h"

namespace midwire::fuzz {

// "SIGSEGV", "exit 3".
std::string EndingText(const ExitStatus& status);

// "it wrote nothing to stderr", "it wrote: ...": the beginning of its stderr on one line, for an
// error message.
std::string StderrText(std::string_view err);

// The finding for a process that ended. `err`: what it wrote to stderr. `after`: the last message
// sent to it ("request tools/call"). nullopt: it exited by itself, which the caller classifies.
std::optional<Finding> DeathOf(const ExitStatus& status, const std::string& err,
                               const std::string& after);

}  // namespace midwire::fuzz
