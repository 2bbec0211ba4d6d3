// Rule type "length": an array has as many elements as arrays of the request, or a multiple.
//   {"type":"length","at":"workspace/configuration:/result","of":"/params/items"}
//   {"type":"length","at":"setExceptionBreakpoints:/body/breakpoints","empty":true,
//    "of":["/arguments/filters","/arguments/filterOptions"]}
//   {"type":"length","at":"textDocument/semanticTokens/full:/result/data","multiple":5}
// "of": places in the request that the message answers; the elements of all arrays there count. If
// none has an array, nothing is checked. "empty": true also allows an empty array. "without": a
// request with a value there is not checked. What is not an array is not checked.
#include "check/rules/types.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class LengthRule : public CheckRule {
 public:
  LengthRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->Place("at")),
        of_(in->Places("of")),
        without_(in->OptionalPlace("without")),
        multiple_(in->OptionalInteger("multiple")),
        empty_(in->Flag("empty")) {
    if (of_.empty() != multiple_.has_value()) in->Expect("of", "either this or \"multiple\"");
    if (multiple_ && *multiple_ < 1) in->Expect("multiple", "a number above 0");
    if (of_.empty() && (without_ || empty_)) in->Expect("of", "a place beside the other members");
    for (RulePlace& place : of_) {
      if (place.scope.method.empty()) place.scope = at_.scope;
    }
    if (without_ && without_->scope.method.empty()) without_->scope = at_.scope;
  }

  bool Reads(std::string_view method) const override {
    return at_.OfMethod(method) || AnyOfMethod(of_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (multiple_) return JudgeMultiple(seen, report);
    if (IsCall(seen)) return Ask(seen);
    const std::optional<size_t> wanted = asked_.Take(seen);
    if (!wanted) return;
    EachLength(seen, [&](const wire::Path& path, size_t length) {
      if (length == *wanted || (empty_ && length == 0)) return;
      Report(seen, path, std::to_string(*wanted) + " elements, as many as " + of_.front().text,
             length, report);
    });
  }

  void OnSessionEnd(bool, CheckReport*) override { asked_.Clear(); }

 private:
  static std::optional<size_t> LengthOf(std::string_view value) {
    if (wire::TypeOf(value) != wire::JsonType::kArray) return std::nullopt;
    size_t length = 0;
    wire::JsonParts parts(value);
    for (wire::JsonPart part; parts.Next(&part);) ++length;
    return length;
  }

  template <typename Take>
  void EachLength(const Observed& seen, const Take& take) const {
    EachValueOf(at_, seen, [&](const wire::Path& path, std::string_view value) {
      if (const auto length = LengthOf(value)) take(path, *length);
    });
  }

  void Ask(const Observed& seen) {
    if (without_ && ValueOf(*without_, seen)) return;
    std::optional<size_t> sum;
    for (const RulePlace& place : of_) {
      const auto value = ValueOf(place, seen);
      const auto length = value ? LengthOf(*value) : std::nullopt;
      if (length) sum = sum.value_or(0) + *length;
    }
    if (sum) asked_.Add(seen, *sum);
  }

  void JudgeMultiple(const Observed& seen, CheckReport* report) {
    EachLength(seen, [&](const wire::Path& path, size_t length) {
      if (length % static_cast<size_t>(*multiple_) == 0) return;
      Report(seen, path, "a multiple of " + std::to_string(*multiple_) + " elements", length,
             report);
    });
  }

  void Report(const Observed& seen, const wire::Path& path, std::string expected, size_t length,
              CheckReport* report) const {
    report->AddWrong(seen, *rule_, wire::PointerText(path), std::move(expected),
                     std::to_string(length));
  }

  const wire::RuleSpec* rule_;
  RulePlace at_;
  Places of_;
  std::optional<RulePlace> without_;
  std::optional<int64_t> multiple_;
  bool empty_;
  Pending<size_t> asked_;
};

}  // namespace

MadeRule MakeLengthRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<LengthRule>(&rule, in);
}

}  // namespace midwire::check
