// Times that the runners wait (runner*.cc, host_runner*.cc), and bounds of those found by
// calibration. Nanoseconds. Private to the runners.
#pragma once

#include <cstdint>

namespace midwire::fuzz {

// For an answer, before calibration.
inline constexpr int64_t kFirstTimeout = 10'000'000'000;
// Bounds of the calibrated time for an answer, and of that by the last answers: longer than a
// scheduling delay, shorter than a fuzz run can afford.
inline constexpr int64_t kMinAnswerTimeout = 100'000'000, kMaxAnswerTimeout = 2'000'000'000;
// The first answer of a process gets additional time: this many times the time of its start.
inline constexpr int kStarts = 4;
// After a message that broke the framing, a peer that answers at all does so soon. During the
// search the time is shorter for a fast peer, depending on the time of the probe.
inline constexpr int64_t kLostTimeout = 20'000'000;
// For a reaction to a damaged answer.
inline constexpr int64_t kUseTimeout = 5'000'000;
// A peer that sleeps this long has finished its work.
inline constexpr int64_t kRestWindow = 50'000'000;
// For a peer to exit; and to measure processor use.
inline constexpr int64_t kEndTimeout = 1'000'000'000, kBusyWindow = 100'000'000;

}  // namespace midwire::fuzz
