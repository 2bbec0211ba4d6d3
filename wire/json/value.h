// JSON when its meaning is needed: a strict validator, a small document, raw members, strings.
// Used by events, cassettes, show and dialects; the decoder does without it (json_scanner.h).
// Nothing here recurses, so hostile nesting costs memory in proportion to the text at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::wire {

// A parsed JSON value. Numbers keep their spelling: 1.0, 1e0 and 9007199254740993 stay what they
// are.
struct Json {
  enum class Type : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  Type type = Type::kNull;
  bool boolean = false;
  std::string text;  // a string, unescaped, or a number as it was spelt
  std::vector<Json> items;
  struct Member;                // not a std::pair: clang 14 wants to know a pair's size in here
  std::vector<Member> members;  // in order, duplicates kept

  bool is(Type t) const { return type == t; }
  const Json* Find(std::string_view name) const;         // the last member of that name, or nullptr
  std::string_view String(std::string_view name) const;  // a member that is a string, else ""
  std::optional<int64_t> Integer() const;  // a number that is an integer in range, spelt as one
};
struct Json::Member {
  std::string first;  // its name
  Json second;        // its value
};

// Deeper texts are refused: a Json is taken apart recursively by its destructor. Real messages nest
// below 100.
inline constexpr size_t kMaxDepth = 512;

// Refuses what IsJson refuses, and besides: deeper than kMaxDepth, numbers outside a double's range
// (RapidJSON's limit), lone surrogates (they have no UTF-8).
Result<Json> ParseJson(std::string_view text);

// One JSON text by RFC 8259 and nothing else, strings in well-formed UTF-8 (RFC 3629).
bool IsJson(std::string_view text);
bool IsUtf8(std::string_view text);

// A member of an object where it stands in the text: nothing is copied or unescaped.
struct RawMember {
  std::string_view name;   // between its quotes
  std::string_view value;  // exact span, no blanks around
};
// False: the text is not exactly one valid JSON object. Appends to *members.
bool RawMembers(std::string_view object, std::vector<RawMember>* members);
// Unescapes a valid JSON string with its quotes. False: not a string, or a lone surrogate.
bool AppendUnescaped(std::string_view quoted, std::string* out);

// Writes a JSON string, quotes included: on one line and safe on a terminal, because what is
// hostile there (see escape.h) goes out as \u escapes, which mean the same to a reader. Bytes that
// are not UTF-8 become U+FFFD: whoever must keep them writes base64.
void AppendJsonString(std::string_view utf8, std::string* out);

// Levels that are indented. What lies deeper goes out on one line: a million brackets would take a
// terabyte of blanks, and nobody reads that far to the right.
inline constexpr size_t kMaxIndentLevels = 64;

// Two blanks a level, names and numbers verbatim. What is not JSON is handed out unchanged. In
// pieces, so that a small text of many values costs no memory: the indented one may be 70 times as
// long. A piece ends where a character does.
void PrettyJson(std::string_view text, const std::function<void(std::string_view)>& write);

}  // namespace midwire::wire
