#include "replay/rehearsal.h"

#include <algorithm>
#include <utility>

namespace midwire::replay {
namespace {

constexpr int kKilled = 9;  // SIGKILL, by midwire

class Rehearsal : private PlayerActions {
 public:
  Rehearsal(Loaded* loaded, LiveSession* live, const ExitStatus& ended,
            const PlayerOptions& options)
      : live_(live),
        ended_(ended),
        player_(&loaded->script, &loaded->frames, &loaded->declared, &loaded->bindings, options) {}

  Result<ReplayReport> Play() {
    player_.OnStart(now_, this);
    while (!player_.finished()) {
      if (IsDue()) {
        const LiveSession::Received& next = live_->received()[next_++];
        const Result<std::string_view> frame = live_->frames()->Get(next.at, next.size);
        if (!frame) return frame.error();
        player_.OnBytes(*frame, now_, this);
      } else if (std::exchange(has_read_, false)) {
        player_.OnRoom(now_, this);
      } else if (!ended_now_ && Ends()) {
        ended_now_ = true;
        player_.OnEof(now_, this);
        if (!player_.finished()) player_.OnExit(ended_, now_, this);
      } else if (player_.Deadline() != kNever) {
        now_ = std::max(now_, player_.Deadline());
        player_.OnTime(now_, this);
      } else if (!ended_now_) {
        stuck_ = true;  // nothing more can arrive
      } else {
        break;
      }
    }
    return player_.TakeReport();
  }

 private:
  bool IsDue() const {
    return next_ < live_->received().size() && live_->received()[next_].sent <= sent_;
  }
  // A plugin that was killed did not end by itself.
  bool Ends() const {
    const bool all = next_ == live_->received().size() && sent_ >= live_->sent();
    return stuck_ || ((all || closed_) && ended_.signal != kKilled);
  }

  void Send(std::string_view) override {
    ++sent_;
    has_read_ = true;
  }
  // What the peer sent before our next message comes before it.
  bool Full() const override { return IsDue(); }
  bool PeerIsIdle() override { return !IsDue(); }
  size_t Unread() override { return IsDue() ? live_->received()[next_].size : 0; }
  void Close() override { closed_ = true; }
  void Signal(int) override { closed_ = true; }
  void Stderr(std::string_view) override {}
  void Finish() override {}

  LiveSession* live_;
  const ExitStatus ended_;
  Player player_;
  size_t next_ = 0;
  uint64_t sent_ = 0;
  int64_t now_ = 0;
  bool has_read_ = false;  // a message of ours, since the player was last called
  bool closed_ = false, stuck_ = false, ended_now_ = false;
};

}  // namespace

void LiveSession::AddReceived(std::string_view frame) {
  if (!status_) return;
  const Result<uint64_t> at = frames_.Add(frame);
  if (!at) {
    status_ = at.error();
    return;
  }
  received_.push_back({*at, static_cast<uint32_t>(frame.size()), sent_});
}

Result<ReplayReport> Rehearse(Loaded* loaded, LiveSession* live, const ExitStatus& ended,
                              PlayerOptions options) {
  if (!live->status()) return live->status().error();
  if (Status settled = live->Settle(); !settled) return settled.error();
  options.ours = Direction::kHostToPlugin;
  options.variations = nullptr;
  options.unused = nullptr;
  loaded->bindings.Forget();
  return Rehearsal(loaded, live, ended, options).Play();
}

}  // namespace midwire::replay
