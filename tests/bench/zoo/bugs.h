// The bugs that a C++ peer of the zoo can have, one or several. What each is, in which framing, and
// what finds it in principle, is in bugs.json, which the runner reads.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <string_view>

namespace zoo {

enum class Bug {
  kNone,
  kNegativeLength,
  kLengthThrows,
  kCharsForBytes,
  kExtraHeader,
  kLongHeader,
  kClaimedLength,
  kNoResync,
  kDeepNesting,
  kTruncatedId,
  kNullId,
  kEmptyBatch,
  kNullElement,
  kBoth,
  kNoParams,
  kDuplicateId,
  kDuplicateKeys,
  kLoneSurrogate,
  kNumberId,
  kCutUtf8,
  kCancel,
  kNoneOpen,
  kAfterShutdown,
  kTwice,
  kAnswersNotification,
  kUseAfterFree,
  kLadder4,
  kLadder8,
  kAnswersTwice,
  kSpinAtEof,
  kLostAtEof,
  kDeepHang,
  kLeak,
  kMagic,
  kCompare,
  kDebugPollution,
  kHostAnswer,
};

inline constexpr std::array<std::string_view, 37> kBugNames = {"none",
                                                               "negative-length",
                                                               "length-throws",
                                                               "chars-for-bytes",
                                                               "extra-header",
                                                               "long-header",
                                                               "claimed-length",
                                                               "no-resync",
                                                               "deep-nesting",
                                                               "truncated-id",
                                                               "null-id",
                                                               "empty-batch",
                                                               "null-element",
                                                               "both",
                                                               "no-params",
                                                               "duplicate-id",
                                                               "duplicate-keys",
                                                               "lone-surrogate",
                                                               "number-id",
                                                               "cut-utf8",
                                                               "cancel",
                                                               "none-open",
                                                               "after-shutdown",
                                                               "twice",
                                                               "answers-notification",
                                                               "use-after-free",
                                                               "ladder-4",
                                                               "ladder-8",
                                                               "answers-twice",
                                                               "spin-at-eof",
                                                               "lost-at-eof",
                                                               "deep-hang",
                                                               "leak",
                                                               "magic",
                                                               "compare",
                                                               "debug-pollution",
                                                               "host-answer"};

using Bugs = std::bitset<kBugNames.size()>;

// "both+cancel"; nullopt: a name is none of a bug.
inline std::optional<Bugs> ParseBugs(std::string_view names) {
  Bugs bugs;
  for (size_t end = 0; end != names.npos; names.remove_prefix(end != names.npos ? end + 1 : 0)) {
    end = names.find('+');
    const auto found = std::find(kBugNames.begin(), kBugNames.end(), names.substr(0, end));
    if (found == kBugNames.end()) return std::nullopt;
    bugs.set(static_cast<size_t>(found - kBugNames.begin()));
  }
  return bugs;
}

}  // namespace zoo
