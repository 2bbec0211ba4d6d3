// Where a session with a peer stands, as far as the bytes that were sent show. Events change the
// state by a table. A second table has the oracles that may report a fault in each state.
// doc/fuzz.md shows both tables. Moved by ProtocolOracle; read by the runners of fuzz/live. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "fuzz/finding.h"

namespace midwire::fuzz {

enum class SyncState : uint8_t {
  kUnopened,     // the session was not opened: peers answer some requests then, none or all
  kInSync,       // every peer finds the same messages in what was sent
  kUnfinished,   // the same, but the last message has no end: a correct peer waits, or refuses it
  kMaybeLost,    // bytes were sent that peers frame differently
  kLost,         // requests of the peer are not answered any more, and it may wait for that forever
  kClosing,      // a method that closes the session was sent
  kClosingLost,  // after that, one of the above happened
};
inline constexpr int kSyncStates = 7;

enum class SyncEvent : uint8_t {
  kNoEnd,          // what was sent ends inside a message
  kEnd,            // it ends at the end of a message
  kUnclear,        // bytes that peers frame differently
  kGaveUp,         // a request of the peer gets no answer
  kCloses,         // a method that closes the session
  kProbeAnswered,  // the peer answered a request that was sent to find out
};
inline constexpr int kSyncEvents = 6;

std::string_view Name(SyncState state);
std::string_view Name(SyncEvent event);
SyncState After(SyncState state, SyncEvent event);
// Whether a peer in this state can be wrong about what this oracle checks.
bool MaySpeak(Oracle oracle, SyncState state);

// Whether every correct peer has read what was sent as messages, and nothing else.
inline bool IsInStep(SyncState state) {
  return state == SyncState::kInSync || state == SyncState::kClosing;
}
// Whether a message that is complete now is found by every correct peer, in an open session.
inline bool IsFollowed(SyncState state) {
  return state == SyncState::kInSync || state == SyncState::kUnfinished;
}
// Whether a method that closes the session was sent.
inline bool IsClosing(SyncState state) {
  return state == SyncState::kClosing || state == SyncState::kClosingLost;
}
// Whether only a probe can show that the peer is in sync.
inline bool NeedsProbe(SyncState state) {
  return state == SyncState::kMaybeLost || state == SyncState::kLost;
}

}  // namespace midwire::fuzz
