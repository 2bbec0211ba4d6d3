// The dialect of a command that reads traces: the named one, else the one that the first messages
// show. Called by all commands with --dialect that need it before they read the trace as a whole.
// Only ReportDetected prints.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/dialect/detect.h"
#include "trace/report/session_head.h"
#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct ChosenDialect {
  // With revisions: as the one that the trace has agreed on, else the default. null: none.
  std::unique_ptr<wire::Dialect> dialect;
  std::string name;       // as --dialect takes it; "": none
  bool detected = false;  // not named
  trace::Detection detection;
  trace::SessionHead head;  // of the first trace

  // "dialect mcp, revision 2025-06-18, detected (certain: ...)"; "no dialect".
  std::string Text() const;
};

// `name`: a built-in dialect, a file, "none", or "" to detect it: then it is none if no dialect
// fits, and if a trace cannot be read twice. `logs`: whether a log of another program is taken as a
// trace. Errors: a mistake in a dialect, or a trace that cannot be opened.
enum class Logs : uint8_t { kRefuse, kTake };
Result<ChosenDialect> ChooseDialect(const std::string& name, const std::vector<std::string>& traces,
                                    bool strict, Logs logs = Logs::kRefuse);

// What the commands say of a dialect that they have detected, in the same words: which one, and how
// sure that is. "dialect mcp, detected (certain: 37 of 37 calls, framing, handshake)".
std::string DetectedText(const trace::Detection& detection);

// How sure that is: "certain", "likely", "a guess"; "": no dialect fits.
std::string SurenessOf(const trace::Detection& detection);

// Says it on stderr, with the revision; nothing if the dialect was named, or if none fits. `trace`:
// its name where there are several.
void ReportDetected(const ChosenDialect& chosen, const std::string& trace = "");

// Of the first messages of a trace, which is a regular file.
Result<trace::Detection> DetectTrace(const std::string& path);

}  // namespace midwire::tools
