// Plays a session again that was live before: its messages come in the same order, and each after
// as many of ours. So `replay --update` finds out, before it replaces a trace, whether the new one
// would be the same with the same plugin. No process and no clock: time advances only when nothing
// else can happen.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "replay/load.h"
#include "replay/play/player.h"
#include "wire/outcome/exit_status.h"

namespace midwire::replay {

// The messages of a peer in one run. Their bytes go to a file when they become many.
class LiveSession {
 public:
  struct Received {
    uint64_t at = 0;    // in frames()
    uint32_t size = 0;  // a message has at most 64 MiB
    uint64_t sent = 0;  // messages of ours before it
  };

  void AddSent() { ++sent_; }
  void AddReceived(std::string_view frame);

  const std::vector<Received>& received() const { return received_; }
  uint64_t sent() const { return sent_; }
  Frames* frames() { return &frames_; }
  // Before frames() is read.
  Status Settle() { return frames_.Settle(); }
  // A frame could not be kept.
  const Status& status() const { return status_; }

 private:
  StoredFrames frames_;
  std::vector<Received> received_;
  uint64_t sent_ = 0;
  Status status_ = Ok{};
};

// `loaded` must be for the host's role. The plugin ends with `ended` when it has sent and received
// everything, or when its stdin is closed; if midwire killed it, not by itself. The options
// `variations` and `unused` have no effect. An error: the frames cannot be read.
Result<ReplayReport> Rehearse(Loaded* loaded, LiveSession* live, const ExitStatus& ended,
                              PlayerOptions options);

}  // namespace midwire::replay
