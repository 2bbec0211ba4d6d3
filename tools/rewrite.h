// Copies a trace to another file in either format. Called by convert, recover and redact. Never
// overwrites, and leaves no half-written output.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tools/console/arguments.h"
#include "trace/writer.h"
#include "wire/framing.h"

namespace midwire::tools {

struct RewriteOptions {
  std::string in, out;
  std::string to;  // "tape", "cassette" or "": by the extension of out
  bool times = false;
  bool portable = false;  // only for a cassette
};

struct Rewritten {
  trace::CopyOutcome copied;
  uint64_t damaged_bytes = 0;
  uint64_t torn_bytes = 0;
  bool lost() const { return copied.gaps > 0 || copied.failure; }
};

// Declares OUT, also as -o: the commands that make reports have no other.
void AddOutput(ArgumentParser parser, std::string* out);

// The format by --to or the extension.
Result<trace::Format> OutputFormat(const RewriteOptions& options);
// `framing`: of the protocol, for the lines of a cassette (Session::Expect).
std::unique_ptr<trace::TraceWriter> WriterOf(trace::Format format, bool times,
                                             std::optional<wire::Framing> framing, Sink* sink);
// Opens both files before it writes. *writing: on an error, whether it came later than that.
Result<Rewritten> Rewrite(const RewriteOptions& options, trace::Format format, bool* writing);
// The same, but reports errors on stderr. On an error *exit_code is set.
std::optional<Rewritten> RewriteOrReport(const RewriteOptions& options, int* exit_code);

// "lost 120 bytes in 1 place, at offset 4096 (a packet whose CRC32 does not match)", "" if nothing.
std::string LossText(const Rewritten& rewritten);

}  // namespace midwire::tools
