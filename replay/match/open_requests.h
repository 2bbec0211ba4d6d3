// The requests in flight by their live id, and which were answered last. Called by the matcher: our
// requests when they are sent, the peer's answers when they arrive.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/script/script.h"
#include "wire/respelt_ids.h"

namespace midwire::replay {

// Answered requests that are kept to distinguish a second answer from an unknown one.
inline constexpr size_t kMaxAnswered = 1024;

class OpenRequests {
 public:
  // `step` is kNoStep for a request that is not in the trace.
  void Open(Direction direction, std::string_view id, StepIndex step);

  // The open requests of `direction` with that id token, else with one that differs only in
  // spelling or type (wire/respelt_ids.h); more than one if the id is in flight twice. Empty: none.
  struct Found {
    std::string id;  // as it was sent
    std::span<const StepIndex> steps;
  };
  Found Find(Direction direction, const std::string& token) const;
  // The request at that place of Found::steps was answered. Takes time in proportion to the place,
  // however many are in flight with this id.
  void Answer(Direction direction, const Found& found, size_t place);

  // Whether a request with this id was answered already, and which.
  std::optional<StepIndex> Answered(Direction direction, std::string_view id) const;

 private:
  // Of one id, the oldest first. Answers come to the oldest, so those that are gone are at the
  // front, and make room when they are half of all.
  struct Steps {
    std::vector<StepIndex> all;
    size_t gone = 0;
    std::span<const StepIndex> left() const { return std::span(all).subspan(gone); }
    void Remove(size_t place);
  };
  using Table = std::unordered_map<std::string, Steps>;
  struct Past {
    Direction direction;
    std::string id;
    StepIndex request;
  };
  std::array<Table, 2> open_;
  std::array<wire::RespeltIds, 2> respelt_;
  Table::node_type spare_;  // of an id that was answered, for the next one
  std::deque<Past> answered_;
};

}  // namespace midwire::replay
