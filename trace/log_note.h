// The note at the start of a trace that was made from a log of another program: what the log was,
// and what it does not hold. import writes it. check, show and the page read it, so that they say
// of the log, and not of a party, that something is missing.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/event.h"

namespace midwire::trace {

struct LogNote {
  std::string title;  // of its format
  std::string lacks;
  uint64_t bare = 0;  // messages whose params or result the log does not have
  // Whether a message came before one of the other party is a guess.
  bool unordered() const;
};

// What a log lacks that does not have this order.
inline constexpr std::string_view kLogNoOrder = "the order between the directions",
                                  kLogNoOverlap = "the order of messages that overlap";

inline bool LogNote::unordered() const {
  return lacks.find(kLogNoOrder) != lacks.npos || lacks.find(kLogNoOverlap) != lacks.npos;
}

inline constexpr std::string_view kLogFrom = "imported from ", kLogLacks = ", which lacks: ",
                                  kLogBare = ", params or results of ", kLogMessages = " messages";

// "imported from TITLE, which lacks: LACKS, params or results of 3 messages".
inline std::string LogNoteText(const LogNote& note) {
  std::string text = std::string(kLogFrom) + note.title + std::string(kLogLacks) + note.lacks;
  if (note.bare == 0) return text;
  return text + std::string(kLogBare) + std::to_string(note.bare) + std::string(kLogMessages);
}

// nullopt: the event is another one.
inline std::optional<LogNote> ReadLogNote(const Event& event) {
  const auto* const note = std::get_if<NoteEvent>(&event);
  if (note == nullptr || !note->text.starts_with(kLogFrom)) return std::nullopt;
  const std::string_view text = note->text;
  const size_t lacks = text.find(kLogLacks);
  if (lacks == text.npos) return std::nullopt;
  LogNote read = {.title = std::string(text.substr(kLogFrom.size(), lacks - kLogFrom.size())),
                  .lacks = std::string(text.substr(lacks + kLogLacks.size()))};
  const size_t bare = read.lacks.rfind(kLogBare);
  if (bare == read.lacks.npos || !read.lacks.ends_with(kLogMessages)) return read;
  const char* const end = read.lacks.data() + read.lacks.size();
  std::from_chars(read.lacks.data() + bare + kLogBare.size(), end, read.bare);
  read.lacks.resize(bare);
  return read;
}

}  // namespace midwire::trace
