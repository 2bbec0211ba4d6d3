#include "replay/match/order_rules.h"

#include <algorithm>
#include <map>

#include "wire/json/path.h"

namespace midwire::replay {
namespace {

const wire::Pointer kParent = {{"parentRequestId"}};

}  // namespace

OrderRules::OrderRules(const Script* script, Frames* frames, const Declarations* declared,
                       const Progress* progress)
    : script_(script),
      frames_(frames),
      declared_(declared),
      progress_(progress),
      within_(script->steps.size(), false) {
  // Our requests in flight: how many, and the sum of their steps, which of a single one is that
  // one. (A set would allocate for each request.)
  size_t in_flight = 0;
  uint64_t sum = 0;
  std::map<StepIndex, StepIndex> last_calls;  // within a request that was the only one in flight
  std::vector<StepIndex> behind;  // our requests just behind a notification, until the next call
  const bool host = progress->ours() == Direction::kHostToPlugin;
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    if (progress->is_ours(step)) {
      if (step.kind != Kind::kRequest || step.other == kNoStep) continue;
      ++in_flight;
      sum += i;
      if (!host || i == 0) continue;
      const Step& before = script->steps[i - 1];
      if (progress->is_ours(before) && before.kind == Kind::kNotification) behind.push_back(i);
    } else if (IsAnswer(step.kind) && step.other != kNoStep) {
      if (!progress->is_ours(script->steps[step.other])) continue;  // diff: none is
      --in_flight;
      sum -= step.other;
      last_calls.erase(step.other);
    } else if (step.kind == Kind::kRequest && !step.is_volatile && !step.floating &&
               in_flight > 0) {
      within_[i] = true;
      for (const StepIndex request : behind) {
        if (script->steps[request].other > i) callers_.push_back(request);
      }
      behind.clear();
      // A host is free to send requests while it serves one of the plugin.
      if (in_flight > 1 || !host) continue;
      const auto [last, first] = last_calls.try_emplace(static_cast<StepIndex>(sum), i);
      if (first) continue;
      const StepIndex answer = script->steps[last->second].other;
      if (answer < i) {
        after_.emplace(i, answer);
        next_.emplace(last->second, i);
      }
      last->second = i;
    }
  }
}

std::optional<std::string> OrderRules::ValueIn(StepIndex index, const wire::Pointer& at) const {
  const Step& step = script_->steps[index];
  if (!step.json) return std::nullopt;
  const Result<std::string_view> frame = frames_->Get(step.at, step.size);
  if (!frame) return std::nullopt;
  const auto value = wire::ValueAt(BodyOf(step, *frame), at);
  return value ? std::optional(std::string(*value)) : std::nullopt;
}

// All other requests that were in flight at the call and when it was answered have their answers,
// or the call names its request.
bool OrderRules::IsOnlyCaller(StepIndex request, StepIndex reverse, StepIndex answer) const {
  if (const auto parent = ValueIn(reverse, kParent)) return ValueIn(request, kId) == parent;
  const StepIndex first = reverse > kMaxBetween ? reverse - kMaxBetween : 0;
  for (StepIndex i = first; i < reverse; ++i) {
    const Step& step = script_->steps[i];
    const bool in_flight = i != request && progress_->is_ours(step) &&
                           step.kind == Kind::kRequest && step.other != kNoStep &&
                           step.other > answer;
    if (in_flight && !progress_->done(step.other)) return false;
  }
  return true;
}

std::vector<StepIndex> OrderRules::UnsentBeforeAnswer(StepIndex answer) const {
  std::vector<StepIndex> unsent;
  const StepIndex request = script_->steps[answer].other;
  if (request == kNoStep) return unsent;
  const StepIndex from = std::max(request, progress_->front(Front::kOurAnswers));
  for (StepIndex i = from; i < answer && i - from < kMaxBetween; ++i) {
    const Step& sent = script_->steps[i];
    if (!progress_->is_ours(sent) || !IsAnswer(sent.kind) || progress_->done(i)) continue;
    const StepIndex call = sent.other;
    if (call == kNoStep || call < request) continue;
    if (script_->steps[call].is_volatile || script_->steps[call].floating) continue;
    if (CameBefore(call, request)) continue;
    if (IsOnlyCaller(request, call, i)) unsent.push_back(i);
  }
  return unsent;
}

std::optional<StepIndex> OrderRules::UnsentBeforeCall(StepIndex call) const {
  const auto after = after_.find(call);
  if (after == after_.end() || progress_->done(after->second)) return std::nullopt;
  // A call that did not come is reported as missing, and has no answer.
  const StepIndex first = script_->steps[after->second].other;
  if (!progress_->done(first) || IsOfNone(first)) return std::nullopt;
  return after->second;
}

std::optional<StepIndex> OrderRules::CallBefore(StepIndex call) const {
  const auto next = next_.find(call);
  return next == next_.end() || !progress_->done(next->second) ? std::nullopt
                                                               : std::optional(next->second);
}

bool OrderRules::MayBeAwaited(StepIndex our_answer) const {
  const StepIndex call = script_->steps[our_answer].other;
  return call != kNoStep && within_[call] && !IsOfNone(call);
}

bool OrderRules::MayBeCaller(StepIndex our_request) const {
  return std::binary_search(callers_.begin(), callers_.end(), our_request);
}

void OrderRules::OnCall(StepIndex call) {
  while (first_caller_ < callers_.size() && progress_->done(callers_[first_caller_]))
    ++first_caller_;
  if (first_caller_ < callers_.size() && callers_[first_caller_] < call) {
    came_before_.emplace(call, callers_[first_caller_]);
  }
}

// Our requests go out in their order.
bool OrderRules::CameBefore(StepIndex call, StepIndex request) const {
  const auto found = came_before_.find(call);
  return found != came_before_.end() && found->second <= request;
}

// Whether the call came before each request that was in flight at it had been sent.
bool OrderRules::IsOfNone(StepIndex call) const {
  const auto found = came_before_.find(call);
  if (found == came_before_.end()) return false;
  const StepIndex first = call > kMaxBetween ? call - kMaxBetween : 0;
  for (StepIndex i = first; i < found->second; ++i) {
    const Step& step = script_->steps[i];
    const bool in_flight = progress_->is_ours(step) && step.kind == Kind::kRequest &&
                           step.other != kNoStep && step.other > call;
    if (in_flight) return false;
  }
  return true;
}

std::optional<StepIndex> OrderRules::OnNotification(StepIndex index) {
  const Step& step = script_->steps[index];
  uint64_t key = GroupOf(step);
  const CallClass& of = script_->ClassOf(step);
  for (const Bind& bind : declared_->binds) {
    if (bind.to.scope.method.empty() || !of.IsOf(bind.to)) continue;
    if (const auto token = ValueIn(index, bind.to.pointer)) {
      key ^= std::hash<std::string>()(*token) | 1u << 31;
      break;
    }
  }
  const auto [latest, first] = latest_.try_emplace(key, index);
  if (first) return std::nullopt;
  if (latest->second > index) return latest->second;
  latest->second = index;
  return std::nullopt;
}

std::optional<StepIndex> OrderRules::MissingBefore(StepIndex index) const {
  const StepIndex first = progress_->front(Front::kAll);
  if (first < index) return first;
  return std::nullopt;
}

}  // namespace midwire::replay
