// How a rule shows that a value is not the one it should be: both are cut around the place where
// they begin to differ. For that it has to keep long values, as far as there is room. Called by the
// rule types "equal" and "same". Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "check/rules/rule.h"

namespace midwire::check {

// A value to compare later ones with. The part of a value that is too long is only shown.
struct KeptValue {
  std::string text;
  bool whole = true;
};

// The room for the values that a rule keeps at one time.
class ValueRoom {
 public:
  KeptValue Keep(std::string_view value);
  void Drop(const KeptValue& value);
  void Clear() { used_ = 0; }

 private:
  size_t used_ = 0;
};

// Fills in `expected` and `got`, and names the line of the text in which they begin to differ if it
// has several. `where`: what is added to `expected`.
void ShowDifference(const KeptValue& expected, std::string_view got, Violation* violation,
                    std::string_view where = "");

}  // namespace midwire::check
