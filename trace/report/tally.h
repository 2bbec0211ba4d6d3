// Counts of a trace: per method, per direction, per session. Filled by tools/ while it reads the
// trace, printed by view/. Plain data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/report/latencies.h"
#include "trace/report/session_head.h"
#include "wire/exchange.h"
#include "wire/message.h"

namespace midwire::trace {

// One method in the direction in which it is called. Answers count with their requests.
struct MethodTally {
  std::string method;
  wire::Direction direction = wire::Direction::kHostToPlugin;
  uint64_t requests = 0, notifications = 0, answers = 0, errors = 0;
  uint64_t cancelled = 0;                // requests that were cancelled and have no answer
  uint64_t failed = 0;                   // the errors, and answers that the dialect calls failures
  uint64_t bytes = 0, answer_bytes = 0;  // whole frames; messages in a batch have none of their own
  Latencies latencies;
  std::string label;                // of a row of `labels`
  std::vector<MethodTally> labels;  // the same per label, in that order
};

struct DirectionTally {
  static constexpr int kKinds = 6;        // wire::Kind
  static constexpr int kOddityBits = 17;  // wire::Oddity
  static constexpr int kFlagBits = 16;    // wire::MessageFlag

  uint64_t bytes = 0;
  uint64_t messages = 0;  // frames
  uint64_t batched = 0;   // messages in batches
  uint64_t junk = 0, junk_bytes = 0;
  uint64_t answers_to_nothing = 0;
  uint64_t unanswered = 0;  // requests of this direction, without those that were cancelled
  uint64_t cancelled = 0;   // requests that were cancelled and have no answer
  uint64_t failed = 0;      // errors, and answers that the dialect calls failures
  std::array<uint64_t, kKinds> kinds = {};
  std::array<uint64_t, kOddityBits> oddities = {};
  std::array<uint64_t, kFlagBits> flags = {};
};

struct SessionTally {
  std::string spawn, exit;  // as trace::Describe words them; "" without such an event
  int64_t start_ns = 0, last_ns = 0;
  bool ended = false;
  // By Stream: how often its reader stopped to read, and for how long in all.
  struct Stalls {
    uint64_t count = 0;
    int64_t ms = 0;
  };
  std::array<Stalls, 3> stalls;
  std::array<uint64_t, 2> never_read = {};  // messages, by Direction
};

struct UnansweredRequest {
  wire::Direction direction;
  wire::OpenRequest request;
};

struct Tally {
  std::string trace;                 // its name, if there are several; else ""
  SessionHead head;                  // without a dialect: empty
  std::vector<MethodTally> methods;  // in the order of their first messages
  MethodTally other_methods;         // those without a row of their own
  std::array<DirectionTally, 2> directions;
  std::vector<SessionTally> sessions;
  uint64_t session_count = 0;  // with those that are not listed
  std::vector<UnansweredRequest> unanswered;
  uint64_t stderr_bytes = 0;
  uint64_t damaged_places = 0, damaged_bytes = 0, torn_bytes = 0;

  bool labelled() const {
    return std::any_of(methods.begin(), methods.end(),
                       [](const MethodTally& method) { return !method.labels.empty(); });
  }
  const DirectionTally& direction(wire::Direction d) const {
    return directions[static_cast<int>(d)];
  }
};

}  // namespace midwire::trace
