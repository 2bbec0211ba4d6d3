// Compares what a peer said with what the trace has, as JSON values: member order, blanks and
// escapes do not count, a member more or less does. Called by the matcher; knows nothing of
// sessions, holds no document.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/parts.h"
#include "wire/json/pointer.h"

namespace midwire::replay {

struct ValueDifference {
  std::string pointer;   // "" is the whole message
  std::string expected;  // JSON as spelt in the trace; "" when the value is not there
  std::string got;       // as the peer spelt it; "" when it is not there
};

// What is kept of a value in a report: more is cut and ends in "...".
inline constexpr size_t kMaxShownValue = 240;
// The value, cut so, and not within a character.
std::string Shown(std::string_view value);

// What to make of two scalars (null, bool, number, string; the types may differ) or of two values
// of different types at `path`.
enum class Judgement : unsigned char { kByValue, kSame, kDifferent };
using Judge = std::function<Judgement(const wire::Path& path, std::string_view expected,
                                      std::string_view got)>;

struct CompareRules {
  // Whole-message pointers; what lies at or below one does not count, nor whether it is there.
  const std::vector<const wire::Pointer*>* ignores = nullptr;
  // Asked before two scalars are compared; null: always by value. With `judge_equals` also for
  // those that are the same to the byte.
  Judge judge;
  bool judge_equals = false;
};

// Calls on_difference for each place that differs, in the order of the expected text, then what is
// more in the other; stops when it returns false. Returns whether there was none. Texts that are no
// JSON (IsLooseJson) are compared byte by byte, as one difference at "". Members twice: the last
// one counts.
bool Compare(std::string_view expected, std::string_view got, const CompareRules& rules,
             const std::function<bool(ValueDifference)>& on_difference);

}  // namespace midwire::replay
