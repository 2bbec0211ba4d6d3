#include "replay/shape/lasting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "replay/shape/move_time.h"
#include "replay/shape/time_scan.h"
#include "replay/shape/tokens.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"

namespace midwire::replay {
namespace {

// The templates of longer texts have no literal parts that could refuse anything.
constexpr size_t kMaxMoved = 64u << 10;
// Calls whose values are moved. One place of many messages has one format.
constexpr size_t kMaxMovedCalls = 64;

std::vector<ReadTime> TimesOf(std::string_view text) {
  std::vector<ReadTime> times;
  for (const TextToken& token : CutText(text, /*times=*/true)) {
    if (token.kind != TokenKind::kTime) continue;
    if (auto time = FindTime(text, static_cast<size_t>(token.text.data() - text.data()))) {
      times.push_back(std::move(*time));
    }
  }
  return times;
}

// Dates that are more than a day before the latest one stay: they are of a release or a file. So
// does "11:54", which may be no time.
std::string MovedText(const std::string& text, TimeStep step) {
  const std::vector<ReadTime> times = TimesOf(text);
  std::optional<int64_t> latest;
  for (const ReadTime& time : times) latest = std::max(latest, DayOf(time));
  std::string moved;
  size_t at = 0;
  for (const ReadTime& time : times) {
    const size_t begin = static_cast<size_t>(time.text.data() - text.data());
    const bool is_old = DayOf(time).value_or(latest.value_or(0)) + 1 < latest.value_or(0);
    moved += text.substr(at, begin - at) + (is_old ? std::string(time.text) : Moved(time, step));
    at = begin + time.text.size();
  }
  return moved + text.substr(at);
}

std::string MovedJson(const std::string& json, TimeStep step) {
  if (json.size() > kMaxMoved) return json;
  if (wire::TypeOf(json) == wire::JsonType::kNumber) return MovedText(json, step);
  if (wire::TypeOf(json) != wire::JsonType::kString) return json;
  std::string moved;
  wire::AppendJsonString(MovedText(wire::StringValue(json), step), &moved);
  return moved;
}

}  // namespace

Shape Lasting(Shape shape, std::span<const CallValues> calls) {
  std::vector<CallValues> all(calls.begin(), calls.end());
  bool lasts = true;
  for (CallValues& call : std::span(all).first(std::min(all.size(), kMaxMovedCalls))) {
    const std::string recorded = call.front();
    for (const TimeStep step : kTimeSteps) {
      std::string moved = MovedJson(recorded, step);
      if (Fits(shape, moved, recorded) || !Fits(shape, recorded, recorded)) continue;
      call.push_back(std::move(moved));
      lasts = false;
    }
  }
  if (lasts) return shape;
  return ShapeOf(all).value_or(std::move(shape));
}

}  // namespace midwire::replay
