// Text within text. A string of a message may hold a value with escapes, or JSON text whose strings
// hold base64 of another text, and so on. Each is a layer: described here once, for what searches
// (finder.h), for what replaces known values (secrets.h), and for what is recorded
// (stream_shapes.h). A changed value goes back into the same number of bytes, spelt as before.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::trace::redact {

// How many layers are searched: JSON text in a string of a message, twice.
inline constexpr int kSearchedLayers = 3;
// How many layers known values are replaced in. More, as nothing has to be recognised there.
inline constexpr int kReplacedLayers = 4;

// The content of a value's quotes, if it has any.
std::string_view Inner(std::string_view value);

// Text with JSON escapes, unescaped. A broken escape stays as it is.
std::string ValueOf(std::string_view spelt);

// value: of a text without its escapes; *now begins as a copy of it, and keeps the length of each
// character.
using RewriteText = std::function<void(std::string_view value, std::string* now)>;
// Rewrites the value of `spelt`, and spells what has changed at `now`, where that text of the same
// size is still like `spelt`. `now` may be `spelt` itself; null: nothing is written. A character
// that is spelt as a two-byte escape and has no such escape after the change stays as it was.
void RewriteValue(std::string_view spelt, char* now, const RewriteText& rewrite);
// The same, only if `spelt` has escapes: otherwise it is its own value.
void RewriteUnescaped(std::string_view spelt, char* now, const RewriteText& rewrite);

// Text without the escape sequences that style it on a terminal (ECMA-48, clause 5.4: CSI; and the
// choice of a character set): "\e[33mpassword\e[0m=\e[32mhunter2". They may be between a name and
// its value, and within either.
class Unstyled {
 public:
  static bool IsNeeded(std::string_view text) { return text.find('\x1b') != text.npos; }
  explicit Unstyled(std::string_view text);
  const std::string& text() const { return text_; }
  // Where a byte of text() came from.
  size_t At(size_t at) const;
  // The part of text() at `at`, as it is in `copy`, a copy of the styled text.
  std::string Part(const char* copy, size_t at, size_t size) const;
  // Writes such a part back.
  void Spell(std::string_view part, size_t at, char* copy) const;
  // Escape sequences are within the part.
  bool IsApart(size_t at, size_t size) const { return At(at + size - 1) - At(at) != size - 1; }

 private:
  struct Cut {
    size_t at = 0;      // in text()
    size_t before = 0;  // bytes cut out before this one
  };
  std::string text_;
  std::vector<Cut> cuts_;
};

// Rewrites what `text` has in base64 of either alphabet (RFC 4648, clauses 4 and 5), if it has
// at least `shortest` bytes, in equal length.
void RewriteBase64(std::string* text, size_t shortest,
                   const std::function<void(std::string* bytes)>& rewrite);
// The whole bytes of the base64 at the start of `text`, which may end without padding.
std::string Base64Prefix(std::string_view text);

}  // namespace midwire::trace::redact
