// Texts with varying pieces, as templates: "indexed {digits} files in {duration}". Called by
// shape.cc. Pure, linear in the text. template_of.h finds a template.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::replay {

class TextTemplate {
 public:
  // "{{" is a brace. An error names a piece that does not exist.
  static Result<std::shared_ptr<const TextTemplate>> Parse(std::string_view text);

  // Whether the whole text matches, whatever way of cutting it into pieces that takes. {same}
  // matches anything.
  bool Matches(std::string_view text) const;
  // The same, and each {same} matches what it matched in `recorded`. False if that does not match,
  // or is longer than kMaxSame.
  bool Matches(std::string_view text, std::string_view recorded) const;

 private:
  static constexpr size_t kLiteral = SIZE_MAX;
  struct Part {
    size_t piece;  // in the table of pieces, or kLiteral
    std::string literal;
    size_t count = 0;  // of {hex:32}; 0: of any length
  };
  using Parts = std::vector<Part>;
  static bool Match(const Parts& parts, std::string_view text);
  std::optional<Parts> Fixed(std::string_view recorded) const;

  Parts parts_;
  bool has_same_ = false;
};

// Bytes of a recorded text: to find what a {same} matched takes their square.
inline constexpr size_t kMaxSame = 4096;

// Whether all pieces of the template that vary are times.
bool OnlyTimesVary(std::string_view text);

// Bytes of a template. A match takes less time than its bytes times those of the text.
inline constexpr size_t kMaxTemplateText = 8192;

}  // namespace midwire::replay
