#include "view/text/timeline_layout.h"

#include <algorithm>
#include <cstdint>

namespace midwire::view {
namespace {

using Column = size_t TimelineLayout::*;

// A label of MCP is a tool's name; a longer one, such as the URI of a file, is cut on a terminal.
constexpr size_t kLabel = 24;
// Remarks get at least this much, or a line of their own.
constexpr size_t kLeastRemarks = 24;

// What a narrow terminal does without, in this order: a column becomes shorter, down to `least`; 0:
// it goes. Times of day have only certain widths, and go late: they are there because someone asked
// for them.
enum class Times : uint8_t { kAny, kSeconds, kClock };
struct Step {
  Column column;
  size_t least;
  Times times = Times::kAny;
};
constexpr Step kSteps[] = {{&TimelineLayout::id, 6},
                           {&TimelineLayout::time, kTimeOfDay, Times::kClock},
                           {&TimelineLayout::label, 16},
                           {&TimelineLayout::method, 18},
                           {&TimelineLayout::label, 12},
                           {&TimelineLayout::size, 0},
                           {&TimelineLayout::id, 0},
                           {&TimelineLayout::time, kShortTimeOfDay, Times::kClock},
                           {&TimelineLayout::time, 0, Times::kSeconds},
                           {&TimelineLayout::label, 8},
                           {&TimelineLayout::kind, 0},
                           {&TimelineLayout::label, 0},
                           {&TimelineLayout::method, 8},
                           {&TimelineLayout::latency, 0},
                           {&TimelineLayout::number, 0},
                           {&TimelineLayout::time, 0, Times::kClock},
                           {&TimelineLayout::method, 1}};

size_t WithBlank(size_t width) { return width == 0 ? 0 : width + 1; }

}  // namespace

size_t TimelineLayout::start() const {
  return WithBlank(number) + WithBlank(time) + WithBlank(arrow) + WithBlank(kind);
}

size_t TimelineLayout::middle() const {
  return WithBlank(method) + WithBlank(label) + WithBlank(id) + WithBlank(size);
}

size_t TimelineLayout::used() const {
  const size_t all = start() + middle() + WithBlank(latency);
  return all - std::min<size_t>(all, 1);
}

TimelineLayout LayOut(size_t width, bool labels, bool clock) {
  TimelineLayout layout;
  if (clock) layout.time = kDateAndTime;
  if (labels) layout.label = kLabel;
  if (width == 0) return layout;
  layout.narrow = layout.used() + kLeastRemarks > width;
  for (const Step& step : kSteps) {
    const size_t used = layout.used();
    if (used <= width) break;
    if (step.times == (clock ? Times::kSeconds : Times::kClock)) continue;
    size_t& column = layout.*step.column;
    if (step.least == 0 || step.times == Times::kClock) {
      column = step.least;
    } else {
      column -= std::min(used - width, column - std::min(column, step.least));
    }
  }
  return layout;
}

}  // namespace midwire::view
