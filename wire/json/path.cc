#include "wire/json/path.h"

#include <array>
#include <charconv>
#include <cstdint>

#include "wire/json/unescape.h"

namespace midwire::wire {
namespace {

// Whether the name `quoted` stands for `step`. Without escapes they are compared directly.
bool IsName(std::string_view step, std::string_view quoted) {
  if (quoted.find('\\') != quoted.npos) return StringValue(quoted) == step;
  return quoted.substr(1, quoted.size() - 2) == step;
}

bool IsIndex(std::string_view step, size_t index) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), index).ptr;
  return std::string_view(digits.data(), static_cast<size_t>(end - digits.data())) == step;
}

bool StepMatches(std::string_view step, const PathStep& taken) {
  if (step == Pointer::kAny) return true;
  return taken.name.empty() ? IsIndex(step, taken.index) : IsName(step, taken.name);
}

// Recursive, once per level of the text: at most kMaxLooseDepth.
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

std::string PointerText(const Path& path) {
  std::string text;
  for (const PathStep& step : path) {
    AppendPointerStep(step.name.empty() ? std::to_string(step.index) : StringValue(step.name),
                      &text);
  }
  return text;
}

bool Matches(const Pointer& pointer, const Path& path) {
  if (pointer.steps.size() != path.size()) return false;
  // From the end, where the paths to values of one container differ.
  for (size_t i = path.size(); i-- > 0;) {
    if (!StepMatches(pointer.steps[i], path[i])) return false;
  }
  return true;
}

bool MatchesDeep(const Pointer& pointer, const Path& path) {
  const std::vector<std::string>& steps = pointer.steps;
  // After a mismatch the latest `**` takes one more step; earlier ones need not be retried.
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
  JsonCursor<> cursor(text);
  Path path;
  path.reserve(8);  // of most messages, in one allocation
  const auto next_element = [&] {
    if (path.empty() || !path.back().name.empty()) return;
    ++path.back().index;
    if (step) step(path);
  };
  do {
    switch (cursor.Next()) {
      case JsonToken::kOpen:
        next_element();
        path.push_back({{}, SIZE_MAX});  // before its first element
        break;
      case JsonToken::kName:
        if (path.empty()) return;
        path.back() = {cursor.text(), 0};
        if (step) step(path);
        break;
      case JsonToken::kScalar:
        next_element();
        visit(path, cursor.text());
        break;
      case JsonToken::kClose:
        if (!path.empty()) path.pop_back();
        break;
      case JsonToken::kEnd:
      case JsonToken::kBroken:
        return;
    }
  } while (cursor.depth() > 0);
}

}  // namespace midwire::wire
