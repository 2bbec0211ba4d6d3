// Holds back an answer to a reverse call until the peer has nothing more to send. By then, a plugin
// that does not wait for the answer has sent what comes too early, on any machine. And a request,
// until the peer has sent the reverse calls that it owes to what came before; and the answers that
// it sends without reading their requests. Events and state of one run of the player.
#pragma once

#include <cstdint>

#include "replay/play/gate.h"
#include "replay/script/script.h"

namespace midwire::replay {

// A peer that computes this long after a reverse call is not waited for, then nor later.
inline constexpr int64_t kIdlePatienceNs = 500'000'000;
// One that has not sent anything yet may be starting: an interpreter takes a second to do so.
inline constexpr int64_t kStartPatienceNs = 5'000'000'000;
// Turns (player_send.cc) of a run that wait until the peer is idle. A look at a peer costs as much
// as a fast exchange, and most sessions have fewer.
inline constexpr int kMaxHeldTurns = 256;
// Time between two looks at the peer: short for a person, long beside the system calls of a look.
inline constexpr int64_t kIdlePollNs = 300'000;

class IdleHold {
 public:
  // idle: the peer sleeps, has read what we sent, and has written nothing that we have not read.
  GateState Update(StepIndex step, bool idle, int64_t now, int64_t patience = kIdlePatienceNs) {
    if (never_idle_ || idle) return GateState::Open();
    if (step_ != step) {
      step_ = step;
      since_ns_ = now;
    }
    if (now < since_ns_ + patience) return GateState::ClosedUntil(now + kIdlePollNs);
    never_idle_ = true;
    return GateState::Open();
  }

 private:
  StepIndex step_ = kNoStep;
  int64_t since_ns_ = 0;
  bool never_idle_ = false;
};

// Holds back a message until all that the peer has written is read: an answer that came before its
// request is then known as such. Of a peer that writes without end, what it had written when the
// message was due is read.
class UnreadHold {
 public:
  // unread, received: bytes of the peer in the pipe, and bytes read from it since the start.
  GateState Update(StepIndex step, uint64_t unread, uint64_t received, int64_t now,
                   int64_t patience) {
    if (unread == 0) return GateState::Open();
    if (step_ != step) {
      step_ = step;
      since_ns_ = now;
      until_ = received + unread;
    }
    floods_ = floods_ || now >= since_ns_ + patience;
    if (floods_ && received >= until_) return GateState::Open();
    return GateState::ClosedUntil(now + kIdlePollNs);
  }

 private:
  StepIndex step_ = kNoStep;
  int64_t since_ns_ = 0;
  uint64_t until_ = 0;  // of `received`
  bool floods_ = false;
};

}  // namespace midwire::replay
