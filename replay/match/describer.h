// The last of three parts of the matcher: what the report says of a decision. Changes nothing and
// decides nothing; what it needs to know is in its arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "replay/match/decision.h"
#include "replay/match/difference_log.h"
#include "replay/match/message_comparer.h"
#include "wire/message.h"

namespace midwire::replay {

class Describer {
 public:
  // Keeps all pointers.
  Describer(const Script* script, Frames* frames, const Bindings* bindings,
            const MatchOptions* options, MessageComparer* comparer, const DifferenceLog* log)
      : script_(script),
        frames_(frames),
        bindings_(bindings),
        options_(options),
        comparer_(comparer),
        log_(log) {}

  // A message that is none of the trace: any type but kRecorded, kPiece, kLater and kForeign.
  Difference Unmatched(const Decision& decision, const wire::Message& message,
                       std::string_view body) const;
  // Where that message differs from the recording: "message 3, /params/k"; "": nowhere.
  std::string Closest(const Decision& decision) const;
  // What a host says of itself, as a note.
  std::string OtherHost(const ValueDifference& first) const;

  // A message that is a recorded one, after what it teaches was bound.
  Difference Differs(StepIndex index, const wire::Message& message, std::string_view body,
                     const Verdict& verdict) const;
  void NameOtherPlaces(StepIndex index, const wire::Message& message, std::string_view body,
                       Difference* item) const;
  Difference PieceDiffers(const Decision& decision, const Chunks::Received& received) const;
  Difference FramedOtherwise(StepIndex index) const;
  Difference BatchedOtherwise(StepIndex index, bool in_batch) const;
  // `index`: the message, or kNoStep; `oddities`: their names.
  Difference FramedOddly(Direction direction, StepIndex index, const std::string& oddities) const;
  // Messages in another order: `index` came before or after a message that it was recorded after or
  // before; `index` came before our answer to a call.
  Difference CameBefore(StepIndex index, StepIndex missing) const;
  Difference CameAfter(StepIndex index, StepIndex later) const;
  Difference CameBeforeAnswer(StepIndex index, StepIndex answer) const;
  Difference Missing(StepIndex index) const;

  // `recorded`: the junk that was recorded at this place, or null. nullopt: it is the same.
  std::optional<Difference> Junk(Direction direction, std::string_view bytes, std::string_view text,
                                 const Mark* recorded) const;

 private:
  void SetExtra(const Decision& decision, std::string_view body, Difference* item) const;
  std::string NumberOf(StepIndex index) const {
    return std::to_string(script_->steps[index].number);
  }

  const Script* script_;
  Frames* frames_;
  const Bindings* bindings_;
  const MatchOptions* options_;
  MessageComparer* comparer_;
  const DifferenceLog* log_;
};

}  // namespace midwire::replay
