// The driver: the only poll loop of a recorded or replayed session. Reads what the host and the
// plugin write, passes it to the tap and then to the machine, and executes the machine's actions.
// Created by Record, by RunPlugin (without a host) and by RunOnStdio (without a plugin). Stores at
// most one segment per stream.
#pragma once

#include <sys/types.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "io/doorbell.h"
#include "io/endpoints.h"
#include "io/quiet_set.h"
#include "io/signals.h"
#include "proxy/machine.h"
#include "proxy/tap.h"

namespace midwire::proxy {

class Driver : private Actions {
 public:
  struct Ends {
    std::array<io::ReadEnd, kByteStreams> sources;  // by Stream
    std::array<io::WriteEnd, kByteStreams> sinks;
    pid_t plugin = -1;  // -1: none
  };

  Driver(Ends ends, Machine* machine, io::SignalGuard* signals);
  void set_tap(Tap* tap) { tap_ = tap; }

  // Returns when the machine has finished.
  void Run();
  // After Run: kills a plugin that is still running, and records its last output; its stderr is
  // passed on. True if it was killed.
  bool EndPlugin();
  // At the end, for a caller that continues to run: closes our descriptors. 0, 1 and 2 do not
  // change.
  void CloseOurs();
  // Of the plugin; {-1, 0} if it did not end.
  ExitStatus exit_status() const { return status_; }
  // A line for people, to the host's stderr; never blocks.
  void Warn(std::string_view line);
  // Writes the pending bytes of `stream` until none is left or no write makes progress for
  // `patience_ns`.
  void FlushFor(Stream stream, int64_t patience_ns);
  // Bytes that the machine has sent and the reader's pipe has not taken.
  uint64_t Lost(Stream stream) const {
    return offered_[static_cast<size_t>(stream)] - sink(stream).sent();
  }

 private:
  void Send(Stream stream, std::string_view bytes) override;
  void CloseSink(Stream stream) override;
  void CloseSource(Stream stream) override;
  void SignalPlugin(const SignalInfo& signal) override;
  void Hold(Stream stream, bool held) override { held_[static_cast<int>(stream)] = held; }
  void RecordEvent(const trace::Event& event) override { Record(event); }
  void Finish() override { finished_ = true; }
  bool HasSource(Stream stream) const override { return source(stream).open(); }
  size_t Pending(Stream stream) const override { return sink(stream).pending(); }
  uint64_t Sent(Stream stream) const override { return sink(stream).sent(); }
  size_t Unread(Stream stream) const override { return source(stream).Unread(); }
  int64_t Now() const override { return io::MonotonicNow(); }
  bool PluginIsIdle() const override;
  int64_t PluginStarvedNs() const override;

  // The reader of a sink that takes no more bytes.
  struct Blocked {
    int64_t since = kNever;  // when it last took some; kNever: no bytes are pending
    uint64_t sent = 0;       // by the sink, then
    bool recorded = false;   // a stalled event is on the tape
  };

  int Wait(std::span<io::PollSlot> slots);
  int64_t Deadline() const;
  void WatchSink(Stream stream);
  int64_t StallDeadline() const;
  void RecordStalls(int64_t after_ns);
  void FillSlots(std::span<io::PollSlot> slots);
  bool AnyPending() const;
  bool AwaitMessage(std::span<io::PollSlot> slots);
  void ReadSource(Stream stream);
  bool Take(Stream stream, io::ReadEnd::Outcome outcome, size_t size);
  void FlushSink(Stream stream);
  void ReportClosedSinks();
  void TakeSignals();
  void ReapPlugin();
  void NoteExit(const ExitStatus& status);
  void NoteUnread();
  void TakeRest(Stream stream);
  void CallTimers();
  void Record(const trace::Event& event);

  io::ReadEnd& source(Stream stream) { return ends_.sources[static_cast<int>(stream)]; }
  const io::ReadEnd& source(Stream stream) const { return ends_.sources[static_cast<int>(stream)]; }
  io::WriteEnd& sink(Stream stream) { return ends_.sinks[static_cast<int>(stream)]; }
  const io::WriteEnd& sink(Stream stream) const { return ends_.sinks[static_cast<int>(stream)]; }

  Ends ends_;
  Machine* machine_;
  io::SignalGuard* signals_;
  io::QuietSet quiet_;  // all that is polled but the streams of messages
  std::optional<io::Doorbell> bell_;
  int polls_ = 0;  // for one stream of messages; at most kPollsBeforeBell
  Tap* tap_ = nullptr;
  ExitStatus status_;
  bool finished_ = false;
  bool stop_asked_ = false;            // by the terminal, since the job was last continued
  bool plugin_stopped_ = false;        // by a job-control signal
  int64_t background_until_ = kNever;  // the host's terminal is not read until then
  std::array<Blocked, kByteStreams> blocked_{};
  std::array<uint64_t, kByteStreams> offered_{};  // bytes that the machine has sent
  std::array<bool, kByteStreams> made_up_{};      // there is no source: the machine makes the bytes
  std::array<bool, kByteStreams> held_{};         // set by the machine: not to be read now
  std::unique_ptr<char[]> buffer_;                // of one read: trace::kMaxSegment bytes
};

}  // namespace midwire::proxy
