// Which open requests of a session were cancelled: by a message of the dialect that cancels, such
// as notifications/cancelled of MCP. A cancelled request needs no answer. Called by show and stats.
// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tools/reporting/facts.h"
#include "tools/reporting/oldest_first.h"
#include "trace/session.h"

namespace midwire::tools {

class Cancellations {
 public:
  // `any`: the dialect has messages that cancel.
  explicit Cancellations(bool any);
  // Each message and each element of a batch. Returns the number of the request that it cancels; 0:
  // none.
  uint64_t OnMessage(const trace::RecordedMessage& recorded, const Facts& facts);
  struct Call {
    uint64_t number;
    bool cancelled;
    std::string method, label;
  };
  // Calls `take(direction, call)` with each cancelled request that has no answer.
  template <typename Take>
  void EachCancelled(const Take& take) const {
    for (const wire::Direction direction :
         {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      for (const auto& [id, calls] : open_[static_cast<int>(direction)]) {
        for (const Call& call : calls) {
          if (call.cancelled) take(direction, call);
        }
      }
    }
  }
  // Whether this open request was cancelled.
  bool Has(wire::Direction direction, const wire::OpenRequest& request) const;
  void OnSessionEnd();

 private:
  // By id; requests of one id are answered in their order. One that is not kept, because there were
  // too many, is not the front when it is answered.
  using Side = std::unordered_map<std::string, OldestFirst<Call>>;

  const bool any_;
  std::array<Side, 2> open_;
  size_t count_ = 0;
};

}  // namespace midwire::tools
