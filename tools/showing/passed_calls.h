// Messages that `show` reads, but does not show, before the first one that it may show. Keeps what
// those behind them need to know of them: the calls that are open then. Called by Viewer. Pure.
//
// Labels, cancelled calls and rows take most of the time of `show`. The requests that are paired
// are known to the session in any case, so that only the bodies of those with a label are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "tools/reporting/facts.h"
#include "tools/showing/cancellations.h"
#include "trace/dialect/labels.h"
#include "trace/session.h"

namespace midwire::tools {

class PassedCalls {
 public:
  // `dialect`: null if there is none; outlives it.
  explicit PassedCalls(const wire::Dialect* dialect) {
    if (dialect != nullptr) labels_.emplace(dialect);
  }

  // Each message, and each element of a batch. False: there is more to know than is kept, so that
  // the trace has to be read from its start by what shows it.
  bool OnMessage(const trace::RecordedMessage& recorded, const wire::Exchanges& exchanges,
                 bool element);
  void OnSessionEnd();
  // Shows the open requests to both, which have seen none of the session. False: as above.
  bool HandOver(const wire::Exchanges& exchanges, FactReader* facts, Cancellations* cancellations);

 private:
  using Bodies = std::unordered_map<uint64_t, std::string>;

  std::optional<trace::Labels> labels_;
  Bodies bodies_;            // of open requests that may have labels, by number
  Bodies::node_type spare_;  // the last that was removed, reused
  size_t bytes_ = 0;
};

}  // namespace midwire::tools
