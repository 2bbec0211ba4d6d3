#include "check/rules/types.h"

#include <algorithm>

#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

constexpr RuleType kTypes[] = {
    {"among", MakeAmongRule},   {"base64", MakeBase64Rule},     {"chunks", MakeChunksRule},
    {"count", MakeCountRule},   {"deadline", MakeDeadlineRule}, {"distinct", MakeDistinctRule},
    {"during", MakeDuringRule}, {"either", MakeEitherRule},     {"equal", MakeEqualRule},
    {"exit", MakeExitRule},     {"fits", MakeFitsRule},         {"followed", MakeFollowedRule},
    {"gate", MakeGateRule},     {"granted", MakeGrantedRule},   {"increasing", MakeIncreasingRule},
    {"length", MakeLengthRule}, {"level", MakeLevelRule},       {"order", MakeOrderRule},
    {"path", MakePathRule},     {"requires", MakeRequiresRule}, {"respawn", MakeRespawnRule},
    {"same", MakeSameRule},     {"size", MakeSizeRule},         {"valid", MakeValidRule},
    {"volume", MakeVolumeRule},
};

// More than any violation shows.
constexpr size_t kMaxKept = 256;

// `name`: with its quotes.
bool IsSpelt(std::string_view step, std::string_view name) {
  return name.size() == step.size() + 2 && name.substr(1, step.size()) == step;
}

// `name`: with its quotes; empty: an element of an array.
bool IsStep(std::string_view step, std::string_view name, size_t index) {
  if (step == wire::Pointer::kAny) return true;
  if (name.empty()) return step == std::to_string(index);
  if (IsSpelt(step, name)) return true;
  return name.find('\\') != name.npos && step == wire::StringValue(name);
}

// One of the message's parts that the checker has found already.
struct KnownPart {
  std::string_view name;   // with its quotes
  std::string_view value;  // empty: the message does not have it
};

// The part that a step of a pointer to the message names, if it is known.
std::optional<KnownPart> KnownPartAt(std::string_view step, const Observed& seen) {
  if (!seen.body.starts_with('{') || seen.index == nullptr) return std::nullopt;
  const bool dap = seen.dap();
  const bool event = dap && seen.kind() == wire::Kind::kNotification;
  if (step == (event ? "body" : dap ? "arguments" : "params")) {
    return KnownPart{event ? "\"body\"" : dap ? "\"arguments\"" : "\"params\"", seen.params};
  }
  if (step == (dap ? "body" : "result")) {
    return KnownPart{dap ? "\"body\"" : "\"result\"", seen.result};
  }
  if (step == "error") return KnownPart{"\"error\"", seen.error};
  return std::nullopt;
}

// The members of an object, if they are indexed.
const MemberIndex::Members* Indexed(std::string_view value, MemberIndex* index) {
  return index != nullptr && value.starts_with('{') ? index->Of(value) : nullptr;
}

using Visit = std::function<void(const wire::Path&, std::string_view)>;

// Recursive: at most kMaxPointerSteps deep.
void Walk(std::string_view value, const wire::Pointer& pointer, MemberIndex* index,
          wire::Path* path, const Visit& visit) {
  if (path->size() == pointer.steps.size()) return visit(*path, value);
  if (!value.starts_with('{') && !value.starts_with('[')) return;
  const std::string& step = pointer.steps[path->size()];
  const auto take = [&](const wire::JsonPart& part, size_t number) {
    path->push_back({part.name, number});
    Walk(part.value, pointer, index, path, visit);
    path->pop_back();
  };
  if (const MemberIndex::Members* known = Indexed(value, index)) {
    const bool exact = !known->escapes && step != wire::Pointer::kAny;
    for (size_t i = 0; i < known->parts.size(); ++i) {
      const wire::JsonPart& part = known->parts[i];
      if (exact ? IsSpelt(step, part.name) : IsStep(step, part.name, i)) take(part, i);
    }
    return;
  }
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (size_t number = 0; parts.Next(&part); ++number) {
    if (IsStep(step, part.name, number)) take(part, number);
  }
}

