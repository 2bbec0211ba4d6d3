// Compares a received message with a recorded one as JSON values: member order, blanks and escapes
// do not count, an additional or missing member does. Called by the matcher. Has no state and
// builds no document.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/script/place_rules.h"
#include "trace/report/excerpt.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::replay {

struct ValueDifference {
  std::string pointer;   // "" is the whole message
  std::string expected;  // JSON as spelled in the trace; "" if there is no such value
  std::string got;       // as the peer spelled it; "" if there is no such value
  uint32_t line = 0;     // of long texts, see ShownPair
};

// The verdict on two scalars (null, bool, number, string; the types may differ) or on two values of
// different types at `path`.
enum class Judgement : unsigned char { kByValue, kSame, kDifferent };
using Judge = std::function<Judgement(const wire::Path& path, std::string_view expected,
                                      std::string_view got)>;

// Items of an unordered array that are looked for in any order; those of a longer array are
// compared in order.
inline constexpr size_t kMaxUnordered = 65536;
// Pairs of items that are compared in one message to find the most similar ones, where none is
// equal. Enough for 180 items of which all differ.
inline constexpr size_t kMaxPairs = 16384;

struct CompareRules {
  const PlaceRules* places = nullptr;  // null: none
  // Members of the message itself whose number counts although their places are ignored.
  std::span<const wire::Pointer* const> ids = {};
  // Called before two scalars are compared; null: always compare by value. With `judge_equals` also
  // called for byte-identical ones.
  Judge judge;
  bool judge_equals = false;
  // Set by `judge` if it refuses two strings: how far they are the same. Null: unknown.
  const trace::Agreed* agreed = nullptr;
  // Whether a member that only the peer's object has stands for one that only the recorded object
  // has, given their names with quotes; `path` ends with the recorded name. Null: names are
  // literal.
  std::function<bool(const wire::Path& path, std::string_view expected, std::string_view got)>
      same_name;
  // Called for two strings that differ, as spelled with their quotes; null: they differ.
  std::function<bool(std::string_view expected, std::string_view got)> same_text;
};

// Calls on_difference for each place that differs, in the order of the expected text, then for
// additional members; stops when it returns false. Returns whether there was no difference. Texts
// that are not JSON (IsLooseJson) are compared byte by byte, as one difference at "". Of a repeated
// name the last members are compared, then those before them: one that only one text has is a
// difference, as readers disagree on which of them counts.
bool Compare(std::string_view expected, std::string_view got, const CompareRules& rules,
             const std::function<bool(ValueDifference)>& on_difference);

// Compares two values at `path` of a message. `pairs_left`: of kMaxPairs.
bool CompareAt(const wire::Path& path, std::string_view expected, std::string_view got,
               const CompareRules& rules, const std::function<bool(ValueDifference)>& on_difference,
               size_t* pairs_left);

}  // namespace midwire::replay
