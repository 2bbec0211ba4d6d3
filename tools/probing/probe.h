// The first request of each protocol that `midwire doctor` tries on a plugin, and what the bytes
// that came back mean. A protocol is a row of a table. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/framing.h"

namespace midwire::tools {

struct Probe {
  std::string_view title;
  wire::Framing framing;
  std::string_view request;  // JSON
  std::string_view mark;     // a member of the result that the protocol requires
};

std::span<const Probe> Probes();
// The request as it is sent.
std::string BytesOf(const Probe& probe);

// What a plugin sent on stdout.
struct Received {
  enum class Answer : uint8_t { kNone, kError, kOther, kExpected };
  Answer answer = Answer::kNone;  // kOther: a result without the mark
  std::string error;              // of kError: code and text
  bool unknown_method = false;    // of kError: it has no such request
  bool other_framing = false;     // the answer came in the other framing
  bool no_line_end = false;       // there would be an answer if its line ended
  bool echo = false;              // the request itself came back
  size_t messages = 0;            // also those that are no answer
  // Bytes that are no message, such as a banner: how many pieces, and the first one.
  size_t stray = 0;
  std::string first_stray;
};

// Beginning of a stray text that is kept: it fits on two lines of a terminal.
inline constexpr size_t kMaxStray = 160;

// `ended`: nothing more follows.
Received Judge(const Probe& probe, std::string_view out, bool ended);

}  // namespace midwire::tools
