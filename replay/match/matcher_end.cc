// Matcher: what is decided and reported at the end of a run.
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "replay/match/matcher.h"
#include "replay/match/shown.h"

namespace midwire::replay {

// The order of arrival makes no difference.
void Matcher::DecideLate(const Expectations::Key& key, std::vector<Undecided> undecided) {
  std::sort(undecided.begin(), undecided.end(), [](const Undecided& a, const Undecided& b) {
    return std::tie(a.body, a.from) < std::tie(b.body, b.from);
  });
  std::vector<bool> decided(undecided.size(), false);
  for (const Decider::Pair& pair : decider_.Pairs(key, undecided)) {
    if (decided[pair.message] || progress_->done(pair.step)) continue;
    const Undecided& it = undecided[pair.message];
    const Decision decision = decider_.ForPair(key, pair.step, it);
    decision.queue->Use(pair.step);
    log_.From(it.from);
    Accept(pair.step, it.message, it.body, decision.verdict);
    decided[pair.message] = true;
  }
  for (size_t i = 0; i < undecided.size(); ++i) {
    if (decided[i]) continue;
    log_.From(undecided[i].from);
    Apply(decider_.ForRest(key, undecided[i]), undecided[i].message, undecided[i].body);
  }
  log_.From(0);
}

Matcher::Missing Matcher::ReportMissing(StepIndex limit, bool left) {
  for (auto& [key, late] : std::exchange(state_.undecided, {})) DecideLate(key, std::move(late));
  Missing counts;
  std::vector<StepIndex> missing;
  size_t within = 0;  // of these, before the last message that arrived
  for (StepIndex i = 0; i < script_->steps.size(); ++i) {
    const Step& step = script_->steps[i];
    if (!expects(step.direction)) continue;
    if (progress_->done(i)) {
      within = missing.size();
      continue;
    }
    // A request that came with other content is reported with its nearest recording.
    if (step.is_volatile || refused_.contains(i)) continue;
    const bool requested =
        !IsAnswer(step.kind) || step.other == kNoStep || progress_->done(step.other);
    if (i >= limit || !requested) {
      ++counts.behind;
    } else if (!step.chunked || state_.chunks.IsNext(i)) {  // one for each text
      missing.push_back(i);
    }
  }
  if (left && missing.size() > within) {
    const Direction peer = script_->steps[missing.back()].direction;
    const bool has_cause = framing_.differs(peer) || refused_last_;
    const size_t listed = within + (has_cause ? 0 : 1);
    counts.unsaid = missing.size() - listed;
    missing.resize(listed);
  }
  for (const StepIndex i : missing) log_.Add(describer_.Missing(i));
  return counts;
}

void ReportBindings(const Bindings& bindings, ReplayReport* report) {
  const std::vector<Slot>& slots = bindings.slots();
  for (size_t i = 0; i < std::min(slots.size(), kMaxDifferences); ++i) {
    const Slot& slot = slots[i];
    report->bindings.push_back({.name = "b" + std::to_string(i + 1),
                                .from = slot.from,
                                .to = slot.to,
                                .recorded = Shown(slot.recorded),
                                .replaced = !slot.live.empty() && slot.live != slot.recorded,
                                .renamed = slot.renamed});
  }
}

}  // namespace midwire::replay
