#include "trace/redact/secret_place.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <utility>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/schema_state.h"
#include "trace/redact/telling_names.h"
#include "wire/json/ascii.h"
#include "wire/json/cursor.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::trace::redact {
namespace {

using wire::SameLetters;

// Members that name what the member "value" beside them holds.
constexpr std::string_view kLabels[] = {"name", "key", "field", "header", "variable"};
// How far behind a value its label is looked for: lists of variables and headers have short members
// in between. Without a limit, hostile nesting would be read once per level.
constexpr size_t kLabelWithin = 4096;

bool IsDeep(const std::string& step) { return step == "**"; }

// The steps of a path before the message: in a batch, elements are messages.
size_t OuterSteps(std::string_view json) {
  return wire::TypeOf(json) == wire::JsonType::kArray ? 1 : 0;
}

bool HasDeep(const wire::Pointer& pointer) {
  return std::any_of(pointer.steps.begin(), pointer.steps.end(), IsDeep);
}

// Which values of a whole text are secret, decided step by step: at places, and beside telling
// names.
class SecretWalk {
 public:
  SecretWalk(std::string_view json, std::vector<const wire::Pointer*> pointers,
             const SecretPlaces& secrets)
      : json_(json),
        at_places_(std::move(pointers), &secrets.names),
        telling_(secrets.telling),
        levels_(1) {}

  bool empty() const { return at_places_.empty() && !telling_; }

  // Another message of a batch begins.
  void Restart() {
    levels_[0].labelled.reset();
    levels_[0].scalar = {};
  }

  // The path now has `length` steps, of which this is the last.
  void Step(const wire::PathStep& step, size_t length) {
    if (levels_.size() <= length) levels_.resize(length + 1);
    Level& here = levels_[length];
    if (telling_) StepToTelling(step, length);
    here.name = step.name;
    here.is_schema.reset();
    if (at_places_.empty()) return;
    at_places_.Step(length, NameOf(step), !step.name.empty());
    if (at_places_.MayBeProperty(length) && IsProperty(length)) at_places_.SetProperty(length);
  }

  // What is secret of the string or number at this path; nothing: an empty value. Call it for each,
  // in order.
  PlacedSecret SecretAt(const wire::Path& path, size_t length, std::string_view value) {
    const Level& here = levels_[length];
    if (!at_places_.empty() && at_places_.IsSecret(length)) return {value};
    if (!telling_) return {};
    NamedSecret named = SecretBeside(here.telling, Inner(value),
                                     value.starts_with('"') ? Written::kString : Written::kNumber);
    if (path.back().name.empty()) {
      const NamedSecret in_array = SecretInArray(path, length, value);
      if (named.text.empty()) named = in_array;
      // "secret_keys": ["password"] lists names.
      if (IsTellingName(named.text)) return {};
    }
    return {named.text, /*telling=*/true, named.sure};
  }

 private:
  // Of an element: after an option ("--password", "..."), or the second of a pair whose first is a
  // name (["x-api-key","..."]).
  NamedSecret SecretInArray(const wire::Path& path, size_t length, std::string_view value) {
    Level& array = levels_[length - 1];
    const size_t index = path.back().index;
    const std::string_view before =
        index > 0 && array.element + 1 == index ? Inner(array.scalar) : std::string_view();
    array.element = index;
    array.scalar = value;
    if (before.empty() || !value.starts_with('"')) return {};
    const Telling telling = TellingOf(before);
    if (telling == Telling::kNo) return {};
    if (before.starts_with('-')) {
      return IsOption(Inner(value)) ? NamedSecret()
                                    : SecretBeside(telling, Inner(value), Written::kString);
    }
    if (index != 1 || !IsLast(value)) return {};
    // "required":["password","email"] is a list of names. In a list of pairs the second is a value.
    const bool in_list = path.size() > 1 && path[path.size() - 2].name.empty();
    const NamedSecret secret = SecretBeside(in_list ? telling : std::min(telling, Telling::kLikely),
                                            Inner(value), Written::kQuoted);
    return in_list || secret.sure ? secret : NamedSecret();
  }

  struct Level {
    Telling telling = Telling::kNo;   // by its own name; an element: by that of its array
    std::optional<Telling> labelled;  // its member "value", by its member "name", once it is known
    std::string_view name;            // as spelt; empty: an element, or the root
    std::optional<bool> is_schema;    // of an object with "properties", once it was asked
    std::string_view scalar;          // of an array: its last element that is no container,
    size_t element = 0;               // and the index of that
  };

