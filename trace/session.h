// The session model: records in, messages out. Runs one Decoder per direction, numbers the messages
// and pairs the exchanges. Pure, push style. show, stats, convert, check and replay all read a
// trace through this, so a frame has the same number everywhere.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "trace/event.h"
#include "trace/reader.h"
#include "trace/record.h"
#include "wire/decoder.h"
#include "wire/exchange.h"

namespace midwire::trace {

struct RecordedMessage {
  // 1, 2, ... over both directions, in the order in which their ends were seen. The end of a line
  // without its line break is seen with what follows it, or with the end of the stream.
  uint64_t number = 0;
  wire::Direction direction = wire::Direction::kHostToPlugin;
  int64_t first_ns = 0;  // Unix time of its first and last byte
  int64_t time_ns = 0;
  uint64_t line = 0;  // of the cassette, where it ends; 0: in a tape
  const wire::Frame* frame = nullptr;
  const wire::Message* message = nullptr;
  // Of an answer: the request it answers, if that is in the trace, also if the answer spells its id
  // otherwise (1 for "1"); valid during the call. Latency is time_ns - request->time_ns. Of a
  // batch: null; its elements are paired one by one through OnElement.
  const wire::OpenRequest* request = nullptr;
};

struct RecordedJunk {
  wire::Direction direction;
  int64_t time_ns;
  const wire::Junk* junk;
  uint64_t line = 0;  // of the cassette, where it ends; 0: in a tape
};

class SessionHandler {
 public:
  virtual ~SessionHandler() = default;
  virtual void OnMessage(const RecordedMessage& message) = 0;
  // Each classified element of a batch, after the batch's OnMessage, with the batch's number.
  virtual void OnElement(const RecordedMessage& element) { (void)element; }
  virtual void OnJunk(const RecordedJunk& junk) { (void)junk; }
  virtual void OnStderr(int64_t time_ns, std::string_view bytes) { (void)time_ns, (void)bytes; }
  virtual void OnEvent(int64_t time_ns, const Event& event) { (void)time_ns, (void)event; }
  // One of several sessions in the trace has ended; its exchanges are cleared after this.
  virtual void OnSectionEnd(const wire::Exchanges& exchanges) { (void)exchanges; }
};

class Session : private wire::FrameHandler {
 public:
  // keep_bytes: how much of a frame to hold in memory (0 when only its Message matters).
  explicit Session(SessionHandler* handler, size_t keep_bytes = wire::kKeepBytes,
                   wire::Detail detail = wire::Detail::kMessages);
  // The framing of the protocol, if it is known: where the recording does not say which framing a
  // stream has. Call it before the first record.
  void Expect(std::optional<wire::Framing> framing);
  void OnRecord(const Record& record);
  // Damage: what is pending in either direction becomes junk (truncated) and decoding restarts.
  void OnGap();
  // The trace (or this section of it) has ended.
  void OnEnd();
  // Another session follows in the same trace: ends this one, calls the handler, clears its ids.
  void OnSection();
  // What follows is another trace, whose messages have numbers of their own.
  void RestartNumbers() { number_ = 0; }
  const wire::Exchanges& exchanges() const { return exchanges_; }
  bool ended() const { return ended_; }  // an end event was read: the recording is complete

 private:
  // The state of one direction.
  struct Side {
    std::optional<wire::Decoder> decoder;
    int64_t first_ns = 0;  // of what is pending
    int64_t time_ns = 0;   // of the latest bytes
    // To find out which messages a reader has left: places in the stream, in bytes.
    uint64_t fed = 0, decoded = 0;
    struct Latest {
      uint64_t number, end;
    };
    std::deque<Latest> latest;  // messages, at most kMaxLatest
    // The lines of what is pending, as places in the stream.
    std::deque<LinePlace> lines;

    uint64_t LineOfLatest();  // of the byte before `decoded`
  };

  void OnFrame(const wire::Frame& frame, const wire::Message& message) override;
  void OnJunk(const wire::Junk& junk) override;
  void Feed(wire::Direction direction, const Record& record);
  void Finish(wire::Direction direction);
  void StartDecoder(Side* side, wire::Framing framing);
  void OnEventRecord(const Record& record);
  void FindUnread(ClosedEvent* closed) const;
  const wire::OpenRequest* Pair(const wire::Message& message, uint32_t element);
  Side& side(wire::Direction direction) { return sides_[static_cast<int>(direction)]; }

  SessionHandler* handler_;
  size_t keep_bytes_;
  wire::Detail detail_;
  wire::Framing expected_ = wire::Framing::kAuto;
  Side sides_[2];
  wire::Direction current_ = wire::Direction::kHostToPlugin;  // whose decoder is running
  uint64_t number_ = 0;
  wire::Exchanges exchanges_;
  bool ended_ = false;
};

// Runs a whole trace through a handler until kWait, then calls OnEnd. Numbering continues across
// sections.
Status Play(TraceReader* reader, Session* session);

}  // namespace midwire::trace
