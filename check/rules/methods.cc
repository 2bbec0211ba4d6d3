// Methods: known, sent by the right party, as the right kind, with params and results that match
// the dialect's schemas.
#include "check/rules/generic.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Kind;

std::string_view PartyOf(Direction direction) {
  return direction == Direction::kHostToPlugin ? "the host" : "the plugin";
}

class MethodRule : public CheckRule {
 public:
  explicit MethodRule(const wire::Dialect* dialect) : dialect_(dialect) {}

  void OnMessage(const Observed& seen, CheckReport* report) override {
    const bool request = seen.kind() == Kind::kRequest;
    if (request || seen.kind() == Kind::kNotification) {
      OnCall(seen, request, report);
    } else if (seen.kind() == Kind::kResponse && seen.spec && seen.spec->result && seen.request) {
      Hold(seen, "result", seen.result_pointer(), seen.result, seen.spec->result.get(), report);
    }
  }

 private:
  void OnCall(const Observed& seen, bool request, CheckReport* report) {
    if (seen.spec == nullptr) {
      Violation finding = CheckReport::Of("method.unknown", seen);
      finding.pointer = seen.method_pointer();
      finding.text = "the protocol has no such method";
      return report->Add(std::move(finding), dialect_->unknown_method);
    }
    const wire::MethodSpec& spec = *seen.spec;
    if (!spec.from[static_cast<int>(seen.direction())]) {
      Violation finding = CheckReport::Of("method.direction", seen);
      finding.clause = spec.clause;
      finding.pointer = seen.method_pointer();
      finding.expected = PartyOf(Opposite(seen.direction()));
      finding.got = PartyOf(seen.direction());
      finding.text = "sent by the wrong party";
      report->Add(std::move(finding));
    }
    if (request ? !spec.request : !spec.notification) {
      Violation finding = CheckReport::Of("method.kind", seen);
      finding.clause = spec.clause;
      finding.pointer = seen.id_pointer();
      finding.expected = request ? "a notification" : "a request";
      finding.got = request ? "a request" : "a notification";
      finding.text = "sent as the wrong kind of message";
      report->Add(std::move(finding));
    }
    if (!spec.params) return;
    if (!seen.params.empty() || spec.params_required) {
      Hold(seen, "params", seen.params_pointer(), seen.params, spec.params.get(), report);
    }
  }

  void Hold(const Observed& seen, const char* rule, std::string pointer, std::string_view value,
            wire::Schema* schema, CheckReport* report) {
    Violation finding = CheckReport::Of(rule, seen);
    finding.clause = seen.spec->clause;
    if (value.empty()) {
      if (!seen.recorded->frame->whole()) return;  // larger than the part of a frame that is kept
      if (seen.message->flags & wire::kNeither) return;  // reported as answer.shape
      finding.pointer = std::move(pointer);
      finding.text = "is missing";
      return report->Add(std::move(finding));
    }
    const std::optional<wire::SchemaViolation> violation = schema->Validate(value);
    if (!violation) return;
    finding.pointer = pointer + violation->pointer;
    finding.expected = schema->Expectation(*violation);
    const auto at = wire::ParsePointer(violation->pointer);
    const auto broken = at ? wire::ValueAt(value, *at) : std::nullopt;
    finding.got = violation->pointer.empty() ? value : broken.value_or("");
    finding.text = "breaks the schema (" + violation->keyword + ")";
    report->Add(std::move(finding));
  }

  const wire::Dialect* dialect_;
};

}  // namespace

std::unique_ptr<CheckRule> MakeMethodRule(const wire::Dialect* dialect) {
  return std::make_unique<MethodRule>(dialect);
}

}  // namespace midwire::check
