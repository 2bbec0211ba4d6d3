// What a process's end says: was it a sanitizer, a signal, a panic, or just an exit? Called by the
// runners of plugins and hosts. Pure.
#pragma once

#include <optional>
#include <string>

#include "fuzz/finding.h"

namespace midwire::fuzz {

// "SIGSEGV", "exit 3".
std::string EndingText(int code, int signal);

// The finding of a process that ended, with what it wrote to stderr. `after`: what was said last
// ("request tools/call"). Nothing: it ended by itself, and that is for the caller to judge.
std::optional<Finding> DeathOf(int code, int signal, const std::string& err,
                               const std::string& after);

}  // namespace midwire::fuzz
