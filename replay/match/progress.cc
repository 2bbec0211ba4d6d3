#include "replay/match/progress.h"

#include <algorithm>

namespace midwire::replay {

Progress::Progress(const Script* script, std::optional<Direction> ours)
    : script_(script), ours_(ours), state_(script->steps.size(), State::kWaiting) {
  for (StepIndex i = 0; i + 1 < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    // The elements of a batch of the peer are expected one by one: it may batch them otherwise.
    const bool batch = step.kind == Kind::kBatch && script->steps[i + 1].element;
    if (batch && step.direction != ours) state_[i] = State::kDone;
  }
  Advance(kNoStep);
}

bool Progress::Blocks(StepIndex index, Front front) const {
  if (state_[index] == State::kDone) return false;
  const Step& step = script_->steps[index];
  const bool ours = step.direction == ours_;
  const bool answer = IsAnswer(step.kind) && step.other != kNoStep;
  switch (front) {
    case Front::kAnswersAndCalls:
      if (ours || step.is_volatile || step.floating) return false;
      return answer || (step.kind == Kind::kRequest && state_[index] == State::kWaiting);
    case Front::kAll:
      return !step.floating && Blocks(index, Front::kEnd);
    case Front::kEnd:
      return !ours && !step.is_volatile && state_[index] != State::kCovered;
    case Front::kOurPart:
      if (step.element) return false;
      return ours ? !answer : answer && !step.is_volatile;
    case Front::kOurAnswers:
      return ours && IsAnswer(step.kind);
  }
  return false;
}

// Only a front that is at the step that has changed can move; kNoStep: any may have. Each moves
// past each step once, so all calls together take time linear in the steps.
void Progress::Advance(StepIndex changed) {
  for (int i = 0; i < kFronts; ++i) {
    StepIndex& at = fronts_[i];
    if (changed != kNoStep && at != changed) continue;
    while (at < state_.size() && !Blocks(at, static_cast<Front>(i))) ++at;
  }
}

void Progress::SetDone(StepIndex step) {
  state_[step] = State::kDone;
  Advance(step);
}

void Progress::SetDoubtful(StepIndex step) {
  if (state_[step] == State::kWaiting) state_[step] = State::kDoubtful;
  Advance(step);
}

void Progress::SetCovered(StepIndex step) {
  if (state_[step] == State::kWaiting) state_[step] = State::kCovered;
  Advance(step);
}

void Progress::GiveUp(Front front, StepIndex limit) {
  for (StepIndex i = this->front(front); i < limit; ++i) {
    if (Blocks(i, front)) state_[i] = State::kCovered;
  }
  Advance(kNoStep);
}

}  // namespace midwire::replay
