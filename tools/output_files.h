// Checks the files that a command is to write, before it runs or writes anything. A report must not
// overwrite what the command reads, and a tape must be possible to create. Called by the commands'
// option checks. Writes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

// A file that an option such as --junit overwrites.
struct ReportFile {
  const char* option;
  std::string path;  // "": the option is not given
};

// An error: a report has the file of another report or one of `others`, or is a trace, which an
// option's forgotten value easily names, or cannot be created. `others`: traces and dialects that
// are read, tapes that are written; "" is none, "-" standard input. Devices and pipes are never an
// error.
Status CanOverwrite(const std::vector<ReportFile>& reports, const std::vector<std::string>& others);

// What becomes of a file that has the name of the output.
enum class OldOutput : uint8_t { kStays, kNeedsForce, kReplaced };

// For a command whose output is a new file, before it computes anything. "-": standard output. With
// kReplaced, CanOverwrite says which files may be replaced. A named pipe is no output: it may
// have no reader, and the command would not end.
Status CanCreateOutput(const std::string& path, OldOutput old = OldOutput::kStays);

// For an option that replaces the trace: it reads it more than once, so a pipe would not end.
Status CanReplace(const char* option, const std::string& path);

// Whether `pattern` has only placeholders that there are (proxy/tape_name.h).
Status HasKnownPlaceholders(const char* option, const std::string& pattern);

// For commands whose run is of no use without its tape; midwire record continues without one.
// `pattern`: a name with placeholders (proxy/tape_name.h); "": the default name, never an error.
Status CanCreateTape(const char* option, const std::string& pattern);

}  // namespace midwire::tools
