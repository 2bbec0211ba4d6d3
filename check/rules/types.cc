#include "check/rules/types.h"

#include <algorithm>

#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

constexpr RuleType kTypes[] = {
    {"among", MakeAmongRule},           {"base64", MakeBase64Rule}, {"chunks", MakeChunksRule},
    {"closed", MakeClosedRule},         {"count", MakeCountRule},   {"deadline", MakeDeadlineRule},
    {"distinct", MakeDistinctRule},     {"during", MakeDuringRule}, {"either", MakeEitherRule},
    {"equal", MakeEqualRule},           {"exit", MakeExitRule},     {"fits", MakeFitsRule},
    {"followed", MakeFollowedRule},     {"gate", MakeGateRule},     {"granted", MakeGrantedRule},
    {"increasing", MakeIncreasingRule}, {"length", MakeLengthRule}, {"level", MakeLevelRule},
    {"order", MakeOrderRule},           {"path", MakePathRule},     {"requires", MakeRequiresRule},
    {"respawn", MakeRespawnRule},       {"same", MakeSameRule},     {"size", MakeSizeRule},
    {"valid", MakeValidRule},           {"volume", MakeVolumeRule},
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

using Visit = std::function<void(const wire::Path&, std::string_view)>;

// Recursive: at most kMaxPointerSteps deep.
void Walk(std::string_view value, const wire::Pointer& pointer, wire::Path* path,
          const Visit& visit) {
  if (path->size() == pointer.steps.size()) return visit(*path, value);
  if (!value.starts_with('{') && !value.starts_with('[')) return;
  const std::string& step = pointer.steps[path->size()];
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (size_t number = 0; parts.Next(&part); ++number) {
    if (!IsStep(step, part.name, number)) continue;
    path->push_back({part.name, number});
    Walk(part.value, pointer, path, visit);
    path->pop_back();
  }
}

// Whether the value is one of the parts of the message that the checker has found.
bool IsPart(std::string_view value, const Observed& seen) {
  return value.data() == seen.params.data() || value.data() == seen.result.data() ||
         value.data() == seen.error.data();
}

}  // namespace

bool IsInScope(const RulePlace& place, const Observed& seen) {
  return place.scope.members.empty() || (IsCall(seen) && place.scope.HasMembers(seen.body));
}

bool IsOf(const std::vector<std::string>& methods, const Observed& seen) {
  if (seen.method.empty()) return false;
  for (const std::string& method : methods) {
    if (wire::MatchesMethod(method, seen.method)) return true;
  }
  return false;
}

std::optional<std::string_view> ValueOf(const RulePlace& place, const Observed& seen) {
  if (!seen.json) return std::nullopt;
  const std::string_view at = seen.values->At(place.node());
  if (at.data() == nullptr || !place.OfMethod(seen.method)) return std::nullopt;
  if (place.whole()) return at;
  std::optional<std::string_view> found;  // the first match counts
  EachValueIn(at, place, seen, [&](const wire::Path&, std::string_view value) {
    if (!found) found = value;
  });
  return found;
}

void EachValueIn(std::string_view found, const RulePlace& place, const Observed& seen,
                 const Visit& visit) {
  size_t known = place.names().size();
  if (seen.values->repeated() && known > 0) {  // visit also what an earlier one of a name has
    found = seen.values->At(place.first());
    known = IsPart(found, seen) ? 1 : 0;
    if (known == 0) found = seen.body;
  }
  wire::Path path;
  std::swap(path, seen.values->path);
  path.clear();
  for (size_t i = 0; i < known; ++i) path.push_back({place.names()[i], 0});
  Walk(found, place.pointer, &path, visit);
  std::swap(path, seen.values->path);
}

bool HasNone(const RulePlace& place, const Observed& seen) {
  if (!seen.json) return false;
  if (place.deep())
    return seen.values->At(place.node()).data() == nullptr || !place.OfMethod(seen.method);
  bool any = false;
  EachValueOf(place, seen, [&](const wire::Path&, std::string_view) { any = true; });
  return !any;
}

bool HasNone(const std::vector<RulePlace>& places, const Observed& seen) {
  return std::all_of(places.begin(), places.end(),
                     [&](const RulePlace& place) { return HasNone(place, seen); });
}

void AddValuesOf(const RulePlace& place, const Observed& seen,
                 std::vector<std::string_view>* parts) {
  EachValueOf(place, seen,
              [&](const wire::Path&, std::string_view value) { parts->push_back(value); });
}

std::string Kept(std::string_view value) { return std::string(value.substr(0, kMaxKept)); }

std::string Meant(std::string_view value) {
  return wire::TypeOf(value) == wire::JsonType::kString ? wire::StringValue(value)
                                                        : std::string(value);
}

std::vector<RulePlace> RuleReader::Compiled(const std::vector<wire::MethodPlace>& places) const {
  std::vector<RulePlace> compiled;
  for (const wire::MethodPlace& place : places) compiled.push_back(Compiled(place));
  return compiled;
}

std::optional<RulePlace> RuleReader::OptionalPlace(std::string_view name) {
  std::optional<wire::MethodPlace> place = MemberReader::OptionalPlace(name);
  if (!place) return std::nullopt;
  return Compiled(std::move(*place));
}

Result<MadeRule> MakeRule(const wire::RuleSpec& rule, const wire::Dialect* dialect,
                          PlaceTree* places, std::span<const RuleType> others) {
  wire::ReadSource source{.what = "not a dialect",
                          .file = dialect != nullptr ? dialect->file : "",
                          .remedy = "rule " + rule.id + " of type " + rule.type,
                          .one_is_list = true};
  std::string names;
  for (const std::span<const RuleType> types : {std::span<const RuleType>(kTypes), others}) {
    for (const RuleType& type : types) {
      names += (names.empty() ? "" : ", ") + std::string(type.name);
      if (type.name != rule.type) continue;
      RuleReader in(wire::MemberReader(rule.json, &source, rule.pointer), places);
      // The loader of the dialect has read these.
      for (const char* common : {"id", "type", "clause", "text", "found", "severity"})
        in.Has(common);
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
