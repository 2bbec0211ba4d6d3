// The few calls that the faulty peers share. No buffering: each output is one write(2).
#pragma once

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace peer {

// Writes everything; false if the reader has closed.
inline bool Say(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

inline bool Say(std::string_view text) { return Say(1, text); }

// One read of standard input; empty at its end.
inline std::string Hear() {
  char bytes[65536];
  for (;;) {
    const ssize_t n = read(0, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    return std::string(bytes, n > 0 ? static_cast<size_t>(n) : 0);
  }
}

inline void HearToEnd() {
  while (!Hear().empty()) continue;
}

inline int Number(const char* text) { return atoi(text); }

}  // namespace peer
