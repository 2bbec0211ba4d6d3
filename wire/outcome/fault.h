// Which signals mean that a program crashed. Called by what judges or shows how a plugin ended.
#pragma once

namespace midwire {

// ILL, TRAP, ABRT, BUS, FPE, SEGV, SYS: what a fault in the program raises. Numbers as Linux has
// them: those of a tape, not of the machine that reads it.
constexpr bool IsFault(int signal) {
  constexpr int kFaults[] = {4, 5, 6, 7, 8, 11, 31};
  for (const int fault : kFaults) {
    if (signal == fault) return true;
  }
  return false;
}

}  // namespace midwire
