// The tapes of one name: `record -o tape.pcapng` writes tape.pcapng, and tape-2.pcapng,
// tape-3.pcapng when the host starts the plugin again. Called by show, check and ReadTrace. Reads
// no tape.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// The tape of the session after number `session` of that name, if there is one; else "".
std::string NextSessionOf(const std::string& path, int session);
// One line on stderr if there is a next session: a command that reads one trace does not show it.
void ReportNextSession(const std::string& path);

// For commands that follow. Wait until the trace exists, or Ctrl-C; say on stderr what they wait
// for. False: it does not exist.
bool AwaitTrace(const std::string& path);
// The newest tape, once there is one. An error: Ctrl-C, or there is no default folder.
Result<std::string> AwaitNewestTrace();

}  // namespace midwire::tools
