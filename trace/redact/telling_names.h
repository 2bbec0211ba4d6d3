// Names that show that their value is secret, as members, headers, variables or options: one table,
// and what beside such a name is no secret after all. Called by SecretWalk (secret_place.cc), by
// Finder, and by Patterns, whose shapes have the same names. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::trace::redact {

enum class Telling : uint8_t {
  kNo,
  kLikely,         // often something else: "token" of a parser. Secret only if the value is random
  kSecret,         // secret, however short
  kFolderOrWord,   // "pwd": the working folder, or a password
  kPassword,       // "pass", which is also a result of tests or a step of a compiler
  kPin,            // of a card or of a circuit board: the former has at least four digits
  kCookie,         // with a "="
  kAuthorization,  // after its scheme, "Bearer"
};

// Of "clientSecret", "X-Api-Key", "GITHUB_TOKEN", "--password"; not of "progressToken".
Telling TellingOf(std::string_view name);
inline bool IsTellingName(std::string_view name) { return TellingOf(name) != Telling::kNo; }

// How a value is written decides what else it may be.
enum class Written : uint8_t {
  kNumber,  // of JSON
  kString,  // a whole string of JSON, or an argument
  kQuoted,  // in a text, in quotes: a literal of a program, an example
  kBare,    // in a text: also a variable, a type, a word of a sentence
};

// The part of `value` that is secret; empty: nothing. Not sure: it only looks like one.
struct NamedSecret {
  std::string_view text;
  bool sure = true;
};
NamedSecret SecretBeside(Telling name, std::string_view value, Written written);

// "--force", "-v": what follows an option is its value, unless it is one itself.
bool IsOption(std::string_view argument);

// The names themselves, as one word: a secret "password" must not change the names of members.
std::vector<std::string> TellingWords();

// A pattern in which %N stands for the names of kSecret and kFolderOrWord, in any spelling.
std::string WithTellingNames(std::string_view pattern);

}  // namespace midwire::trace::redact
