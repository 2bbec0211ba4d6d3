// Texts that come in pieces (declared as `chunked`): the pieces of one text are a stream, and only
// the text as a whole is compared, however it is cut. Called by the matcher, which decides which
// stream a message belongs to. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/script/declared.h"
#include "replay/script/script.h"

namespace midwire::replay {

// Where the text of a notification is, if its class is declared as chunked and a string is there;
// nullptr: its message is no piece of a text.
const Place* ChunkPlace(const Declarations& declared, const CallClass& of, std::string_view body);

class Chunks {
 public:
  using StreamIndex = size_t;
  // Gives the body of a step, valid until the next call.
  using BodyOf = std::function<std::string_view(StepIndex)>;
  // Whether the step is of the stream that begins with `first`: equal except for its text.
  using OfStream = std::function<bool(StepIndex first)>;

  struct Received {
    std::vector<StepIndex> done;  // steps whose text has arrived with this piece
    StepIndex step = kNoStep;     // the last one that this piece is of
    bool differs = false;         // from here on nothing more is compared
    std::string expected, got;    // in that case, the texts from there on, as JSON; "": nothing
  };

  // A recorded piece, in order. `group`: its direction and method.
  void Add(uint64_t group, StepIndex step, const Place* at, const OfStream& of_stream);
  // The stream to which a live piece belongs.
  std::optional<StreamIndex> Find(uint64_t group, const OfStream& of_stream) const;
  Received OnPiece(StreamIndex stream, std::string_view body, const BodyOf& body_of);
  // Whether the step is the first of its stream that has not arrived.
  bool IsNext(StepIndex step) const;
  // The first recorded piece of that group, kNoStep if there is none.
  StepIndex FirstOf(uint64_t group) const;

 private:
  struct Stream {
    uint64_t group;
    const Place* at;
    std::vector<StepIndex> steps;
    size_t next = 0, offset = 0;  // the first step that has not arrived, and how much of it has
    bool broken = false;
  };
  std::vector<Stream> streams_;
};

// Streams of one method among which a piece is looked for. Terminals have two, agents a few per
// session.
inline constexpr size_t kMaxStreams = 64;

}  // namespace midwire::replay
