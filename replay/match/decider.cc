#include "replay/match/decider.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "replay/match/host_names.h"
#include "wire/json/path.h"

namespace midwire::replay {
namespace {

// Requests with the same id in flight whose recorded answers are compared with an answer.
constexpr size_t kMaxSameId = 64;
// Steps searched for the request of an answer that comes before it: enough for a report.
constexpr StepIndex kMaxAhead = 64;

// An id of another type is no other content.
bool OnlyIdDiffers(const Verdict& verdict) {
  return std::all_of(verdict.differences.begin(), verdict.differences.end(),
                     [](const ValueDifference& item) { return item.pointer == "/id"; });
}

}  // namespace

using wire::Message;

CallClass Decider::ClassOf(const Message& message, std::string_view body) {
  return scopes_.Of(message.method, IsAnswer(message.kind) ? std::string_view() : body);
}

Decision Decider::Decide(Direction direction, const Message& message, std::string_view body) {
  return IsAnswer(message.kind) ? DecideAnswer(direction, message, body)
                                : DecideOther(direction, message, body);
}

Decision Decider::DecideAnswer(Direction direction, const Message& message, std::string_view body) {
  Decision decision;
  decision.key.direction = direction;
  decision.requests = state_->open.Find(Opposite(direction), message.id.token);
  if (decision.requests.steps.empty()) return DecideOther(direction, message, body);
  const std::span<const StepIndex> open = decision.requests.steps;

  // The same id may be in flight twice; its answers may come in either order.
  bool compared = false;
  for (size_t i = 0; i < std::min(open.size(), kMaxSameId); ++i) {
    if (open[i] == kNoStep || script_->steps[open[i]].other == kNoStep) continue;
    Verdict verdict = comparer_->Compare(script_->steps[open[i]].other, message, body,
                                         options_->variations ? kMaxPlaces : 1);
    if (std::exchange(compared, true) && !verdict.equal()) continue;
    decision.place = i;
    decision.verdict = std::move(verdict);
    if (decision.verdict.equal()) break;
  }
  const StepIndex request = open[decision.place];
  decision.type = Decision::Type::kForeign;
  if (request == kNoStep) return decision;
  decision.step = script_->steps[request].other;
  if (decision.step == kNoStep) {
    decision.type = Decision::Type::kUnanswered;
    decision.step = request;
    decision.silent = script_->cut_off || script_->steps[request].is_volatile;
    return decision;
  }
  decision.type = Decision::Type::kRecorded;
  const bool respelt = decision.requests.id != message.id.token;
  const bool was_respelt = script_->IsRespelt(decision.step);
  if (!respelt && !was_respelt) return decision;
  const wire::Pointer& at = message.flags & wire::kDap ? kRequestSeq : kId;
  const std::string_view recorded = comparer_->Body(decision.step);
  const bool json = script_->steps[decision.step].json;
  const std::string id(json ? wire::ValueAt(recorded, at).value_or("") : "");
  if (respelt && was_respelt && id == message.id.token) return decision;
  decision.verdict.differences.insert(decision.verdict.differences.begin(),
                                      {wire::PointerText(at), Shown(id), Shown(message.id.token)});
  return decision;
}

Decision Decider::DecideOther(Direction direction, const Message& message, std::string_view body) {
  Decision decision;
  decision.of = ClassOf(message, body);
  decision.key = {message.method, direction, message.kind,
                  !IsAnswer(message.kind) && declared_->Volatile(decision.of)};
  if (IsPiece(message, body, &decision)) return decision;
  decision.queue = state_->expected.Find(decision.key);
  if (decision.queue != nullptr && decision.queue->FirstWaiting(*progress_) != kNoStep) {
    Take(message, body, &decision);
  } else {
    FindNearest(message, body, &decision);
  }
  return decision;
}

// A piece of a text: compared with what is left of the text that it belongs to.
bool Decider::IsPiece(const Message& message, std::string_view body, Decision* decision) {
  if (declared_->chunked.empty() || message.kind != Kind::kNotification) return false;
  decision->chunk = ChunkPlace(*declared_, decision->of, body);
  if (!decision->chunk || decision->key.is_volatile) return false;
  const auto method = std::find(script_->methods.begin(), script_->methods.end(), message.method);
  const uint64_t group =
      GroupOf({.method = static_cast<uint32_t>(method - script_->methods.begin()),
               .direction = decision->key.direction});
  const auto stream = state_->chunks.Find(group, [&](StepIndex first) {
    decision->verdict = comparer_->Compare(first, message, body, 1, decision->chunk);
    return decision->verdict.equal();
  });
  decision->type = stream ? Decision::Type::kPiece : Decision::Type::kStrayPiece;
  if (stream) {
    decision->stream = *stream;
    return true;
  }
  decision->step = state_->chunks.FirstOf(group);
  return decision->step != kNoStep;
}

// One of the recordings that have not arrived: an equal one, else the most similar one.
void Decider::Take(const Message& message, std::string_view body, Decision* decision) {
  Verdict& verdict = decision->verdict;
  ExpectedMessages* queue = decision->queue;
  decision->type = Decision::Type::kRecorded;
  decision->step = queue->FirstWaiting(*progress_);
  verdict = comparer_->Compare(decision->step, message, body, enough());
  const auto try_all = [&](const std::vector<StepIndex>& steps) {
    for (const StepIndex step : steps) {
      if (verdict.equal()) return;
      Verdict other = comparer_->Compare(step, message, body, enough());
      // Of equally similar ones, the first.
      if (other.differences.size() >= verdict.differences.size()) continue;
      decision->step = step;
      verdict = std::move(other);
    }
  };
  if (!verdict.equal()) {
    try_all(queue->WithContent(body, *progress_, comparer_, *bindings_));
    if (!OnlyIdDiffers(verdict)) try_all(queue->Waiting(*progress_, kMaxTried));
  }
  if (verdict.equal() || script_->steps[decision->step].is_volatile) return;
  const bool request = message.kind == Kind::kRequest;
  if (options_->mock && request && !OnlyIdDiffers(verdict)) {
    if (IsAgain(message, body, decision)) return;
    DropHostNames(message, body, decision);
  }
  if (options_->exact_requests && request && !OnlyIdDiffers(verdict)) {
    decision->type = Decision::Type::kRefused;
  } else if (MayWait(*decision, body)) {
    decision->type = Decision::Type::kLater;
  }
}

// A request with the content of one that has arrived, of which no recording is left.
bool Decider::IsAgain(const Message& message, std::string_view body, Decision* decision) {
  const StepIndex before =
      decision->queue->LastDoneWithContent(body, *progress_, comparer_, *bindings_);
  if (before == kNoStep || !comparer_->Compare(before, message, body, 1).equal()) return false;
  decision->type = Decision::Type::kAgain;
  decision->step = before;
  decision->verdict = {};
  return true;
}

// A request that differs only in what a host says of itself, and perhaps in the type of its id:
// that is no difference.
void Decider::DropHostNames(const Message& message, std::string_view body, Decision* decision) {
  const Verdict all = comparer_->Compare(decision->step, message, body, kMaxPlaces);
  if (all.equal() || all.differences.size() >= kMaxPlaces) return;
  const auto is_name = [&](const ValueDifference& item) {
    return IsOfHost(*declared_, message.method, item);
  };
  const bool only_names = std::all_of(
      all.differences.begin(), all.differences.end(),
      [&](const ValueDifference& item) { return item.pointer == "/id" || is_name(item); });
  if (!only_names) return;
  decision->host_name = all.differences.front();
  std::erase_if(decision->verdict.differences, is_name);
}

// Whether the decision about a changed notification can wait. One that teaches a bound value
// cannot, and with --update each is decided when it arrives.
bool Decider::MayWait(const Decision& decision, std::string_view body) const {
  if (decision.key.kind != Kind::kNotification || options_->at_once || options_->in_order) {
    return false;
  }
  if (script_->steps[decision.step].element || decision.queue->bound(*script_)) return false;
  const auto waiting = state_->undecided.find(decision.key);
  const size_t count = waiting == state_->undecided.end() ? 0 : waiting->second.size();
  return count < kMaxUndecided && state_->undecided_bytes + body.size() <= kMaxUndecidedBytes;
}

// Our next request with this id, if it is near.
StepIndex Decider::FindUnsent(Direction direction, std::string_view id) {
  const StepIndex first = progress_->front(Front::kOurPart);
  const auto size = static_cast<StepIndex>(script_->steps.size());
  for (StepIndex i = first; i < size && i - first < kMaxAhead; ++i) {
    const Step& step = script_->steps[i];
    if (step.direction == direction && step.kind == Kind::kRequest && !progress_->done(i) &&
        IdIn(step, comparer_->Body(i)) == id) {
      return i;
    }
  }
  return kNoStep;
}

// A message that has no recording left: the most similar one among those that arrived already.
void Decider::FindNearest(const Message& message, std::string_view body, Decision* decision) {
  decision->type = Decision::Type::kExtra;
  if (IsAnswer(message.kind)) {
    const auto answered =
        state_->open.Answered(Opposite(decision->key.direction), message.id.token);
    decision->type = Decision::Type::kStrayAnswer;
    decision->second = answered.has_value();
    decision->step = answered.value_or(kNoStep);
    if (!answered && !options_->diff) {
      decision->step = FindUnsent(Opposite(decision->key.direction), message.id.token);
      decision->unsent = decision->step != kNoStep;
    }
    return;
  }
  if (decision->queue == nullptr) {
    decision->silent = decision->key.is_volatile;
    Expectations::Key loose = decision->key;
    loose.is_volatile = true;
    decision->only_volatile = state_->expected.Find(loose) != nullptr;
    return;
  }
  for (const StepIndex index : decision->queue->used()) {
    Verdict verdict = comparer_->Compare(index, message, body, kMaxPlaces);
    // Of equally similar ones, the last.
    if (decision->step != kNoStep &&
        verdict.differences.size() > decision->verdict.differences.size()) {
      continue;
    }
    decision->step = index;
    decision->verdict = std::move(verdict);
  }
  // Volatile messages may come more often.
  decision->silent = decision->step != kNoStep && script_->steps[decision->step].is_volatile;
}

}  // namespace midwire::replay
