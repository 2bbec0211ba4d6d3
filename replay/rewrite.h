// Replaces values in a recorded frame and leaves every other byte as it was; the length in a
// Content-Length header follows. Called by the player before it sends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace midwire::replay {

// Views into the frame that is rewritten, or anywhere for `with`.
struct Replacement {
  std::string_view what;  // a span of the frame's body
  std::string_view with;
};

// `frame` is head + body + tail; `head_size` bytes of it are the head. Replacements must not
// overlap, in any order. Where the head has a Content-Length, each of its lengths is replaced by
// the new one, spelt as plainly as can be; a wrong length in the recording (the body was shorter or
// longer) stays wrong by as much. Appends to *out.
void Rewrite(std::string_view frame, size_t head_size, std::vector<Replacement> replacements,
             std::string* out);

}  // namespace midwire::replay
