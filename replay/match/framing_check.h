// Whether live messages are framed as recorded: lines or Content-Length, in a batch or alone, and
// without what many readers refuse. Called by the matcher for each message. What the describer says
// of a difference goes to the log, of each sort once.
#pragma once

#include <array>
#include <cstdint>

#include "replay/match/decision.h"
#include "replay/match/describer.h"
#include "replay/match/difference_log.h"
#include "replay/script/script.h"

namespace midwire::replay {

class FramingCheck {
 public:
  // Keeps all pointers.
  FramingCheck(const Script* script, const Describer* describer, DifferenceLog* log)
      : script_(script), describer_(describer), log_(log), odd_(script->oddities) {}

  // A message that is this step of the peer.
  void OnStep(StepIndex index, const LiveFraming& framing);
  // A message, or (json: false) a text that is none, that is no step.
  void OnOther(Direction direction, bool json, const LiveFraming& framing);
  // A message that is, byte for byte, this step, which is no element of a batch.
  void OnRecorded(StepIndex index) { Compare(index, script_->steps[index].content_length); }
  // Whether messages of that direction came with the other framing.
  bool differs(Direction direction) const { return reported_[static_cast<int>(direction)]; }

 private:
  void Compare(StepIndex index, bool content_length);
  void CompareBatch(StepIndex index, uint32_t batch);
  void CompareOddities(Direction direction, const LiveFraming& framing, StepIndex index);
  StepIndex FirstOf(Direction direction) const;

  const Script* script_;
  const Describer* describer_;
  DifferenceLog* log_;
  std::array<bool, 2> reported_{};
  std::array<bool, 2> framed_{};         // the framing of a first message was compared
  std::array<wire::Oddities, 2> odd_{};  // recorded or reported
  // The batch whose element came last, and the recorded one (by number) that it stands for.
  struct {
    uint32_t live = 0, recorded = 0;
    bool reported = false;
  } batch_;
};

}  // namespace midwire::replay
