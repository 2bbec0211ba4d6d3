#include "tools/fuzzing/reduce_further.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "io/clock.h"
#include "io/interrupt.h"
#include "tools/console/exit_code.h"

namespace midwire::tools {
namespace {

// Less is not enough to play a finding and to confirm the result.
constexpr int64_t kLeastShare = 1'000'000'000;

}  // namespace

void ReduceFurther(const std::vector<std::string>& cassettes, int64_t time_ns,
                   const std::function<Status()>& before,
                   const std::function<void(const std::string& cassette,
                                            const fuzz::Investigated& reduced)>& tell) {
  const int64_t end = io::MonotonicNow() + time_ns;
  for (size_t i = 0; i < cassettes.size() && io::Interrupted() == 0; ++i) {
    const int64_t left = end - io::MonotonicNow();
    if (left <= 0) break;
    const int64_t share =
        std::clamp(left / static_cast<int64_t>(cassettes.size() - i), kLeastShare, time_ns);
    const std::string& cassette = cassettes[i];
    const std::string smaller = cassette + ".smaller";  // a name that no command takes for a trace
    unlink(smaller.c_str());                            // of a process that was killed
    Reduction reduction({.trace = cassette,
                         .output = smaller,
                         .max_time = std::to_string(share / 1'000'000) + "ms",
                         .before = before,
                         .quiet = true});
    if (reduction.Run() != kFine) continue;
    if (reduction.reduced().hits == 0) {  // stopped by a signal: the other one is confirmed
      unlink(smaller.c_str());
      continue;
    }
    if (std::rename(smaller.c_str(), cassette.c_str()) == 0) tell(cassette, reduction.reduced());
  }
}

}  // namespace midwire::tools
