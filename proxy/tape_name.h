// Names of tapes: placeholders, the default folder, the names of later parts. Called by start, the
// recorder, and tools/ to find the newest tape. Never creates a tape; only MakeDefaultFolder
// changes the file system.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::proxy {

struct TapeNaming {
  int64_t unix_ns = 0;  // the session's start
  int64_t pid = 0;      // midwire's own
  std::string plugin;   // plugin_name.h
};

// Fills {time} (UTC, 20260131T235959Z), {pid} and {plugin}: the last path component, without dots
// at its start, which would hide the tape. In it, a dash replaces all characters except letters,
// digits, dot, dash and underscore. Other text stays as it is.
std::string FillPlaceholders(const std::string& pattern, const TapeNaming& naming);
// The first word in braces that is none of them, such as "{date}"; "": there is none.
std::string UnknownPlaceholder(std::string_view pattern);

// $XDG_STATE_HOME/midwire, else $HOME/.local/state/midwire (XDG Base Directory Specification 0.8: a
// path that is not absolute counts as not set, of HOME too). Reads the environment only.
Result<std::string> DefaultFolder();
// The same; creates the folder with mode 0700 if it is missing.
Result<std::string> MakeDefaultFolder();
inline constexpr char kDefaultName[] = "{plugin}-{time}-{pid}.pcapng";

// tape.pcapng -> tape.2.pcapng: the name of part 2 and later of a rotated recording.
std::string PartName(const std::string& path, int64_t part);

}  // namespace midwire::proxy
