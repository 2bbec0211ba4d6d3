// The words of a protocol: what mutators put into messages. Byte mutation never guesses a method's
// name; these come from traces (what was said) and dialects (what may be said). Made once before a
// run; the same sources in the same order make the same vocabulary.
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

// Of each list; a vocabulary is picked from by chance, so more of the same does not help.
inline constexpr size_t kMaxWords = 4096, kMaxWordBytes = 16u << 20;
// A longer string, container or body is content, not vocabulary.
inline constexpr size_t kMaxWordSize = 256, kMaxTreeSize = 4096, kMaxBodySize = 64 * 1024;
// Values that are kept of one name.
inline constexpr size_t kMaxNamed = 64;
// What AFL++ (128) and libFuzzer (64) both take as a dictionary's token.
inline constexpr size_t kMaxTokenSize = 64;

class Vocabulary {
 public:
  // One message of a trace; `body` is its JSON text, trimmed. What is not JSON adds nothing.
  void AddMessage(wire::Direction direction, const wire::Message& message, std::string_view body);
  // Method names (patterns without their `*`), error codes, and of the schemas of params and
  // results: member names, enum values, numbers at limits and beside them.
  void AddDialect(const wire::Dialect& dialect);

  // All values are raw JSON tokens, as spelt, strings and names with their quotes; each list
  // without duplicates, in order of first sight.
  const std::vector<std::string>& methods() const { return methods_.values; }
  const std::vector<std::string>& keys() const { return keys_.values; }
  const std::vector<std::string>& strings() const { return strings_.values; }
  const std::vector<std::string>& numbers() const { return numbers_.values; }
  const std::vector<std::string>& ids() const { return ids_.values; }
  const std::vector<std::string>& codes() const { return codes_.values; }
  // Containers that were params, result or error (DAP: arguments, body), or stood below: for a
  // member in another's place.
  const std::vector<std::string>& trees() const { return trees_.values; }
  // Scalars that stood under a name (as spelt, with its quotes), in whatever message; but those
  // that make a message. Empty where the name is not known.
  const std::vector<std::string>& said_as(std::string_view name) const { return Of(named_, name); }
  // What the dialect enumerates in the params of a method (as spelt, with its quotes): scalars.
  const std::vector<std::string>& choices(std::string_view method) const {
    return Of(choices_, method);
  }
  // Whole bodies that a direction said, as spelt.
  const std::vector<std::string>& bodies(wire::Direction direction) const {
    return bodies_[static_cast<int>(direction)].values;
  }

  // A dictionary as libFuzzer and AFL++ read it: a quoted token a line, bytes that are not plain as
  // \xNN, with a remark that names the group before its first. Besides the words, and also without
  // any: what framings are made of, and values where dispatchers fall over.
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
  size_t listed_bytes_ = 0;  // of both
};

}  // namespace midwire::fuzz
