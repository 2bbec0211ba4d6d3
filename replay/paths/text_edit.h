// A change of a text: a span and what replaces it. Passed between the parts of this room and to
// those that apply it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::replay {

struct TextEdit {
  size_t begin = 0, end = 0;  // of the text before the change
  std::string with;
};

// Ordered edits that do not overlap.
using TextEdits = std::vector<TextEdit>;

inline std::string Edited(std::string_view text, const TextEdits& edits) {
  std::string edited;
  size_t at = 0;
  for (const TextEdit& edit : edits) {
    edited.append(text, at, edit.begin - at).append(edit.with);
    at = edit.end;
  }
  return edited.append(text, at);
}

}  // namespace midwire::replay
