// How each leaf (scalar, empty array or empty object) of the peer's messages counts when the trace
// is replayed: compared, or why not. For `replay --leaves`, which starts nothing. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "replay/load.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

enum class LeafCounts : uint8_t {
  kCompared,  // another value is a difference
  kShape,     // another value of the same shape is not
  kRenamed,   // a unique id: another one is not, if it is the same one everywhere
  kBound,     // a value that our role repeats: another one is not, if it is consistent
  kId,        // an id of a request, which is matched
  kVolatile,  // its message may be missing
  kIgnored,   // declared
};
std::string_view Name(LeafCounts counts);  // "compared", "shape", ...

struct Leaf {
  uint32_t message = 0;  // its number, as `midwire show` prints it
  std::string pointer;   // RFC 6901; an element of a batch begins with its index
  LeafCounts as = LeafCounts::kCompared;
  std::string why;  // "" for kCompared
};

// In the order of the trace. Fails if the stored frames cannot be read.
Status VisitLeaves(Loaded* loaded, Direction peers, const std::function<void(const Leaf&)>& visit);

}  // namespace midwire::replay
