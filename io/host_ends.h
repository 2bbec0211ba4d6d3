// The descriptors that the host passed to midwire: which of 0, 1, 2 are open and what they are, and
// the others that the plugin inherits. Called by proxy/ before anything else is opened; never
// changes what the host can see of them.
#pragma once

#include <array>
#include <vector>

namespace midwire::io {

struct HostEnds {
  std::array<bool, 3> closed{};       // at the start; the plugin gets them closed too
  std::array<bool, 3> nonblocking{};  // O_NONBLOCK as it came; the plugin's ends get it too
  bool merged_stderr = false;         // 1 and 2 are the same pipe, socket or file
  std::vector<int> inherited;         // above 2, without FD_CLOEXEC, ascending
};

// Collects these, then opens /dev/null as those of 0, 1, 2 that are closed.
HostEnds TakeHostEnds();

}  // namespace midwire::io
