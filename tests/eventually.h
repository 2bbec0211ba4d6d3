// Waiting for a condition, for tests with processes.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace midwire {

// Long enough for a busy machine: only a test that fails waits for so long.
inline constexpr std::chrono::seconds kPatience{60};

// Polls until the condition holds; false after kPatience, which the test must report.
template <typename Condition>
[[nodiscard]] bool Eventually(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (std::chrono::milliseconds pause(1); !condition();) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace midwire
