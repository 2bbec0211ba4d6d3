// The shapes of secrets that are known by themselves: private keys, tokens of HTTP headers, keys of
// cloud, git and model providers. Also values beside a telling name (telling_names.h), in the
// places where texts have such names. One table; a row has true and false examples in
// tests/trace/redact/shapes_test.cc. Compiled by Patterns (patterns.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace midwire::trace::redact {

enum class ShapeCheck : uint8_t {
  kNone,
  kMixed,       // letters and digits: "sk-learn-contrib-..." is a name
  kRandom,      // IsRandomWord (randomness.h)
  kBasic,       // base64 of "user:password" (RFC 7617)
  kQuoted,      // secret beside a telling name (telling_names.h), in quotes
  kBare,        // the same without quotes
  kPassQuoted,  // beside the name "pass"
  kPassBare,
  kCookie,
};

struct Shape {
  std::string_view name;     // as --audit prints it
  std::string_view pattern;  // RE2 syntax, of bytes; the secret is group 1; WithTellingNames
  ShapeCheck check = ShapeCheck::kNone;
  std::string_view needs = {};  // in each text that has it, and in few others
};

// In order: of two that overlap in a text, the first counts.
std::span<const Shape> Shapes();

// False: a text that has no shape, such as most names and numbers of a message.
bool MayHaveShape(std::string_view text);

}  // namespace midwire::trace::redact
