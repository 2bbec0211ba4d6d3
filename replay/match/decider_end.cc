// Decider: messages that are undecided at the end of a run.
#include <algorithm>
#include <tuple>

#include "replay/match/decider.h"

namespace midwire::replay {

// The most similar pairs of messages and recordings that never came belong together. The order of
// arrival makes no difference.
std::vector<Decider::Pair> Decider::Pairs(const Expectations::Key& key,
                                          const std::vector<Undecided>& undecided) {
  std::vector<Pair> pairs;
  const std::vector<StepIndex> waiting =
      state_->expected.Find(key)->Waiting(*progress_, kMaxUndecided);
  for (size_t i = 0; i < undecided.size(); ++i) {
    for (const StepIndex step : waiting) {
      const Verdict verdict =
          comparer_->Compare(step, undecided[i].message, undecided[i].body, kMaxPlaces);
      pairs.push_back({verdict.differences.size(), step, i});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.differences, a.step, a.message) < std::tie(b.differences, b.step, b.message);
  });
  return pairs;
}

Decision Decider::ForPair(const Expectations::Key& key, StepIndex step, const Undecided& message) {
  Decision decision = {.type = Decision::Type::kRecorded, .step = step};
  decision.key = key;
  decision.queue = state_->expected.Find(key);
  decision.verdict = comparer_->Compare(step, message.message, message.body, enough());
  return decision;
}

Decision Decider::ForRest(const Expectations::Key& key, const Undecided& message) {
  Decision decision;
  decision.of = ClassOf(message.message, message.body);
  decision.key = key;
  decision.queue = state_->expected.Find(key);
  FindNearest(message.message, message.body, &decision);
  return decision;
}

}  // namespace midwire::replay
