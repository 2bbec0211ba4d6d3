#include "replay/play/patience.h"

#include <algorithm>

namespace midwire::replay {

bool Patience::OnStarved(int64_t ns) {
  const int64_t most = kMaxStarvedShare * std::min(timeout_ns_, kNever / kMaxStarvedShare);
  const int64_t more = std::min(ns, most - starved_ns_);
  if (more <= 0) return false;
  starved_ns_ += more;
  active_ns_ += more;
  progress_ns_ += more;
  return true;
}

int64_t Patience::Until(int64_t silence) const {
  return std::min(active_ns_ + silence, progress_ns_ + kChatter * silence);
}

int64_t Patience::ForNotification(int64_t recorded_ns) const {
  const int64_t usual = kNotificationPatienceNs >> std::min(in_vain_, kMaxHalvings);
  return std::min(std::max(usual, 2 * recorded_ns), timeout_ns_);
}

}  // namespace midwire::replay
