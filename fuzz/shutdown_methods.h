// The methods that end a session: those of the dialect, otherwise `shutdown` and `exit`, and those
// after which a recorded plugin ended by itself. After one
// of them a peer may exit and need not answer, so the next input needs a fresh peer, which costs
// more than hundreds of messages. Used by SeedCollector, fuzz/oracle and fuzz/live. Pure.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/random.h"
#include "wire/dialect/dialect.h"

namespace midwire::fuzz {

class ShutdownMethods {
 public:
  // dialect: may be null. recorded: Seeds::ends.
  explicit ShutdownMethods(const wire::Dialect* dialect,
                           const std::set<std::string, std::less<>>& recorded = {});

  bool IsMethod(std::string_view method) const;
  // Whether the text has the name of one. Peers may read another method from an unusual message
  // than midwire does.
  bool IsNamedIn(std::string_view text) const;
  // Removes the parts that name one, unless nothing would be left.
  void LeaveOut(Input* input) const;
  // Moves a random part from before the first part that names one to right behind it: mutants
  // rarely have a request after the shutdown.
  void MoveBehind(Input* input, Random* random) const;

 private:
  std::vector<std::string> methods_;  // names, or patterns of names
};

}  // namespace midwire::fuzz
