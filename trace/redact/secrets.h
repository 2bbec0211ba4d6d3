// The secrets of a trace and their tokens: collects values, then replaces them wherever and however
// they are spelt, in equal length. Called by the redaction of whole traces (trace_redactor.h). Does
// not know places or frames. Its memory grows with the secrets, not with the text; its time with
// the text, not with the number or similarity of the secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trace/redact/beginnings.h"
#include "trace/redact/tokens.h"

namespace midwire::trace::redact {

class Secrets {
 public:
  // Shorter values are replaced only at secret places: "on" or 42 is part of too much else.
  // Passwords are rarely shorter.
  static constexpr size_t kMinElsewhere = Beginnings::kSize;
  // All values together. Real sessions have some KiB; a trace in which everything is secret must
  // not fill the memory.
  static constexpr size_t kMaxBytes = 64u << 20;

  // words: of the protocol, such as method names. A value that is part of one is replaced only at
  // its places: otherwise the trace becomes unreadable.
  Secrets(const TokenKey& key, const std::vector<std::string>& words);

  // Values are searched for in pieces of about this length, each with its own token. A few thousand
  // similar values of any length would make each byte of a text a long comparison.
  static constexpr size_t kPiece = 1024;

  enum class Where : uint8_t { kAnywhere, kAtPlaces };
  // A string without its quotes and escapes, or a number as it is spelt. False: kMaxBytes is
  // exceeded. A value that is added twice is replaced wherever either asks for it.
  bool Add(std::string_view value, Where where = Where::kAnywhere);
  // Gives a value that was added another token, in forms that keep more and more of it. False:
  // there are no more. Before Seal.
  bool TryAnotherToken(std::string_view value);
  // The value stays: it is public, such as a word of an enum.
  void Keep(std::string_view value);
  size_t kept() const { return kept_; }

  // Call after the last Add, before the first Rewrite: sorts the values.
  void Seal();
  // Part of one of the protocol's words.
  bool IsWord(std::string_view value) const;
  // The token for a value, added or not.
  std::string TokenFor(std::string_view value) const;

  size_t count() const { return count_; }
  size_t only_at_places() const { return only_at_places_; }
  // Of those (or their pieces) that are searched for.
  size_t longest() const { return longest_; }

  // Text of any kind. Finds values as they are, without JSON escapes, in base64, and in
  // combinations of these (nested_encoding.h). A number within a longer one is not replaced.
  void Rewrite(std::string* text) const;
  // Loose JSON: strings and names as above, numbers that equal a secret; it stays JSON.
  void RewriteJson(std::string* json) const;
  // A JSON string at a secret place, without its quotes and as it is spelt, or a number.
  void RewriteAll(char* spelt, size_t size) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Tokens = std::unordered_map<std::string, std::string, Hash, std::equal_to<>>;

  // A value that is searched for. `within`: the index of the longest other value that it begins
  // with, or -1.
  struct Sought {
    std::string_view value, token;
    bool number = false;
    int64_t within = -1;
  };
  void AddPiece(std::string_view value);  // it is not known yet
  void Seek(std::string_view known);
  const std::string* Find(std::string_view piece) const;  // its token, or nullptr
  // The longest value that `text` begins with, or nullptr.
  const Sought* MatchAt(std::string_view text) const;
  const Sought* Within(const Sought& one) const {
    return one.within < 0 ? nullptr : &sorted_[static_cast<size_t>(one.within)];
  }
  void Rewrite(std::string* text, int layers) const;
  void RewriteSpelt(std::string* spelt, int layers) const;
  void Replace(std::string* text) const;
  void SetToken(Tokens::iterator at, const std::string& token);

  TokenKey key_;
  std::string words_;  // each between two line ends
  size_t longest_word_ = 0;
  Tokens tokens_;
  std::unordered_map<std::string_view, uint32_t> attempts_;  // of TryAnotherToken
  std::unordered_set<std::string_view> used_;    // tokens, so that two secrets never share one
  std::unordered_set<std::string_view> pieces_;  // of longer values
  std::unordered_set<std::string_view> here_;    // not searched for, as they came by kAtPlaces
  std::vector<Sought> sorted_;                   // by value
  Beginnings beginnings_;                        // of sorted_
  bool sealed_ = true;
  size_t kept_ = 0;
  size_t bytes_ = 0, count_ = 0, only_at_places_ = 0, longest_ = 0;
};

}  // namespace midwire::trace::redact
