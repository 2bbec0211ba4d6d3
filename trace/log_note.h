// The note at the start of a trace that was made from a log of another program: what the log was,
// and what it does not hold. import writes it. check, show and the page read it, so that they say
// of the log, and not of a party, that something is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trace/event.h"

namespace midwire::trace {

struct LogNote {
  std::string title;  // of its format
  std::string lacks;
  uint64_t bare = 0;  // messages whose params or result the log does not have
};

// "imported from TITLE, which lacks: LACKS, params or results of 3 messages".
std::string LogNoteText(const LogNote& note);
// nullopt: the event is another one.
std::optional<LogNote> ReadLogNote(const Event& event);

}  // namespace midwire::trace
