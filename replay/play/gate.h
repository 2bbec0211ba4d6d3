// The gate: may this step go now? Answers from the progress of the run, the patience with a silent
// peer and the time; changes nothing, so a question may be asked any number of times. Asked by the
// player.
#pragma once

#include <cstdint>

#include "replay/match/progress.h"
#include "replay/play/patience.h"

namespace midwire::replay {

// When a message of ours goes out. Causal: when every answer and every request of the peer that was
// recorded before it has arrived. Strict: when everything recorded before it has arrived, in that
// order. Free: as soon as the values that it repeats are known.
enum class Order : uint8_t { kCausal, kStrict, kFree };

struct GateState {
  bool open = false;
  int64_t retry_at = kNever;  // closed: when to ask again, unless something happens before
  bool in_vain = false;  // open although notifications are missing: waiting for them was in vain
  bool if_idle = false;  // open only to a peer that is idle: one that runs is not silent yet

  static GateState Open() { return {.open = true}; }
  static GateState ClosedUntil(int64_t time) { return {.retry_at = time}; }
};

class Gate {
 public:
  struct Options {
    bool process = true;  // the peer is a process, which may be slow; else a function
    double speed = 0;     // 0: as soon as possible; 1: with the recorded pauses
  };
  Gate(const Progress* progress, const Patience* patience, Options options)
      : progress_(progress), patience_(patience), options_(options) {}

  // Whether what must precede the step `limit` has arrived. Notifications are waited for with
  // patience, or forever if `strict`. `wanted`: kAll, or kEnd if nothing of ours follows.
  GateState ForArrivals(StepIndex limit, Front wanted, bool strict, int64_t now) const;
  // Whether the recorded pause before the step is over, which began at `from`.
  GateState ForPause(StepIndex step, int64_t from, int64_t now) const;
  // Whether the peer has been silent for so long, as far as time decides: see `if_idle`.
  GateState ForSilence(int64_t silence, int64_t now) const;

 private:
  const Progress* progress_;
  const Patience* patience_;
  const Options options_;
};

}  // namespace midwire::replay
