// The members and elements of a JSON value, read in place: spans of the text. Nothing is copied,
// built or recursed into, so that a 64 MiB message costs no memory. Bytes in strings may be
// anything: what peers send is not always UTF-8. For what is at a pointer, and for all scalars, see
// path.h.
#pragma once

#include <string_view>
#include <vector>

#include "wire/json/cursor.h"

namespace midwire::wire {

// All but RawMembers take loose JSON (IsLooseJson); in other bytes they find what looks like
// values.

enum class JsonType : unsigned char { kNull, kBool, kNumber, kString, kArray, kObject };
// `value`: without blanks around it.
JsonType TypeOf(std::string_view value);
// The text without blanks around it.
std::string_view Trimmed(std::string_view text);

struct JsonPart {
  std::string_view name;   // of a member, with its quotes as spelt; empty in an array
  std::string_view value;  // exact span
};

// The members of an object or the elements of an array, in order. `container`: without blanks
// around it.
class JsonParts {
 public:
  explicit JsonParts(std::string_view container) : cursor_(container.substr(1)) {}
  bool Next(JsonPart* part);

 private:
  JsonCursor<> cursor_;
};

struct RawMember {
  std::string_view name;   // between its quotes, as spelt
  std::string_view value;  // exact span
};
// False: the text is not exactly one valid JSON object (IsJson). Appends to *members.
bool RawMembers(std::string_view object, std::vector<RawMember>* members);

}  // namespace midwire::wire
