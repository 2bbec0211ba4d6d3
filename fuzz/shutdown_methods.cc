#include "fuzz/shutdown_methods.h"

#include <algorithm>

#include "wire/contains.h"
#include "wire/dialect/method_place.h"

namespace midwire::fuzz {

ShutdownMethods::ShutdownMethods(const wire::Dialect* dialect,
                                 const std::set<std::string, std::less<>>& recorded) {
  if (dialect != nullptr) methods_ = dialect->last;
  if (methods_.empty()) methods_ = {"shutdown", "exit"};
  methods_.insert(methods_.end(), recorded.begin(), recorded.end());
}

bool ShutdownMethods::IsMethod(std::string_view method) const {
  return wire::MatchesAny(methods_, method);
}

bool ShutdownMethods::IsNamedIn(std::string_view text) const {
  return std::any_of(methods_.begin(), methods_.end(),
                     [&](const std::string& name) { return wire::Contains(text, name); });
}

void ShutdownMethods::LeaveOut(Input* input) const {
  const auto names = [this](const Part& part) { return IsNamedIn(part.bytes); };
  if (!std::all_of(input->parts.begin(), input->parts.end(), names)) {
    std::erase_if(input->parts, names);
  }
}

void ShutdownMethods::MoveBehind(Input* input, Random* random) const {
  const auto begin = input->parts.begin();
  const auto shutdown = std::find_if(begin, input->parts.end(),
                                     [this](const Part& part) { return IsNamedIn(part.bytes); });
  if (shutdown == begin || shutdown == input->parts.end()) return;
  const auto moved = begin + static_cast<ptrdiff_t>(random->Below(size_t(shutdown - begin)));
  std::rotate(moved, moved + 1, shutdown + 1);
}

}  // namespace midwire::fuzz
