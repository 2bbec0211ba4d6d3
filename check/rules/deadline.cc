// Rule type "deadline": a request that is answered too late must be answered with an error.
//   {"type":"deadline","methods":["host/action/invoke"],"limit":"/params/timeout_ms","code":-32002}
//   {"type":"deadline","methods":["plugin.shutdown"],"limit_ms":1000}
// "limit": the place of the limit in the request, in milliseconds (0 or missing: no limit);
// "limit_ms": a fixed limit. With both, the request's own takes precedence. An answer that begins
// later must be the error "code"; without "code" every late answer is a violation. A missing answer
// is reported by answer.missing. Nothing is reported for a trace without times.
#include <charconv>

#include "check/rules/types.h"
#include "wire/json/parts.h"

namespace midwire::check {
namespace {

// The party that waits starts its clock some time after the bytes passed here, and a busy machine
// runs it late. A longer delay is late for a person, too.
constexpr int64_t kTimerSlackMs = 50;

class DeadlineRule : public CheckRule {
 public:
  DeadlineRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        methods_(in->Methods()),
        limit_(in->OptionalPlace("limit")),
        limit_ms_(in->OptionalInteger("limit_ms")),
        code_(in->OptionalInteger("code")) {
    if (!limit_ && !limit_ms_) in->Expect("limit", "METHOD:/pointer, or /limit_ms,");
  }

  bool Reads(std::string_view method) const override { return wire::MatchesAny(methods_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (!IsOf(methods_, seen)) return;
    if (seen.kind() == wire::Kind::kRequest) {
      if (const double limit_ms = LimitOf(seen); limit_ms > 0) asked_.Add(seen, limit_ms);
      return;
    }
    const auto limit_ms = asked_.Take(seen);
    if (!limit_ms || seen.request->time_ns <= 0 || seen.recorded->first_ns <= 0) return;
    const double took_ms = (static_cast<double>(seen.recorded->first_ns) -
                            static_cast<double>(seen.request->time_ns)) /
                           1e6;
    if (took_ms <= *limit_ms + kTimerSlackMs) return;
    if (code_ && seen.kind() == wire::Kind::kError && seen.message->error_code == code_) return;
    Violation violation = CheckReport::Of("", seen);
    violation.expected = (code_ ? "error " + std::to_string(*code_) : "an answer") + " after " +
                         std::to_string(static_cast<int64_t>(*limit_ms)) + " ms";
    const bool error = seen.kind() == wire::Kind::kError;
    violation.got = (error ? "an error after " : "a result after ") +
                    std::to_string(static_cast<int64_t>(took_ms)) + " ms";
    report->Add(std::move(violation), *rule_);
  }

  void OnSessionEnd(bool, CheckReport*) override { asked_.Clear(); }

 private:
  // Milliseconds; 0: none.
  double LimitOf(const Observed& request) const {
    const auto value = limit_ ? ValueOf(*limit_, request) : std::nullopt;
    if (value && wire::TypeOf(*value) == wire::JsonType::kNumber) {
      double limit = 0;
      const auto read = std::from_chars(value->data(), value->data() + value->size(), limit);
      // Larger numbers (300,000 years) count as no limit: no answer can be later.
      return read.ec == std::errc() && limit < 1e16 ? limit : 0;
    }
    return static_cast<double>(limit_ms_.value_or(0));
  }

  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_;
  std::optional<RulePlace> limit_;
  std::optional<int64_t> limit_ms_, code_;
  Pending<double> asked_;
};

}  // namespace

MadeRule MakeDeadlineRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<DeadlineRule>(&rule, in);
}

}  // namespace midwire::check
