// Cuts a log into lines and into entries, and finds what readers of all formats look for in them: a
// JSON text, a time. Each line is looked at a fixed number of times, whatever a hostile log has.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "trace/import/conversation.h"

namespace midwire::trace::import {

// Lines without their ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool Next(std::string_view* line);
  size_t number() const { return number_; }  // of the latest, from 1
  size_t end() const { return at_; }         // behind it, in bytes
  size_t begin() const { return begin_; }

 private:
  std::string_view text_;
  size_t at_ = 0, begin_ = 0, number_ = 0;
};

// An entry goes from a line that begins one to the next such line: a message may be printed on
// several lines. Lines before the first are an entry of their own.
struct Entry {
  size_t line = 0;         // of its beginning
  std::string_view first;  // that line
  std::string_view text;   // all of it
};
class Entries {
 public:
  using Begins = bool (*)(std::string_view line);
  Entries(std::string_view text, Begins begins);
  bool Next(Entry* entry);

 private:
  std::string_view text_;
  Begins begins_;
  Lines lines_;
  std::string_view line_;  // that begins the next entry
  bool more_;
};

// The JSON object or array that `text` begins with, after blanks; "" if there is none. What follows
// it is ignored.
std::string_view JsonAtStart(std::string_view text);

// "2026-01-05T10:00:01.123Z", also with a blank for the T, a fraction of up to nine digits or none,
// and without a zone, which is then taken for UTC. Zones: Z, +02:00. nullopt: none, or one that is
// before 1970 or after 2262, beyond which nanoseconds do not go.
Time TimeAtStart(std::string_view text);
// The same. Counts a date without a time.
Time TimeAtStart(std::string_view text, Conversation* to);
// Whether it has the digits of a date, also of one that there is not, such as 2026-99-99. A line
// with a date that cannot be read is still no other kind of line.
bool HasDate(std::string_view text);

// Times of a log without dates: the day begins with the log. A new day begins at a time that is
// half a day before the one above it.
class DayClock {
 public:
  // "12:37:30.001", "11:36:30 PM".
  Time At(std::string_view text);

 private:
  int64_t latest_ = 0, day_ = 0;
};

// The beginning of a log, which decides its format: its first kStartLines lines.
std::string_view StartOf(std::string_view log);
// Whether `found` is true for a line of it.
bool AnyLine(std::string_view start, bool (*found)(std::string_view line));

}  // namespace midwire::trace::import
