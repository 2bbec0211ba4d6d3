// Compares two traces by the rules of a replay without running anything: the second with the first,
// in both directions. Called by `midwire diff`.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/load.h"
#include "replay/script/unused.h"
#include "trace/reader.h"
#include "trace/report/replay_report.h"

namespace midwire::replay {

// A message of the second trace, and the recorded one that it was taken for. Numbers as `show`
// prints them; 0: none. Elements of a batch have its number.
struct Aligned {
  uint32_t a = 0;
  uint32_t b = 0;
  wire::Direction direction = wire::Direction::kPluginToHost;
  std::string method;  // an answer has its request's
  bool is_answer = false;
};

// `a` must be loaded for the host's role, so that its bindings are values of the plugin. Reads all
// of `b`. An error: `b` cannot be read. `aligned`: null, or gets each message of `b`, in its order.
// `unused`: null, or sees each message of `b`.
Result<trace::ReplayReport> Diff(Loaded* a, trace::TraceReader* b,
                                 std::vector<Aligned>* aligned = nullptr, Unused* unused = nullptr);

}  // namespace midwire::replay
