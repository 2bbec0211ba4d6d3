// Writes a cassette: a header line, then a line a message, in the order in which messages end.
// Made by MakeWriter. Holds of each direction what is pending of one frame, at most kMaxPending and
// a segment.
#pragma once

#include <deque>
#include <string>

#include "trace/session.h"
#include "trace/writer.h"

namespace midwire::trace {

class CassetteWriter : public TraceWriter, private SessionHandler {
 public:
  CassetteWriter(Sink* sink, bool times);

  Status OnRecord(const Record& record) override;
  Status OnGap(const Damage& damage) override;
  Status OnSection() override;
  Status OnEnd() override;

 private:
  // What one record, or the rest of one, gave to what is pending. Kept only with times.
  struct Piece {
    int64_t time_ns;
    size_t size;
    size_t head;
    Hint hint;
    bool first;  // not the rest of a record whose beginning is in an earlier line
  };
  struct Side {
    std::string pending;
    size_t begin = 0;      // of what is not yet written, in pending
    uint64_t spilled = 0;  // bytes written as parts, of what the decoder has not told of yet
    std::deque<Piece> pieces;
  };

  void OnMessage(const SaidMessage& message) override;
  void OnJunk(const SaidJunk& junk) override;

  void WriteHeader(const Record* first);
  bool TakesHeader(const Record& record);
  void OnSegment(wire::Direction direction, const Record& record);
  void WriteOther(const Record& record);
  void Spill(wire::Direction direction);
  void SpillAll();
  // The bytes of an item that no part has yet; empty view and true when parts have all of it.
  bool TakeRest(wire::Direction direction, uint64_t size, std::string_view* rest, bool* whole);
  void Begin(wire::Direction direction, size_t size, size_t head, Hint usual);
  void AppendAt(Side* side, size_t size, size_t head, Hint usual);
  void AppendPiece(const Piece& piece, size_t size, size_t head, Hint usual, bool alone);
  void WriteRaw(wire::Direction direction, std::string_view key, std::string_view bytes,
                Hint usual);
  void EndLine();
  std::string Relative(int64_t time_ns) const;
  Side& side(wire::Direction direction) { return sides_[static_cast<int>(direction)]; }

  Sink* sink_;
  const bool times_;
  Session session_;
  Side sides_[2];
  bool header_written_ = false;
  int64_t start_ns_ = 0;
  int64_t time_ns_ = 0;
  std::string line_;
  Status status_ = Ok{};
};

}  // namespace midwire::trace
