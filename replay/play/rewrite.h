// Replaces values in a recorded frame and adjusts its Content-Length; every other byte stays.
// Called by the composer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "replay/paths/text_edit.h"

namespace midwire::replay {

// `what` is a view into the frame to rewrite; `with` may be anywhere.
struct Replacement {
  std::string_view what;  // a span of the frame's body
  std::string_view with;
};

// `frame` is head + body + tail, where the head has `head_size` bytes. Replacements may come in any
// order and must not overlap. Each Content-Length in the head is replaced by the new length in
// plain digits; a wrong length in the recording stays wrong by the same amount. Appends to *out.
void Rewrite(std::string_view frame, size_t head_size, std::vector<Replacement> replacements,
             std::string* out);

// The same for edits of `body`, a view into the frame.
void RewriteBody(std::string_view frame, size_t head_size, std::string_view body,
                 const TextEdits& edits, std::string* out);

}  // namespace midwire::replay
