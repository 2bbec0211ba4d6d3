// Pairs answers with requests: an Exchange is a request and its answer. Ids pair per direction (the
// same id may be out in both), duplicates first in first out. Used by show, stats, check and replay.
// Time is an argument; nothing here reads a clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "wire/message.h"

namespace midwire::wire {

enum class Direction : uint8_t { kHostToPlugin, kPluginToHost };
std::string_view Name(Direction direction);       // "host-to-plugin", "plugin-to-host"
std::string_view ShortName(Direction direction);  // "h2p", "p2h"
constexpr Direction Opposite(Direction d) {
  return d == Direction::kHostToPlugin ? Direction::kPluginToHost : Direction::kHostToPlugin;
}

struct OpenRequest {
  uint64_t number = 0;  // of the message, as the caller counts
  int64_t time_ns = 0;
  std::string method;
};

// Requests kept open at most; beyond it the oldest counts as unanswered. A peer that never answers
// must not grow our memory; no real session has 65,536 requests in flight.
inline constexpr size_t kMaxOpenRequests = 65536;

class Exchanges {
 public:
  // A request seen in `direction`.
  void Open(Direction direction, const Message& request, uint64_t number, int64_t time_ns);
  // An answer seen in `direction`: closes the oldest open request of that id in the opposite
  // direction. nullopt: an answer to nothing.
  std::optional<OpenRequest> Close(Direction direction, const Message& answer);
  // Requests never answered, in order of number.
  std::vector<OpenRequest> Unanswered(Direction direction) const;
  size_t open_count(Direction direction) const;
};

}  // namespace midwire::wire
