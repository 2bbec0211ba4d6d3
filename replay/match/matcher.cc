#include "replay/match/matcher.h"

#include <optional>
#include <utility>

#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::replay {

using wire::Message;

Matcher::Matcher(const Script* script, Frames* frames, const Declarations* declared,
                 Bindings* bindings, Progress* progress, Options options, ReplayReport* report)
    : script_(script),
      bindings_(bindings),
      progress_(progress),
      options_(options),
      report_(report),
      comparer_(script, frames, declared, bindings, &ids_),
      rules_(script, frames, declared, progress),
      log_(script, bindings, report),
      decider_(script, declared, bindings, progress, &options_, &comparer_, &state_),
      describer_(script, frames, bindings, &options_, &comparer_, &log_),
      framing_(script, &describer_, &log_) {
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    if (!expects(step.direction) || progress->done(i)) continue;
    if (!step.is_volatile) ++report->expected;
    if (IsAnswer(step.kind) && step.other != kNoStep) continue;
    if (!step.chunked) {
      state_.expected.Add(*script, i);
      continue;
    }
    const std::string body(comparer_.Body(i));
    const Place* at = ChunkPlace(*declared, script->ClassOf(step), body);
    state_.chunks.Add(GroupOf(step), i, at, [&](StepIndex first) {
      return Compare(comparer_.Body(first), body, {.places = &comparer_.RulesOf(step, at)},
                     [](const ValueDifference&) { return false; });
    });
  }
  for (const Mark& mark : script->marks) {
    if (mark.type == Mark::Type::kJunk) junk_[static_cast<int>(mark.direction)].push_back(&mark);
  }
}

Matcher::Match Matcher::OnMessage(Direction direction, const Message& message,
                                  std::string_view body, const LiveFraming& framing) {
  const std::string_view text = wire::Trimmed(body);
  if (options_.variations && message.kind == Kind::kNotification) {
    options_.variations->OnNotification(message.method, text);
  }
  const Match match = Apply(decider_.Decide(direction, message, text), message, text);
  if (match.step != kNoStep) {
    framing_.OnStep(match.step, framing);
  } else {
    framing_.OnOther(direction, message.kind != Kind::kInvalid, framing);
  }
  if (options_.unused != nullptr && !options_.unused->empty()) {
    options_.unused->OnMessage(match.step == kNoStep ? decider_.ClassOf(message, text)
                                                     : script_->ClassOf(script_->steps[match.step]),
                               text);
  }
  return match;
}

Matcher::Match Matcher::Apply(const Decision& decision, const Message& message,
                              std::string_view body) {
  if (!decision.requests.steps.empty()) {
    state_.open.Answer(Opposite(decision.key.direction), decision.requests, decision.place);
  }
  refused_last_ = decision.type == Decision::Type::kRefused;
  if (refused_last_) refused_.insert(decision.step);
  switch (decision.type) {
    case Decision::Type::kRecorded:
      return ApplyRecorded(decision, message, body);
    case Decision::Type::kPiece:
      return ApplyPiece(decision, body);
    case Decision::Type::kLater:
      state_.undecided[decision.key].push_back({message, std::string(body), log_.from()});
      state_.undecided_bytes += body.size();
      Cover(decision);
      return {.undecided = true};
    case Decision::Type::kForeign:
      return {};
    default:
      return ApplyUnmatched(decision, message, body);
  }
}

Matcher::Match Matcher::ApplyRecorded(const Decision& decision, const Message& message,
                                      std::string_view body) {
  if (decision.host_name && !std::exchange(host_noted_, true)) {
    report_->notes.push_back(describer_.OtherHost(*decision.host_name));
  }
  if (decision.queue != nullptr) decision.queue->Use(decision.step);
  Accept(decision.step, message, body, decision.verdict);
  CheckOrder(decision.step);
  if (decision.queue != nullptr) Cover(decision);
  return {.step = decision.step};
}

Matcher::Match Matcher::ApplyPiece(const Decision& decision, std::string_view body) {
  for (const auto& [slot, live] : decision.verdict.binds.all()) bindings_->Set(slot, live);
  const Chunks::Received received = state_.chunks.OnPiece(
      decision.stream, body, [this](StepIndex step) { return comparer_.Body(step); });
  for (const StepIndex done : received.done) progress_->SetDone(done);
  if (received.differs) {
    log_.Add(describer_.PieceDiffers(decision, received));
  } else {
    report_->matched += received.done.size();
  }
  return {.step = received.step};
}

Matcher::Match Matcher::ApplyUnmatched(const Decision& decision, const Message& message,
                                       std::string_view body) {
  if (!decision.silent) log_.Add(describer_.Unmatched(decision, message, body));
  switch (decision.type) {
    case Decision::Type::kAgain:
      return {.nearest = decision.step, .exhausted = true};
    case Decision::Type::kRefused:
      return {.closest = describer_.Closest(decision)};
    case Decision::Type::kExtra:
      return {.nearest = decision.step,
              .exhausted = decision.step != kNoStep && decision.verdict.equal(),
              .closest = describer_.Closest(decision)};
    default:
      return {};
  }
}

