#include "tools/showing/instant.h"

#include <charconv>
#include <optional>

#include "io/local_time.h"
#include "wire/json/ascii.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

// Takes digits and what follows them, such as "2026-", from the text.
bool Take(std::string_view* text, size_t digits, char after, int* to) {
  if (text->size() < digits || text->find_first_not_of("0123456789") < digits) return false;
  std::from_chars(text->data(), text->data() + digits, *to);
  text->remove_prefix(digits);
  if (after == '\0') return true;
  if (text->empty() || text->front() != after) return false;
  text->remove_prefix(1);
  return true;
}

bool TakeDate(std::string_view* text, io::CalendarTime* time) {
  return Take(text, 4, '-', &time->year) && Take(text, 2, '-', &time->month) &&
         Take(text, 2, '\0', &time->day) && time->month >= 1 && time->month <= 12;
}

bool TakeTimeOfDay(std::string_view* text, io::CalendarTime* time) {
  if (!Take(text, 2, ':', &time->hour) || !Take(text, 2, '\0', &time->minute)) return false;
  if (!text->empty() && text->front() == ':') {
    text->remove_prefix(1);
    if (!Take(text, 2, '\0', &time->second)) return false;
  }
  return time->hour < 24 && time->minute < 60 && time->second < 60;
}

std::optional<int64_t> Parse(std::string_view text, int64_t now_ns, bool utc) {
  const bool unit = !text.empty() && !wire::IsDigit(text.back());
  if (const auto ago = unit ? wire::ParseDuration(std::string(text)) : std::nullopt)
    return now_ns - *ago;
  io::CalendarTime time = io::CalendarOf(now_ns, utc);
  time.hour = time.minute = time.second = 0;
  if (text.size() > 4 && text[4] == '-') {
    if (!TakeDate(&text, &time)) return std::nullopt;
    const bool more = !text.empty() && (text.front() == 'T' || text.front() == ' ');
    if (more) text.remove_prefix(1);
    if (more && !TakeTimeOfDay(&text, &time)) return std::nullopt;
  } else if (!TakeTimeOfDay(&text, &time)) {
    return std::nullopt;
  }
  if (text == "Z") return io::UnixTimeOf(time, /*utc=*/true);
  return text.empty() ? io::UnixTimeOf(time, utc) : std::nullopt;
}

}  // namespace

Result<int64_t> ParseInstant(std::string_view option, std::string_view text, int64_t now_ns,
                             bool utc) {
  if (const std::optional<int64_t> instant = Parse(text, now_ns, utc)) return *instant;
  return Error{std::string(option) + ": not a time", "\"" + std::string(text) + "\"",
               "try 10m (ago), 14:05, 2026-01-31, 2026-01-31T14:05:10Z"};
}

}  // namespace midwire::tools
