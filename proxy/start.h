// What record and run_plugin have in common when a session starts: the words for a plugin that
// cannot be started, and what its tape is called and begins with. Looks at the environment, and
// makes at most the default folder for tapes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/record.h"
#include "proxy/spawn.h"
#include "trace/event.h"

namespace midwire::proxy {

// With the shells' codes: 127 not found, 126 found but not to be executed.
RecordOutcome CannotStart(const std::string& name, int error);

// The path of the tape: `pattern` (tape_name.h) filled, or the default place when it is empty.
// An error is a fault of the recording, never of the session.
Result<std::string> TapePath(const std::string& pattern, const std::string& plugin,
                             int64_t unix_ns);

// A tape's first event. The framing is for the caller to set.
trace::SpawnEvent SpawnEventOf(const std::vector<std::string>& argv, const Plugin& plugin,
                               const std::string& version);

}  // namespace midwire::proxy
