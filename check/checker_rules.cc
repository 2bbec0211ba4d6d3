// Which rules a session is checked by: those of the dialect, of each of its revisions, and of each
// method.
#include <utility>

#include "check/checker.h"
#include "check/documents/rule_types.h"
#include "check/generic/generic.h"
#include "check/generic/names.h"
#include "check/rules/types.h"
#include "wire/dialect/member_reader.h"
#include "wire/json/format.h"
#include "wire/json/pointer.h"

namespace midwire::check {
namespace {

// Methods whose rules are remembered: protocols have hundreds, and a peer may make up more.
constexpr size_t kMaxMethods = 1024;

// What a handle or a rule is made of: equal texts, equal rules.
std::string TextOf(const wire::HandleSpec& handle) {
  std::string text = "handle\n" + handle.name + '\n' + handle.clause + '\n' +
                     std::string(wire::Name(handle.severity)) + (handle.of_call ? " call" : "");
  for (const auto* places : {&handle.made, &handle.used, &handle.ended}) {
    text += '\n';
    for (const wire::MethodPlace& place : *places) text += place.text + '\n';
  }
  return text;
}

std::string TextOf(const wire::RuleSpec& rule) {
  std::string text;
  wire::AppendJson(rule.json, &text);
  return text;
}

Error NoSuchRule(const wire::Dialect& dialect, const std::string& member, const std::string& id) {
  wire::ReadSource source{
      .what = "not a dialect",
      .file = dialect.file,
      .remedy =
          "doc/dialects.md lists them; a rule of the dialect has its severity and clause itself"};
  source.Fail(PointerText(wire::Pointer{{member, id}}), "no generic rule has this name");
  return *source.error;
}

Error NameTaken(const wire::Dialect& dialect, const wire::RuleSpec& rule) {
  wire::ReadSource source{
      .what = "not a dialect",
      .file = dialect.file,
      .remedy = "give the dialect's own rule another id; /severities changes a generic one"};
  source.Fail(rule.pointer + "/id", "a generic rule has this name: \"" + rule.id + "\"");
  return *source.error;
}

}  // namespace

Result<std::unique_ptr<Checker>> Checker::Create(const wire::Dialect* dialect,
                                                 CheckReport::Sink sink) {
  std::unique_ptr<Checker> checker(new Checker(dialect, std::move(sink)));
  for (auto& rule : GenericRules()) checker->Add(std::move(rule));
  if (dialect->revisions.empty()) {
    if (const Status added = checker->AddRules(*dialect, kAllRevisions); !added) {
      return added.error();
    }
  }
  uint32_t bit = 1;
  for (const auto& revision : dialect->revisions) {
    if (const Status added = checker->AddRules(*revision, bit); !added) return added.error();
    bit <<= 1;
  }
  checker->Use(checker->negotiated_.current());
  return checker;
}

// Adds the rules of a revision that no earlier one has too.
Status Checker::AddRules(const wire::Dialect& revision, uint32_t bit) {
  for (const auto& [id, severity] : revision.severities) {
    if (!IsGenericRule(id, revision)) return NoSuchRule(revision, "severities", id);
  }
  for (const auto& [id, clause] : revision.clauses) {
    if (!IsGenericRule(id, revision)) return NoSuchRule(revision, "clauses", id);
  }
  for (const wire::HandleSpec& handle : revision.handles) {
    const auto [known, is_new] = known_.emplace(TextOf(handle), rules_.size());
    if (is_new) rules_.push_back({MakeHandleRule(&handle, &places_), 0});
    rules_[known->second].revisions |= bit;
  }
  for (const wire::RuleSpec& spec : revision.rules) {
    if (IsGenericRule(spec.id, revision)) return NameTaken(revision, spec);
    const auto [known, is_new] = known_.emplace(TextOf(spec), rules_.size());
    if (is_new) {
      Result<MadeRule> rule = MakeRule(spec, &revision, &places_, DocumentRuleTypes());
      if (!rule) return rule.error();
      rules_.push_back({std::move(*rule), 0});
    }
    rules_[known->second].revisions |= bit;
  }
  return Ok{};
}

void Checker::Use(const wire::Dialect* revision) {
  report_.Use(revision);
  if (dialect_->revisions.empty()) return;
  const auto& all = dialect_->revisions;
  revision_ = 1;
  for (size_t i = 0; i < all.size() && all[i]->revision != revision->revision; ++i) revision_ <<= 1;
}

void Checker::Add(std::unique_ptr<CheckRule> rule) {
  rules_.push_back({std::move(rule), kAllRevisions});
  methods_.clear();
  other_ = {};
}

Checker::Method& Checker::Find(std::string_view name) {
  const auto known = methods_.find(name);
  if (known != methods_.end()) return known->second;
  const bool keep = methods_.size() < kMaxMethods;
  if (!keep && !other_.rules.empty()) return other_;
  Method& method = keep ? methods_.emplace(name, Method()).first->second : other_;
  for (uint32_t i = 0; i < rules_.size(); ++i) {
    if (!keep || rules_[i].rule->Reads(name)) method.rules.push_back(i);
  }
  const wire::Negotiation& places = dialect_->negotiation;
  method.negotiates =
      !keep || AnyOfMethod(places.offered, name) || AnyOfMethod(places.agreed, name);
  return method;
}

}  // namespace midwire::check
