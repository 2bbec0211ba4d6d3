// Runs a replay::Player as a machine under the driver. replay/ and proxy/ are on the same floor and
// must not include each other, so tools/ connects them. Made by commands/replay and commands/mock.
#pragma once

#include <string>
#include <utility>

#include "proxy/machine.h"
#include "replay/host_mapper.h"
#include "replay/play/player.h"
#include "tools/replaying/stopwatch.h"

namespace midwire::tools {

// Nothing more is sent while the peer has this many bytes left to read: several pipes full.
inline constexpr size_t kMaxUnread = 256 * 1024;

class PlayMachine : public proxy::Machine {
 public:
  PlayMachine(replay::Player* player, wire::Direction ours)
      : player_(player),
        to_peer_(trace::StreamOf(ours)),
        from_peer_(trace::StreamOf(Opposite(ours))) {}

  void OnStart(proxy::Actions* actions) override;
  void OnBytes(proxy::Stream stream, std::string_view bytes, proxy::Actions* actions) override;
  void OnEof(proxy::Stream stream, proxy::Actions* actions) override;
  void OnClosed(proxy::Stream, proxy::Actions*) override {}  // the player notices its silence
  void OnSent(proxy::Stream stream, proxy::Actions* actions) override;
  void OnSignal(const io::SignalInfo& signal, proxy::Actions* actions) override;
  void OnExit(const ExitStatus& status, proxy::Actions* actions) override;
  void OnTime(proxy::Actions* actions) override;
  int64_t Deadline() const override { return player_->Deadline(); }

  // Gets the time of each event; may be null.
  void set_stopwatch(Stopwatch* stopwatch) { stopwatch_ = stopwatch; }

  // What the peer sent before this run: it comes first.
  void set_early(std::string bytes) { early_ = std::move(bytes); }

  // For a mock: sees the host's messages, and maps what is sent to it.
  void set_host(replay::HostMapper* host) { host_ = host; }

  // The signal that ended the run from outside (Ctrl-C), or 0.
  int interrupted() const { return interrupted_; }

 private:
  class Bridge;
  int64_t Now(proxy::Actions* actions);

  replay::Player* player_;
  Stopwatch* stopwatch_ = nullptr;
  replay::HostMapper* host_ = nullptr;
  proxy::Stream to_peer_, from_peer_;
  std::string early_;
  int interrupted_ = 0;
};

}  // namespace midwire::tools
