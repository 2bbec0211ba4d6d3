// The secrets of a trace and their tokens: collects values, then replaces them wherever they stand,
// however they are spelt, in equal length. Called by the redaction of whole traces
// (trace/redact.h). Knows no places and no frames. Its memory grows with the secrets, not with the
// text.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wire/tokens.h"

namespace midwire::wire {

class Secrets {
 public:
  // Shorter values are replaced where they are known to be secret and nowhere else: "on" or 42 is
  // part of too much that is none. No password worth the name is shorter.
  static constexpr size_t kMinElsewhere = 6;
  // All values together: real sessions have some KiB. A trace in which everything is secret must
  // not fill the memory.
  static constexpr size_t kMaxBytes = 64u << 20;

  // words: of the protocol, like names of methods. A value that is part of one is, too, only
  // replaced at its places: else nobody would understand what is left.
  Secrets(const TokenKey& key, std::vector<std::string> words);

  // A string without its quotes and escapes, or a number as it is spelt. False: kMaxBytes.
  bool Add(std::string_view value);
  const std::string* Find(std::string_view value) const;  // its token, or nullptr

  size_t count() const { return tokens_.size(); }
  size_t only_at_places() const { return only_at_places_; }
  size_t longest() const { return longest_; }

  // Text of any kind: as it is, without JSON escapes, in base64, and those in each other up to
  // kLayers deep. A number is not replaced inside of a longer one.
  void Rewrite(std::string* text) const {
    if (!lengths_.empty()) Rewrite(text, kLayers);
  }
  // Loose JSON: strings and names as above, numbers when they are a secret; it stays JSON.
  void RewriteJson(std::string* json) const;
  // A JSON string at a secret place, without its quotes and as it is spelt, or a number.
  void RewriteAll(char* spelt, size_t size) const;

 private:
  static constexpr int kLayers = 4;
  static constexpr size_t kFilterBits = 1 << 16;

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Tokens = std::unordered_map<std::string, std::string, Hash, std::equal_to<>>;

  void Rewrite(std::string* text, int layers) const;
  void RewriteSpelt(std::string* spelt, int layers) const;
  void RewriteBase64(std::string* text, int layers) const;
  void Replace(std::string* text) const;
  bool IsWord(std::string_view value) const;

  TokenKey key_;
  std::vector<std::string> words_;
  Tokens tokens_;
  std::unordered_set<std::string_view> used_;  // tokens: two secrets have two
  // By their first kMinElsewhere bytes: the lengths that secrets with this beginning have, longest
  // first.
  std::unordered_map<uint64_t, std::set<size_t, std::greater<>>> lengths_;
  std::bitset<kFilterBits> filter_;  // of those beginnings
  size_t bytes_ = 0, only_at_places_ = 0, longest_ = 0;
};

}  // namespace midwire::wire
