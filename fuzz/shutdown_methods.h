// Which messages end a session: those that the dialect says, else `shutdown` and `exit`. After one
// a peer may end and need not answer, so the next input needs a fresh peer, which costs more than
// hundreds of messages. Used by the collector of seeds, the oracle and the engine. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/random.h"
#include "wire/dialect/dialect.h"

namespace midwire::fuzz {

class ShutdownMethods {
 public:
  explicit ShutdownMethods(const wire::Dialect* dialect);  // null: none

  bool IsMethod(std::string_view method) const;
  // Where a message is odd, peers may read another method out of it than we do.
  bool IsNamedIn(std::string_view text) const;
  // Leaves out the parts that name one, unless nothing would be left.
  void LeaveOut(Input* input) const;
  // Moves one of the parts before the first of them, by chance, right behind it: what is asked
  // after the end is seldom tried.
  void SayBehind(Input* input, Random* random) const;

 private:
  std::vector<std::string> methods_;  // patterns of names
};

}  // namespace midwire::fuzz
