// Looks into a JSON text where it stands: spans of members and elements, values at pointers,
// meaning of numbers and strings. Nothing is copied, built or recursed into, so a 64 MiB message
// costs no memory. Bytes in strings may be anything: what peers send is not always UTF-8. Used by
// replay to compare and to rewrite; json.h builds documents.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/pointer.h"

namespace midwire::wire {

// One JSON text by RFC 8259, except that strings may hold any byte but controls. Nested deeper than
// kMaxPartsDepth: false.
bool IsLooseJson(std::string_view text);
// Deeper texts count as no JSON: comparing looks at each level once more.
inline constexpr size_t kMaxPartsDepth = 512;

// All that follows takes values of a text for which IsLooseJson is true, without blanks around.

enum class JsonType : unsigned char { kNull, kBool, kNumber, kString, kArray, kObject };
JsonType TypeOf(std::string_view value);
// The text without blanks around it.
std::string_view Trimmed(std::string_view text);

struct JsonPart {
  std::string_view name;   // of a member, with its quotes as spelt; empty in an array
  std::string_view value;  // exact span
};

// The members of an object or the elements of an array, in order.
class JsonParts {
 public:
  explicit JsonParts(std::string_view container) : rest_(container.substr(1)) {}
  bool Next(JsonPart* part);

 private:
  std::string_view rest_;
};

// A string with its quotes: its bytes without escapes. Broken surrogate escapes become the three
// bytes that UTF-8 would have for them (as CESU-8 does), so that nothing collides with U+FFFD.
std::string StringValue(std::string_view quoted);
// Same meaning: \/ and / are, \u0041 and A are. False for U+FFFD and an invalid byte.
bool SameString(std::string_view a, std::string_view b);
// Same number, exactly: 100, 1e2 and 100.0 are; 2^53 and 2^53+1 are not. -0 is 0.
bool SameNumber(std::string_view a, std::string_view b);

// A step on the way from the root to a value.
struct PathStep {
  std::string_view name;  // as in JsonPart; empty: an index
  size_t index = 0;
};
using Path = std::vector<PathStep>;
// "/params/items/3/na~1me": RFC 6901, names unescaped. "" for the root.
std::string PointerText(const Path& path);
// The whole path; a step `*` of the pointer matches any.
bool Matches(const Pointer& pointer, const Path& path);
// The same, where a step `**` of the pointer may stand for any number of steps, also none.
bool MatchesDeep(const Pointer& pointer, const Path& path);

// The value at a pointer (its first, where it has `*`; of a name twice the last), or nothing.
std::optional<std::string_view> ValueAt(std::string_view text, const Pointer& pointer);

// Calls visit(path, value) for each null, bool, number and string, in order; the path is valid
// during the call.
void WalkScalars(std::string_view text,
                 const std::function<void(const Path&, std::string_view)>& visit);
// Calls step(path) besides for each member and element before what is in it: for whoever keeps
// something of each step rather than look at all of a path again.
void WalkScalars(std::string_view text, const std::function<void(const Path&)>& step,
                 const std::function<void(const Path&, std::string_view)>& visit);

}  // namespace midwire::wire
