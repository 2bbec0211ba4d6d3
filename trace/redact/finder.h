// Finds the secrets in one message, text or command line: at the places and names of a dialect or
// a user, and by what they look like (patterns.h). Called by TraceRedaction (redact.h), which
// replaces them, and for `midwire redact --audit`, which lists them. Pure; keeps nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/patterns.h"
#include "trace/redact/secret_place.h"

namespace midwire::wire {

struct Found {
  std::string pointer;    // in a message; only for an audit
  size_t at = 0;          // in a text: where it begins
  std::string_view rule;  // "place", "name", "expression", a shape, "telling-name", "random-word"
  std::string_view text;  // the place, name or expression
  bool sure = true;       // false: it only looks like a secret, and is not replaced
};

class Finder {
 public:
  // Both outlive it. audit: also finds what only looks like a secret, and fills the pointers.
  Finder(const SecretPlaces* places, const Patterns* patterns, bool audit = false)
      : places_(places), patterns_(patterns), audit_(audit) {}

  // value: without quotes and escapes.
  using Visit = std::function<void(std::string_view value, const Found&)>;
  // Loose JSON, one message or batch. No method: unknown.
  void InMessage(std::string_view json, std::optional<std::string_view> method,
                 const Visit& visit) const;
  // Text of any kind, also JSON text within it.
  void InText(std::string_view text, const Visit& visit) const;
  // The arguments of a command: "--token=VALUE" and "--token", "VALUE".
  void InArguments(const std::vector<std::string>& arguments, const Visit& visit) const;

 private:
  bool InString(std::string_view value, const Found& where, int layers, const Visit& visit) const;
  void InMember(std::string_view name, std::string_view value, const Found& where,
                const Visit& visit) const;

  const SecretPlaces* places_;
  const Patterns* patterns_;
  bool audit_;
};

}  // namespace midwire::wire
