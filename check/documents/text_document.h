// The text of a document as editors and their servers count it: in lines, and within a line in
// units that the two have agreed on. Kept up to date by edits. Called by the rule type "positions".
// Knows no message and no protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::check {

enum class PositionUnit : uint8_t { kUtf8, kUtf16, kUtf32 };
std::string_view Name(PositionUnit unit);  // "utf-8", "utf-16", "utf-32"
std::optional<PositionUnit> UnitNamed(std::string_view name);

// How many units a text has. It need not be UTF-8: half a surrogate pair, as three bytes (CESU-8),
// is one unit, so that two edits may bring a pair half by half.
uint64_t LengthIn(PositionUnit unit, std::string_view text);

struct Position {
  uint64_t line = 0, character = 0;  // both from 0
  bool operator==(const Position&) const = default;
};

class TextDocument {
 public:
  enum class Fit : uint8_t { kFits, kBeyondText, kBeyondLine, kInsideCharacter };
  struct Located {
    Fit fit;
    // Where it is in the text. Beyond the text or line: its end; inside a character: its start.
    size_t offset;
    std::string_view line;  // without its end; valid until the next Replace
    size_t column;          // of the offset, in bytes of the line
  };

  explicit TextDocument(std::string text);

  Located Locate(const Position& position, PositionUnit unit) const;
  // Replaces the bytes between two offsets.
  void Replace(size_t from, size_t to, std::string_view text);

  size_t line_count() const { return starts_.size(); }
  const std::string& text() const { return text_; }

 private:
  void FindStarts(size_t from, size_t to, std::vector<uint32_t>* starts) const;

  std::string text_;
  std::vector<uint32_t> starts_;  // of each line: LF, CRLF and CR end one
};

}  // namespace midwire::check
