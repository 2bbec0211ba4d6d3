// The few calls that the faulty peers share. No buffering: each output is one write(2).
#pragma once

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
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
inline std::string Receive() {
  char bytes[65536];
  for (;;) {
    const ssize_t n = read(0, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    return std::string(bytes, n > 0 ? static_cast<size_t>(n) : 0);
  }
}

// Standard input in lines: a read may bring several of them, or a part of one.
class Lines {
 public:
  // With its newline; empty at the end of the input. A last line without one is not returned.
  std::string Next() {
    size_t end;
    while ((end = received_.find('\n')) == received_.npos) {
      const std::string more = Receive();
      if (more.empty()) return "";
      received_ += more;
    }
    const std::string line = received_.substr(0, end + 1);
    received_.erase(0, end + 1);
    return line;
  }

 private:
  std::string received_;
};

// To the first processor that it may use.
inline void PinToFirst() {
  cpu_set_t usable, first;
  sched_getaffinity(0, sizeof usable, &usable);
  CPU_ZERO(&first);
  int at = 0;
  while (!CPU_ISSET(at, &usable)) ++at;
  CPU_SET(at, &first);
  sched_setaffinity(0, sizeof first, &first);
}

// Uses so much processor time.
inline void Compute(int ms) {
  const clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);
  while (clock() < end) continue;
}

inline void ReceiveToEnd() {
  while (!Receive().empty()) continue;
}

// Ends a peer that a test calls by mistake: a misspelt mode must not look like a correct peer.
[[noreturn]] inline void Misused(std::string_view word) {
  Say(2, "peer: not understood: " + std::string(word) + "\n");
  _exit(64);
}

// An argument; a missing one is empty.
inline std::string_view Word(int argc, char** argv, int index) {
  return index < argc ? argv[index] : "";
}

// An argument that must be among these words.
template <typename Words>
std::string_view OneOf(const Words& words, std::string_view word) {
  if (std::find(std::begin(words), std::end(words), word) == std::end(words)) Misused(word);
  return word;
}

// An argument that must be a number.
inline int Number(const char* text) {
  const std::string_view word = text != nullptr ? text : "";
  if (word.empty() || word.find_first_not_of("0123456789") != word.npos) Misused(word);
  return atoi(text);
}

}  // namespace peer
