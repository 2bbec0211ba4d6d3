// The vocabulary of a protocol, from which mutators take values: byte mutations never guess a
// method's name. It is made once before a run, from traces (what was sent) and dialects (what may
// be sent). Used by fuzz/mutate and `midwire corpus`. Pure: the same sources in the same order make
// the same vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/exchange.h"
#include "wire/message.h"

namespace midwire::fuzz {

// Limits of each list. Values are picked at random, so more of the same do not help.
inline constexpr size_t kMaxWords = 4096, kMaxWordBytes = 16u << 20;
// Longer strings, containers and bodies are content, not vocabulary.
inline constexpr size_t kMaxWordSize = 256, kMaxTreeSize = 4096, kMaxBodySize = 64 * 1024;
// Maximum number of values per name.
inline constexpr size_t kMaxNamed = 64;
// The longest dictionary token that both AFL++ (128) and libFuzzer (64) accept.
inline constexpr size_t kMaxTokenSize = 64;

class Vocabulary {
 public:
  // Adds one message of a trace; `body` is its trimmed JSON text. A body that is not JSON adds
  // nothing.
  void AddMessage(wire::Direction direction, const wire::Message& message, std::string_view body);
  // Adds method names (patterns without their `*`), error codes, and from the schemas of params and
  // results: member names, enum values, limits and the numbers next to them.
  void AddDialect(const wire::Dialect& dialect);

  // All values are raw JSON tokens, as spelt; strings and names have their quotes. The lists have
  // no duplicates and are in order of first occurrence.
  const std::vector<std::string>& methods() const { return methods_.values; }
  const std::vector<std::string>& keys() const { return keys_.values; }
  const std::vector<std::string>& strings() const { return strings_.values; }
  const std::vector<std::string>& numbers() const { return numbers_.values; }
  const std::vector<std::string>& ids() const { return ids_.values; }
  const std::vector<std::string>& codes() const { return codes_.values; }
  // Containers that were params, result or error (DAP: arguments, body), or were inside of them.
  const std::vector<std::string>& trees() const { return trees_.values; }
  // Scalars that were the value of a member (name as spelt, with its quotes) in any message, except
  // members of the message itself. Empty if the name is not known.
  const std::vector<std::string>& recorded_values(std::string_view name) const {
    return Of(named_, name);
  }
  // Scalars that the dialect enumerates in the params of a method (as spelt, with its quotes).
  const std::vector<std::string>& choices(std::string_view method) const {
    return Of(choices_, method);
  }
  // Whole bodies of a direction, as spelt.
  const std::vector<std::string>& bodies(wire::Direction direction) const {
    return bodies_[static_cast<int>(direction)].values;
  }

  // A dictionary for libFuzzer and AFL++: one quoted token per line, bytes that are not printable
  // as \xNN, and a comment before each group. It also has the tokens of framings and of JSON-RPC,
  // and values that dispatchers often handle wrongly, even if the vocabulary is empty.
  std::string Dictionary() const;

 private:
  struct List {
    std::vector<std::string> values;
    std::unordered_set<std::string> seen;
    size_t bytes = 0;
    void Add(std::string_view value, size_t max_size);
  };
  class Walk;
  using Lists = std::map<std::string, List, std::less<>>;
  static const std::vector<std::string>& Of(const Lists& lists, std::string_view name);
  void AddTo(Lists* lists, std::string_view name, std::string_view value);
  void AddNumber(std::string_view spelt);
  List methods_, keys_, strings_, numbers_, ids_, codes_, trees_;
  List bodies_[2];
  Lists named_, choices_;
  size_t listed_bytes_ = 0;  // of named_ and choices_
};

}  // namespace midwire::fuzz
