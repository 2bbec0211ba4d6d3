// Text within text: what a string says without its escapes, what base64 holds; and back, changed,
// into the same number of bytes. Called by Secrets (secrets.h) to change what is spelt some way
// without changing how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::wire {

// Of text with JSON escapes: the text without them. A broken escape stays as it is.
class Unescaped {
 public:
  explicit Unescaped(std::string_view spelt);
  bool any() const { return !escapes_.empty(); }  // there are escapes
  std::string text;                               // to be changed: each character in its length
  // Writes what was changed in `text` over the text it came from. What an escape of two characters
  // cannot spell stays.
  void WriteBack(char* spelt) const;

 private:
  struct Escape {
    size_t from = 0, to = 0;  // where it stands in the spelt text and in `text`
    uint8_t spelt = 0, size = 0;
  };
  std::string before_;  // text as it was
  std::vector<Escape> escapes_;
};

// Characters of base64, in either alphabet (RFC 4648, clauses 4 and 5), at the start of `text`.
size_t Base64Run(std::string_view text);
// The whole bytes of a run, without padding, into *bytes.
void DecodeBase64Run(std::string_view run, std::string* bytes);
// Writes the changed bytes of *bytes, which were `before`, over the run.
void EncodeBase64Run(std::string_view before, std::string_view bytes, char* run, size_t size);

}  // namespace midwire::wire
