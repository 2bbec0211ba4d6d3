// Injects faults into a live stream: takes the bytes of both directions, and emits what is to be
// sent instead, with pauses as data. What happens to a message depends on the seed, its direction,
// its number in that direction and its content, never on time or on how its bytes were chunked.
// `midwire chaos` runs it between a host and a plugin (tools/fuzzing/chaos_machine.h). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.h"
#include "trace/event.h"
#include "trace/filter.h"
#include "wire/decoder.h"
#include "wire/exchange.h"

namespace midwire::fuzz {

enum class Fault : uint8_t {
  kDrop,      // the message is not sent
  kDup,       // it is sent twice
  kDelay,     // it and all that follows is delayed
  kReorder,   // it is sent after the next one
  kSplit,     // it is sent in pieces, so that a reader receives half of it first
  kCoalesce,  // it is sent together with the next one, in one write
  kTruncate,  // its body ends early; a length in its header does not change
  kCorrupt,   // some bytes of its body are changed
  kJunk,      // a line that is not a message is sent before it
  kStall,     // as kDelay, for longer than most peers wait
  kClose,     // instead of it, the direction is closed for the reader and the writer
  kKill,      // instead of it, the plugin is killed
};
inline constexpr size_t kFaults = 12;
std::string_view Name(Fault fault);  // "drop", "dup", ...

// "drop,dup" or "all". The result has each fault once, in the order of the enum, so that the order
// of the text makes no difference. An error names the word that is not a fault.
Result<std::vector<Fault>> ParseFaults(std::string_view text);
// The faults after which a session can continue: all except stall, close and kill.
std::vector<Fault> GentleFaults();

// A larger frame passes unchanged, because a frame that is to be changed is kept until it is
// complete.
inline constexpr size_t kMaxFaulted = 1u << 20;

struct ChaosOptions {
  uint64_t seed = 0;
  double rate = 0.1;  // share of the selected messages that get a fault
  std::vector<Fault> faults = GentleFaults();
  wire::Framing framing = wire::Framing::kAuto;
  int64_t delay_ms = 200;     // longest delay
  int64_t stall_ms = 10'000;  // length of a stall
  int64_t piece_ms = 5;       // between pieces: enough for a waiting reader to read
};

class ChaosHandler {
 public:
  virtual ~ChaosHandler() = default;
  // Sends bytes after all earlier ones of the direction and a pause. `bytes` is valid during the
  // call.
  virtual void Send(wire::Direction direction, std::string_view bytes, int64_t pause_ms) = 0;
  virtual void Close(wire::Direction direction) = 0;
  virtual void Kill(wire::Direction direction) = 0;  // after all earlier bytes of this direction
  // Called before the calls that carry out the fault.
  virtual void OnFault(const trace::ChaosEvent& event) = 0;
};

class Chaos : private wire::FrameHandler {
 public:
  // `filter` selects the messages that may be changed; null: all. It must outlive this object. A
  // message's number is that in its direction, and it has no time.
  Chaos(ChaosOptions options, const trace::Filter* filter);

  // The bytes of a message that is not to be changed are sent as they arrive.
  void Feed(wire::Direction direction, std::string_view bytes, ChaosHandler* handler);
  // The direction has ended: sends what is kept.
  void Finish(wire::Direction direction, ChaosHandler* handler);
  // The number of a message that waits for the next one of its direction (kReorder, kCoalesce); 0:
  // none. A next one may never come, so the caller waits for a while and then calls Release, which
  // sends the message.
  uint64_t waiting(wire::Direction direction) const { return side(direction).waiting_number; }
  void Release(wire::Direction direction, ChaosHandler* handler);
  // Number of bytes of the direction that are kept.
  size_t kept(wire::Direction direction) const;

  uint64_t messages() const { return messages_; }
  uint64_t count(Fault fault) const { return counts_[static_cast<size_t>(fault)]; }
  const ChaosOptions& options() const { return options_; }

 private:
  // The fault that the seed selects for a message.
  struct Plan {
    std::optional<Fault> fault;
    Random random{0};
  };
  struct Side {
    std::optional<wire::Decoder> decoder;
    uint64_t number = 0;  // of the last message
    Plan next;            // of the message that is being read
    std::string kept;     // its bytes, and those of junk before it
    uint64_t passed = 0;  // bytes of the frame or junk being read that were sent already
    // The length of the last frame counted bytes of this one. How many were sent before that was
    // known depends on how the stream is cut, so no fault is planned for it.
    bool overlapped = false;
    std::string waiting;  // a message that waits for the next one
    uint64_t waiting_number = 0;
    bool joined = false;  // it is sent in one piece with the next one, otherwise after it
    bool closed = false;
  };
  // One of the writes that a fault makes of a message.
  struct Piece {
    std::string bytes;
    int64_t pause_ms = 0;
  };

  void OnFrame(const wire::Frame& frame, const wire::Message& message) override;
  void OnJunk(const wire::Junk& junk) override;
  Plan PlanOf(wire::Direction direction, uint64_t number) const;
  std::optional<std::string> Method(const wire::Message& message);
  bool Selects(const wire::Frame& frame, const wire::Message& message,
               const std::optional<std::string>& method) const;
  bool Inject(Fault fault, const wire::Frame& frame, Random* random);
  bool Pieces(Fault fault, const wire::Frame& frame, Random* random, trace::ChaosEvent* event,
              std::vector<Piece>* pieces) const;
  void SendPieces(const std::vector<Piece>& pieces);
  uint64_t TakePassed(uint64_t size);
  void Pass(size_t size);
  void Flush();
  void SendWaiting();
  bool Keeps(size_t size) const;
  void KeepRest();

  Side& side(wire::Direction direction) { return sides_[static_cast<int>(direction)]; }
  const Side& side(wire::Direction direction) const { return sides_[static_cast<int>(direction)]; }

  const ChaosOptions options_;
  const trace::Filter* const filter_;
  Side sides_[2];
  wire::Exchanges exchanges_;
  uint64_t messages_ = 0;
  std::array<uint64_t, kFaults> counts_{};

  // During Feed and Finish: the bytes at hand. The first sent_ of them were sent, and the to_pass_
  // after those are to be sent unchanged.
  wire::Direction current_ = wire::Direction::kHostToPlugin;
  ChaosHandler* handler_ = nullptr;
  std::string_view all_;
  size_t sent_ = 0, to_pass_ = 0;
};

}  // namespace midwire::fuzz
