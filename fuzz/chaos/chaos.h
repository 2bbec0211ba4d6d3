// Faults on a live stream: bytes of both directions in, what goes out in their place, pauses as
// data. What happens to a message depends on the seed, its direction, its number there and what it
// says; never on time or on how its bytes were chunked. `midwire chaos` runs it between a host and
// a plugin (tools/chaos_machine.h). Pure.
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
  kDrop,      // it is not sent
  kDup,       // it is sent twice
  kDelay,     // it and all that follows wait
  kReorder,   // it goes out after the next one
  kSplit,     // it goes out in pieces, so that a reader gets half of it
  kCoalesce,  // it goes out together with the next one, in one write
  kTruncate,  // its body ends early; a length in its header stays
  kCorrupt,   // some bytes of its body are others
  kJunk,      // a line that is no message goes before it
  kStall,     // as kDelay, for longer than most are ready to wait
  kClose,     // its direction ends in its place, for the reader and for the writer
  kKill,      // the plugin is killed in its place
};
inline constexpr size_t kFaults = 12;
std::string_view Name(Fault fault);  // "drop", "dup", ...

// "drop,dup"; "all". In the order of the enum, each once, so that how they were listed makes no
// difference. An error names the one that there is not.
Result<std::vector<Fault>> ParseFaults(std::string_view text);
// All that leave a session that can go on: not stall, close, kill.
std::vector<Fault> GentleFaults();

// A frame above this passes as it comes: to be changed it has to be kept until it is whole.
inline constexpr size_t kMaxFaulted = 1u << 20;

struct ChaosOptions {
  uint64_t seed = 0;
  double rate = 0.1;  // of the messages that the filter selects
  std::vector<Fault> faults = GentleFaults();
  wire::Framing framing = wire::Framing::kAuto;
  int64_t delay_ms = 200;     // at most
  int64_t stall_ms = 10'000;  // exactly
  int64_t piece_ms = 5;       // between pieces: a reader that waits has read by then
};

class ChaosHandler {
 public:
  virtual ~ChaosHandler() = default;
  // In this order, after what went before in the direction and a pause. Valid during the call.
  virtual void Send(wire::Direction direction, std::string_view bytes, int64_t pause_ms) = 0;
  virtual void Close(wire::Direction direction) = 0;
  virtual void Kill(wire::Direction direction) = 0;  // in the order of this direction
  // Before what comes of it.
  virtual void OnFault(const trace::ChaosEvent& event) = 0;
};

class Chaos : private wire::FrameHandler {
 public:
  // `filter`: which messages may be changed, as Filter sees them; a message's number is that in its
  // direction, time is not told. It must outlive this; null: all.
  Chaos(ChaosOptions options, const trace::Filter* filter);

  // A message that shall stay as it is goes out as its bytes come in, whole or not.
  void Feed(wire::Direction direction, std::string_view bytes, ChaosHandler* handler);
  // The direction has ended: what is kept goes out.
  void Finish(wire::Direction direction, ChaosHandler* handler);
  // The number of a message that waits for the next one of its direction (kReorder, kCoalesce); 0:
  // none does. Nobody knows whether a next one comes: the caller lets it wait for a while, then
  // calls Release, and it goes out.
  uint64_t waiting(wire::Direction direction) const { return side(direction).waiting_number; }
  void Release(wire::Direction direction, ChaosHandler* handler);
  // Bytes of the direction that are kept.
  size_t kept(wire::Direction direction) const;

  uint64_t messages() const { return messages_; }
  uint64_t count(Fault fault) const { return counts_[static_cast<size_t>(fault)]; }
  const ChaosOptions& options() const { return options_; }

 private:
  // What the seed has in store for a message.
  struct Plan {
    std::optional<Fault> fault;
    Random random{0};
  };
  struct Side {
    std::optional<wire::Decoder> decoder;
    uint64_t number = 0;  // of the last message
    Plan next;            // of the one that is being read
    std::string kept;     // of it, and of junk before it
    uint64_t passed = 0;  // bytes of the frame or junk being read that went out already
    std::string waiting;  // a message that waits for the next one,
    uint64_t waiting_number = 0;
    bool joined = false;  // to go out in one piece with it, else after it
    bool closed = false;
  };
  // What a fault makes of one message.
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
  bool Strike(Fault fault, const wire::Frame& frame, Random* random);
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

  // During Feed and Finish: the bytes that have not gone out, of which the first to_pass_ are to,
  // after `sent_`.
  wire::Direction current_ = wire::Direction::kHostToPlugin;
  ChaosHandler* handler_ = nullptr;
  std::string_view all_;
  size_t sent_ = 0, to_pass_ = 0;
};

}  // namespace midwire::fuzz
