#include "replay/match/progress.h"

#include <algorithm>

namespace midwire::replay {
namespace {

uint8_t BitIf(bool blocks, Front front) {
  return static_cast<uint8_t>(blocks << static_cast<int>(front));
}

}  // namespace

Progress::Progress(const Script* script, std::optional<Direction> ours)
    : script_(script),
      ours_(ours),
      state_(script->steps.size(), State::kWaiting),
      blocks_(script->steps.size()) {
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    // The elements of a batch of the peer are expected one by one: it may batch them otherwise.
    const bool batch =
        step.kind == Kind::kBatch && i + 1 < script->steps.size() && script->steps[i + 1].element;
    if (batch && step.direction != ours) state_[i] = State::kDone;
    blocks_[i] = FrontsAt(i);
  }
  Advance(kNoStep);
}

// The fronts that the step holds back now, a bit for each.
uint8_t Progress::FrontsAt(StepIndex index) const {
  const State state = state_[index];
  if (state == State::kDone) return 0;
  const Step& step = script_->steps[index];
  const bool answer = IsAnswer(step.kind) && step.other != kNoStep;
  if (step.direction == ours_) {
    const bool part = !step.element && !answer;
    return static_cast<uint8_t>(BitIf(part, Front::kOurPart) |
                                BitIf(IsAnswer(step.kind), Front::kOurAnswers));
  }
  const bool end = !step.is_volatile && state != State::kCovered;
  const bool hard = answer || (step.kind == Kind::kRequest && state == State::kWaiting);
  const int blocked = BitIf(hard && !step.is_volatile && !step.floating, Front::kAnswersAndCalls) |
                      BitIf(end && !step.floating, Front::kAll) | BitIf(end, Front::kEnd) |
                      BitIf(answer && !step.is_volatile && !step.element, Front::kOurPart);
  return static_cast<uint8_t>(blocked);
}

// Only a front that is at the step that has changed can move; kNoStep: any may have. Each moves
// past each step once, so all calls together take time linear in the steps.
void Progress::Advance(StepIndex changed) {
  for (int i = 0; i < kFronts; ++i) {
    StepIndex& at = fronts_[i];
    if (changed != kNoStep && at != changed) continue;
    while (at < blocks_.size() && !(blocks_[at] >> i & 1)) ++at;
  }
}

void Progress::Set(StepIndex step, State state) {
  state_[step] = state;
  blocks_[step] = FrontsAt(step);
}

void Progress::SetDone(StepIndex step) {
  Set(step, State::kDone);
  Advance(step);
}

void Progress::SetDoubtful(StepIndex step) {
  if (state_[step] == State::kWaiting) Set(step, State::kDoubtful);
  Advance(step);
}

void Progress::SetCovered(StepIndex step) {
  if (state_[step] == State::kWaiting) Set(step, State::kCovered);
  Advance(step);
}

void Progress::GiveUp(Front front, StepIndex limit) {
  const uint8_t bit = BitIf(true, front);
  for (StepIndex i = this->front(front); i < limit; ++i) {
    if (blocks_[i] & bit) Set(i, State::kCovered);
  }
  Advance(kNoStep);
}

}  // namespace midwire::replay
