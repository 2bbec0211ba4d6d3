// The report of a replay: what differs from the trace, where, and what was expected. Plain data,
// computed by replay/ (the player, the diff), printed by view/. Holds nothing that changes from run
// to run of the same bytes: no time, and live ids and bound values only by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/exchange.h"
#include "wire/message.h"

namespace midwire::trace {

enum class DifferenceKind : uint8_t {
  kDiffers,       // a message came, with another content
  kMissing,       // a recorded message never came
  kExtra,         // a message came that is not in the trace
  kDoubled,       // a second answer to one request
  kUnknown,       // an answer to nothing that was asked
  kUnexpected,    // an answer where the trace has silence
  kEarly,         // an answer before a reverse call's answer that came before it in the trace
  kOrder,         // out of the recorded order
  kInconsistent,  // a bound value is used inconsistently
  kJunk,          // bytes that are no message
  kFraming,       // the other framing
  kEnded,         // ended early, or in another way than recorded
  kHung,          // silent for longer than the timeout, or did not end
};
std::string_view Name(DifferenceKind finding);  // "differs", "missing", "extra", ...

// No message of the trace can be rewritten to accept it.
inline bool IsDisorder(DifferenceKind finding) {
  return finding == DifferenceKind::kJunk || finding == DifferenceKind::kOrder ||
         finding == DifferenceKind::kEarly || finding == DifferenceKind::kHung;
}

struct Difference {
  DifferenceKind finding = DifferenceKind::kDiffers;
  uint32_t frame = 0;    // number of the recorded message; 0: there is none
  uint32_t closest = 0;  // of an extra message: the recording that is most like it; 0: none
  wire::Direction direction = wire::Direction::kPluginToHost;
  wire::Kind kind = wire::Kind::kInvalid;
  std::string method;    // an answer has its request's
  std::string pointer;   // the first place that differs; "" the whole
  std::string expected;  // JSON or text as in the trace, cut; "": not there
  std::string got;       // as it came; "": not there
  std::string text;      // one sentence for people, without the values above
};

// A value that the peer made and that our messages repeat.
struct BindingUse {
  std::string name;       // "b1", "b2", ... in order of their first recorded use
  std::string from;       // METHOD:POINTER where the peer first sent it
  std::string to;         // METHOD:POINTER where we first repeat it
  std::string recorded;   // JSON as spelt in the trace, cut
  bool replaced = false;  // the live value was another one
};

// Differences are kept up to here, the rest is counted: a longer list is not read, and a hostile
// peer can cause any number.
inline constexpr size_t kMaxDifferences = 1000;

struct ReplayReport {
  uint64_t sent = 0, to_send = 0;      // messages of our role
  uint64_t matched = 0, expected = 0;  // messages of the peer: came and were right, recorded
  std::vector<Difference> differences;
  uint64_t difference_count = 0;
  std::vector<BindingUse> bindings;
  bool to_end = false;             // our role got to its last message
  bool more_disorder = false;      // beyond the items: a hang, junk, or another order
  std::vector<std::string> notes;  // what a person should know and is no difference

  bool same() const { return difference_count == 0; }
};

}  // namespace midwire::trace
