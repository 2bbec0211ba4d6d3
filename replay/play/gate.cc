#include "replay/play/gate.h"

#include <algorithm>

namespace midwire::replay {
namespace {

// Volatile steps that are looked at: a burst of work in the background has fewer, and a gate is
// asked for each message.
constexpr StepIndex kMaxVolatileBefore = 64;

// How long the peer took for a step when it was recorded. Volatile messages before it may not come
// now, and their time is the peer's too: a debugger reports how it reads symbols, or does not.
int64_t RecordedSilence(const Script& script, StepIndex step) {
  int64_t silence_us = script.steps[step].delay_us;
  const StepIndex end = step > kMaxVolatileBefore ? step - kMaxVolatileBefore : 0;
  for (; step > end && script.steps[step - 1].is_volatile; --step) {
    silence_us += script.steps[step - 1].delay_us;
  }
  return silence_us * 1'000;
}

}  // namespace

GateState Gate::ForArrivals(StepIndex limit, Front wanted, bool strict, int64_t now) const {
  if (progress_->front(Front::kAnswersAndCalls) < limit) return {};
  const StepIndex first = progress_->front(wanted);
  if (first >= limit) return GateState::Open();
  if (strict) return {};
  // Only notifications or late calls are missing. Nothing waits for these forever; a function has
  // sent them when it returns, or never.
  if (!options_.process) return GateState::Open();
  const int64_t recorded = RecordedSilence(progress_->script(), first);
  GateState state = ForSilence(patience_->ForNotification(recorded), now);
  state.in_vain = state.open;
  return state;
}

GateState Gate::ForPause(StepIndex step, int64_t from, int64_t now) const {
  if (options_.speed <= 0 || !progress_->script().timed) return GateState::Open();
  const double pause = progress_->script().steps[step].delay_us * 1000.0 / options_.speed;
  const int64_t end = from + static_cast<int64_t>(pause);
  return now >= end ? GateState::Open() : GateState::ClosedUntil(end);
}

GateState Gate::ForSilence(int64_t silence, int64_t now) const {
  const int64_t until = patience_->Until(silence);
  if (now < until) return GateState::ClosedUntil(until);
  GateState state = GateState::Open();
  state.if_idle = options_.process && now < until + std::min(silence / 2, kBusyPatienceNs);
  return state;
}

}  // namespace midwire::replay
