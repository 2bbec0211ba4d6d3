// Whether a text contains another, in time linear in the text. Called by the filter of trace/ and
// by fuzz/, on text that peers choose. Never allocates.
#pragma once

#include <string.h>

#include <string_view>

namespace midwire::wire {

// In glibc, memmem is a two-way search; std::string_view::find stops at each occurrence of the
// needle's first byte.
inline bool Contains(std::string_view text, std::string_view needle) {
  if (text.empty()) return needle.empty();  // memmem takes no null pointer
  return memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
}

}  // namespace midwire::wire
