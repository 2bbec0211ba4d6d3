// Writes a cassette: a header line, then one line per message, in the order in which messages end.
// Created by MakeWriter. Holds the pending part of one frame per direction: at most kMaxPending and
// one segment.
#pragma once

#include <deque>
#include <string>

#include "trace/session.h"
#include "trace/writer.h"
#include "wire/json/writer.h"

namespace midwire::trace {

class CassetteWriter : public TraceWriter, private SessionHandler {
 public:
  CassetteWriter(Sink* sink, bool times);
  // The framing of the protocol (Session::Expect), before the first record.
  void Expect(std::optional<wire::Framing> framing) { session_.Expect(framing); }

  Status OnRecord(const Record& record) override;
  Status OnGap(const Damage& damage) override;
  Status OnSection() override;
  Status OnEnd() override;

 private:
  // The part of what is pending that came from one record, or from the rest of one. Kept only with
  // times.
  struct Piece {
    int64_t time_ns;
    size_t size;
    size_t head;
    Hint hint;
    bool first;  // not the rest of a record whose beginning is in an earlier line
  };
  struct Side {
    std::string pending;
    size_t begin = 0;      // in pending: where the unwritten bytes begin
    uint64_t spilled = 0;  // bytes written as parts that the decoder has not reported yet
    std::deque<Piece> pieces;
    // The last item ended without the bytes that are pending. Otherwise they showed its end, and
    // must be in the cassette before what follows it.
    bool ends_itself = true;
  };

  void OnMessage(const RecordedMessage& message) override;
  void OnJunk(const RecordedJunk& junk) override;

  void WriteHeader(const Record* first);
  bool TakesHeader(const Record& record);
  void OnSegment(wire::Direction direction, const Record& record);
  void WriteOther(const Record& record);
  void Spill(wire::Direction direction);
  void SpillWhatEndsAnItem(wire::Direction direction);
  void SpillAll();
  // The bytes of an item that no part has yet. An empty view and true if the parts have all of it.
  bool TakeRest(wire::Direction direction, uint64_t size, std::string_view* rest, bool* whole);
  void Begin(wire::Direction direction, size_t size, size_t head, Hint usual);
  void AppendAt(Side* side, size_t size, size_t head, Hint usual);
  void AppendPiece(const Piece& piece, size_t size, size_t head, Hint usual, bool alone);
  void WriteRaw(wire::Direction direction, std::string_view key, std::string_view bytes,
                Hint usual);
  void EndLine();
  int64_t Relative(int64_t time_ns) const;
  Side& side(wire::Direction direction) { return sides_[static_cast<int>(direction)]; }

  Sink* sink_;
  const bool times_;
  Session session_;
  Side sides_[2];
  bool header_written_ = false;
  int64_t start_ns_ = 0;
  int64_t time_ns_ = 0;
  std::string header_members_;  // of a cassette that was read, beyond what this version knows
  std::string line_;
  wire::JsonWriter json_{&line_};  // of the line
  Status status_ = Ok{};
};

}  // namespace midwire::trace
