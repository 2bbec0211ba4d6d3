#include "tools/fuzzing/chaos_machine.h"

#include <algorithm>

#include "trace/record.h"
#include "wire/counted.h"

namespace midwire::tools {

using proxy::kNever;
using proxy::Stream;
using wire::Direction;

namespace {

constexpr Direction kDirections[] = {Direction::kHostToPlugin, Direction::kPluginToHost};

}  // namespace

void ChaosMachine::OnStart(Actions* actions) {
  actions_ = actions;
  actions->RecordEvent(trace::NoteEvent{note_});
  relay_->OnStart(this);
}

void ChaosMachine::OnBytes(Stream stream, std::string_view bytes, Actions*) {
  relay_->OnBytes(stream, bytes, this);
}
void ChaosMachine::OnEof(Stream stream, Actions*) { relay_->OnEof(stream, this); }

void ChaosMachine::OnClosed(Stream stream, Actions*) {
  if (stream != Stream::kStderr) {
    Lane& to = lanes_[static_cast<int>(stream)];
    to = {};
    actions_->Hold(stream, false);
  }
  relay_->OnClosed(stream, this);
}

void ChaosMachine::OnSent(Stream stream, Actions*) { relay_->OnSent(stream, this); }
void ChaosMachine::OnSignal(const io::SignalInfo& signal, Actions*) {
  relay_->OnSignal(signal, this);
}
void ChaosMachine::OnExit(const ExitStatus& status, Actions*) { relay_->OnExit(status, this); }

void ChaosMachine::OnTime(Actions* actions) {
  for (const Direction direction : kDirections) {
    Lane& from = lane(direction);
    if (from.steps.empty() && actions->Now() >= from.release_at) {
      chaos_->Release(direction, this);
      WatchWaiting(direction);
    }
    if (actions->Now() >= from.ready_at) RunSteps(direction, /*all=*/false);
    // The relay may have been waiting for this.
    if (Pending(trace::StreamOf(direction)) == 0) relay_->OnSent(trace::StreamOf(direction), this);
  }
  if (actions->Now() >= relay_->Deadline()) relay_->OnTime(this);
}

int64_t ChaosMachine::Deadline() const {
  int64_t deadline = relay_->Deadline();
  for (const Lane& lane : lanes_) {
    deadline = std::min(deadline, lane.steps.empty() ? lane.release_at : lane.ready_at);
  }
  return deadline;
}

void ChaosMachine::Send(Stream stream, std::string_view bytes) {
  if (stream == Stream::kStderr) return actions_->Send(stream, bytes);
  const auto direction = static_cast<Direction>(stream);
  chaos_->Feed(direction, bytes, this);
  WatchWaiting(direction);
}

void ChaosMachine::CloseSink(Stream stream) {
  // stderr stays open for the summary, also if the plugin's stderr ends before the last paused
  // message goes out.
  if (stream == Stream::kStderr) return;
  const auto direction = static_cast<Direction>(stream);
  chaos_->Finish(direction, this);
  WatchWaiting(direction);
  Do(direction, {.what = What::kEnd});
}

size_t ChaosMachine::Pending(Stream stream) const {
  size_t pending = actions_->Pending(stream);
  if (stream == Stream::kStderr) return pending;
  return pending + lanes_[static_cast<int>(stream)].bytes +
         chaos_->kept(static_cast<Direction>(stream));
}

// Sends everything that still waits: the relay has reached its time limit.
void ChaosMachine::Finish() {
  if (finished_) return;
  finished_ = true;
  for (const Direction direction : kDirections) {
    chaos_->Finish(direction, this);
    RunSteps(direction, /*all=*/true);
  }
  const std::string summary = ChaosSummary(*chaos_);
  actions_->RecordEvent(trace::NoteEvent{summary});
  actions_->Send(Stream::kStderr, "midwire: " + summary + "\n");
  actions_->Finish();
}

void ChaosMachine::Send(Direction direction, std::string_view bytes, int64_t pause_ms) {
  if (lane(direction).steps.empty() && pause_ms == 0) {
    return actions_->Send(trace::StreamOf(direction), bytes);
  }
  Do(direction, {.bytes = std::string(bytes), .pause_ns = pause_ms * 1'000'000});
}
void ChaosMachine::Close(Direction direction) { Do(direction, {.what = What::kClose}); }
void ChaosMachine::Kill(Direction direction) { Do(direction, {.what = What::kKill}); }

void ChaosMachine::Do(Direction direction, Step step) {
  Lane& to = lane(direction);
  if (to.steps.empty()) {
    if (step.pause_ns == 0) return Execute(direction, step);
    to.ready_at = actions_->Now() + step.pause_ns;
    actions_->Hold(trace::StreamOf(direction), true);
  }
  to.bytes += step.bytes.size();
  to.steps.push_back(std::move(step));
}

void ChaosMachine::Execute(Direction direction, const Step& step) {
  const Stream stream = trace::StreamOf(direction);
  switch (step.what) {
    case What::kBytes:
      return actions_->Send(stream, step.bytes);
    case What::kEnd:
      return actions_->CloseSink(stream);
    case What::kClose:
      actions_->CloseSink(stream);
      return relay_->OnClosed(stream, this);  // as if the reader had closed its end
    case What::kKill:
      return actions_->SignalPlugin({.number = SIGKILL});
  }
}

void ChaosMachine::RunSteps(Direction direction, bool all) {
  Lane& from = lane(direction);
  while (!from.steps.empty() && (all || actions_->Now() >= from.ready_at)) {
    const Step step = std::move(from.steps.front());
    from.steps.pop_front();
    from.bytes -= step.bytes.size();
    from.ready_at = from.steps.empty() ? kNever : actions_->Now() + from.steps.front().pause_ns;
    Execute(direction, step);
  }
  if (!from.steps.empty()) return;
  actions_->Hold(trace::StreamOf(direction), false);
  // While nothing was read, no next message could arrive.
  if (from.waiting != 0) from.release_at = actions_->Now() + kWaitForNextNs;
}

void ChaosMachine::WatchWaiting(Direction direction) {
  Lane& of = lane(direction);
  const uint64_t waiting = chaos_->waiting(direction);
  if (waiting == of.waiting) return;
  of.waiting = waiting;
  of.release_at = waiting == 0 ? kNever : actions_->Now() + kWaitForNextNs;
}

std::string ChaosSummary(const fuzz::Chaos& chaos) {
  uint64_t faults = 0;
  std::string each;
  for (size_t i = 0; i < fuzz::kFaults; ++i) {
    const auto fault = static_cast<fuzz::Fault>(i);
    if (chaos.count(fault) == 0) continue;
    faults += chaos.count(fault);
    each += each.empty() ? " (" : ", ";
    each += std::string(Name(fault)) + " " + std::to_string(chaos.count(fault));
  }
  if (!each.empty()) each += ")";
  return "chaos: seed " + std::to_string(chaos.options().seed) + ": " +
         wire::Counted(faults, "fault") + " in " + wire::Counted(chaos.messages(), "message") +
         each;
}

}  // namespace midwire::tools
