// Text within text: the value of a string with escapes, the content of base64; and the changed
// value back into the same number of bytes. Called by Secrets (secrets.h) to change a value but not
// how it is spelt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::wire {

// Text with JSON escapes, unescaped. A broken escape stays as it is.
class Unescaped {
 public:
  explicit Unescaped(std::string_view spelt);
  bool any() const { return !escapes_.empty(); }  // there are escapes
  std::string text;                               // may be changed: each character keeps its length
  // Writes the changes in `text` over the text it came from. A character that is spelt as a
  // two-byte escape and has no such escape after the change stays as it was.
  void WriteBack(char* spelt) const;

 private:
  struct Escape {
    size_t from = 0, to = 0;  // its position in the spelt text and in `text`
    uint8_t spelt = 0, size = 0;
  };
  std::string before_;  // the original text
  std::vector<Escape> escapes_;
};

// The content of a value's quotes, if it has any.
std::string_view Inner(std::string_view value);

// The number of base64 characters, in either alphabet (RFC 4648, clauses 4 and 5), at the start of
// `text`.
size_t Base64Run(std::string_view text);
// Decodes the whole bytes of a run, without padding, into *bytes.
void DecodeBase64Run(std::string_view run, std::string* bytes);
// Writes *bytes, changed from `before`, over the run.
void EncodeBase64Run(std::string_view before, std::string_view bytes, char* run, size_t size);

}  // namespace midwire::wire
