// The relay. Passes on the bytes and the end of each stream at once, and signals to the plugin.
// After the plugin's exit, decides when all its output has arrived. Record runs it under the
// driver; ChaosMachine (tools/) calls it. It never reads the bytes.
#pragma once

#include <array>
#include <cstdint>

#include "proxy/machine.h"

namespace midwire::proxy {

// After the plugin's exit another process may hold its output open. A `tee` behind the plugin
// writes the rest at once. A daemon that the plugin left behind is silent, and a host that waits
// for the exit must not wait for the daemon.
inline constexpr int64_t kQuietNs = 100'000'000;

class Relay : public Machine {
 public:
  // drain_ns: how long to wait after the plugin's exit. For a host that does not read, without
  // progress; for another process that continues to write the plugin's output, in all.
  // merged: the plugin's stderr goes into plugin-to-host, and the host's two ends are one pipe.
  Relay(int64_t drain_ns, bool merged) : drain_ns_(drain_ns), merged_(merged) {}

  void OnBytes(Stream stream, std::string_view bytes, Actions* actions) override;
  void OnEof(Stream stream, Actions* actions) override;
  void OnClosed(Stream stream, Actions* actions) override;
  void OnSent(Stream, Actions* actions) override { FinishIfDone(actions); }
  void OnSignal(const SignalInfo& signal, Actions* actions) override;
  void OnExit(const ExitStatus& status, Actions* actions) override;
  void OnTime(Actions* actions) override;
  int64_t Deadline() const override;

 private:
  bool OutputOutstanding(const Actions& actions) const;
  uint64_t Progress(const Actions& actions) const;
  void FinishIfDone(Actions* actions);
  void Finish(Actions* actions);
  size_t& owed(Stream stream) { return owed_[static_cast<int>(stream) - 1]; }

  int64_t drain_ns_;
  bool merged_;
  bool exited_ = false;
  bool finished_ = false;
  // Plugin-to-host and stderr, after exit: bytes that the plugin wrote and midwire has not read.
  std::array<size_t, 2> owed_{};
  int64_t drain_until_ = kNever;  // other processes may write the plugin's output until then
  int64_t quiet_at_ = kNever;     // after exit: when the output has been silent for long enough
  int64_t check_at_ = kNever;     // the host must have read something until then
  int64_t close_stderr_at_ = kNever;
  uint64_t progress_ = 0;
};

}  // namespace midwire::proxy
