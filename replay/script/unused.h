// Which options name a place or a method that no message has: most of these have a mistake in them,
// and then they hide nothing, without a word. A place counts as used if there is a value, whether
// or not it differs. Called by replay, mock and diff. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "replay/script/call_class.h"
#include "wire/dialect/method_place.h"

namespace midwire::replay {

struct Declarations;

class Unused {
 public:
  // `option`: "--ignore".
  void Add(std::string_view option, const wire::MethodPlace& place);
  void Add(std::string_view option, const wire::MethodScope& scope);
  // Each declaration of the kinds that hide a difference.
  void AddAll(const Declarations& declared);
  bool empty() const { return sought_.empty(); }

  // A message of the trace or of the run. `body`: without blanks around, perhaps not JSON.
  void OnMessage(const CallClass& of, std::string_view body);
  // What was in no message, one line each: what, where, what to do. Not escaped.
  std::vector<std::string> Lines() const;

 private:
  struct Sought {
    std::string option;
    wire::MethodPlace place;
    bool any_value = false;  // a message of its scope is enough
  };

  std::vector<Sought> sought_;
  size_t looked_at_ = 0;  // bytes
};

}  // namespace midwire::replay
