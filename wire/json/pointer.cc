#include "wire/json/pointer.h"

namespace midwire::wire {

Result<Pointer> ParsePointer(std::string_view text) {
  const auto wrong = [&](const char* remedy) {
    return Error{"not a JSON pointer", "\"" + std::string(text) + "\"", remedy};
  };
  if (text.empty() || text.front() != '/') return wrong("begin it with /, as in /params/token");
  Pointer pointer;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '/') {
      if (pointer.steps.size() == kMaxPointerSteps) return wrong("at most 64 steps");
      pointer.steps.emplace_back();
    } else if (c != '~') {
      pointer.steps.back() += c;
    } else {
      const char code = at + 1 < text.size() ? text[at + 1] : '\0';
      if (code != '0' && code != '1') return wrong("write ~ as ~0 and / as ~1");
      pointer.steps.back() += code == '0' ? '~' : '/';
      ++at;
    }
  }
  return pointer;
}

void AppendPointerStep(std::string_view step, std::string* pointer) {
  *pointer += '/';
  for (const char c : step) {
    if (c == '~' || c == '/') {
      *pointer += c == '~' ? "~0" : "~1";
    } else {
      *pointer += c;
    }
  }
}

std::string PointerText(const Pointer& pointer) {
  std::string text;
  for (const std::string& step : pointer.steps) AppendPointerStep(step, &text);
  return text;
}

}  // namespace midwire::wire
