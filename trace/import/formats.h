// The formats of logs that midwire imports, one row each (formats.cc), and how a log's format is
// found: by its content. Pure: a log is a text in memory. doc/import.md says what each format
// lacks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "trace/import/conversation.h"
#include "wire/framing.h"

namespace midwire::trace::import {

struct Format {
  std::string_view name;   // of --from
  std::string_view title;  // for people
  // How the peers framed their messages, which the log does not have. kAuto: see GuessFraming.
  wire::Framing framing;
  std::string_view lacks;  // what a trace has and this log has not
  bool (*detects)(std::string_view start);
  void (*reads)(std::string_view log, Conversation* to);
};

// A log of a working day is below this. It is read as a whole.
inline constexpr size_t kMaxLog = 256u << 20;

std::span<const Format> Formats();
// nullptr: no such name.
const Format* FormatNamed(std::string_view name);
// By the beginning of the log; nullptr: none of them.
const Format* Detect(std::string_view log);
// By the messages: Content-Length for those of LSP and DAP, lines for all others.
wire::Framing GuessFraming(std::string_view log);

}  // namespace midwire::trace::import
