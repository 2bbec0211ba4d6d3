// The start of a session, shared by record and run_plugin: the error for a plugin that cannot be
// started, the path of the tape and its first event. Reads the environment. Creates nothing except
// the default folder for tapes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proxy/record.h"
#include "proxy/spawn.h"
#include "trace/event.h"

namespace midwire::proxy {

// With the exit codes of shells: 127 not found, 126 found but not executable.
RecordOutcome CannotStart(const std::string& name, int error);

// What a tape says of it. PATH is of the environment, as the search was.
trace::CannotStartEvent CannotStartEventOf(const std::string& name, int error);

// The path of the tape of the plugin `argv`: `pattern` (tape_name.h) with its placeholders filled;
// if it is empty, the default name in the default folder. An error concerns the recording, never
// the session.
Result<std::string> TapePath(const std::string& pattern, const std::vector<std::string>& argv,
                             int64_t unix_ns);

// A tape's first event. The caller sets the framing.
trace::SpawnEvent SpawnEventOf(const std::vector<std::string>& argv, const Plugin& plugin,
                               const std::string& version);

}  // namespace midwire::proxy
