// What differs between sessions without a reason: places in the answers to equal requests, and
// notifications whose number differs though the host sent the same. Used by infer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/infer/places.h"
#include "check/rules/types.h"

namespace midwire::check {

// The first value at each place, as hashes of both. Open addressing: there are up to a million, and
// each node of a map would cost a cache miss.
class FirstValues {
 public:
  // Returns the value kept for `place`. Without one, keeps `value`, if there is room, and returns
  // nullopt.
  std::optional<uint64_t> FindOrPut(uint64_t place, uint64_t value);

 private:
  struct Slot {
    uint64_t place = 0, value = 0;
    bool used = false;
  };
  Slot& SlotOf(uint64_t place);
  void Grow();

  std::vector<Slot> slots_;  // a power of two, half of them free
  size_t count_ = 0;
};

class Volatility {
 public:
  void OnMessage(const Observed& seen);
  // whole: the recording is complete, so that counts may be compared.
  void OnSessionEnd(bool whole);

  const std::set<std::string>& places() const { return places_; }  // METHOD:/pointer
  std::set<std::string> methods() const;

 private:
  using Counts = std::map<std::string, uint64_t>;
  // Sessions in which the host called the same methods equally often.
  struct Alike {
    uint64_t sessions = 0;
    Counts fewest, most;
  };

  void OnRequest(const Observed& request);
  void OnAnswer(const Observed& answer);

  FirstValues values_;  // of the first session with that answer
  std::set<std::string> places_;
  std::map<uint64_t, Alike> alike_;
  // Of this session.
  std::unordered_map<uint64_t, uint64_t> times_;  // requests that were equal
  Pending<uint64_t> open_;                        // what identifies the request
  Counts notified_;
  uint64_t host_calls_ = 0;  // a hash of the host's calls
  PathHashes asked_at_{/*indices=*/true}, answered_at_{/*indices=*/true};
};

}  // namespace midwire::check
