// Secrets in a stream that no expression finds, because the name that shows them is far away,
// or because its value would be harmless in a text: the values of a list of cookies
// ([{"name":"sid","value":"..."}]), and "apiKey":"string", which in a text is a type. Called by
// StreamShapes with what it releases. Follows JSON texts that are not within strings. Keeps where
// it is in such a list, no values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::trace::redact {

class StreamMembers {
 public:
  // A part of `text`, all of it from `from` on.
  struct Part {
    size_t at = 0, size = 0;
  };
  // `text` from `from` on follows what the call before had; what precedes it is known already.
  std::vector<Part> Find(std::string_view text, size_t from);

 private:
  void FindTypes(std::string_view text, size_t from, std::vector<Part>* found) const;
  size_t EnterCookies(std::string_view text, size_t from);
  size_t PassCookies(std::string_view text, size_t at, std::vector<Part>* found);
  void EndString(std::string_view text, size_t end, std::vector<Part>* found);

  size_t depth_ = 0;  // open containers from the list of cookies on; 0: in none
  bool in_string_ = false, escape_ = false;
  bool value_due_ = false;  // the next string is the value of a cookie, or this one is
  std::string string_;      // its beginning, to compare with "value"
  size_t string_at_ = 0;    // where it goes on in the text of this call
  bool begun_before_ = false;
};

}  // namespace midwire::trace::redact
