// Times that several parts of the runner (runner*.cc) wait for something, and bounds of those that
// are found out by calibration. Nanoseconds. Nobody else uses them.
#pragma once

#include <cstdint>

namespace midwire::fuzz {

// For an answer, before anything is known.
inline constexpr int64_t kFirstTimeout = 10'000'000'000;
// The first answer of a process is waited for so many times as long besides as its start took.
inline constexpr int kStarts = 4;
// After a message that broke the framing a peer that answers at all does so soon. In the search
// that is shorter still for a peer that answered fast, by how long the probe took.
inline constexpr int64_t kLostTimeout = 20'000'000;
// To make use of an answer that is damaged, if it does.
inline constexpr int64_t kUseTimeout = 5'000'000;
// Who sleeps so long has done what it was told to do.
inline constexpr int64_t kRestWindow = 50'000'000;
// A peer that is to end, and one that is looked at for burning the processor.
inline constexpr int64_t kEndTimeout = 1'000'000'000, kBusyWindow = 100'000'000;

}  // namespace midwire::fuzz
