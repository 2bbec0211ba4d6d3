// Methods: known, sent by the right party, as the right kind, with params and results that match
// the dialect's schemas.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "check/generic/generic.h"
#include "wire/json/path.h"
#include "wire/near_names.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Kind;
using wire::Severity;

// Unknown methods that are remembered with what they were meant to be: more than a protocol has.
constexpr size_t kMaxMeant = 1024;
// The end of a name that shows which one was meant: "initialized", "progress". Shorter ones are
// words that programs use for notifications of their own: "message", "changed".
constexpr size_t kMinEnd = 8;

std::string_view PartyOf(Direction direction) {
  return direction == Direction::kHostToPlugin ? "the host" : "the plugin";
}

class MethodRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    const bool request = seen.kind() == Kind::kRequest;
    if (request || seen.kind() == Kind::kNotification) {
      OnCall(seen, request, report);
    } else if (seen.kind() == Kind::kResponse && seen.json && seen.spec && seen.spec->result &&
               seen.request) {
      Validate(seen, "result", seen.result_pointer(), seen.result, *seen.spec, report);
    }
  }

  bool ReadsOnly(const Observed& seen, RuleReads* reads) const override {
    if (!seen.json || seen.spec == nullptr) return false;
    const wire::MethodSpec& spec = *seen.spec;
    const bool call = seen.kind() == Kind::kRequest || seen.kind() == Kind::kNotification;
    if (!call && (seen.kind() != Kind::kResponse || !spec.result || !seen.request)) return true;
    const std::string_view value = call ? seen.params : seen.result;
    if (call && value.empty()) return !spec.params_required;
    if (value.empty() || value == "null") return false;  // of a log that may lack it
    for (const auto& schema : call ? std::array{spec.params, spec.strict_params}
                                   : std::array{spec.result, spec.strict_result}) {
      if (schema != nullptr && (schema->Validate(value, &reads->parts) || schema->gave_up()))
        return false;
    }
    return true;
  }

 private:
  void OnCall(const Observed& seen, bool request, CheckReport* report) {
    if (seen.spec == nullptr) return OnUnknown(seen, report);
    const wire::MethodSpec& spec = *seen.spec;
    if (!spec.from[static_cast<int>(seen.direction())]) {
      Violation violation = CheckReport::Of("method.direction", seen);
      violation.clause = spec.clause;
      violation.pointer = seen.method_pointer();
      violation.expected = PartyOf(Opposite(seen.direction()));
      violation.got = PartyOf(seen.direction());
      violation.text = "sent by " + violation.got + ", whose method it is not";
      report->Add(std::move(violation));
    }
    if (spec.tolerated) {
      Violation violation = CheckReport::Of("tolerated", seen);
      violation.clause = spec.clause;
      violation.pointer = seen.method_pointer();
      violation.text = "accepted, but --strict reports it: the protocol's text has no such method";
      report->Add(std::move(violation), Severity::kNote);
    }
    if (request ? !spec.request : !spec.notification) {
      Violation violation = CheckReport::Of("method.kind", seen);
      violation.clause = spec.clause;
      violation.pointer = seen.id_pointer();
      violation.expected = request ? "a notification" : "a request";
      violation.got = request ? "a request" : "a notification";
      violation.text = "sent as " + violation.got + ", which this method is not";
      report->Add(std::move(violation));
    }
    if (!seen.json) return;  // what could not be read lacks nothing
    if (seen.params.empty() ? spec.params_required : spec.params != nullptr) {
      Validate(seen, "params", seen.params_pointer(), seen.params, spec, report);
    }
  }

  void OnUnknown(const Observed& seen, CheckReport* report) {
    const wire::Dialect& dialect = *report->dialect();
    const std::string& meant = Meant(seen, dialect);
    Violation violation =
        CheckReport::Of(meant.empty() ? "method.unknown" : "method.spelling", seen);
    violation.pointer = seen.method_pointer();
    if (meant.empty()) {
      violation.text = "the protocol has no such method";
      return report->Add(std::move(violation), dialect.unknown_method);
    }
    violation.expected = meant;
    violation.got = seen.method;
    violation.text = "the protocol spells this method otherwise, and peers compare every letter";
    const bool off = dialect.unknown_method == Severity::kOff;
    report->Add(std::move(violation),
                off ? Severity::kOff : std::max(Severity::kShould, dialect.unknown_method));
  }

  // The method that a name was meant to be: the same except for case and separators, or the only
  // notification that ends with it, as in notifications/initialized. "": none. The end of a
  // request's name is no hint: "get" and "list" are names of many programs' own requests, and the
  // answer shows whether the receiver knows them.
  const std::string& Meant(const Observed& seen, const wire::Dialect& dialect) {
    if (dialect_ != &dialect || meant_.size() >= kMaxMeant) meant_.clear();
    dialect_ = &dialect;
    const auto [known, is_new] = meant_.try_emplace(std::string(seen.method));
    if (is_new) known->second = FindMeant(seen, dialect);
    return known->second;
  }

  static std::string FindMeant(const Observed& seen, const wire::Dialect& dialect) {
    const bool long_end = seen.kind() == Kind::kNotification && seen.method.size() >= kMinEnd;
    const std::string end = "/" + std::string(seen.method);
    std::string longer;
    size_t longer_ones = 0;
    for (const auto& [name, spec] : dialect.methods) {
      if (name.ends_with('*')) continue;
      if (wire::SpelledAlike(name, seen.method)) return name;
      const bool fits = spec.from[static_cast<int>(seen.direction())] && spec.notification;
      if (!long_end || !fits || !name.ends_with(end)) continue;
      longer = name;
      ++longer_ones;
    }
    return longer_ones == 1 ? longer : "";
  }

  void Validate(const Observed& seen, std::string_view rule, std::string_view pointer,
                std::string_view value, const wire::MethodSpec& spec, CheckReport* report) {
    if (report->bare() && (value.empty() || value == "null")) return;  // the log lacks it
    if (value.empty()) {
      if (!seen.recorded->frame->whole()) return;  // larger than the part of a frame that is kept
      if (seen.message->flags & wire::kNeither) return;  // reported as answer.shape
      Violation violation = CheckReport::Of(rule, seen);
      violation.clause = spec.clause;
      violation.pointer = pointer;
      violation.text = "is missing";
      return report->Add(std::move(violation));
    }
    const bool params = rule == "params";
    wire::Schema* schema = (params ? spec.params : spec.result).get();
    if (auto violation = Broken(seen, rule, pointer, value, schema)) {
      violation->text = "breaks the schema (" + violation->text + ")";
      return report->Add(std::move(*violation));
    }
    wire::Schema* strict = (params ? spec.strict_params : spec.strict_result).get();
    if (strict == nullptr) return;
    if (auto violation = Broken(seen, "tolerated", pointer, value, strict)) {
      violation->text = "accepted, but --strict reports it (" + violation->text + ")";
      report->Add(std::move(*violation), Severity::kNote);
    }
  }

  // Its text is the keyword of the schema.
  static std::optional<Violation> Broken(const Observed& seen, std::string_view rule,
                                         std::string_view pointer, std::string_view value,
                                         wire::Schema* schema) {
    const std::optional<wire::SchemaViolation> mistake = schema->Validate(value);
    if (!mistake) return std::nullopt;
    Violation violation = CheckReport::Of(rule, seen);
    violation.clause = seen.spec->clause;
    violation.pointer = std::string(pointer) + mistake->pointer;
    violation.expected = schema->Expectation(*mistake);
    const auto at = wire::ParsePointer(mistake->pointer);
    const auto broken = at ? wire::ValueAt(value, *at) : std::nullopt;
    violation.got = mistake->pointer.empty() ? value : broken.value_or("");
    violation.text = mistake->keyword;
    return violation;
  }

  const wire::Dialect* dialect_ = nullptr;                 // that `meant_` is about
  std::map<std::string, std::string, std::less<>> meant_;  // by unknown method
};

}  // namespace

std::unique_ptr<CheckRule> MakeMethodRule() { return std::make_unique<MethodRule>(); }

}  // namespace midwire::check
