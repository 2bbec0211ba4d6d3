// What differs between sessions without a reason: places in the answers to equal requests, and
// notifications whose number differs though the host said the same. Used by infer.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "trace/check_types.h"

namespace midwire::trace {

class Volatility {
 public:
  void OnMessage(const Observed& seen);
  // whole: all of it was seen, so that it may be compared by counts.
  void OnSessionEnd(bool whole);

  const std::set<std::string>& places() const { return places_; }  // METHOD:/pointer
  std::set<std::string> methods() const;

 private:
  using Counts = std::map<std::string, uint64_t>;
  // Sessions in which the host said the same methods equally often.
  struct Alike {
    uint64_t sessions = 0;
    Counts fewest, most;
  };

  void Asked(const Observed& request);
  void Answered(const Observed& answer);

  std::unordered_map<uint64_t, uint64_t> values_;  // of the first session with that answer
  std::set<std::string> places_;
  std::map<uint64_t, Alike> alike_;
  // Of this session.
  std::unordered_map<uint64_t, uint64_t> times_;  // requests that were equal
  Pending<uint64_t> open_;                        // what tells the request again
  Counts notified_;
  uint64_t said_ = 0;  // by the host
};

}  // namespace midwire::trace
