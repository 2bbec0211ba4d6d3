#include "check/rules/types.h"

#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

struct RuleType {
  std::string_view name;
  MadeRule (*make)(const wire::RuleSpec& rule, wire::MemberReader* in);
};

constexpr RuleType kTypes[] = {
    {"among", MakeAmongRule},       {"chunks", MakeChunksRule},   {"count", MakeCountRule},
    {"deadline", MakeDeadlineRule}, {"during", MakeDuringRule},   {"either", MakeEitherRule},
    {"equal", MakeEqualRule},       {"exit", MakeExitRule},       {"gate", MakeGateRule},
    {"level", MakeLevelRule},       {"order", MakeOrderRule},     {"path", MakePathRule},
    {"requires", MakeRequiresRule}, {"respawn", MakeRespawnRule}, {"same", MakeSameRule},
    {"size", MakeSizeRule},         {"volume", MakeVolumeRule},
};

// More than any violation shows.
constexpr size_t kMaxKept = 256;

bool IsStep(std::string_view step, std::string_view name, size_t index) {
  if (step == wire::Pointer::kAny) return true;
  return name.empty() ? step == std::to_string(index) : step == wire::StringValue(name);
}

// Recursive: at most kMaxPointerSteps deep.
void Walk(std::string_view value, const wire::Pointer& pointer, wire::Path* path,
          const std::function<void(const wire::Path&, std::string_view)>& visit) {
  if (path->size() == pointer.steps.size()) return visit(*path, value);
  const wire::JsonType type = wire::TypeOf(value);
  if (type != wire::JsonType::kObject && type != wire::JsonType::kArray) return;
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (size_t index = 0; parts.Next(&part); ++index) {
    if (!IsStep(pointer.steps[path->size()], part.name, index)) continue;
    path->push_back({part.name, index});
    Walk(part.value, pointer, path, visit);
    path->pop_back();
  }
}

}  // namespace

bool IsOf(const std::vector<std::string>& methods, const Observed& seen) {
  if (seen.method.empty()) return false;
  for (const std::string& method : methods) {
    if (wire::MatchesMethod(method, seen.method)) return true;
  }
  return false;
}

std::optional<std::string_view> ValueOf(const wire::MethodPlace& place, const Observed& seen) {
  if (!seen.json) return std::nullopt;
  if (!place.OfMethod(seen.method)) return std::nullopt;
  return wire::ValueAt(seen.body, place.pointer);
}

void EachValueOf(const wire::MethodPlace& place, const Observed& seen,
                 const std::function<void(const wire::Path&, std::string_view)>& visit) {
  if (!seen.json) return;
  if (!place.OfMethod(seen.method)) return;
  wire::Path path;
  Walk(seen.body, place.pointer, &path, visit);
}

std::string Kept(std::string_view value) { return std::string(value.substr(0, kMaxKept)); }

std::string Meant(std::string_view value) {
  return wire::TypeOf(value) == wire::JsonType::kString ? wire::StringValue(value)
                                                        : std::string(value);
}

Result<std::unique_ptr<CheckRule>> MakeRule(const wire::RuleSpec& rule,
                                            const wire::Dialect* dialect) {
  wire::ReadSource source{.what = "not a dialect",
                          .file = dialect != nullptr ? dialect->file : "",
                          .remedy = "rule " + rule.id + " of type " + rule.type,
                          .one_is_list = true};
  for (const RuleType& type : kTypes) {
    if (type.name != rule.type) continue;
    wire::MemberReader in(rule.json, &source, rule.pointer);
    // The loader of the dialect has read these.
    for (const char* common : {"id", "type", "clause", "text", "severity"}) in.Has(common);
    MadeRule made = type.make(rule, &in);
    in.Close();
    if (source.error) return *source.error;
    return made;
  }
  source.remedy = "one of ";
  for (const RuleType& type : kTypes) {
    source.remedy += (&type == kTypes ? "" : ", ") + std::string(type.name);
  }
  source.Fail(rule.pointer + "/type", "there is no rule type \"" + rule.type + "\"");
  return *source.error;
}

}  // namespace midwire::check
