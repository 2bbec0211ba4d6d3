#include "replay/open_steps.h"

#include <utility>

#include "wire/exchange.h"

namespace midwire::replay {

void OpenSteps::Open(const std::string& id, const std::string& method, StepIndex step) {
  const size_t cost = 2 * id.size() + method.size();
  if (held_ == wire::kMaxOpenRequests || bytes_ + cost > wire::kMaxOpenBytes) return;
  if (latest_.step != kNoStep) others_[latest_id_].requests.push_back(latest_);
  latest_id_ = id;
  latest_ = {step, static_cast<uint32_t>(cost)};
  ++held_;
  bytes_ += cost;
}

StepIndex OpenSteps::Take(const Request& request) {
  --held_;
  bytes_ -= request.cost;
  return request.step;
}

StepIndex OpenSteps::Close(const std::string& id) {
  if (const auto found = others_.empty() ? others_.end() : others_.find(id);
      found != others_.end()) {
    Same& same = found->second;
    const StepIndex step = Take(same.requests[same.next++]);
    if (same.next == same.requests.size()) {
      others_.erase(found);
    } else if (2 * same.next >= same.requests.size()) {
      // An id that always has an open request must not grow; halves keep the cost constant.
      same.requests.erase(same.requests.begin(),
                          same.requests.begin() + static_cast<std::ptrdiff_t>(same.next));
      same.next = 0;
    }
    return step;
  }
  if (latest_.step == kNoStep || latest_id_ != id) return kNoStep;
  return Take(std::exchange(latest_, {}));
}

}  // namespace midwire::replay
