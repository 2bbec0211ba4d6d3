#include "tools/showing/open_calls.h"

#include <algorithm>

namespace midwire::tools {
namespace {

// A host that has more calls in flight looks at their count. With the sizes below, they take some
// MB.
constexpr size_t kMostOpenCalls = 16'384;
// More than a line of a wide terminal shows.
constexpr size_t kMostNameBytes = 256, kMostIdBytes = 64;

constexpr int64_t kNsPerSecond = 1'000'000'000;

}  // namespace

void OpenCalls::Open(const trace::RecordedMessage& recorded, std::string_view label) {
  if (calls_.size() >= kMostOpenCalls) {
    ++beyond_;
    return;
  }
  const wire::Message& message = *recorded.message;
  view::FooterCall call;
  call.direction = recorded.direction;
  call.number = recorded.number;
  call.since_ns = recorded.time_ns;
  call.method = message.method.substr(0, kMostNameBytes);
  call.label = label.substr(0, kMostNameBytes);
  call.id = message.id.token.substr(0, kMostIdBytes);
  calls_.emplace(std::pair(recorded.number, call.id), call);
}

void OpenCalls::Close(uint64_t number, std::string_view id) {
  // One that is cancelled may be answered all the same: then it is not found, and nothing is
  // beyond, unless there are more than anyone looks at.
  if (calls_.erase({number, std::string(id.substr(0, kMostIdBytes))}) == 0 && beyond_ > 0) {
    --beyond_;
  }
}

void OpenCalls::Clear() {
  calls_.clear();
  beyond_ = 0;
}

std::vector<view::FooterCall> OpenCalls::Oldest(size_t most) const {
  std::vector<view::FooterCall> oldest;
  for (const auto& [key, call] : calls_) {
    if (oldest.size() >= most) break;
    oldest.push_back(call);
  }
  return oldest;
}

void RateMeter::Add(int64_t unix_ns, uint64_t bytes) {
  if (unix_ns <= 0) return;  // a cassette without times
  if (first_ns_ == 0) first_ns_ = unix_ns;
  const int64_t second = unix_ns / kNsPerSecond;
  Slot& slot = slots_[static_cast<size_t>(second % kSeconds)];
  if (slot.second != second) slot = {.second = second};
  ++slot.messages;
  slot.bytes += bytes;
}

view::FooterRate RateMeter::At(int64_t now_ns) const {
  const int64_t now = now_ns / kNsPerSecond;
  view::FooterRate rate;
  for (const Slot& slot : slots_) {
    if (slot.second > now || slot.second <= now - kSeconds) continue;
    rate.messages += static_cast<double>(slot.messages);
    rate.bytes += static_cast<double>(slot.bytes);
  }
  // The present second is not over. Of a session that has just begun, there are fewer.
  const int64_t all = (kSeconds - 1) * kNsPerSecond + now_ns % kNsPerSecond;
  const int64_t begun = std::max(now_ns - first_ns_, int64_t{0});
  const int64_t window = std::max(std::min(all, begun), kNsPerSecond);
  const double seconds = static_cast<double>(window) / static_cast<double>(kNsPerSecond);
  return {rate.messages / seconds, rate.bytes / seconds};
}

}  // namespace midwire::tools
