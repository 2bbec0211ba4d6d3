// What an update keeps of a run: which messages of the trace came, and what is new.
#include <algorithm>
#include <utility>

#include "tools/replaying/update.h"

namespace midwire::tools {

using replay::StepIndex;

// Overhead of a small message.
bool Update::HasRoom(size_t size) {
  kept_ += size + sizeof(Extra);
  if (kept_ <= kMaxUpdate) return true;
  extras_.clear();  // too much: nothing will be written
  changed_.clear();
  return false;
}

void Update::OnSent(StepIndex step) {
  live_.AddSent();
  sent_.insert(step);
  last_sent_ = last_sent_ == replay::kNoStep ? step : std::max(last_sent_, step);
}

// The message that has the step: for an element, its batch.
StepIndex Update::MessageOf(StepIndex step) const {
  while (step > 0 && script_->steps[step].element) --step;
  return step;
}

bool Update::IsWholeBatch(const std::set<StepIndex>& steps) const {
  const StepIndex batch = MessageOf(*steps.begin());
  for (StepIndex i = batch + 1; i < script_->steps.size() && script_->steps[i].element; ++i) {
    if (!script_->steps[i].is_volatile && !steps.contains(i)) return false;
  }
  return MessageOf(*steps.rbegin()) == batch;
}

// A difference in framing is reported once; here, it is one of each message.
bool Update::IsFramedAsRecorded(const std::set<StepIndex>& steps, bool batch,
                                const wire::Frame& frame) const {
  const replay::Step& first = script_->steps[*steps.begin()];
  if (first.is_volatile || first.chunked) return true;
  if (batch) return first.element && IsWholeBatch(steps);
  return !first.element && first.content_length == (frame.framing == wire::Framing::kContentLength);
}

// Of the messages that came in one batch, the first behind what we had sent, or the last.
StepIndex Update::PlaceOf(const std::set<StepIndex>& messages) const {
  if (last_sent_ == replay::kNoStep) return *messages.begin();
  const auto behind = messages.upper_bound(last_sent_);
  return behind == messages.end() ? *messages.rbegin() : *behind;
}

void Update::OnLive(StepIndex step, bool differs, const wire::Frame& frame) {
  live_.AddReceived(frame.bytes);
  const std::vector<StepIndex> elements = std::exchange(elements_, {});
  std::set<StepIndex> steps(elements.begin(), elements.end());
  if (elements.empty()) steps.insert(step);
  differs = differs || steps.contains(replay::kNoStep);
  steps.erase(replay::kNoStep);
  std::set<StepIndex> messages;
  for (const StepIndex of : steps) messages.insert(MessageOf(of));
  came_.insert(steps.begin(), steps.end());
  came_.insert(messages.begin(), messages.end());
  if (!steps.empty()) {
    latest_ = step;
    if (!differs && IsFramedAsRecorded(steps, elements.size() > 0, frame)) return;
  }
  if (!HasRoom(frame.bytes.size())) return;
  Extra extra = {wire::Direction::kPluginToHost, std::string(frame.bytes), frame.head().size(),
                 elements.empty() ? step : replay::kNoStep};
  if (steps.empty()) return AddExtra(std::move(extra));
  for (const StepIndex message : messages) changed_[message];
  changed_[PlaceOf(messages)].push_back(std::move(extra));
}

// Behind all that it may be caused by: what came and what was sent before it.
void Update::AddExtra(Extra extra) {
  const bool sent_later =
      latest_ == replay::kNoStep || (last_sent_ != replay::kNoStep && last_sent_ > latest_);
  extras_[sent_later ? last_sent_ : latest_].push_back(std::move(extra));
}

void Update::OnMadeUp(std::string_view frame) {
  live_.AddSent();
  if (!HasRoom(frame.size())) return;
  const size_t head = frame.starts_with("Content-Length") ? frame.find("\r\n\r\n") + 4 : 0;
  AddExtra({wire::Direction::kHostToPlugin, std::string(frame), head, replay::kNoStep});
}

}  // namespace midwire::tools
