// The lines below a timeline that is followed on a terminal: which calls are open now, for how
// long, and the rates of messages and bytes. Called by show -f, which draws and erases them. Pure:
// the time is an argument.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/text/style.h"
#include "wire/exchange.h"

namespace midwire::view {

// Nothing is escaped.
struct FooterCall {
  wire::Direction direction = wire::Direction::kHostToPlugin;
  uint64_t number = 0;   // of the message
  int64_t since_ns = 0;  // Unix time; 0: not known
  std::string method, label, id;
};

// Per second.
struct FooterRate {
  double messages = 0, bytes = 0;
};

struct FooterFacts {
  std::vector<FooterCall> calls;    // those that are open for longest, oldest first
  uint64_t open = 0;                // all of them
  std::array<FooterRate, 2> rates;  // by direction
};

// A footer of more calls would leave little of a terminal of 24 rows; a call that hangs is among
// the oldest.
inline constexpr size_t kMaxFooterCalls = 5;

// `rows`: of the terminal. Every line is narrower than it: a character in the last column makes
// some terminals wrap. Empty where the terminal is too low.
std::vector<std::string> FooterLines(const FooterFacts& facts, int64_t now_ns, size_t rows,
                                     const Style& style);

}  // namespace midwire::view
