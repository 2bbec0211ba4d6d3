#include "replay/match/expectations.h"

#include <algorithm>
#include <tuple>

#include "replay/values/text_tokens.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// Adds the places of one recorded message whose values may differ in an equal one.
void AddVarying(const Script& script, StepIndex index, std::string_view body,
                const std::vector<const wire::Pointer*>& places, const Bindings& bindings,
                VaryingPlaces* to) {
  if (!wire::IsLooseJson(body)) return;
  const Step& step = script.steps[index];
  const CallClass& of = script.ClassOf(step);
  const auto declared = [&](const wire::Path& path) {
    return std::any_of(places.begin(), places.end(),
                       [&](const wire::Pointer* pointer) { return wire::Matches(*pointer, path); });
  };
  const auto on_step = [&](const wire::Path& path) {
    if (declared(path)) to->Add(path, path.size());
    // Below a name that is bound, every path differs: the whole object varies.
    if (!step.bound || path.back().name.empty()) return;
    bindings.VisitName(path, [&](SlotIndex, std::string_view) { to->Add(path, path.size() - 1); });
  };
  wire::WalkScalars(body, on_step, [&](const wire::Path& path, std::string_view value) {
    if (!step.bound) return;
    bool bound = bindings.Find(of, path, value).has_value();
    if (!bound && value.starts_with('"')) {
      bindings.VisitTokens(path, Unquoted(value),
                           [&](SlotIndex, std::string_view) { bound = true; });
    }
    if (bound) to->Add(path, path.size());
  });
}

// Another number for each other Expectations::Key.
uint64_t KeyOf(const Step& step) {
  return GroupOf(step) * 16 + static_cast<uint64_t>(step.kind) * 2 + step.is_volatile;
}

}  // namespace

StepIndex ExpectedMessages::FirstWaiting(const Progress& progress) {
  while (first_ < steps_.size() && progress.done(steps_[first_])) ++first_;
  return first_ < steps_.size() ? steps_[first_] : kNoStep;
}

std::vector<StepIndex> ExpectedMessages::Waiting(const Progress& progress, size_t limit) {
  std::vector<StepIndex> waiting;
  if (FirstWaiting(progress) == kNoStep) return waiting;
  for (size_t i = first_; i < steps_.size() && waiting.size() < limit; ++i) {
    if (!progress.done(steps_[i])) waiting.push_back(steps_[i]);
  }
  return waiting;
}

void ExpectedMessages::Index(const Script& script, MessageComparer* comparer,
                             const Bindings& bindings) {
  indexed_ = true;
  for (const StepIndex step : steps_) {
    AddVarying(script, step, comparer->Body(step), comparer->VaryingOf(script.steps[step]),
               bindings, &varying_);
  }
  for (const StepIndex step : steps_) {
    by_content_[HashContent(comparer->Body(step), varying_)].steps.push_back(step);
  }
}

std::vector<StepIndex> ExpectedMessages::WithContent(std::string_view body,
                                                     const Progress& progress,
                                                     MessageComparer* comparer,
                                                     const Bindings& bindings) {
  if (!indexed_) Index(progress.script(), comparer, bindings);
  std::vector<StepIndex> found;
  const auto at = by_content_.find(HashContent(body, varying_));
  if (at == by_content_.end()) return found;
  SameContent& same = at->second;
  while (same.first < same.steps.size() && progress.done(same.steps[same.first])) ++same.first;
  for (size_t i = same.first; i < same.steps.size() && found.size() < kMaxSameContent; ++i) {
    if (!progress.done(same.steps[i])) found.push_back(same.steps[i]);
  }
  return found;
}

StepIndex ExpectedMessages::LastDoneWithContent(std::string_view body, const Progress& progress,
                                                MessageComparer* comparer,
                                                const Bindings& bindings) {
  if (!indexed_) Index(progress.script(), comparer, bindings);
  const auto at = by_content_.find(HashContent(body, varying_));
  if (at == by_content_.end()) return kNoStep;
  const std::vector<StepIndex>& steps = at->second.steps;
  for (size_t i = steps.size(); i > 0; --i) {
    if (progress.done(steps[i - 1])) return steps[i - 1];
  }
  return kNoStep;
}

void ExpectedMessages::Use(StepIndex step) {
  used_.push_back(step);
  if (used_.size() > kMaxTried) used_.pop_front();
}

bool ExpectedMessages::bound(const Script& script) const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [&](StepIndex step) { return script.steps[step].bound; });
}

bool Expectations::Key::operator<(const Key& other) const {
  return std::tie(method, direction, kind, is_volatile) <
         std::tie(other.method, other.direction, other.kind, other.is_volatile);
}

void Expectations::Add(const Script& script, StepIndex index) {
  const Step& step = script.steps[index];
  ExpectedMessages*& messages = by_step_[KeyOf(step)];
  if (messages == nullptr) {
    messages = &all_[{script.methods[step.method], step.direction, step.kind, step.is_volatile}];
  }
  messages->Add(index);
}

ExpectedMessages* Expectations::FindOf(const Step& step) const {
  const auto found = by_step_.find(KeyOf(step));
  return found == by_step_.end() ? nullptr : found->second;
}

ExpectedMessages* Expectations::Find(const Key& key) {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

}  // namespace midwire::replay
