// Progress: which steps of a script are done, that is sent by our role or received from the peer,
// and up to where everything of one sort is. Changed only by the events below; every question is
// const. One per run: the matcher records arrivals in it, the player records what it sends, the
// gate and the answer queue ask it. Never sends and never waits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "replay/script/script.h"

namespace midwire::replay {

// A front is the first step that is not done and counts for it; everything before it is settled.
enum class Front : uint8_t {
  kAnswersAndCalls,  // the peer's answers to our requests, and its requests
  kAll,              // those, and its notifications; none that may come at any place
  kEnd,              // those too: what the end of the session waits for
  kOurPart,          // our messages that are no answers, and the peer's answers to our requests
  kOurAnswers,       // our answers to the peer's requests
};
inline constexpr int kFronts = 5;

class Progress {
 public:
  // ours: nullopt if both directions are compared (diff).
  Progress(const Script* script, std::optional<Direction> ours);

  // Events.
  void SetDone(StepIndex step);
  // A reverse call that has not arrived although a message that follows its answer has: it may
  // still come, but nothing waits for it.
  void SetDoubtful(StepIndex step);
  // Waiting for the notifications before `limit` was in vain: nothing waits for them any more.
  // `front` is kAll or kEnd.
  void GiveUp(Front front, StepIndex limit);
  // A message that may be this notification, with other content, has arrived: nothing waits for it.
  void SetCovered(StepIndex step);

  bool done(StepIndex step) const { return state_[step] == State::kDone; }
  // The number of steps if everything is done.
  StepIndex front(Front front) const { return fronts_[static_cast<int>(front)]; }
  bool all_done(Front which) const { return front(which) == state_.size(); }
  const Script& script() const { return *script_; }
  std::optional<Direction> ours() const { return ours_; }
  bool is_ours(const Step& step) const { return step.direction == ours_; }

 private:
  enum class State : uint8_t { kWaiting, kDoubtful, kCovered, kDone };

  uint8_t FrontsAt(StepIndex step) const;
  void Set(StepIndex step, State state);
  void Advance(StepIndex changed);

  const Script* script_;
  const std::optional<Direction> ours_;
  std::vector<State> state_;     // by step
  std::vector<uint8_t> blocks_;  // by step: the fronts that it holds back, a bit for each
  std::array<StepIndex, kFronts> fronts_{};
};

}  // namespace midwire::replay