void Matcher::Accept(StepIndex index, const Message& message, std::string_view body,
                     const Verdict& verdict) {
  const Step& step = script_->steps[index];
  progress_->SetDone(index);
  for (const auto& [slot, live] : verdict.binds.all()) bindings_->Set(slot, live);
  if (message.kind == Kind::kRequest && step.kind == Kind::kRequest && step.json) {
    const std::string_view recorded = comparer_.Body(index);
    const bool dap = (message.flags & wire::kDap) != 0;
    const std::string_view known = dap ? std::string_view() : IdIn(step, recorded);
    const auto id = known.empty() ? wire::ValueAt(recorded, dap ? kSeq : kId) : known;
    if (id) LearnId(step, *id, message.id.token);
  }
  if (step.is_volatile) return;
  if (verdict.equal()) {
    ++report_->matched;
    return;
  }
  log_.Add(describer_.Differs(index, message, body, verdict));
  if (!options_.variations) return;
  options_.variations->OnVariation({.step = index,
                                    .method = script_->methods[step.method],
                                    .recorded = comparer_.Body(index),
                                    .live = body,
                                    .differences = verdict.differences});
}

void Matcher::LearnId(const Step& step, std::string_view recorded, std::string_view live) {
  ids_.Learn(step.direction, recorded, live);
  bindings_->SetId(recorded, live);
}

// What OnMessage would do with equal bytes, without a look at them.
bool Matcher::OnRecorded(StepIndex index) {
  const Step& step = script_->steps[index];
  if (progress_->done(index) || step.chunked || !comparer_.ByBytes(step)) return false;
  const std::string id(IdIn(step, comparer_.Body(index)));
  if (id.empty()) return false;
  if (step.kind == Kind::kRequest) {
    ExpectedMessages* queue = state_.expected.FindOf(step);
    if (queue == nullptr || queue->FirstWaiting(*progress_) != index) return false;
    queue->Use(index);
  } else {
    const Direction requests = Opposite(step.direction);
    const OpenRequests::Found found = state_.open.Find(requests, id);
    const bool only = found.id == id && found.steps.size() == 1;
    if (!only || step.other == kNoStep || found.steps.front() != step.other) return false;
    state_.open.Answer(requests, found, 0);
  }
  refused_last_ = false;
  progress_->SetDone(index);
  if (step.kind == Kind::kRequest) LearnId(step, id, id);
  if (!step.is_volatile) ++report_->matched;
  CheckOrder(index);
  framing_.OnRecorded(index);
  return true;
}

// After the step was accepted.
void Matcher::CheckOrder(StepIndex index) {
  const Step& step = script_->steps[index];
  if (step.is_volatile || step.floating) return;
  if (options_.in_order) {
    if (const auto missing = rules_.MissingBefore(index)) {
      log_.Add(describer_.CameBefore(index, *missing));
    }
  } else if (step.kind == Kind::kNotification) {
    if (const auto later = rules_.OnNotification(index)) {
      log_.Add(describer_.CameAfter(index, *later));
    }
  }
  if (step.kind == Kind::kRequest) rules_.OnCall(index);
  if (IsAnswer(step.kind)) {
    const std::vector<StepIndex> unsent = rules_.UnsentBeforeAnswer(index);
    if (!unsent.empty()) log_.Add(describer_.CameBeforeAnswer(index, unsent.front()));
    for (const StepIndex answer : unsent) progress_->SetDoubtful(script_->steps[answer].other);
  } else if (step.kind == Kind::kRequest) {
    if (const auto unsent = rules_.UnsentBeforeCall(index)) {
      log_.Add(describer_.CameBeforeAnswer(index, *unsent));
    }
    if (const auto later = rules_.CallBefore(index)) {
      log_.Add(describer_.CameBeforeAnswer(*later, step.other));
    }
  }
}

// Nothing waits for as many recordings as there are undecided messages: one each is its recording.
void Matcher::Cover(const Decision& decision) {
  const auto undecided = state_.undecided.find(decision.key);
  if (undecided == state_.undecided.end()) return;
  for (const StepIndex step : decision.queue->Waiting(*progress_, undecided->second.size())) {
    progress_->SetCovered(step);
  }
}

void Matcher::OnJunk(Direction direction, std::string_view bytes, std::string_view text) {
  auto& recorded = junk_[static_cast<int>(direction)];
  const Mark* mark = recorded.empty() ? nullptr : recorded.front();
  if (mark != nullptr) recorded.pop_front();
  auto item = describer_.Junk(direction, bytes, text, mark);
  if (item) log_.Add(std::move(*item));
}

}  // namespace midwire::replay