  static std::string NameOf(const wire::PathStep& step) {
    return step.name.empty() ? std::to_string(step.index) : wire::StringValue(step.name);
  }
  // {"name":"API_KEY","value":"..."}, in either order, as hosts list variables and headers, and
  // {"password":{"value":"..."}}. Other members of an object beside a telling name, such as a
  // schema, are no secrets.
  void StepToTelling(const wire::PathStep& step, size_t length) {
    Level& above = levels_[length - 1];
    Level& here = levels_[length];
    here.labelled.reset();
    here.scalar = {};
    if (step.name.empty()) {
      here.telling = above.telling;
      return;
    }
    if (SameLetters(step.name, "\"value\"")) {
      if (!above.labelled) above.labelled = LabelBehind(After(step.name));
      here.telling = *above.labelled != Telling::kNo ? *above.labelled : above.telling;
      if (here.telling == Telling::kCookie) here.telling = Telling::kSecret;  // it has no "name="
      return;
    }
    here.telling = TellingOf(wire::StringValue(step.name));
    if (IsLabel(step.name)) {
      const Telling label = LabelAt(After(step.name));
      if (label != Telling::kNo || !above.labelled) above.labelled = label;
    }
  }
  static bool IsLabel(std::string_view name) {
    return std::any_of(std::begin(kLabels), std::end(kLabels),
                       [&](std::string_view label) { return SameLetters(Inner(name), label); });
  }
  static Telling LabelAt(std::string_view text) {
    const size_t end = text.starts_with('"') ? text.find('"', 1) : text.npos;
    return end == text.npos ? Telling::kNo : TellingOf(text.substr(1, end - 1));
  }
  // The label among the members after the value that begins at `text`.
  static Telling LabelBehind(std::string_view text) {
    if (text.empty() || text.front() == '{') return Telling::kNo;  // its members have names
    const char* const end = text.data() + text.size();
    const char* at = wire::SkipJsonValue(text.data(), end);
    const char* const stop = at + std::min(static_cast<size_t>(end - at), kLabelWithin);
    const auto next_is = [&](char c) {
      at = wire::SkipJsonBlanks(at, stop);
      return at != stop && *at == c;
    };
    while (next_is(',')) {
      ++at;
      if (!next_is('"')) break;
      const char* const name =
          std::exchange(at, wire::SkipJsonString<wire::JsonSyntax::kLenient>(at + 1, stop));
      const std::string_view spelt(name, static_cast<size_t>(at - name));
      if (!next_is(':')) break;
      at = wire::SkipJsonBlanks(at + 1, stop);
      if (IsLabel(spelt)) return LabelAt({at, static_cast<size_t>(stop - at)});
      at = wire::SkipJsonValue(at, stop);
    }
    return Telling::kNo;
  }
  // An element with nothing after it.
  bool IsLast(std::string_view value) const {
    const size_t end = static_cast<size_t>(value.data() - json_.data()) + value.size();
    const size_t next = json_.find_first_not_of(" \t\r\n", end);
    return next != json_.npos && json_[next] == ']';
  }
  // Where the value of the member `name` begins.
  std::string_view After(std::string_view name) const {
    const std::string_view rest =
        json_.substr(static_cast<size_t>(name.data() - json_.data()) + name.size());
    return rest.substr(std::min(rest.find_first_not_of(" \t\r\n:"), rest.size()));
  }
  // The member at `length`, in an object that has schemas by its name, is described by one.
  bool IsProperty(size_t length) {
    const std::string_view value = After(levels_[length].name);
    if (!value.starts_with('{')) return false;
    if (LooksLikeSchema(value)) return true;
    Level& owner = levels_[length - 2];
    if (owner.name.size() < 2) return false;
    if (!owner.is_schema) {
      owner.is_schema = LooksLikeObjectSchema(Inner(owner.name), After(owner.name));
    }
    return *owner.is_schema;
  }

  const std::string_view json_;
  SecretPath at_places_;
  const bool telling_;
  std::vector<Level> levels_;  // by length of the path
};

}  // namespace

SecretPath::SecretPath(std::vector<const wire::Pointer*> pointers,
                       const std::vector<std::string>* names)
    : pointers_(std::move(pointers)), names_(names), levels_(1) {
  levels_[0].positions.assign(pointers_.size(), 0);
  for (size_t p = 0; p < pointers_.size(); ++p) Arrive(p, 0, &levels_[0]);
}

