// Puts a fuzz::Chaos between the relay and the driver: everything that the relay sends passes
// through it. Delays messages that have a pause, and reads no more of that direction meanwhile.
// Made by commands/chaos. Uses only the driver's clock.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>

#include "fuzz/chaos/chaos.h"
#include "proxy/machine.h"

namespace midwire::tools {

// How long a message waits for the next one (reorder, coalesce). Long enough for a peer that
// answers at once, and limited, because the peer may be waiting for this very message.
inline constexpr int64_t kWaitForNextNs = 500'000'000;

class ChaosMachine : public proxy::Machine, private proxy::Actions, private fuzz::ChaosHandler {
 public:
  // Owns neither. `note` is written to the tape first.
  ChaosMachine(proxy::Machine* relay, fuzz::Chaos* chaos, std::string note)
      : relay_(relay), chaos_(chaos), note_(std::move(note)) {}

  void OnStart(proxy::Actions* actions) override;
  void OnBytes(proxy::Stream stream, std::string_view bytes, proxy::Actions* actions) override;
  void OnEof(proxy::Stream stream, proxy::Actions* actions) override;
  void OnClosed(proxy::Stream stream, proxy::Actions* actions) override;
  void OnSent(proxy::Stream stream, proxy::Actions* actions) override;
  void OnSignal(const io::SignalInfo& signal, proxy::Actions* actions) override;
  void OnExit(const ExitStatus& status, proxy::Actions* actions) override;
  void OnTime(proxy::Actions* actions) override;
  int64_t Deadline() const override;

 private:
  // Actions, called by the relay.
  void Send(proxy::Stream stream, std::string_view bytes) override;
  void CloseSink(proxy::Stream stream) override;
  void CloseSource(proxy::Stream stream) override { actions_->CloseSource(stream); }
  void SignalPlugin(const io::SignalInfo& signal) override { actions_->SignalPlugin(signal); }
  void RecordEvent(const trace::Event& event) override { actions_->RecordEvent(event); }
  void Finish() override;
  bool HasSource(proxy::Stream stream) const override { return actions_->HasSource(stream); }
  size_t Pending(proxy::Stream stream) const override;
  uint64_t Sent(proxy::Stream stream) const override { return actions_->Sent(stream); }
  size_t Unread(proxy::Stream stream) const override { return actions_->Unread(stream); }
  int64_t Now() const override { return actions_->Now(); }

  // ChaosHandler, called by the fuzz::Chaos.
  void Send(wire::Direction direction, std::string_view bytes, int64_t pause_ms) override;
  void Close(wire::Direction direction) override;
  void Kill(wire::Direction direction) override;
  void OnFault(const trace::ChaosEvent& event) override { actions_->RecordEvent(event); }

  enum class What : uint8_t { kBytes, kEnd, kClose, kKill };
  struct Step {
    What what = What::kBytes;
    std::string bytes;
    int64_t pause_ns = 0;
  };
  // One direction.
  struct Lane {
    std::deque<Step> steps;              // not carried out yet, in order
    size_t bytes = 0;                    // of them
    int64_t ready_at = proxy::kNever;    // when the first of them goes out
    uint64_t waiting = 0;                // number of a message that waits for the next one; 0: none
    int64_t release_at = proxy::kNever;  // until this time
  };

  void Do(wire::Direction direction, Step step);
  void Execute(wire::Direction direction, const Step& step);
  void RunSteps(wire::Direction direction, bool all);
  void WatchWaiting(wire::Direction direction);
  Lane& lane(wire::Direction direction) { return lanes_[static_cast<int>(direction)]; }

  proxy::Machine* relay_;
  fuzz::Chaos* chaos_;
  std::string note_;
  proxy::Actions* actions_ = nullptr;  // the driver's, from OnStart on
  std::array<Lane, 2> lanes_;
  bool finished_ = false;
};

// "chaos: seed 7: 2 faults in 31 messages (drop 1, delay 1)".
std::string ChaosSummary(const fuzz::Chaos& chaos);

}  // namespace midwire::tools
