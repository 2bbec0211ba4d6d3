// Makes an input smaller while it still shows the same fault. Removes whole messages, then members,
// elements and values in them, then bytes of strings. A message stays one of its kind. Each step is
// delta debugging (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002).
// Called by fuzz/live and `midwire reduce`. Pure: the caller runs the inputs.
#pragma once

#include <cstddef>
#include <functional>

#include "fuzz/input.h"

namespace midwire::fuzz {

struct ReduceOptions {
  size_t max_tests = 2000;  // calls of `still`
  bool messages = true, nodes = true, bytes = true;
  std::function<bool()> stop;  // called before each step; true: return what was reached
};

struct Reduced {
  Input input;
  size_t tests = 0;
  bool finished =
      false;  // no step makes it smaller; false: max_tests was reached, or it was stopped
};

// `still(input)` returns whether the input shows the fault. It must be true for the first input,
// for which it is not called. max_tests bounds the time.
Reduced Reduce(Input input, const std::function<bool(const Input&)>& still,
               const ReduceOptions& options = {});

}  // namespace midwire::fuzz
