// A range of bytes in a text, stored as offsets, so that it stays valid when the text is copied.
// Used by fuzz/mutate and fuzz/oracle.
#pragma once

#include <cstddef>
#include <string_view>

namespace midwire::fuzz {

struct Span {
  size_t at = 0, size = 0;
  std::string_view of(std::string_view text) const { return text.substr(at, size); }
};

}  // namespace midwire::fuzz
