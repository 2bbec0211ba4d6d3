// Whether a text holds another, in time linear in the text whatever the two are.
#pragma once

#include <string.h>

#include <string_view>

namespace midwire::wire {

// memmem is two-way search in glibc; std::string_view::find stops at each byte that is the needle's
// first.
inline bool Contains(std::string_view text, std::string_view needle) {
  if (text.empty()) return needle.empty();  // memmem takes no null pointer
  return memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
}

}  // namespace midwire::wire
