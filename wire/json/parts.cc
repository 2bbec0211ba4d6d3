#include "wire/json/parts.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "wire/json/scan.h"
#include "wire/json/skip_nested.h"

namespace midwire::wire {
namespace {

constexpr bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

const char* SkipBlanks(const char* at, const char* end) {
  while (at != end && IsBlank(*at)) ++at;
  return at;
}

std::string_view Span(const char* from, const char* to) {
  return {from, static_cast<size_t>(to - from)};
}

// These three take valid JSON, and end at `end` at the latest if it is not.

const char* SkipString(const char* at, const char* end) {  // at: after the opening quote
  while ((at = FindInString(at, end)) != end && *at != '"') {
    do {  // escapes come in runs: "\n\n"
      at += end - at > 1 ? 2 : 1;
    } while (at != end && *at == '\\');
  }
  return at == end ? end : at + 1;
}

const char* SkipContainer(const char* at, const char* end) {  // at: after the opening bracket
  Nesting nesting{1, false};
  for (;;) {
    at = SkipNested(at, end, false, &nesting);
    if (nesting.depth == 0 || at == end) return at;
    // A backslash: to the end of its string.
    at = SkipString(at, end);
    nesting.in_string = false;
  }
}

const char* SkipValue(const char* at, const char* end) {
  if (at == end) return end;
  const char first = *at++;
  if (first == '"') return SkipString(at, end);
  if (first == '{' || first == '[') return SkipContainer(at, end);
  while (at != end && *at != ',' && *at != '}' && *at != ']' && !IsBlank(*at)) ++at;
  return at;
}

// The name `quoted` means `step`. Without escapes it is spelt as it means.
bool IsName(std::string_view step, std::string_view quoted) {
  if (quoted.find('\\') != quoted.npos) return StringValue(quoted) == step;
  return quoted.substr(1, quoted.size() - 2) == step;
}

bool IsIndex(std::string_view step, size_t index) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), index).ptr;
  return Span(digits.data(), end) == step;
}

bool StepMatches(std::string_view step, const PathStep& taken) {
  if (step == Pointer::kAny) return true;
  return taken.name.empty() ? IsIndex(step, taken.index) : IsName(step, taken.name);
}

// Recursive: a level of a pointer is a level of the text, so at most kMaxPartsDepth.
std::optional<std::string_view> Find(std::string_view value, const Pointer& pointer, size_t step) {
  if (step == pointer.steps.size()) return value;
  const JsonType type = TypeOf(value);
  if (type != JsonType::kObject && type != JsonType::kArray) return std::nullopt;
  const bool any = pointer.steps[step] == Pointer::kAny;
  JsonParts parts(value);
  JsonPart part;
  std::optional<std::string_view> last;
  for (size_t index = 0; parts.Next(&part); ++index) {
    if (!StepMatches(pointer.steps[step], {part.name, index})) continue;
    if (any) {
      if (auto found = Find(part.value, pointer, step + 1)) return found;
    } else {
      last = part.value;
      if (type == JsonType::kArray) break;
    }
  }
  return last ? Find(*last, pointer, step + 1) : std::nullopt;
}

}  // namespace

JsonType TypeOf(std::string_view value) {
  switch (value.empty() ? '\0' : value.front()) {
    case '{':
      return JsonType::kObject;
    case '[':
      return JsonType::kArray;
    case '"':
      return JsonType::kString;
    case 't':
    case 'f':
      return JsonType::kBool;
    case 'n':
      return JsonType::kNull;
    default:
      return JsonType::kNumber;
  }
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool JsonParts::Next(JsonPart* part) {
  const char* const end = rest_.data() + rest_.size();
  const char* at = SkipBlanks(rest_.data(), end);
  if (at != end && *at == ',') at = SkipBlanks(at + 1, end);
  if (at == end || *at == '}' || *at == ']') {
    rest_ = {};
    return false;
  }
  const char* from = at;
  at = SkipValue(at, end);
  part->name = {};
  if (*from == '"') {  // a colon tells a name from an element
    const char* const colon = SkipBlanks(at, end);
    if (colon != end && *colon == ':') {
      part->name = Span(from, at);
      from = SkipBlanks(colon + 1, end);
      at = SkipValue(from, end);
    }
  }
  part->value = Span(from, at);
  rest_ = Span(at, end);
  return true;
}

std::string PointerText(const Path& path) {
  std::string text;
  for (const PathStep& step : path) {
    text += '/';
    if (step.name.empty()) {
      text += std::to_string(step.index);
      continue;
    }
    for (const char c : StringValue(step.name)) {
      if (c == '~') {
        text += "~0";
      } else if (c == '/') {
        text += "~1";
      } else {
        text += c;
      }
    }
  }
  return text;
}

bool Matches(const Pointer& pointer, const Path& path) {
  if (pointer.steps.size() != path.size()) return false;
  // From the end: that is where the values of one container differ.
  for (size_t i = path.size(); i-- > 0;) {
    if (!StepMatches(pointer.steps[i], path[i])) return false;
  }
  return true;
}

bool MatchesDeep(const Pointer& pointer, const Path& path) {
  const std::vector<std::string>& steps = pointer.steps;
  // After a mismatch the latest `**` takes one step more: earlier ones need not, as it can.
  size_t step = 0, at = 0, deep = steps.size(), deep_at = 0;
  while (at < path.size()) {
    if (step < steps.size() && steps[step] == "**") {
      deep = step++;
      deep_at = at;
    } else if (step < steps.size() && StepMatches(steps[step], path[at])) {
      ++step;
      ++at;
    } else if (deep < steps.size()) {
      step = deep + 1;
      at = ++deep_at;
    } else {
      return false;
    }
  }
  while (step < steps.size() && steps[step] == "**") ++step;
  return step == steps.size();
}

std::optional<std::string_view> ValueAt(std::string_view text, const Pointer& pointer) {
  return Find(Trimmed(text), pointer, 0);
}

void WalkScalars(std::string_view text,
                 const std::function<void(const Path&, std::string_view)>& visit) {
  WalkScalars(text, nullptr, visit);
}

void WalkScalars(std::string_view text, const std::function<void(const Path&)>& step,
                 const std::function<void(const Path&, std::string_view)>& visit) {
  const char* const end = text.data() + text.size();
  const char* at = SkipBlanks(text.data(), end);
  Path path;
  const auto read_name = [&] {
    const char* const name = at;
    at = SkipValue(at, end);
    path.back().name = Span(name, at);
    at = SkipBlanks(at, end);
    if (at != end) at = SkipBlanks(at + 1, end);  // the colon
  };
  while (at != end) {
    if (*at == '{' || *at == '[') {
      const bool object = *at == '{';
      path.emplace_back();
      at = SkipBlanks(at + 1, end);
      if (at == end) return;
      if (*at != '}' && *at != ']') {
        if (object) read_name();
        if (step) step(path);
        continue;
      }
    } else {
      const char* const from = at;
      at = SkipValue(at, end);
      visit(path, Span(from, at));
    }
    // A value ended.
    for (;;) {
      at = SkipBlanks(at, end);
      if (path.empty() || at == end) return;
      if (*at++ == ',') break;
      path.pop_back();
    }
    at = SkipBlanks(at, end);
    if (path.back().name.empty()) {
      ++path.back().index;
    } else {
      read_name();
    }
    if (step) step(path);
  }
}

}  // namespace midwire::wire
