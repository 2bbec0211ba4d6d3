// The traits of a message: what it has that can make a peer fail, such as "open: /params/path is a
// number" or "lone surrogate". Two inputs that make a peer fail for the same reason share one, with
// few exceptions. Called by KnownCauses. Pure; takes any bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "fuzz/input.h"

namespace midwire::fuzz {

// From the most general to the most special. Of two traits that tell the same inputs apart, the
// more general one is the better guess.
enum class TraitRank : uint8_t {
  kText,     // the frame, damage of the text, depth, size
  kType,     // the type of a value, or a member that is missing
  kClass,    // a class of values: empty, negative, 2^31 and above, 1024 bytes and above
  kSession,  // what was sent before (KnownCauses adds these)
  kExact,    // a value
};

// The members that a method's messages have in recordings: that one is missing, or has another
// type, is a trait.
class UsualMembers {
 public:
  // By pointer, a bit for each type (wire::JsonType).
  using Types = std::map<std::string, unsigned, std::less<>>;
  void Add(const Input& input);
  // Null: the method was not recorded.
  const Types* Of(std::string_view method) const;

 private:
  std::map<std::string, Types, std::less<>> methods_;
};

// method: the trait is one of this method's messages; "": of any message. what: "/params/path is a
// number".
using TraitSink =
    std::function<void(TraitRank rank, std::string_view method, std::string_view what)>;
// Bounded in number and depth: of a large message, the values at its start count.
void VisitTraits(const Part& part, const UsualMembers& usual, const TraitSink& sink);

// The method of a message, as spelt but without quotes; "": it has none.
std::string_view MethodOf(const Part& part);
// The id of a message, as spelt; "": it has none.
std::string_view IdOf(const Part& part);

}  // namespace midwire::fuzz
