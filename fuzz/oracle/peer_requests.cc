#include "fuzz/oracle/peer_requests.h"

#include <algorithm>
#include <utility>

namespace midwire::fuzz {

bool PeerRequests::Add(std::string_view id, std::string_view method) {
  if (requests_.size() >= kMaxPeerRequests) return false;
  requests_.push_back({std::string(id), std::string(method)});
  return true;
}

void PeerRequests::Answer(std::string_view id) {
  const auto is = [&](const Request& request) { return request.id == id; };
  const auto fresh = requests_.begin() + static_cast<ptrdiff_t>(earlier_);
  const auto answered = std::find_if(fresh, requests_.end(), is);
  if (answered != requests_.end()) requests_.erase(answered);
  const auto before = requests_.begin() + static_cast<ptrdiff_t>(earlier_);
  const auto kept = std::remove_if(requests_.begin(), before, is);
  earlier_ = static_cast<size_t>(kept - requests_.begin());
  requests_.erase(kept, before);
}

bool PeerRequests::Has(std::string_view id) const {
  return std::any_of(requests_.begin(), requests_.end(),
                     [&](const Request& request) { return request.id == id; });
}

std::vector<PeerRequests::Request> PeerRequests::Take() {
  earlier_ = 0;
  return std::exchange(requests_, {});
}

}  // namespace midwire::fuzz
