#include "trace/redact/secret_place.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::wire {
namespace {

constexpr char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool IsDeep(const std::string& step) { return step == "**"; }

// Which values of a text are secret, decided step by step: the matches of the path so far are kept,
// because a text may hold millions of values hundreds of steps deep.
class SecretWalk {
 public:
  SecretWalk(std::vector<const Pointer*> pointers, const std::vector<std::string>* names)
      : pointers_(std::move(pointers)), names_(*names), levels_(1) {
    for (const Pointer* pointer : pointers_) {
      levels_[0].positions.push_back(0);
      Arrive(*pointer, 0, &levels_[0].positions.back(), &levels_[0].secret);
    }
  }

  // The path now has `length` steps, of which this is the last.
  void Step(const PathStep& step, size_t length) {
    if (levels_.size() <= length) levels_.resize(length + 1);
    const Level& above = levels_[length - 1];
    Level& here = levels_[length];
    here.secret = above.secret;
    if (here.secret) return;
    const std::string name = NameOf(step);
    if (!step.name.empty()) {
      here.secret = std::any_of(names_.begin(), names_.end(),
                                [&](const std::string& one) { return SameLetters(one, name); });
    }
    here.positions.assign(pointers_.size(), 0);
    for (size_t p = 0; p < pointers_.size(); ++p) {
      for (uint64_t left = above.positions[p]; left != 0; left &= left - 1) {
        const auto at = static_cast<size_t>(std::countr_zero(left));
        const std::string& wanted = pointers_[p]->steps[at];
        if (IsDeep(wanted)) {
          Arrive(*pointers_[p], at, &here.positions[p], &here.secret);
        } else if (wanted == Pointer::kAny || wanted == name) {
          Arrive(*pointers_[p], at + 1, &here.positions[p], &here.secret);
        }
      }
    }
  }

  bool IsSecret(size_t length) const { return length > 0 && levels_[length].secret; }

 private:
  struct Level {
    bool secret = false;
    std::vector<uint64_t> positions;  // by pointer: one bit per step that may come next
  };
  static_assert(kMaxPointerSteps <= 64);

  static std::string NameOf(const PathStep& step) {
    return step.name.empty() ? std::to_string(step.index) : StringValue(step.name);
  }
  static void Arrive(const Pointer& pointer, size_t step, uint64_t* positions, bool* secret) {
    while (step < pointer.steps.size()) {
      *positions |= uint64_t{1} << step;
      if (!IsDeep(pointer.steps[step])) return;
      ++step;  // it may match no step
    }
    *secret = true;
  }

  const std::vector<const Pointer*> pointers_;
  const std::vector<std::string>& names_;
  std::vector<Level> levels_;  // by length of the path
};

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
  const size_t outer = TypeOf(json) == JsonType::kArray;  // a batch: its elements are messages
  SecretWalk walk(std::move(pointers), &secrets.names);
  WalkScalars(
      json,
      [&](const Path& path) {
        if (path.size() > outer) walk.Step(path.back(), path.size() - outer);
      },
      [&](const Path& path, std::string_view value) {
        const JsonType type = TypeOf(value);
        if (type != JsonType::kString && type != JsonType::kNumber) return;
        if (path.size() > outer && walk.IsSecret(path.size() - outer)) visit(value);
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
      return Error{"unsupported secret place", "'" + place.text + "'",
                   "after `**`, a place must end with a name, as in /params/**/token"};
    }
  }
  return streamed;
}

}  // namespace midwire::wire
