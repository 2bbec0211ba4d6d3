#include "wire/secret_place.h"

#include <algorithm>

#include "wire/json_parts.h"

namespace midwire::wire {
namespace {

constexpr char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool IsDeep(const std::string& step) { return step == "**"; }

// The pointer matches the path or a path above it.
bool IsAtOrBelow(const Pointer& pointer, const Path& path) {
  if (std::any_of(pointer.steps.begin(), pointer.steps.end(), IsDeep)) {
    Path above = path;
    for (; !above.empty(); above.pop_back()) {
      if (MatchesDeep(pointer, above)) return true;
    }
    return false;
  }
  if (pointer.steps.size() > path.size() || path.empty()) return false;
  if (pointer.steps.size() == path.size()) return Matches(pointer, path);
  return Matches(pointer,
                 Path(path.begin(), path.begin() + static_cast<ptrdiff_t>(pointer.steps.size())));
}

bool HasName(const Path& path, const std::vector<std::string>& names) {
  return std::any_of(path.begin(), path.end(), [&](const PathStep& step) {
    if (step.name.empty()) return false;
    const bool plain = step.name.find('\\') == step.name.npos;
    const std::string spelt = plain ? std::string() : StringValue(step.name);
    const std::string_view name =
        plain ? step.name.substr(1, step.name.size() - 2) : std::string_view(spelt);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& one) { return SameLetters(one, name); });
  });
}

}  // namespace

SecretPlaces SecretsOf(const Dialect& dialect) { return {dialect.secrets, dialect.secret_keys}; }

bool SameLetters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return ToLower(x) == ToLower(y);
         });
}

void VisitSecrets(std::string_view json, std::optional<std::string_view> method,
                  const SecretPlaces& secrets, const std::function<void(std::string_view)>& visit) {
  if (json.empty()) return;
  std::vector<const Pointer*> pointers;
  for (const MethodPlace& place : secrets.places) {
    if (place.method.empty() || !method || MatchesMethod(place.method, *method)) {
      pointers.push_back(&place.pointer);
    }
  }
  if (pointers.empty() && secrets.names.empty()) return;
  const bool batch = TypeOf(json) == JsonType::kArray;  // its elements are messages
  Path inner;
  WalkScalars(json, [&](const Path& path, std::string_view value) {
    const JsonType type = TypeOf(value);
    if (type != JsonType::kString && type != JsonType::kNumber) return;
    if (batch) inner.assign(path.begin() + 1, path.end());
    const Path& within = batch ? inner : path;
    if (HasName(within, secrets.names) ||
        std::any_of(pointers.begin(), pointers.end(),
                    [&](const Pointer* pointer) { return IsAtOrBelow(*pointer, within); })) {
      visit(value);
    }
  });
}

Result<StreamedPlaces> ForAnyMethod(const SecretPlaces& secrets) {
  StreamedPlaces streamed{{}, secrets.names};
  for (const MethodPlace& place : secrets.places) {
    const std::vector<std::string>& steps = place.pointer.steps;
    if (std::none_of(steps.begin(), steps.end(), IsDeep)) {
      const bool known = std::any_of(streamed.pointers.begin(), streamed.pointers.end(),
                                     [&](const Pointer& one) { return one.steps == steps; });
      if (!known) streamed.pointers.push_back(place.pointer);
    } else if (!IsDeep(steps.back()) && steps.back() != Pointer::kAny) {
      streamed.names.push_back(steps.back());
    } else {
      return Error{"cannot be found while it streams by", "'" + place.text + "'",
                   "a place with `**` ends in a name, as in /params/**/token"};
    }
  }
  return streamed;
}

}  // namespace midwire::wire
