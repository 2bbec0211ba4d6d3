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
  kDiffers,       // a message with other content than recorded
  kMissing,       // a recorded message never came
  kExtra,         // a message came that is not in the trace
  kDoubled,       // a second answer to one request
  kUnknown,       // an answer to no request
  kUnexpected,    // an answer to a request that the trace leaves unanswered
  kEarly,         // an answer before a reverse call's answer that came before it in the trace
  kOrder,         // out of the recorded order
  kWaits,         // under mock: the host waits for an answer that was recorded after this call
  kInconsistent,  // a bound value is used inconsistently
  kJunk,          // bytes that are no message
  kFraming,       // the other framing
  kEnded,         // ended early, or with another status than recorded
  kHung,          // silent for longer than the timeout, or did not end
};
std::string_view Name(DifferenceKind kind);  // "differs", "missing", "extra", ...

// `replay --update` cannot accept it by rewriting a message of the trace.
inline bool IsDisorder(DifferenceKind kind) {
  return kind == DifferenceKind::kJunk || kind == DifferenceKind::kOrder ||
         kind == DifferenceKind::kEarly || kind == DifferenceKind::kWaits ||
         kind == DifferenceKind::kHung;
}

// An item of an array of objects that have names.
struct ItemChange {
  enum class What : uint8_t { kNew, kGone, kMoved, kDiffers } what = What::kNew;
  std::string item;      // its name, id or uri, JSON as spelled, cut
  uint64_t from = 0;     // its index in the trace; not of a new one
  uint64_t at = 0;       // its index as it came; not of one that is gone
  std::string pointer;   // of one that differs: where, by its index in the trace
  std::string expected;  // the values there, as in Difference
  std::string got;
  uint32_t line = 0;
};
std::string_view Name(ItemChange::What what);  // "new", "gone", "moved", "differs"

// What changed in an array, item by item, where items are another number or in another order.
struct ItemChanges {
  std::string pointer;              // of the array
  uint64_t recorded = 0, came = 0;  // items
  std::vector<ItemChange> first;    // up to kMaxItemChanges
  uint64_t count = 0;               // of all changes; 0: there is no such array
};
inline constexpr size_t kMaxItemChanges = 20;  // in one message; more are not read

inline constexpr size_t kMaxAlso = 3;

struct Difference {
  DifferenceKind difference = DifferenceKind::kDiffers;
  uint32_t frame = 0;    // number of the recorded message; 0: there is none
  uint32_t other = 0;    // of diff: number of the message in the other trace; 0: there is none
  uint32_t closest = 0;  // of an extra message: the recording that is most like it; 0: none
  wire::Direction direction = wire::Direction::kPluginToHost;
  wire::Kind kind = wire::Kind::kInvalid;
  std::string method;    // an answer has its request's
  std::string pointer;   // the first place that differs; "" the whole
  std::string expected;  // JSON or text as in the trace, cut; "": not there
  std::string got;       // as it came; "": not there
  uint32_t line = 0;     // of a long text that differs, from 1; 0: it is short, or has one line
  std::string text;      // one sentence for people, without the values above
  ItemChanges items;     // of the array that the pointer leads through
  // Further places of a message that differs, outside that array: the first kMaxAlso, and how many.
  std::vector<std::string> also;
  uint64_t also_count = 0;
  // For --learn: what declarations call an extra message, or the reverse call before whose answer
  // an early one came; "" else.
  std::string call;
};

// A value that the peer generated and that our messages repeat.
struct BindingUse {
  std::string name;       // "b1", "b2", ... in order of their first recorded use
  std::string from;       // METHOD:POINTER where the peer first sent it
  std::string to;         // METHOD:POINTER where we first repeat it
  std::string recorded;   // JSON as spelt in the trace, cut
  bool replaced = false;  // the live value was another one
  bool renamed = false;   // a unique id that the peer itself repeats
};

// Differences are kept up to here, the rest is counted: a longer list is not read, and a hostile
// peer can cause any number.
inline constexpr size_t kMaxDifferences = 1000;

struct ReplayReport {
  uint64_t sent = 0, to_send = 0;      // messages of our role
  uint64_t matched = 0, expected = 0;  // messages of the peer: received as recorded, in the trace
  std::vector<Difference> differences;
  uint64_t difference_count = 0;
  std::vector<BindingUse> bindings;
  bool to_end = false;             // our role reached its last message
  bool more_disorder = false;      // among those not kept: a hang, junk, or another order
  std::vector<std::string> notes;  // what a person should know, though it is no difference

  bool same() const { return difference_count == 0; }
};

}  // namespace midwire::trace
