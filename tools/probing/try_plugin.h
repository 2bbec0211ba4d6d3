// Starts a plugin once per protocol, all at once, and waits for the first that answers as its
// protocol requires. So `midwire doctor` finds out what a plugin speaks in one waiting time, not in
// four.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/probing/probe.h"
#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct Tried {
  const Probe* probe = nullptr;
  Received received;
  int64_t answer_ns = -1;  // from the start to the answer; -1: there was none
  bool ended = false;      // by itself, before an answer
  ExitStatus status;       // in that case
  std::string err;         // the beginning of its stderr
};

// Of each stream of each process; what a plugin prints until it has answered is less.
inline constexpr size_t kMaxReceived = 1u << 20;

// One per probe; in the order of `probes`. Returns as soon as one has the expected answer, or none
// can have it any more. All processes have ended then. An error: the plugin cannot be started.
Result<std::vector<Tried>> TryPlugin(const std::vector<std::string>& argv,
                                     const std::vector<const Probe*>& probes, int64_t wait_ns);

}  // namespace midwire::tools
