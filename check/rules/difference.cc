#include "check/rules/difference.h"

#include <utility>

#include "check/rules/types.h"
#include "trace/report/excerpt.h"

namespace midwire::check {
namespace {

// A longer value is kept in part: answers of language servers and tools that people compare are
// below it.
constexpr size_t kMaxCompared = 256 * 1024;
// All that one rule keeps: hundreds of answers of a renderer. Beyond it, values are kept in part.
constexpr size_t kMaxRoom = 8u << 20;
// What CheckReport leaves of a value, less the words that are added here.
constexpr size_t kMaxExcerpted = 170;

}  // namespace

KeptValue ValueRoom::Keep(std::string_view value) {
  KeptValue kept = {Kept(value), true};
  if (kept.text.size() == value.size()) return kept;
  kept.whole = value.size() <= kMaxCompared && used_ + value.size() <= kMaxRoom;
  if (!kept.whole) return kept;
  used_ += value.size();
  kept.text = value;
  return kept;
}

void ValueRoom::Drop(const KeptValue& value) {
  // Short ones are not counted: each rule bounds how many it keeps.
  if (value.whole && value.text.size() > Kept(value.text).size()) used_ -= value.text.size();
}

void ShowDifference(const KeptValue& expected, std::string_view got, Violation* violation,
                    std::string_view where) {
  trace::ShownPair shown;
  if (expected.whole) {
    shown = trace::ShowPair(expected.text, got, {}, kMaxExcerpted);
  } else {
    shown = {trace::Shown(expected.text, kMaxExcerpted), trace::Shown(got, kMaxExcerpted)};
  }
  violation->expected = std::move(shown.expected) + std::string(where);
  violation->got = std::move(shown.got);
  if (shown.line != 0) violation->got += " (line " + std::to_string(shown.line) + ")";
}

}  // namespace midwire::check
