// The script that a session compiles to. A step is one message of the trace, or one element of a
// batch, without its bytes; the frames are in a Frames. Either role can play it: messages of our
// role are sent, the rest is expected. Plain data, made by compile.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/script/call_class.h"
#include "replay/script/steps.h"
#include "wire/exchange.h"
#include "wire/framing.h"
#include "wire/json/parts.h"
#include "wire/json/pointer.h"
#include "wire/message.h"
#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

using wire::Direction;
using wire::IsAnswer;
using wire::Kind;

// An index of Script::steps.
using StepIndex = uint32_t;
inline constexpr StepIndex kNoStep = UINT32_MAX;

// Where messages have their ids: in JSON-RPC; in DAP, the number of a message, and that of the
// request that an answer has.
inline const wire::Pointer kId = {{"id"}}, kSeq = {{"seq"}}, kRequestSeq = {{"request_seq"}};

struct Step {
  uint64_t at = 0;      // its frame in Frames, or the element's own bytes
  uint32_t size = 0;    // of the frame
  uint32_t number = 0;  // of the message, as `midwire show` prints it; an element has its batch's
  uint32_t method = 0;  // in Script::methods; 0 is ""; an answer has its request's
  uint32_t of = 0;      // in Script::classes; an answer has its request's
  StepIndex other = kNoStep;  // of a request its answer, of an answer its request
  uint32_t delay_us = 0;      // since the step before it, as recorded; UINT32_MAX: that or more
  uint16_t head = 0;          // bytes of the frame before its body
  uint8_t tail = 0;           // bytes after it
  Direction direction = Direction::kHostToPlugin;
  Kind kind = Kind::kInvalid;
  bool element : 1 = false;  // of the batch before it; goes out with it
  bool bound : 1 = false;    // holds a value that bindings know (bindings.h)
  bool is_volatile : 1 =
      false;                  // its method is volatile: it may come at any place and in any number
  bool floating : 1 = false;  // it may come at any place, but must come
  bool chunked : 1 = false;   // a piece of a text that may be cut elsewhere (chunks.h)
  bool content_length : 1 = false;
  bool json : 1 = false;   // its body is JSON to the last byte (wire::IsLooseJson)
  bool plain : 1 = false;  // its frame has no oddity: equal bytes are this message everywhere
  // Of a request or an answer of JSON-RPC: where its id is in its body, if that is near the
  // beginning; size 0: elsewhere.
  uint8_t id_at = 0, id_size = 0;
};

// The messages of one method and direction.
inline uint64_t GroupOf(const Step& step) {
  return uint64_t{step.method} * 2 + static_cast<uint64_t>(step.direction);
}

// The body of a step in its frame, without blanks around; "" if `frame` is not its frame.
inline std::string_view BodyOf(const Step& step, std::string_view frame) {
  const size_t around = size_t{step.head} + step.tail;
  if (frame.size() < around) return "";
  return wire::Trimmed(frame.substr(step.head, frame.size() - around));
}
// The id in such a body; "" if its place is not known.
inline std::string_view IdIn(const Step& step, std::string_view body) {
  const bool known = step.id_size > 0 && body.size() >= size_t{step.id_at} + step.id_size;
  return known ? body.substr(step.id_at, step.id_size) : std::string_view();
}

// An event other than a message, before the step `before` (or after the last).
struct Mark {
  enum class Type : uint8_t { kEof, kSignal, kExit, kStderr, kJunk } type = Type::kEof;
  StepIndex before = 0;
  Direction direction = Direction::kHostToPlugin;  // of an end of a stream, or of junk
  ExitStatus exit;                                 // of an exit
  int signal = 0;                                  // of a signal
  uint64_t at = 0;                                 // in Frames: stderr or junk
  uint32_t size = 0;
};

// Gives the bytes of frames. Implemented by StoredFrames (load.h), and by a string in tests.
class Frames {
 public:
  virtual ~Frames() = default;
  // Valid until the next call.
  virtual Result<std::string_view> Get(uint64_t at, size_t size) = 0;
};

struct Script {
  Blocks<Step> steps;
  std::vector<Mark> marks;
  std::vector<std::string> methods = {""};
  std::vector<CallClass> classes = {{}};
  std::array<wire::Oddities, 2> oddities{};  // of the frames of each direction
  std::vector<StepIndex> respelt;            // see IsRespelt; ascending
  bool cut_off = false;                      // a recording that ended before the session did
  bool timed = false;                        // it has times
  uint32_t sessions = 1;                     // in the trace; only the first is played

  const CallClass& ClassOf(const Step& step) const { return classes[step.of]; }
  // Whether an answer has another spelling of its request's id (wire/respelt_ids.h).
  bool IsRespelt(StepIndex answer) const {
    return std::binary_search(respelt.begin(), respelt.end(), answer);
  }
};

}  // namespace midwire::replay
