#include "fuzz/oracle/answer_rules.h"

#include <algorithm>
#include <iterator>

namespace midwire::fuzz {
namespace {

bool MayRefuseAny(const AnswerCase& answer) {
  return answer.anonymous && (answer.any_answer || !IsInStep(answer.sync));
}

// Whether the only request that it can answer has the id as another type.
bool IsOfOtherType(const AnswerCase& answer) {
  const PendingRequests& pending = answer.pending;
  return pending.ExpectedOfOtherType(answer.id) != nullptr &&
         MaySpeak(Oracle::kIdType, answer.sync) && !pending.HadEarlier(answer.id) &&
         !pending.HasAmbiguous() && !MayRefuseAny(answer);
}

bool IsOfThisRun(const AnswerCase& answer) { return answer.pending.First(answer.id) != nullptr; }

constexpr AnswerRule kAnswerRules[] = {
    {[](const AnswerCase& answer) { return answer.pending.IsExpected(answer.id); },
     AnswerVerdict::kExpected, "a request with its id must be answered", "it is that answer"},
    {[](const AnswerCase& answer) { return answer.pending.IsOpen(answer.id); },
     AnswerVerdict::kOptional, "a request with its id may be answered", "it is that answer"},
    {[](const AnswerCase& answer) {
       return answer.anonymous && answer.pending.FirstLargeExpected() != nullptr;
     },
     AnswerVerdict::kRefusal, "it has no id, and a body above 4 KiB must be answered",
     "a peer may refuse a large body without its id"},
    {IsOfOtherType, AnswerVerdict::kIdType,
     "its id has another type than that of a request, and cannot be that of another message", ""},
    {MayRefuseAny, AnswerVerdict::kAccepted,
     "it has no id, and a message was sent that peers may refuse", "it may refuse that message"},
    {[](const AnswerCase& answer) { return answer.pending.IsLate(answer.id); },
     AnswerVerdict::kLate, "an unanswered request of an earlier input has its id",
     "an answer may be late"},
    // Answers without an id, and those whose id is an object or an array, have the same empty
    // token.
    {[](const AnswerCase& answer) { return answer.id.empty() && IsOfThisRun(answer); },
     AnswerVerdict::kAccepted, "its id, and that of a request, is an object, an array or missing",
     "which request it answers is unknown"},
    {[](const AnswerCase& answer) { return answer.pending.IsRepeated(answer.id); },
     AnswerVerdict::kAccepted, "several requests have its id", "any of them may be answered late"},
    {[](const AnswerCase& answer) { return answer.pending.HasAmbiguous() && IsOfThisRun(answer); },
     AnswerVerdict::kAccepted, "a request has its id, and peers may find the id in another message",
     "it may answer the other one"},
    {IsOfThisRun, AnswerVerdict::kDouble, "a request has its id, and was answered", ""},
    {[](const AnswerCase& answer) { return answer.any_answer; }, AnswerVerdict::kAccepted,
     "a message was sent that may be answered in any way", "it may answer that message"},
    {[](const AnswerCase& answer) { return answer.pending.HadAnyType(answer.id); },
     AnswerVerdict::kAccepted, "a request had its id, maybe as another type",
     "it was reported, or may be late"},
    {[](const AnswerCase& answer) { return answer.anonymous && answer.notification_sent; },
     AnswerVerdict::kNotification, "it has no id, and a notification was sent", ""},
    {[](const AnswerCase&) { return true; }, AnswerVerdict::kUnknown, "anything else", ""},
};

}  // namespace

std::string_view Name(AnswerVerdict verdict) {
  if (const auto fault = FaultOf(verdict)) return Name(*fault);
  const bool its = verdict == AnswerVerdict::kExpected || verdict == AnswerVerdict::kOptional;
  return its ? "its answer" : "accepted";
}

std::optional<Oracle> FaultOf(AnswerVerdict verdict) {
  switch (verdict) {
    case AnswerVerdict::kIdType:
      return Oracle::kIdType;
    case AnswerVerdict::kDouble:
      return Oracle::kDouble;
    case AnswerVerdict::kNotification:
      return Oracle::kNotification;
    case AnswerVerdict::kUnknown:
      return Oracle::kUnknown;
    default:
      return std::nullopt;
  }
}

std::span<const AnswerRule> AnswerRules() { return kAnswerRules; }

const AnswerRule& RuleFor(const AnswerCase& answer) {
  return *std::find_if(std::begin(kAnswerRules), std::end(kAnswerRules) - 1,
                       [&](const AnswerRule& rule) { return rule.holds(answer); });
}

}  // namespace midwire::fuzz
