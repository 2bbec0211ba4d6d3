#include "fuzz/oracle/sync_state.h"

#include <iterator>

namespace midwire::fuzz {
namespace {

constexpr std::string_view kSyncStateNames[] = {"unopened", "in sync", "unfinished",  "maybe lost",
                                                "lost",     "closing", "closing lost"};
constexpr std::string_view kSyncEventNames[] = {"no end",  "end",    "unclear",
                                                "gave up", "closes", "probe answered"};

struct SpeakRow {
  Oracle oracle;
  const char* states;  // by state: `+`, it may speak
};

// By oracle, in the order of its enum, and by state. A peer may exit, refuse or answer anything
// while it cannot follow. What breaks a protocol in any state is always reported, and so is a
// request without an answer: an answer is expected only to what was sent in sync.
constexpr SpeakRow kSpeaks[] = {
    // unopened, in sync, unfinished, maybe lost, lost, closing, closing lost
    {Oracle::kSignal, "+++++++"},     {Oracle::kExit, "-+-----"},
    {Oracle::kSanitizer, "+++++++"},  {Oracle::kPanic, "+++++++"},
    {Oracle::kHang, "-+--+--"},       {Oracle::kSilence, "-++++++"},
    {Oracle::kMissing, "-+++-++"},    {Oracle::kDouble, "-+---+-"},
    {Oracle::kUnknown, "-+---+-"},    {Oracle::kIdType, "-++--+-"},
    {Oracle::kShape, "-++++++"},      {Oracle::kNotification, "-+---+-"},
    {Oracle::kPollution, "-++++++"},  {Oracle::kBadMessage, "-++++++"},
    {Oracle::kUtf8, "-++++++"},       {Oracle::kDialect, "-++++++"},
    {Oracle::kMemory, "+++++++"},     {Oracle::kSpin, "-++++++"},
    {Oracle::kLostAtEof, "-+++-++"},  {Oracle::kParseError, "-+++-++"},
    {Oracle::kBigId, "-++++++"},      {Oracle::kExitOnJunk, "--+++--"},
    {Oracle::kSleepAtEof, "-++++++"}, {Oracle::kDeaf, "---+---"},
};

constexpr bool SpeaksInOrder() {
  for (int i = 0; i < kOracles; ++i) {
    if (kSpeaks[i].oracle != static_cast<Oracle>(i)) return false;
    if (std::string_view(kSpeaks[i].states).size() != kSyncStates) return false;
  }
  return std::size(kSpeaks) == kOracles;
}
static_assert(SpeaksInOrder());
static_assert(std::size(kSyncStateNames) == kSyncStates &&
              std::size(kSyncEventNames) == kSyncEvents);

}  // namespace

std::string_view Name(SyncState state) { return kSyncStateNames[static_cast<int>(state)]; }
std::string_view Name(SyncEvent event) { return kSyncEventNames[static_cast<int>(event)]; }

// An unopened session stays unopened: what a peer does with any message before the opening is its
// own affair. Nothing is found out about a session that closes, so it never gets in sync again.
SyncState After(SyncState state, SyncEvent event) {
  using enum SyncState;
  static constexpr SyncState kNext[kSyncStates][kSyncEvents] = {
      // no end, end, unclear, gave up, closes, probe
      {kUnopened, kUnopened, kUnopened, kUnopened, kUnopened, kUnopened},
      {kUnfinished, kInSync, kMaybeLost, kLost, kClosing, kInSync},
      {kUnfinished, kInSync, kMaybeLost, kLost, kClosing, kInSync},
      {kMaybeLost, kMaybeLost, kMaybeLost, kLost, kClosingLost, kInSync},
      {kLost, kLost, kLost, kLost, kClosingLost, kInSync},
      {kClosingLost, kClosing, kClosingLost, kClosingLost, kClosing, kClosing},
      {kClosingLost, kClosingLost, kClosingLost, kClosingLost, kClosingLost, kClosingLost}};
  return kNext[static_cast<int>(state)][static_cast<int>(event)];
}

bool MaySpeak(Oracle oracle, SyncState state) {
  return kSpeaks[static_cast<int>(oracle)].states[static_cast<int>(state)] == '+';
}

}  // namespace midwire::fuzz
