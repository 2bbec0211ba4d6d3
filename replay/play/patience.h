// Patience: how long to wait for a silent peer. Knows when either side was last active and when
// anything expected last happened; every question is const and takes or returns nanoseconds of the
// player's clock. Asked by the gate and the player.
#pragma once

#include <cstdint>

namespace midwire::replay {

inline constexpr int64_t kNever = INT64_MAX;

// How long a Send waits for notifications recorded before it when nothing else is missing and the
// peer is silent. A busy plugin needs time, but a lost notification must not end the run. If they
// took longer when recorded, twice that time. Each wait in vain halves it, at most kMaxHalvings
// times, so that many lost notifications do not add up.
inline constexpr int64_t kNotificationPatienceNs = 1'000'000'000;
inline constexpr int kMaxHalvings = 6;
// An answer of ours waits for what our role did between the request and the answer: notifications,
// own calls and their answers. After this much silence of the peer it goes out anyway: the peer may
// now do in sequence what overlapped when it was recorded.
inline constexpr int64_t kAnswerPatienceNs = 250'000'000;
// A peer that sends, but nothing that is expected, may take this many timeouts. A long message may
// be on its way, or log output that is not in the trace.
inline constexpr int64_t kChatter = 4;
// How much longer than recorded an answer may take: a recorded pause may be one of a person.
inline constexpr int64_t kSlowerNs = 60'000'000'000;
// A peer that runs when a wait ends, or has not read everything, may be about to send. On a busy
// machine it waits for a processor, and the kernel counts that time only when it gets one. It has
// half of the wait in addition, at most this: half a second is long for one turn of a processor.
inline constexpr int64_t kBusyPatienceNs = 500'000'000;
// A peer that could run but got no processor is not silent. At most this share of a wait is added
// to it for that reason, so that a run ends on any machine.
inline constexpr int64_t kMaxStarvedShare = 16;

class Patience {
 public:
  explicit Patience(int64_t timeout_ns) : timeout_ns_(timeout_ns) {}

  // Events. Progress is activity too.
  void OnActivity(int64_t now) { active_ns_ = now; }
  void OnProgress(int64_t now) {
    active_ns_ = progress_ns_ = now;
    starved_ns_ = 0;
  }
  // The peer waited this long for a processor. Returns whether that makes any wait longer.
  bool OnStarved(int64_t ns);
  void OnWaitedInVain() { ++in_vain_; }

  // When this much silence will be over. A peer that sends only unexpected messages is not waited
  // for forever either.
  int64_t Until(int64_t silence) const;
  // For a notification that came `recorded_ns` after the message before it when recorded.
  int64_t ForNotification(int64_t recorded_ns) const;
  int64_t ForAnything() const { return timeout_ns_; }
  int64_t active() const { return active_ns_; }

 private:
  const int64_t timeout_ns_;
  int64_t active_ns_ = 0;    // when either side last sent anything
  int64_t progress_ns_ = 0;  // when anything expected last arrived or was sent
  int64_t starved_ns_ = 0;   // added since the last progress
  int in_vain_ = 0;          // waits for notifications that did not come
};

}  // namespace midwire::replay