// The member or element of a value; of a repeated name the last.
std::optional<std::string_view> PartOf(std::string_view value, const std::string& step,
                                       MemberIndex* index) {
  if (!value.starts_with('{') && !value.starts_with('[')) return std::nullopt;
  if (const MemberIndex::Members* known = Indexed(value, index)) {
    for (size_t i = known->parts.size(); i-- > 0;) {
      const wire::JsonPart& part = known->parts[i];
      if (known->escapes ? IsStep(step, part.name, i) : IsSpelt(step, part.name)) return part.value;
    }
    return std::nullopt;
  }
  std::optional<std::string_view> found;
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (size_t number = 0; parts.Next(&part); ++number) {
    if (IsStep(step, part.name, number)) found = part.value;
  }
  return found;
}

// The value at a pointer without `*`.
std::optional<std::string_view> OnlyValue(const wire::Pointer& pointer, const Observed& seen) {
  std::optional<KnownPart> part;
  if (!pointer.steps.empty()) part = KnownPartAt(pointer.steps.front(), seen);
  std::optional<std::string_view> value = part ? part->value : seen.body;
  if (value->empty()) return std::nullopt;
  size_t depth = part ? 1 : 0;
  for (; value && depth < pointer.steps.size(); ++depth) {
    value = PartOf(*value, pointer.steps[depth], seen.index);
  }
  return value;
}

}  // namespace

bool IsInScope(const wire::MethodPlace& place, const Observed& seen) {
  return place.scope.members.empty() || (IsCall(seen) && place.scope.HasMembers(seen.body));
}

bool AnyOfMethod(const std::vector<wire::MethodPlace>& places, std::string_view method) {
  return std::any_of(places.begin(), places.end(),
                     [&](const wire::MethodPlace& place) { return place.OfMethod(method); });
}

bool IsOf(const std::vector<std::string>& methods, const Observed& seen) {
  if (seen.method.empty()) return false;
  for (const std::string& method : methods) {
    if (wire::MatchesMethod(method, seen.method)) return true;
  }
  return false;
}

std::optional<std::string_view> ValueOf(const wire::MethodPlace& place, const Observed& seen) {
  if (!seen.json || !place.OfMethod(seen.method)) return std::nullopt;
  const std::vector<std::string>& steps = place.pointer.steps;
  if (std::find(steps.begin(), steps.end(), wire::Pointer::kAny) == steps.end()) {
    return OnlyValue(place.pointer, seen);
  }
  std::optional<std::string_view> found;  // the first match counts
  EachValueAt(place.pointer, seen, [&](const wire::Path&, std::string_view value) {
    if (!found) found = value;
  });
  return found;
}

void EachValueAt(const wire::Pointer& pointer, const Observed& seen, const Visit& visit) {
  std::optional<KnownPart> part;
  if (!pointer.steps.empty()) part = KnownPartAt(pointer.steps.front(), seen);
  if (part && part->value.empty()) return;
  wire::Path path;
  if (seen.index != nullptr) std::swap(path, seen.index->path);
  path.clear();
  if (part) {
    path.push_back({part->name, 0});
    Walk(part->value, pointer, seen.index, &path, visit);
  } else {
    Walk(seen.body, pointer, nullptr, &path, visit);
  }
  if (seen.index != nullptr) std::swap(path, seen.index->path);
}

std::string Kept(std::string_view value) { return std::string(value.substr(0, kMaxKept)); }

std::string Meant(std::string_view value) {
  return wire::TypeOf(value) == wire::JsonType::kString ? wire::StringValue(value)
                                                        : std::string(value);
}

Result<MadeRule> MakeRule(const wire::RuleSpec& rule, const wire::Dialect* dialect,
                          std::span<const RuleType> others) {
  wire::ReadSource source{.what = "not a dialect",
                          .file = dialect != nullptr ? dialect->file : "",
                          .remedy = "rule " + rule.id + " of type " + rule.type,
                          .one_is_list = true};
  std::string names;
  for (const std::span<const RuleType> types : {std::span<const RuleType>(kTypes), others}) {
    for (const RuleType& type : types) {
      names += (names.empty() ? "" : ", ") + std::string(type.name);
      if (type.name != rule.type) continue;
      wire::MemberReader in(rule.json, &source, rule.pointer);
      // The loader of the dialect has read these.
      for (const char* common : {"id", "type", "clause", "text", "severity"}) in.Has(common);
      MadeRule made = type.make(rule, &in);
      in.Close();
      if (source.error) return *source.error;
      return made;
    }
  }
  source.remedy = "one of " + names;
  source.Fail(rule.pointer + "/type", "there is no rule type \"" + rule.type + "\"");
  return *source.error;
}

}  // namespace midwire::check
