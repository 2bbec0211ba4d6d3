// Prints a list of recorded sessions: a table for people, JSON Lines for programs
// (doc/show-json.md). Called by list. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "view/text/style.h"

namespace midwire::view {

// One tape or cassette. Nothing is escaped.
struct ListedSession {
  enum class End : uint8_t { kUnknown, kRunning, kExit, kCutOff, kContinued, kNotStarted };
  struct Counts {
    uint64_t messages = 0, failed = 0, unanswered = 0;
  };

  std::string file;    // as a command takes it
  std::string plugin;  // "": not known
  uint64_t bytes = 0;
  int64_t start_ns = 0;  // Unix time; 0: not known
  int64_t duration_ns = 0;
  std::optional<Counts> counts;  // none: not counted
  End end = End::kUnknown;
  std::string exit;       // of kExit: "exit 0", "exit by SIGSEGV"
  bool odd_exit = false;  // any other than 0
  bool crashed = false;   // by the signal of a fault
};

// `offset_ns`: what the shown times are ahead of UTC, for each start.
using OffsetAt = int64_t (*)(int64_t unix_ns);
void AppendSessionsText(const std::vector<ListedSession>& sessions, OffsetAt offset,
                        const Style& style, std::string* out);
void AppendSessionsJson(const std::vector<ListedSession>& sessions, std::string* out);

}  // namespace midwire::view