void SecretPath::Step(size_t length, std::string_view step, bool member) {
  if (levels_.size() <= length) levels_.resize(length + 1);
  const Level& above = levels_[length - 1];
  Level& here = levels_[length];
  here.secret = above.secret;
  here.property = false;
  here.holds_schemas = member && HoldsSchemas(step);
  here.schema = WithinSchema(above.schema, member ? step : std::string_view());
  if (here.secret) return;
  here.secret = member && std::any_of(names_->begin(), names_->end(), [&](const std::string& name) {
                  return SameLetters(name, step);
                });
  here.positions.assign(pointers_.size(), 0);
  bool plain = false;  // at a pointer without `**`, which names exactly this place
  for (size_t p = 0; p < pointers_.size(); ++p) {
    for (uint64_t left = above.positions[p]; left != 0; left &= left - 1) {
      const auto at = static_cast<size_t>(std::countr_zero(left));
      const std::string& wanted = pointers_[p]->steps[at];
      if (IsDeep(wanted)) {
        Arrive(p, at, &here);
      } else if (wanted == wire::Pointer::kAny || wanted == step) {
        Arrive(p, at + 1, &here);
        plain |= at + 1 == pointers_[p]->steps.size() && !HasDeep(*pointers_[p]);
      }
    }
  }
  here.property = here.secret && !plain && member && above.holds_schemas;
}

void SecretPath::Arrive(size_t pointer, size_t step, Level* level) const {
  const std::vector<std::string>& steps = pointers_[pointer]->steps;
  while (step < steps.size()) {
    level->positions[pointer] |= uint64_t{1} << step;
    if (!IsDeep(steps[step])) return;
    ++step;  // it may match no step
  }
  level->secret = true;
}

SecretPlaces SecretsOf(const wire::Dialect& dialect) {
  return {dialect.secrets, dialect.secret_keys};
}

SecretReason ReasonOf(std::string_view json, const wire::Path& path, const SecretPlaces& secrets) {
  wire::Path prefix;
  for (size_t i = OuterSteps(json); i < path.size(); ++i) {
    prefix.push_back(path[i]);
    for (const wire::MethodPlace& place : secrets.places) {
      if (wire::MatchesDeep(place.pointer, prefix)) return {"place", place.text};
    }
    if (path[i].name.empty()) continue;
    const std::string name = wire::StringValue(path[i].name);
    for (const std::string& one : secrets.names) {
      if (SameLetters(one, name)) return {"name", one};
    }
  }
  return {"place", ""};
}

void WalkSecrets(std::string_view json, std::optional<std::string_view> method,
                 const SecretPlaces& secrets, const std::function<void(const wire::Path&)>& name,
                 const std::function<void(const wire::Path&, std::string_view value,
                                          const PlacedSecret* secret)>& visit) {
  std::vector<const wire::Pointer*> pointers;
  for (const wire::MethodPlace& place : secrets.places) {
    if (!method || place.OfMethod(*method)) pointers.push_back(&place.pointer);
  }
  const size_t outer = OuterSteps(json);
  SecretWalk walk(json, std::move(pointers), secrets);
  const bool any = !walk.empty();
  wire::WalkScalars(
      json,
      [&](const wire::Path& path) {
        if (any) path.size() > outer ? walk.Step(path.back(), path.size() - outer) : walk.Restart();
        if (!path.back().name.empty()) name(path);
      },
      [&](const wire::Path& path, std::string_view value) {
        const wire::JsonType type = wire::TypeOf(value);
        if (type != wire::JsonType::kString && type != wire::JsonType::kNumber) return;
        const PlacedSecret secret = any && path.size() > outer
                                        ? walk.SecretAt(path, path.size() - outer, value)
                                        : PlacedSecret();
        visit(path, value, secret.value.empty() ? nullptr : &secret);
      });
}

StreamedPlaces ForAnyMethod(const SecretPlaces& secrets) {
  StreamedPlaces streamed{{}, secrets.names};
  for (const wire::MethodPlace& place : secrets.places) {
    const std::vector<std::string>& steps = place.pointer.steps;
    if (HasDeep(place.pointer) && !IsDeep(steps.back()) && steps.back() != wire::Pointer::kAny) {
      streamed.names.push_back(steps.back());
      continue;
    }
    const bool known = std::any_of(streamed.pointers.begin(), streamed.pointers.end(),
                                   [&](const wire::Pointer& one) { return one.steps == steps; });
    if (!known) streamed.pointers.push_back(place.pointer);
  }
  return streamed;
}

}  // namespace midwire::trace::redact
