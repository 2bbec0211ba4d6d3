// Waiting for a condition, for tests with processes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace midwire {

// How many times longer than on an idle machine a wait may take. The gate sets 4.
inline int PatienceFactor() {
  const char* factor = std::getenv("MIDWIRE_PATIENCE");
  return factor != nullptr ? std::max(1, std::atoi(factor)) : 1;
}

// Only a test that fails waits for so long.
inline const std::chrono::seconds kPatience = PatienceFactor() * std::chrono::seconds(20);

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
