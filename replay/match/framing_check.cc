#include "replay/match/framing_check.h"

#include <utility>

namespace midwire::replay {
namespace {

// What readers of the usual kind, which look for CRLF and parse the length or a line, cannot read.
constexpr wire::Oddities kUnreadable =
    wire::kLfOnly | wire::kDoubledCr | wire::kSignedLength | wire::kRepeatedLength |
    wire::kLongLength | wire::kIndentedHeader | wire::kByteOrderMark | wire::kSharedLine;
// Blanks in a body: its length counts more than the message.
constexpr wire::Oddities kCounted = wire::kBlanksAround;

}  // namespace

void FramingCheck::OnStep(StepIndex index, const LiveFraming& framing) {
  Compare(index, framing.content_length);
  CompareBatch(index, framing.batch);
  CompareOddities(script_->steps[index].direction, framing, index);
}

void FramingCheck::OnOther(Direction direction, bool json, const LiveFraming& framing) {
  // A first one that is not in the trace is framed as the recorded first one.
  if (json && !std::exchange(framed_[static_cast<int>(direction)], true)) {
    const StepIndex first = FirstOf(direction);
    if (first != kNoStep) Compare(first, framing.content_length);
  }
  CompareOddities(direction, framing, kNoStep);
}

StepIndex FramingCheck::FirstOf(Direction direction) const {
  for (StepIndex i = 0; i < script_->steps.size(); ++i) {
    if (script_->steps[i].direction == direction) return i;
  }
  return kNoStep;
}

void FramingCheck::Compare(StepIndex index, bool content_length) {
  const Step& step = script_->steps[index];
  framed_[static_cast<int>(step.direction)] = true;
  bool& reported = reported_[static_cast<int>(step.direction)];
  if (reported || step.element || step.content_length == content_length) return;
  reported = true;
  log_->Add(describer_->FramedOtherwise(index));
}

// A message in an array where none was recorded, without one where one was, or in that of others.
void FramingCheck::CompareBatch(StepIndex index, uint32_t batch) {
  const Step& step = script_->steps[index];
  const uint32_t recorded = step.element ? step.number : 0;
  if (batch == 0 && recorded == 0) return;
  const bool goes_on =
      batch == 0 ? batch_.live == 0 && recorded == batch_.recorded : batch == batch_.live;
  // A recorded batch that has come already has come in two.
  const bool again = !goes_on && recorded != 0 && recorded == batch_.recorded;
  const bool same =
      (batch != 0) == (recorded != 0) && (goes_on ? recorded == batch_.recorded : !again);
  if (!goes_on) batch_ = {batch, recorded, false};
  if (same || step.is_volatile || std::exchange(batch_.reported, true)) return;
  log_->Add(describer_->BatchedOtherwise(index, batch != 0));
}

// Framing that many readers refuse, and that the trace does not have in this direction.
void FramingCheck::CompareOddities(Direction direction, const LiveFraming& framing,
                                   StepIndex index) {
  wire::Oddities& known = odd_[static_cast<int>(direction)];
  const wire::Oddities unlike = framing.content_length ? kUnreadable | kCounted : kUnreadable;
  const wire::Oddities fresh = framing.oddities & unlike & ~known;
  if (fresh == 0) return;
  known |= fresh;
  log_->Add(describer_->FramedOddly(direction, index, wire::OdditiesText(fresh)));
}

}  // namespace midwire::replay
