#include "trace/check_types.h"

#include "wire/json_parts.h"

namespace midwire::trace {
namespace {

struct RuleType {
  std::string_view name;
  MadeRule (*make)(const wire::RuleSpec& rule, RuleReader* in);
};

constexpr RuleType kTypes[] = {
    {"size", MakeSizeRule},
};

}  // namespace

void RuleReader::Fail(std::string_view member, const std::string& expected) {
  if (error_) return;
  error_ = Error{"not a dialect: " + expected + " is expected",
                 "rule " + rule_.id + " at /" + std::string(member), ""};
}

std::vector<std::string> RuleReader::Methods(std::string_view member) {
  std::vector<std::string> methods;
  if (const wire::Json* list = rule_.json.Find(member)) {
    for (const wire::Json& item : list->items) methods.push_back(item.text);
  }
  if (methods.empty()) Fail(member, "a list of methods");
  return methods;
}

wire::MethodPlace RuleReader::Place(std::string_view member) {
  const Result<wire::MethodPlace> place = wire::ParseMethodPlace(rule_.json.String(member));
  if (place) return *place;
  Fail(member, "METHOD:/pointer or /pointer");
  return {};
}

std::vector<wire::MethodPlace> RuleReader::Places(std::string_view member) {
  std::vector<wire::MethodPlace> places;
  const wire::Json* list = rule_.json.Find(member);
  if (list == nullptr) return places;
  for (const wire::Json& item : list->items) {
    const Result<wire::MethodPlace> place = wire::ParseMethodPlace(item.text);
    place ? places.push_back(*place) : Fail(member, "a list of METHOD:/pointer");
  }
  return places;
}

std::optional<int64_t> RuleReader::OptionalNumber(std::string_view member) {
  const wire::Json* number = rule_.json.Find(member);
  if (number == nullptr) return std::nullopt;
  const std::optional<int64_t> value = number->Integer();
  if (!value) Fail(member, "a whole number");
  return value;
}

int64_t RuleReader::Number(std::string_view member) {
  const std::optional<int64_t> value = OptionalNumber(member);
  if (!value) Fail(member, "a whole number");
  return value.value_or(0);
}

std::string RuleReader::Text(std::string_view member) {
  return std::string(rule_.json.String(member));
}

bool IsOf(const std::vector<std::string>& methods, const Observed& seen) {
  for (const std::string& method : methods) {
    if (wire::MatchesMethod(method, seen.method)) return true;
  }
  return false;
}

std::optional<std::string_view> ValueOf(const wire::MethodPlace& place, const Observed& seen) {
  if (!seen.json) return std::nullopt;
  if (!place.method.empty() && !wire::MatchesMethod(place.method, seen.method)) return std::nullopt;
  return wire::ValueAt(seen.body, place.pointer);
}

Result<std::unique_ptr<CheckRule>> MakeRule(const wire::RuleSpec& rule, const wire::Dialect*) {
  for (const RuleType& type : kTypes) {
    if (type.name != rule.type) continue;
    RuleReader in(rule);
    MadeRule made = type.make(rule, &in);
    if (in.error()) return *in.error();
    return made;
  }
  std::string names;
  for (const RuleType& type : kTypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return Error{"not a dialect: there is no rule type \"" + rule.type + "\"", "rule " + rule.id,
               "one of " + names};
}

}  // namespace midwire::trace
