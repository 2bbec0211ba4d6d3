// Pairs answers with requests: an Exchange is a request and its answer. Ids pair per direction (the
// same id may be open in both), duplicates first in first out. Used by show, stats, check and
// replay. Time is an argument; nothing here reads a clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "wire/message.h"
#include "wire/respelt_ids.h"
#include "wire/text_hash.h"

namespace midwire::wire {

enum class Direction : uint8_t { kHostToPlugin, kPluginToHost };
std::string_view Name(Direction direction);       // "host-to-plugin", "plugin-to-host"
std::string_view ShortName(Direction direction);  // "h2p", "p2h"
constexpr Direction Opposite(Direction d) {
  return d == Direction::kHostToPlugin ? Direction::kPluginToHost : Direction::kHostToPlugin;
}

struct OpenRequest {
  uint64_t number = 0;  // of the message, as the caller numbers it
  int64_t time_ns = 0;
  std::string method;
  std::string id;        // its token
  uint32_t element = 0;  // of a batch with that number: its place there
};

// The most requests kept open; a further one is not paired and only counts as unanswered. A peer
// that never answers must not grow our memory; a host of a load test may have 100,000 in flight.
inline constexpr size_t kMaxOpenRequests = 131'072;

// The most bytes that the ids and methods of open requests take per direction; a request beyond it
// is not paired either. Tokens may have 4 KiB, real ones have about ten bytes.
inline constexpr size_t kMaxOpenBytes = 16u << 20;

class Exchanges {
 public:
  // A request seen in `direction`.
  void Open(Direction direction, const Message& request, uint64_t number, int64_t time_ns,
            uint32_t element = 0);
  // An answer seen in `direction`: closes the oldest open request with that id in the opposite
  // direction. nullopt: there is none.
  std::optional<OpenRequest> Close(Direction direction, const Message& answer);
  // The same, else one whose id differs only in type or spelling (respelt_ids.h): a mistake of the
  // peer, but it is clear what was meant. For a view of a session, not for a party of it. Null:
  // there is none. Valid until the next call, so that no request is copied.
  const OpenRequest* CloseMeant(Direction direction, const Message& answer);
  // Requests of `direction` that were never answered, by number. Those beyond kMaxOpenRequests or
  // kMaxOpenBytes are missing here; open_count includes them.
  std::vector<OpenRequest> Unanswered(Direction direction) const;
  uint64_t open_count(Direction direction) const;

 private:
  // Open requests of one id. The first is stored in place, so that the usual case allocates no
  // queue.
  struct Queue {
    OpenRequest first;
    std::vector<OpenRequest> later;  // from `next` on; an index, as erasing would be quadratic
    size_t next = 0;
  };
  using Table = std::unordered_map<std::string, Queue, TextHash>;
  struct Side {
    Table open;
    RespeltIds respelt;
    Table::node_type spare;  // the last closed node, reused: ping-pong traffic never allocates
    OpenRequest closed;      // the last one that is not in it
    uint64_t held = 0, overflow = 0;
    size_t bytes = 0;  // of the tokens that are held
  };
  static const OpenRequest* CloseAt(Side* side, Table::iterator found);
  Side& side(Direction d) { return sides_[static_cast<int>(d)]; }
  const Side& side(Direction d) const { return sides_[static_cast<int>(d)]; }
  Side sides_[2];
};

}  // namespace midwire::wire
