#include "tools/replaying/play_machine.h"

namespace midwire::tools {

using proxy::Actions;
using proxy::Stream;

// Executes the player's actions by those of the driver.
class PlayMachine::Bridge : public replay::PlayerActions {
 public:
  Bridge(Actions* actions, Stream to_peer, replay::HostMapper* host)
      : actions_(actions), to_peer_(to_peer), host_(host) {}

  void Send(std::string_view frame) override {
    actions_->Send(to_peer_, host_ ? host_->ForHost(frame) : frame);
  }
  bool Full() const override { return actions_->Pending(to_peer_) > kMaxUnread; }
  bool PeerIsIdle() override { return actions_->PluginIsIdle(); }
  size_t Unread() override { return actions_->Unread(proxy::Stream::kPluginToHost); }
  int64_t StarvedNs() override { return actions_->PluginStarvedNs(); }
  void Close() override { actions_->CloseSink(to_peer_); }
  void Signal(int number) override {
    actions_->SignalPlugin({.number = number, .from_terminal = false});
  }
  void Stderr(std::string_view bytes) override { actions_->Send(Stream::kStderr, bytes); }
  void Finish() override { actions_->Finish(); }

 private:
  Actions* actions_;
  Stream to_peer_;
  replay::HostMapper* host_;
};

int64_t PlayMachine::Now(Actions* actions) {
  const int64_t now = actions->Now();
  if (stopwatch_) stopwatch_->SetTime(now);
  return now;
}

void PlayMachine::OnStart(Actions* actions) {
  Bridge bridge(actions, to_peer_, host_);
  player_->OnStart(Now(actions), &bridge);
  const std::string early = std::exchange(early_, {});
  for (size_t at = 0; at < early.size(); at += trace::kMaxSegment) {
    OnBytes(from_peer_, std::string_view(early).substr(at, trace::kMaxSegment), actions);
  }
}

void PlayMachine::OnBytes(Stream stream, std::string_view bytes, Actions* actions) {
  if (stream == Stream::kStderr) return actions->Send(stream, bytes);
  if (stream != from_peer_) return;
  Bridge bridge(actions, to_peer_, host_);
  player_->OnBytes(bytes, Now(actions), &bridge);
}

void PlayMachine::OnEof(Stream stream, Actions* actions) {
  if (stream != from_peer_) return;
  Bridge bridge(actions, to_peer_, host_);
  player_->OnEof(Now(actions), &bridge);
}

void PlayMachine::OnSent(Stream stream, Actions* actions) {
  if (stream != to_peer_) return;
  Bridge bridge(actions, to_peer_, host_);
  player_->OnRoom(Now(actions), &bridge);
}

// Signals that end a program end the run; others are ignored.
void PlayMachine::OnSignal(const io::SignalInfo& signal, Actions* actions) {
  if (signal.number != SIGINT && signal.number != SIGTERM && signal.number != SIGHUP &&
      signal.number != SIGQUIT) {
    return;
  }
  interrupted_ = signal.number;
  actions->Finish();
}

void PlayMachine::OnExit(const ExitStatus& status, Actions* actions) {
  Bridge bridge(actions, to_peer_, host_);
  player_->OnExit(status, Now(actions), &bridge);
}

void PlayMachine::OnTime(Actions* actions) {
  Bridge bridge(actions, to_peer_, host_);
  player_->OnTime(Now(actions), &bridge);
}

}  // namespace midwire::tools
