// JSON pointers (RFC 6901) with one addition: a step `*` matches any name or index. Used by
// --redact, ignores, bindings and dialects. Holds no document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::wire {

struct Pointer {
  std::vector<std::string> steps;  // unescaped

  static constexpr std::string_view kAny = "*";
  bool StepMatches(size_t step, std::string_view name) const {
    return steps[step] == kAny || steps[step] == name;
  }
};

// "/params/token", "/a~1b" (the name a/b), "/items/*/key". Errors name the pointer and what is
// wrong: empty, no leading '/', a '~' followed by neither 0 nor 1, more than kMaxPointerSteps
// steps.
Result<Pointer> ParsePointer(std::string_view text);

// The inverse: steps are escaped.
std::string PointerText(const Pointer& pointer);
// Appends '/' and the step, escaped.
void AppendPointerStep(std::string_view step, std::string* pointer);

// Deeper than any known message; bounds the state of code that matches pointers.
inline constexpr size_t kMaxPointerSteps = 64;

}  // namespace midwire::wire
