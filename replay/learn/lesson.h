// What was learned: one declaration, why, and the values that led to it. Plain data; made by the
// learner, written into a cassette's header and printed by tools/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "replay/script/declared.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

// From the weakest to the strongest intervention: of those that are sufficient, the first is
// chosen.
enum class LessonKind : unsigned char {
  kShape,
  kUnordered,
  kFloating,
  kChunked,
  kIgnore,
  kVolatile
};
// As in a cassette's header and, after "--", on the command line: "shape", "unordered", ...
std::string_view Name(LessonKind kind);

struct Lesson {
  LessonKind kind = LessonKind::kShape;
  std::string text;  // "build/run:/result/t=timestamp", "log/*", ...
  std::string reason;
  std::vector<std::string> values;  // JSON, each cut, at most kMaxLessonValues
  size_t value_count = 0;           // of all different values
};
inline constexpr size_t kMaxLessonValues = 4;

// Adds what was learned. An error: a declaration that cannot be written, such as one of a member
// whose name is not UTF-8.
Status Declare(const Lesson& lesson, Declarations* to);

// The header line of a cassette, without its line end, with the lessons in it. Other members stay
// byte for byte. An error: it is no header, or a member has another type than a list.
Result<std::string> HeaderWith(std::string_view header, const std::vector<Lesson>& lessons);

}  // namespace midwire::replay
