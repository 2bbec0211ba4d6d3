// A machine: pure code that turns events at the edge into actions. The driver calls it and executes
// what it asks for; the relay is one, a player or a oracle another. It never touches a descriptor,
// a process or a clock, so it is tested with plain calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/clock.h"
#include "io/signals.h"
#include "trace/event.h"
#include "trace/record.h"
#include "wire/outcome/exit_status.h"

namespace midwire::proxy {

using io::kNever;
using io::SignalInfo;
using trace::Stream;
// The streams that carry bytes: host-to-plugin, plugin-to-host, stderr. Each has one source, where
// its bytes come from, and one sink, where they go; a run may lack either.
inline constexpr int kByteStreams = 3;

class Actions {
 public:
  virtual ~Actions() = default;
  // Writes now what the sink takes and keeps the rest. While anything is kept, the source of the
  // same stream is not read: that is the backpressure. Bytes to an absent or closed sink are
  // dropped.
  virtual void Send(Stream stream, std::string_view bytes) = 0;
  // Ends the stream towards its reader, once everything kept has gone out.
  virtual void CloseSink(Stream stream) = 0;
  // Stops reading, so that the writer sees a broken pipe.
  virtual void CloseSource(Stream stream) = 0;
  virtual void SignalPlugin(const SignalInfo& signal) = 0;
  // While held, a stream's source is not read: for a machine that holds bytes back itself.
  virtual void Hold(Stream, bool) {}
  // Onto the tape, if there is one, after what was read last.
  virtual void RecordEvent(const trace::Event&) {}
  // Ends the run; what is still kept is dropped.
  virtual void Finish() = 0;

  virtual bool HasSource(Stream stream) const = 0;  // there is one, and it has not ended
  virtual size_t Pending(Stream stream) const = 0;  // bytes kept for the sink
  virtual uint64_t Sent(Stream stream) const = 0;   // bytes the sink took since the start
  virtual size_t Unread(Stream stream) const = 0;   // bytes that lie ready in the source
  virtual int64_t Now() const = 0;                  // nanoseconds, monotonic
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual void OnStart(Actions*) {}
  // At most trace::kMaxSegment bytes, valid during the call.
  virtual void OnBytes(Stream stream, std::string_view bytes, Actions* actions) = 0;
  virtual void OnEof(Stream stream, Actions* actions) = 0;     // the writer closed its end
  virtual void OnClosed(Stream stream, Actions* actions) = 0;  // the reader closed its end
  virtual void OnSent(Stream, Actions*) {}                     // everything kept has gone out
  virtual void OnSignal(const SignalInfo& signal, Actions* actions) = 0;
  virtual void OnExit(const ExitStatus& status, Actions* actions) = 0;
  // Called when Now() has reached Deadline().
  virtual void OnTime(Actions*) {}
  virtual int64_t Deadline() const { return kNever; }
};

}  // namespace midwire::proxy
