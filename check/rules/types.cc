#include "check/rules/types.h"

#include "wire/json/format.h"
#include "wire/json/parts.h"

namespace midwire::check {
namespace {

using wire::Json;

struct RuleType {
  std::string_view name;
  MadeRule (*make)(const wire::RuleSpec& rule, RuleReader* in);
};

constexpr RuleType kTypes[] = {
    {"among", MakeAmongRule},       {"chunks", MakeChunksRule},   {"count", MakeCountRule},
    {"deadline", MakeDeadlineRule}, {"during", MakeDuringRule},   {"either", MakeEitherRule},
    {"equal", MakeEqualRule},       {"exit", MakeExitRule},       {"gate", MakeGateRule},
    {"level", MakeLevelRule},       {"order", MakeOrderRule},     {"path", MakePathRule},
    {"requires", MakeRequiresRule}, {"respawn", MakeRespawnRule}, {"same", MakeSameRule},
    {"size", MakeSizeRule},         {"volume", MakeVolumeRule},
};

// More than any finding shows.
constexpr size_t kMaxKept = 256;

// Calls take for the items of a list, or for the one value in its place.
template <typename Take>
void EachItem(const Json& json, const Take& take) {
  if (!json.is(Json::Type::kArray)) return take(json);
  for (const Json& item : json.items) take(item);
}

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

void RuleReader::Fail(std::string_view member, const std::string& expected) {
  if (error_) return;
  error_ = Error{"not a dialect: " + expected + " is expected",
                 where_ + " at /" + std::string(member), ""};
}

void RuleReader::Close() {
  for (const Json::Member& member : json_.members) {
    if (known_.contains(member.first) || error_) continue;
    error_ = Error{"not a dialect: there is no such member in a rule of this type",
                   where_ + " at /" + member.first, ""};
  }
}

const Json* RuleReader::Find(std::string_view member) {
  known_.emplace(member);
  return json_.Find(member);
}

bool RuleReader::Has(std::string_view member) { return Find(member) != nullptr; }

std::vector<std::string> RuleReader::Texts(std::string_view member) {
  std::vector<std::string> texts = OptionalMethods(member);
  if (texts.empty()) Fail(member, "a list of texts");
  return texts;
}

std::vector<std::string> RuleReader::Methods(std::string_view member) {
  std::vector<std::string> methods = OptionalMethods(member);
  if (methods.empty()) Fail(member, "a list of methods");
  return methods;
}

std::vector<std::string> RuleReader::OptionalMethods(std::string_view member) {
  std::vector<std::string> methods;
  const Json* list = Find(member);
  if (list == nullptr) return methods;
  EachItem(*list, [&](const Json& item) {
    item.is(Json::Type::kString) ? methods.push_back(item.text) : Fail(member, "a list of texts");
  });
  return methods;
}

wire::MethodPlace RuleReader::Place(std::string_view member) {
  if (!Has(member)) Fail(member, "METHOD:/pointer or /pointer");
  return OptionalPlace(member).value_or(wire::MethodPlace());
}

std::optional<wire::MethodPlace> RuleReader::OptionalPlace(std::string_view member) {
  const std::vector<wire::MethodPlace> places = Places(member);
  if (places.empty()) return std::nullopt;
  if (places.size() > 1) Fail(member, "one METHOD:/pointer or /pointer");
  return places.front();
}

std::vector<wire::MethodPlace> RuleReader::Places(std::string_view member) {
  std::vector<wire::MethodPlace> places;
  const Json* list = Find(member);
  if (list == nullptr) return places;
  EachItem(*list, [&](const Json& item) {
    const Result<wire::MethodPlace> place = wire::ParseMethodPlace(item.text);
    if (item.is(Json::Type::kString) && place) return places.push_back(*place);
    Fail(member, "METHOD:/pointer or /pointer");
  });
  return places;
}

std::optional<int64_t> RuleReader::OptionalNumber(std::string_view member) {
  const std::vector<int64_t> numbers = Numbers(member);
  if (numbers.empty()) return std::nullopt;
  if (numbers.size() > 1) Fail(member, "one whole number");
  return numbers.front();
}

int64_t RuleReader::Number(std::string_view member) {
  const std::optional<int64_t> value = OptionalNumber(member);
  if (!value) Fail(member, "a whole number");
  return value.value_or(0);
}

std::vector<int64_t> RuleReader::Numbers(std::string_view member) {
  std::vector<int64_t> numbers;
  const Json* list = Find(member);
  if (list == nullptr) return numbers;
  EachItem(*list, [&](const Json& item) {
    const std::optional<int64_t> value = item.Integer();
    value ? numbers.push_back(*value) : Fail(member, "a whole number");
  });
  return numbers;
}

std::string RuleReader::Text(std::string_view member) {
  const Json* text = Find(member);
  if (text == nullptr) return "";
  if (!text->is(Json::Type::kString)) Fail(member, "a text");
  return text->text;
}

bool RuleReader::Flag(std::string_view member) {
  const Json* flag = Find(member);
  if (flag == nullptr) return false;
  if (!flag->is(Json::Type::kBool)) Fail(member, "true or false");
  return flag->boolean;
}

wire::Severity RuleReader::Grade(std::string_view member, wire::Severity otherwise) {
  const Json* grade = Find(member);
  if (grade == nullptr) return otherwise;
  for (const wire::Severity severity : {wire::Severity::kOff, wire::Severity::kNote,
                                        wire::Severity::kShould, wire::Severity::kMust}) {
    if (grade->is(Json::Type::kString) && grade->text == wire::Name(severity)) return severity;
  }
  Fail(member, "off, note, should or must");
  return otherwise;
}

std::string RuleReader::Value(std::string_view member) {
  std::string text;
  if (const Json* value = Find(member)) wire::AppendJson(*value, &text);
  return text;
}

void RuleReader::Each(std::string_view member, const std::function<void(RuleReader* item)>& take) {
  const Json* list = Find(member);
  if (list == nullptr || list->items.empty()) return Fail(member, "a list of objects");
  for (size_t i = 0; i < list->items.size() && !error_; ++i) {
    const std::string name = std::string(member) + "/" + std::to_string(i);
    if (!list->items[i].is(Json::Type::kObject)) return Fail(name, "an object");
    RuleReader item(list->items[i], where_ + " at /" + name);
    take(&item);
    item.Close();
    error_ = item.error();
  }
}

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

Result<std::unique_ptr<CheckRule>> MakeRule(const wire::RuleSpec& rule, const wire::Dialect*) {
  for (const RuleType& type : kTypes) {
    if (type.name != rule.type) continue;
    RuleReader in(rule.json, "rule " + rule.id);
    MadeRule made = type.make(rule, &in);
    in.Close();
    if (in.error()) return *in.error();
    return made;
  }
  std::string names;
  for (const RuleType& type : kTypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return Error{"not a dialect: there is no rule type \"" + rule.type + "\"", "rule " + rule.id,
               "one of " + names};
}

}  // namespace midwire::check
