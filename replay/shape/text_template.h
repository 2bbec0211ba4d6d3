// Texts with varying pieces, as templates: "indexed {digits} files in {duration}". Called by
// shape.cc. Pure, linear in the text. template_of.h finds a template.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::replay {

class TextTemplate {
 public:
  // "{{" is a brace. An error names a piece that does not exist.
  static Result<std::shared_ptr<const TextTemplate>> Parse(std::string_view text);

  // Whether the whole text matches, whatever way of cutting it into pieces that takes.
  bool Matches(std::string_view text) const;

 private:
  static constexpr size_t kLiteral = SIZE_MAX;
  struct Part {
    size_t piece;  // in the table of pieces, or kLiteral
    std::string literal;
  };
  std::vector<Part> parts_;
};

// Whether all pieces of the template are times.
bool OnlyTimesVary(std::string_view text);

// Bytes of a template. A match takes less time than its bytes times those of the text.
inline constexpr size_t kMaxTemplateText = 8192;

}  // namespace midwire::replay
