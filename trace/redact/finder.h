// Finds the secrets in one message, text or command line. They are at the places and names of a
// dialect or a user, beside telling names, or found by what they look like (patterns.h). Called by
// TraceSecrets (trace_secrets.h) for a finished trace, also for `midwire redact --audit`, which
// lists them, and by StreamRedactor (stream_redactor.h) for the arguments of the plugin. Pure;
// keeps nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/patterns.h"
#include "trace/redact/secret_place.h"
#include "trace/redact/telling_names.h"

namespace midwire::trace::redact {

struct Found {
  std::string pointer;  // in a message; only for an audit
  size_t at = 0;        // in a text: where it begins
  // "place", "name", "expression", a shape, "telling-name", "random-word"; kNotSearched
  std::string_view rule;
  std::string_view text;  // the place, name or expression
  bool sure = true;       // false: it only looks like a secret, and is not replaced
  bool word = false;      // Patterns::Match
  bool apart = false;     // escape sequences of a terminal are within it (Unstyled)
};

// The rule of a text in base64 that is too long to be a key, such as an image. An audit does not
// search it for random words, of which it has hundreds.
inline constexpr std::string_view kNotSearched = "long-base64";

class Finder {
 public:
  // Both outlive it. audit: also finds random words, and fills the pointers.
  Finder(const SecretPlaces* places, const Patterns* patterns, bool audit = false);

  // Takes a value without quotes and escapes. Returns its token, of the same length, or nothing: it
  // stays.
  using Take = std::function<std::string(std::string_view value, const Found&)>;
  // Loose JSON, one message or batch. No method: unknown. `now`, here and below: a copy of the
  // text, in which tokens replace what is surely a secret and has not changed yet. Null: nothing is
  // written.
  void InMessage(std::string_view json, std::optional<std::string_view> method, const Take& take,
                 char* now = nullptr) const;
  // Text of any kind, also JSON text within it.
  void InText(std::string_view text, const Take& take, char* now = nullptr) const;
  // The arguments of a command: "--token=VALUE" and "--token", "VALUE".
  void InArguments(const std::vector<std::string>& arguments, const Take& take,
                   std::vector<std::string>* now = nullptr) const;

 private:
  bool FindsNothingInStrings() const { return patterns_->empty() && !audit_ && nested_.empty(); }
  // Each returns whether it has found what is surely a secret.
  bool InJson(std::string_view json, std::optional<std::string_view> method,
              const SecretPlaces& places, const Found& where, int layers, const Take& take,
              char* now) const;
  bool InString(std::string_view value, const Found& where, int layers, const Take& take,
                char* now) const;
  void InArgument(const std::vector<std::string>& arguments, size_t i, const Take& take,
                  char* now) const;
  void FindWords(std::string_view value, const Found& where, const Take& take) const;

  const SecretPlaces* places_;
  const Patterns* patterns_;
  SecretPlaces nested_;  // in JSON text within a string: no pointer leads there
  bool audit_;
};

}  // namespace midwire::trace::redact
