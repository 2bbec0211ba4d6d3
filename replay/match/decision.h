// What the matcher decides on one live message: made by the decider while nothing changes, then
// applied by the matcher, then put into words by the describer. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "replay/match/chunks.h"
#include "replay/match/expectations.h"
#include "replay/match/message_comparer.h"
#include "replay/match/open_requests.h"
#include "replay/match/variations.h"
#include "replay/script/script.h"
#include "replay/script/unused.h"
#include "wire/framing.h"

namespace midwire::replay {

// Differences collected per message with MatchOptions::variations.
inline constexpr size_t kMaxPlaces = 64;

struct MatchOptions {
  Variations* variations = nullptr;  // collect every differing place, for this
  bool in_order = false;             // messages must come in the recorded order
  bool exact_requests = false;  // a request with other content than recorded is not in the trace
  // The peer is a host. A request that is equal to one that has arrived is that one once more. The
  // host may have another name than the recorded one.
  bool mock = false;
  bool at_once = false;      // decide on each message when it arrives (--update)
  Unused* unused = nullptr;  // sees each message that is not a recorded one to the last byte
  bool diff = false;         // two traces are compared, A and B: the report names these
};

// How a live message is framed.
struct LiveFraming {
  bool content_length = false;
  wire::Oddities oddities = 0;
  uint32_t batch = 0;  // which batch it is an element of, from 1; 0: of none
};

struct Decision {
  enum class Type : uint8_t {
    kRecorded,     // it is `step`
    kPiece,        // it is the next piece of the text `stream`
    kStrayPiece,   // a piece of none of the texts; `step` is the first one of its method
    kLater,        // a changed notification, which is decided on at the end of the run
    kAgain,        // of a host: equal to `step`, which has arrived
    kRefused,      // of a host: not in the trace with this content; `step` is the most similar one
    kExtra,        // no recording is left; `step` is the most similar one that has arrived, if any
    kStrayAnswer,  // no request in flight has its id; `step` is one that was answered, if any
    kForeign,      // an answer to a request that is not in the trace
    kUnanswered,   // an answer to `step`, which has none in the trace
  };
  Type type = Type::kExtra;
  StepIndex step = kNoStep;
  Verdict verdict;      // of the comparison with `step`
  bool silent = false;  // not a difference

  CallClass of;
  Expectations::Key key;
  ExpectedMessages* queue = nullptr;  // of that key, unless it is an answer; null: there are none
  bool only_volatile = false;         // kExtra: the trace has volatile messages of this method

  const Place* chunk = nullptr;  // kPiece: where its text is
  Chunks::StreamIndex stream = 0;

  OpenRequests::Found requests;  // of an answer: those in flight with its id
  size_t place = 0;              // of the answered one in requests.steps
  bool second = false;           // kStrayAnswer: its request was answered already
  bool unsent = false;           // kStrayAnswer: its request is `step`, which was not sent yet

  // kRecorded: the first place where a host says something else of itself than recorded.
  std::optional<ValueDifference> host_name;
};

}  // namespace midwire::replay
