// midwire fuzz --reduce-time: reduces findings further, after the search, as midwire reduce does.
// Called by commands/fuzz.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/fuzzing/reduction.h"

namespace midwire::tools {

// Replaces each of these cassettes by a smaller one, in turn, each in its share of what is left of
// `time_ns`. A finding that does not show is left as it is. Ends early after a signal.
void ReduceFurther(const std::vector<std::string>& cassettes, int64_t time_ns,
                   const std::function<Status()>& before,
                   const std::function<void(const std::string& cassette,
                                            const fuzz::Investigated& reduced)>& tell);

}  // namespace midwire::tools
