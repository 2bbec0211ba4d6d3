// The columns of a timeline, and which of them a terminal has room for: on a narrow one columns
// get shorter and then go, so that no line wraps. Called by the text printer. Pure.
#pragma once

#include <cstddef>

namespace midwire::view {

// Widths in columns; 0: the column is not there. There is a blank between two of them.
struct TimelineLayout {
  size_t number = 5, time = 11, arrow = 2, kind = 12, method = 32, label = 0, id = 12, size = 9,
         latency = 7;
  // Remarks that do not fit behind the columns get a line of their own.
  bool narrow = false;

  // Of the whole line, without remarks.
  size_t used() const;
  // Of the columns from the method to the size, and up to the kind, with the blank behind them.
  size_t middle() const;
  size_t start() const;
};

// `width`: of the terminal; 0 if there is none: then nothing is left out. `labels`: the calls of
// the session may have labels. `clock`: the time column has times of day.
TimelineLayout LayOut(size_t width, bool labels, bool clock);

// Widths of the time column with times of day: with the date and microseconds, without the date,
// and with milliseconds.
inline constexpr size_t kDateAndTime = 26, kTimeOfDay = 15, kShortTimeOfDay = 12;

}  // namespace midwire::view
