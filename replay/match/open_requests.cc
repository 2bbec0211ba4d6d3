#include "replay/match/open_requests.h"

#include <algorithm>
#include <utility>

namespace midwire::replay {

void OpenRequests::Steps::Remove(size_t place) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(gone);
  const auto removed = first + static_cast<std::ptrdiff_t>(place);
  std::move_backward(first, removed, removed + 1);
  if (++gone * 2 < all.size()) return;
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(gone));
  gone = 0;
}

void OpenRequests::Open(Direction direction, std::string_view id, StepIndex step) {
  Table& open = open_[static_cast<int>(direction)];
  respelt_[static_cast<int>(direction)].Open(id);
  if (!spare_) {
    open[std::string(id)].all.push_back(step);
    return;
  }
  // A node of the table and a vector for one step, neither of which is allocated again.
  spare_.key().assign(id);
  auto inserted = open.insert(std::move(spare_));
  inserted.position->second.all.push_back(step);
  spare_ = std::move(inserted.node);  // empty, unless the id is in flight already
}

OpenRequests::Found OpenRequests::Find(Direction direction, const std::string& token) const {
  const Table& open = open_[static_cast<int>(direction)];
  auto found = open.find(token);
  if (found == open.end()) found = respelt_[static_cast<int>(direction)].Find(open, token);
  return found == open.end() ? Found{} : Found{found->first, found->second.left()};
}

void OpenRequests::Answer(Direction direction, const Found& found, size_t place) {
  Table& open = open_[static_cast<int>(direction)];
  respelt_[static_cast<int>(direction)].Close(found.id);
  const auto at = open.find(found.id);
  answered_.push_back({direction, found.id, at->second.left()[place]});
  if (answered_.size() > kMaxAnswered) answered_.pop_front();
  at->second.Remove(place);
  if (at->second.all.empty()) spare_ = open.extract(at);
}

std::optional<StepIndex> OpenRequests::Answered(Direction direction, std::string_view id) const {
  const auto at = std::find_if(answered_.rbegin(), answered_.rend(), [&](const Past& past) {
    return past.direction == direction && past.id == id;
  });
  return at == answered_.rend() ? std::nullopt : std::optional(at->request);
}

}  // namespace midwire::replay
