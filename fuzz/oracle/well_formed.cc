#include "fuzz/oracle/well_formed.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>

#include "wire/contains.h"
#include "wire/json/ascii.h"
#include "wire/json/cursor.h"

namespace midwire::fuzz {
namespace {

using wire::Id;

// Many parsers refuse deeper messages, which is correct.
constexpr int kMaxDepth = 64;
// Maximum number of names in all open objects: each is compared with all others of its object.
constexpr size_t kMaxNames = 256;
// Digits and characters of the exponent (with its `e`) of a number that is within a double's range.
constexpr size_t kMaxDigits = 300, kMaxExponent = 3;
constexpr int64_t kMaxExact = int64_t{1} << 53;  // of a double

}  // namespace

bool ExceedsCommonLimits(std::string_view body) {
  int depth = 0;
  size_t digits = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if ((c == '{' || c == '[') && ++depth > kMaxDepth) return true;
    if (c == '}' || c == ']') --depth;
    if (c == '\\' && i + 2 < body.size() && body[i + 1] == 'u' && (body[i + 2] | 0x20) == 'd') {
      return true;
    }
    if (wire::IsDigit(c)) {
      if (++digits > kMaxDigits) return true;
      continue;
    }
    const bool exponent = (c | 0x20) == 'e' && digits > 0;
    digits = 0;
    if (!exponent) continue;
    size_t end = body.find_first_not_of("0123456789+-", i + 1);
    if (end == body.npos) end = body.size();
    if (end - i > kMaxExponent) return true;
  }
  return false;
}

bool RepeatsName(std::string_view body) {
  std::array<size_t, kMaxNames> names;       // hashes of the names in open objects
  std::array<size_t, kMaxDepth + 1> begins;  // index of the first name of each level
  size_t count = 0;
  wire::JsonCursor<> cursor(body);
  for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
    const size_t depth = cursor.depth();
    if (token == wire::JsonToken::kOpen) {
      if (depth > begins.size()) return true;
      begins[depth - 1] = count;
    } else if (token == wire::JsonToken::kClose) {
      if (count > 0) count = begins[depth];
    } else if (token == wire::JsonToken::kName && depth > 0) {
      const size_t name = std::hash<std::string_view>()(cursor.text());
      const auto end = names.begin() + count;
      if (count == names.size() || std::find(names.begin() + begins[depth - 1], end, name) != end) {
        return true;
      }
      names[count++] = name;
    }
  }
  return false;
}

// Few bodies have any of these letters, so a search for the letter comes first.
bool HasAmbiguousId(std::string_view body) {
  constexpr std::pair<char, std::string_view> kSpellings[] = {
      {'I', "\"Id\""}, {'I', "\"ID\""}, {'D', "\"iD\""}, {'\\', "\\u0069"}, {'\\', "\\u0064"}};
  return std::any_of(std::begin(kSpellings), std::end(kSpellings), [&](const auto& spelling) {
    return body.find(spelling.first) != body.npos && wire::Contains(body, spelling.second);
  });
}

bool IsBig(const Id& id) {
  if (id.type == Id::Type::kFraction) return true;
  if (id.type != Id::Type::kInteger) return false;
  if (id.token.size() > 16) return true;
  const int64_t value = std::strtoll(id.token.c_str(), nullptr, 10);
  return value > kMaxExact || value < -kMaxExact || id.token == "-0";
}

bool IsPlain(const Id& id) {
  if (id.type == Id::Type::kInteger) return true;
  // Some JSON writers escape other characters, so the id would come back with another spelling.
  const auto plain = [](char c) {
    return wire::IsAlphanumeric(c) || std::string_view("\" _-.:").find(c) != std::string_view::npos;
  };
  return id.type == Id::Type::kString && std::all_of(id.token.begin(), id.token.end(), plain);
}

}  // namespace midwire::fuzz
