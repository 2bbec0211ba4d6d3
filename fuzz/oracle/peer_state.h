// What the runners have to know of a peer to keep time: what it owes, and where the session stands.
// Made by ProtocolOracle. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuzz/oracle/sync_state.h"

namespace midwire::fuzz {

struct PeerState {
  SyncState sync = SyncState::kInSync;
  // The bytes sent end at the end of a message. Otherwise a correct peer waits for the rest.
  bool at_boundary = true;
  size_t due = 0;  // answers of this run that are expected and have not arrived
  // Grows with each answer to a message that was sent. Its limit depends on what was sent alone.
  size_t answers = 0;
  // The last message sent is an unanswered request (its answer expected or optional), and nothing
  // was refused since then by an id that no request has.
  bool awaits_answer = false;
  // Something was answered after bytes that peers frame differently.
  bool answered_since_unclear = false;
  // The answers show that the peer has read all that was sent: the last message was a request whose
  // answer was expected, and it has arrived.
  bool settled = false;
  // A request of the peer has no answer with its id: the input's answer may be damaged, and a
  // correct peer may wait for another one.
  bool asks = false;
  bool probe_due = false, probe_answered = false;  // of the last probe
  // The peer should be restarted: earlier runs have more unanswered requests than can be
  // remembered, or it makes no handles any more.
  bool spent = false;
};

// Bytes that are sent: a part of an input; others that are not its last message; an answer to a
// request of the peer. A probe is a request that shows whether the peer responds.
enum class Sent : uint8_t { kPart, kAside, kProbe, kReply };

}  // namespace midwire::fuzz
