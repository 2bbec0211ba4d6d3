// What a violation reports of a position that is at no place of its document. Called by the rule
// type "positions". Has no state.
#pragma once

#include <string>

#include "check/documents/text_document.h"

namespace midwire::check {

struct Misplaced {
  std::string expected, got;
  bool of_line;  // the line is wrong, not the character
};

// `located`: where the position is in the text, which is no place of it.
Misplaced DescribeMisplaced(const TextDocument& text, const TextDocument::Located& located,
                            const Position& position, PositionUnit unit);

}  // namespace midwire::check
