// A machine: pure code that turns events of a session into actions. The driver calls it and
// executes its actions. Implemented by Relay, and in tools/ by PlayMachine and ChaosMachine. It
// never uses a descriptor, a process or a clock, so tests call it directly.
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
// The streams of bytes: host-to-plugin, plugin-to-host, stderr. The bytes of each come from one
// source and go to one sink; a run may lack either.
inline constexpr int kByteStreams = 3;

class Actions {
 public:
  virtual ~Actions() = default;
  // Writes as much as the sink accepts now; the rest is pending. While bytes are pending, the
  // source of the same stream is not read: that is the backpressure. Bytes to an absent or closed
  // sink are dropped.
  virtual void Send(Stream stream, std::string_view bytes) = 0;
  // Ends the stream towards its reader as soon as no bytes are pending.
  virtual void CloseSink(Stream stream) = 0;
  // Stops reading, so that the writer gets a broken pipe.
  virtual void CloseSource(Stream stream) = 0;
  virtual void SignalPlugin(const SignalInfo& signal) = 0;
  // While `held`, the stream's source is not read: for a machine that delays bytes itself.
  virtual void Hold(Stream, bool) {}
  // Records an event on the tape, if there is one, after the bytes that were read last.
  virtual void RecordEvent(const trace::Event&) {}
  // Ends the run; pending bytes are dropped.
  virtual void Finish() = 0;

  virtual bool HasSource(Stream stream) const = 0;  // it exists and has not ended
  virtual size_t Pending(Stream stream) const = 0;  // bytes that the sink has not accepted
  virtual uint64_t Sent(Stream stream) const = 0;   // bytes accepted by the sink since the start
  virtual size_t Unread(Stream stream) const = 0;   // bytes that can be read from the source now
  virtual int64_t Now() const = 0;                  // nanoseconds, monotonic
  // Whether the plugin and its children sleep, have read what was sent and have written nothing
  // that was not read yet. True if there is no plugin. Costs some system calls per thread.
  virtual bool PluginIsIdle() const { return true; }
  // How long they have been ready to run without a processor, together, in nanoseconds.
  virtual int64_t PluginStarvedNs() const { return 0; }
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual void OnStart(Actions*) {}
  // At most trace::kMaxSegment bytes, valid during the call.
  virtual void OnBytes(Stream stream, std::string_view bytes, Actions* actions) = 0;
  virtual void OnEof(Stream stream, Actions* actions) = 0;     // the writer closed its end
  virtual void OnClosed(Stream stream, Actions* actions) = 0;  // the reader closed its end
  virtual void OnSent(Stream, Actions*) {}                     // no bytes are pending any more
  virtual void OnSignal(const SignalInfo& signal, Actions* actions) = 0;
  virtual void OnExit(const ExitStatus& status, Actions* actions) = 0;
  // Called when Now() has reached Deadline().
  virtual void OnTime(Actions*) {}
  virtual int64_t Deadline() const { return kNever; }
};

}  // namespace midwire::proxy
