// Reads a log of another program and writes it as a cassette or a tape. Called by import, and by
// convert if its input is a log; other commands ask whether a file is one, to name import in their
// error. Reports what the log lacks on stderr. Never overwrites.
#pragma once

#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct ImportOptions {
  std::vector<std::string> logs;  // one, or two: the bytes of both directions
  std::string out;
  std::string to;                                 // as in RewriteOptions
  std::string from;                               // the name of a format; "": by content
  std::string host, plugin;                       // regular expressions for what precedes a message
  std::string direction_at, message_at, time_at;  // JSON pointers
};

// The exit code of the command.
int ImportOrReport(const ImportOptions& options);

// Whether a regular file is a log that import reads; "": it is not, else the title of its format.
std::string LogTitle(const std::string& path);
// The error of a command that reads traces: names import if `path` is a log.
Error WithImport(Error error, const std::string& path);

// Prints the formats.
int ListLogFormats();

}  // namespace midwire::tools
