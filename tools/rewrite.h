// Writes a trace anew, in either format: what convert and recover share. Never overwrites, and
// leaves no half-written output behind.
#pragma once

#include <optional>
#include <string>

#include "trace/writer.h"

namespace midwire::tools {

struct RewriteOptions {
  std::string in, out;
  std::string to;  // "tape", "cassette" or "": by the ending of out
  bool times = false;
};

struct Rewritten {
  trace::CopyOutcome copied;
  uint64_t damaged_bytes = 0;
  uint64_t torn_bytes = 0;
  bool lost() const { return copied.gaps > 0 || copied.failure; }
};

// The format that --to or the ending says.
Result<trace::Format> OutputFormat(const RewriteOptions& options);
// Opens both before anything is written. *writing tells, on an error, whether it came after that.
Result<Rewritten> Rewrite(const RewriteOptions& options, trace::Format format, bool* writing);
// Does both, says on stderr what is wrong. Otherwise *exit_code says how it failed.
std::optional<Rewritten> RewriteOrReport(const RewriteOptions& options, int* exit_code);

// "lost 120 bytes in 1 place, at offset 4096 (a packet whose CRC32 does not match)", "" if nothing.
std::string LossText(const Rewritten& rewritten);

}  // namespace midwire::tools
