#include "replay/play/answer_queue.h"

#include <algorithm>
#include <utility>

namespace midwire::replay {

void AnswerQueue::Owe(StepIndex answer, std::string_view live_id) {
  const StepIndex request = progress_->script().steps[answer].other;
  NoteId(request, live_id);
  if (!spare_owed_) {
    owed_.emplace(answer, request + 1);
    return;
  }
  spare_owed_.key() = answer;
  spare_owed_.mapped() = request + 1;
  spare_owed_ = owed_.insert(std::move(spare_owed_)).node;
}

void AnswerQueue::NoteId(StepIndex request, std::string_view live_id) {
  if (!spare_id_) {
    live_ids_[request] = live_id;
    return;
  }
  spare_id_.key() = request;
  spare_id_.mapped() = live_id;
  auto inserted = live_ids_.insert(std::move(spare_id_));
  if (!inserted.inserted) inserted.position->second = live_id;
  spare_id_ = std::move(inserted.node);
}

bool AnswerQueue::AddMadeUp(std::string frame) {
  if (!has_room()) return false;
  made_up_bytes_ += frame.size();
  made_up_.push_back(std::move(frame));
  return true;
}

std::string AnswerQueue::TakeMadeUp() {
  std::string frame = std::move(made_up_.front());
  made_up_.pop_front();
  made_up_bytes_ -= frame.size();
  return frame;
}

// What may hold back an answer: our own messages between the request and the answer, the answers to
// our requests among them, and the peer's calls. What does not now never will: no step becomes
// undone.
bool AnswerQueue::MayHoldBack(StepIndex index) const {
  if (progress_->done(index)) return false;
  const Step& step = progress_->script().steps[index];
  if (step.element) return false;
  const bool answer = IsAnswer(step.kind) && step.other != kNoStep;
  if (progress_->is_ours(step)) return !answer;
  if (step.kind == Kind::kRequest) {
    return for_calls_ && !step.is_volatile && !step.floating && !given_up_.contains(index);
  }
  return answer && !step.is_volatile;
}

// Joins the runs of steps that hold back nothing (path halving): a search through thousands of open
// calls, for each of thousands of answers, then steps over them at once.
StepIndex AnswerQueue::NextThatMay(StepIndex step) {
  const size_t steps = progress_->script().steps.size();
  for (size_t size = next_.size(); size <= steps; ++size)
    next_.push_back(static_cast<StepIndex>(size));
  for (;;) {
    while (next_[step] != step) step = next_[step] = next_[next_[step]];
    if (step == steps || MayHoldBack(step)) return step;
    next_[step] = step + 1;
  }
}

// Each answer only moves forward; nothing before the front of our part (and of the peer's calls, if
// they count) holds back any.
void AnswerQueue::Update() {
  StepIndex front = progress_->front(Front::kOurPart);
  if (for_calls_) front = std::min(front, progress_->front(Front::kAnswersAndCalls));
  const auto& steps = progress_->script().steps;
  size_t tried = 0;
  for (auto at = owed_.begin(); at != owed_.end() && tried < kMaxOwedTried; ++at, ++tried) {
    const StepIndex answer = at->first;
    const StepIndex request = steps[answer].other;
    // The peer's answers to what we asked before this request came do not count.
    const auto before = [&](StepIndex step) {
      return !progress_->is_ours(steps[step]) && IsAnswer(steps[step].kind) &&
             steps[step].other <= request;
    };
    StepIndex& waits_for = at->second;
    waits_for = NextThatMay(std::min(answer, std::max(waits_for, front)));
    while (waits_for < answer && before(waits_for)) waits_for = NextThatMay(waits_for + 1);
    waits_for = std::min(answer, waits_for);
  }
}

std::optional<StepIndex> AnswerQueue::Next() const {
  size_t tried = 0;
  for (auto at = owed_.begin(); at != owed_.end() && tried < kMaxOwedTried; ++at, ++tried) {
    if (at->second >= at->first) return at->first;
  }
  return std::nullopt;
}

StepIndex AnswerQueue::CallAwaitedBy(StepIndex answer) const {
  const auto owed = owed_.find(answer);
  if (owed == owed_.end() || owed->second >= answer) return kNoStep;
  const Step& step = progress_->script().steps[owed->second];
  const bool call = step.kind == Kind::kRequest && !progress_->is_ours(step);
  return call ? owed->second : kNoStep;
}

void AnswerQueue::Sent(StepIndex answer) {
  if (auto owed = owed_.extract(answer)) spare_owed_ = std::move(owed);
  if (auto id = live_ids_.extract(progress_->script().steps[answer].other)) {
    spare_id_ = std::move(id);
  }
}

std::vector<StepIndex> AnswerQueue::TakeOwed() {
  std::vector<StepIndex> answers;
  for (const auto& [answer, waits_for] : owed_) answers.push_back(answer);
  owed_.clear();
  return answers;
}

void AnswerQueue::Clear() {
  owed_.clear();
  made_up_.clear();
  made_up_bytes_ = 0;
}

std::string_view AnswerQueue::LiveIdOf(StepIndex request) const {
  const auto found = live_ids_.find(request);
  return found == live_ids_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace midwire::replay
