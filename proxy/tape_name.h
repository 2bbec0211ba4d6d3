// Where a tape goes: placeholders, the default place, the names of later parts and of the next free
// name. Pure text, except for the default place. Called by Record, the recorder, and show.
#pragma once

#include <cstdint>
#include <string>

#include "wire/outcome/result.h"

namespace midwire::proxy {

struct TapeNaming {
  int64_t unix_ns = 0;  // the session's start
  int64_t pid = 0;      // midwire's own
  std::string plugin;   // its name as the host wrote it
};

// Fills {time} (UTC, 20260131T235959Z), {pid} and {plugin} (the last path component, with
// everything but letters, digits, dot, dash and underscore replaced by a dash).
std::string FillPlaceholders(const std::string& pattern, const TapeNaming& naming);

// $XDG_STATE_HOME/midwire, else $HOME/.local/state/midwire (XDG Base Directory Specification 0.8: a
// path that is not absolute counts as not set). Looks at the environment only.
Result<std::string> DefaultFolder();
// The same, made, 0700, where it is missing.
Result<std::string> MakeDefaultFolder();
inline constexpr char kDefaultName[] = "{plugin}-{time}-{pid}.pcapng";

// tape.pcapng -> tape.2.pcapng: part 2 and up of a rotated recording.
std::string PartName(const std::string& path, int64_t part);

}  // namespace midwire::proxy
