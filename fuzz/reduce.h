// Makes an input small while it still does what it did: first whole messages, then what is in them
// (members, elements, values), then bytes of strings. Delta debugging (Zeller, Hildebrandt:
// Simplifying and isolating failure-inducing input, 2002) on each of these. Pure: whether an input
// still does it is for the caller to find out.
#pragma once

#include <cstddef>
#include <functional>

#include "fuzz/input.h"

namespace midwire::fuzz {

struct ReduceOptions {
  size_t max_tests = 2000;  // calls of `still`
  bool messages = true, nodes = true, bytes = true;
  std::function<bool()> stop;  // asked before each step; what is reached then is kept
};

struct Reduced {
  Input input;
  size_t tests = 0;
  bool finished =
      false;  // no smaller step is left; false: the tests were used up, or it was stopped
};

// `still(input)` must be true of what is handed in; it is not called for that. A step that makes it
// throw the caller's time away is bounded by max_tests.
Reduced Reduce(Input input, const std::function<bool(const Input&)>& still,
               const ReduceOptions& options = {});

}  // namespace midwire::fuzz
