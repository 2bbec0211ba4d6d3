// A small JSON document, for what midwire reads as a whole: events, headers, dialects. Messages are
// read in place (parts.h, path.h). Nothing here recurses except a destructor, whose depth is
// bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  struct Member;                // not a std::pair: clang 14 needs the size of a pair here
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

// Deeper texts are refused: the destructor of a Json recurses. Real messages nest below 100.
inline constexpr size_t kMaxDepth = 512;

// Refuses what IsJson refuses, and, as "JSON that midwire does not read": deeper than kMaxDepth,
// numbers outside a double's range (RapidJSON's limit), lone surrogates (they have no UTF-8).
Result<Json> ParseJson(std::string_view text);

}  // namespace midwire::wire
