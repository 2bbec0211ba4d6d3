// A JSON value, a strict parser and a writer, small enough to be read in one go: the zoo's peers
// use it because a bug could not be planted in a real library. Used by the zoo only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {

struct Json {
  enum class Type { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };
  Type type = Type::kNull;
  std::string text;  // a string's content; a number's digits as they came
  std::vector<Json> items;
  struct Member;  // not a std::pair: clang 14 wants to know its size in here
  std::vector<Member> members;

  bool is(Type t) const { return type == t; }
  // The last of that name counts; null without one, or when this is no object.
  const Json* Find(std::string_view name) const;
  size_t Depth() const;
};
struct Json::Member {
  std::string first;  // the member's name
  Json second;        // its value
};

struct ParseOptions {
  size_t max_depth = 100;       // 0: as deep as the stack is
  bool lone_surrogate = false;  // the planted bug: half a pair is taken for a whole one
};
std::optional<Json> ParseJson(std::string_view text, const ParseOptions& options = {});
std::string Quoted(std::string_view content);
std::string Write(const Json& json);
bool IsUtf8(std::string_view bytes);

}  // namespace zoo
