#include "check/rules/types.h"

#include <algorithm>

#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

constexpr RuleType kTypes[] = {
    {"among", MakeAmongRule},
    {"chunks", MakeChunksRule},
    {"count", MakeCountRule},
    {"deadline", MakeDeadlineRule},
    {"distinct", MakeDistinctRule},
    {"during", MakeDuringRule},
    {"either", MakeEitherRule},
    {"equal", MakeEqualRule},
    {"exit", MakeExitRule},
    {"fits", MakeFitsRule},
    {"gate", MakeGateRule},
    {"granted", MakeGrantedRule},
    {"increasing", MakeIncreasingRule},
    {"level", MakeLevelRule},
    {"order", MakeOrderRule},
    {"path", MakePathRule},
    {"requires", MakeRequiresRule},
    {"respawn", MakeRespawnRule},
    {"same", MakeSameRule},
    {"size", MakeSizeRule},
    {"valid", MakeValidRule},
    {"volume", MakeVolumeRule},
};

// More than any violation shows.
constexpr size_t kMaxKept = 256;

// `name`: with its quotes; empty: an element of an array.
bool IsStep(std::string_view step, std::string_view name, size_t index) {
  if (step == wire::Pointer::kAny) return true;
  if (name.empty()) return step == std::to_string(index);
  if (name.size() == step.size() + 2 && name.substr(1, step.size()) == step) return true;
  return name.find('\\') != name.npos && step == wire::StringValue(name);
}

// The span of one of the message's parts that the checker has found already, if the step names one.
std::optional<std::string_view> KnownPart(std::string_view step, const Observed& seen) {
  if (!seen.body.starts_with('{') || seen.index == nullptr) return std::nullopt;
  if (step == seen.params_pointer() + 1) return seen.params;
  if (step == seen.result_pointer() + 1) return seen.result;
  if (step == "error") return seen.error;
  return std::nullopt;
}

// Recursive: at most kMaxPointerSteps deep.
void Walk(std::string_view value, const wire::Pointer& pointer, MemberIndex* index,
          wire::Path* path, const std::function<void(const wire::Path&, std::string_view)>& visit) {
  if (path->size() == pointer.steps.size()) return visit(*path, value);
  const wire::JsonType type = wire::TypeOf(value);
  if (type != wire::JsonType::kObject && type != wire::JsonType::kArray) return;
  const std::string& step = pointer.steps[path->size()];
  const auto take = [&](const wire::JsonPart& part, size_t number) {
    if (!IsStep(step, part.name, number)) return;
    path->push_back({part.name, number});
    Walk(part.value, pointer, index, path, visit);
    path->pop_back();
  };
  const std::vector<wire::JsonPart>* known =
      index != nullptr && type == wire::JsonType::kObject ? index->Of(value) : nullptr;
  if (known != nullptr) {
    for (size_t i = 0; i < known->size(); ++i) take((*known)[i], i);
    return;
  }
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (size_t number = 0; parts.Next(&part); ++number) take(part, number);
}

void WalkMessage(const wire::Pointer& pointer, const Observed& seen,
                 const std::function<void(const wire::Path&, std::string_view)>& visit) {
  wire::Path path;
  path.reserve(pointer.steps.size());
  const std::optional<std::string_view> part =
      pointer.steps.empty() ? std::nullopt : KnownPart(pointer.steps.front(), seen);
  if (!part) return Walk(seen.body, pointer, nullptr, &path, visit);
  if (part->empty()) return;
  const std::string name = '"' + pointer.steps.front() + '"';
  path.push_back({name, 0});
  Walk(*part, pointer, seen.index, &path, visit);
}

// The member or element of a value; of a repeated name the last.
std::optional<std::string_view> PartOf(std::string_view value, const std::string& step,
                                       MemberIndex* index) {
  const wire::JsonType type = wire::TypeOf(value);
  if (type != wire::JsonType::kObject && type != wire::JsonType::kArray) return std::nullopt;
  std::optional<std::string_view> found;
  const std::vector<wire::JsonPart>* known =
      index != nullptr && type == wire::JsonType::kObject ? index->Of(value) : nullptr;
  if (known != nullptr) {
    for (size_t i = known->size(); i-- > 0;) {
      if (IsStep(step, (*known)[i].name, i)) return (*known)[i].value;
    }
    return std::nullopt;
  }
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (size_t number = 0; parts.Next(&part); ++number) {
    if (IsStep(step, part.name, number)) found = part.value;
  }
  return found;
}

// The value at a pointer without `*`.
std::optional<std::string_view> OnlyValue(const wire::Pointer& pointer, const Observed& seen) {
  std::optional<std::string_view> value;
  if (!pointer.steps.empty()) value = KnownPart(pointer.steps.front(), seen);
  size_t depth = 1;
  if (!value) value = seen.body, depth = 0;
  if (value->empty()) return std::nullopt;
  for (; value && depth < pointer.steps.size(); ++depth) {
    value = PartOf(*value, pointer.steps[depth], seen.index);
  }
  return value;
}

}  // namespace

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
  WalkMessage(place.pointer, seen, [&](const wire::Path&, std::string_view value) {
    if (!found) found = value;
  });
  return found;
}

void EachValueOf(const wire::MethodPlace& place, const Observed& seen,
                 const std::function<void(const wire::Path&, std::string_view)>& visit) {
  if (!seen.json || !place.OfMethod(seen.method)) return;
  WalkMessage(place.pointer, seen, visit);
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
