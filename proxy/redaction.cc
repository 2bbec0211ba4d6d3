#include "proxy/redaction.h"

namespace midwire::proxy {

// Undecided bytes are redacted too: they may be the start of a batch or the rest of a text, and
// they are recorded at once.
void Redaction::OnPart(wire::Part part, char* bytes, size_t size) {
  if (part != wire::Part::kBody && part != wire::Part::kUndecided) return;
  body_ |= part == wire::Part::kBody;
  if (part == wire::Part::kUndecided) {
    header_ |= std::string_view(bytes, size).find_first_not_of(" \t\r\n") != std::string_view::npos;
  }
  // A text that begins in the first column is a message, not an inner line of a pretty-printed one.
  if (part == wire::Part::kBody && !lead_ && !frame_.inside()) rest_.Start();
  if (!rest_.inside()) return frame_.Rewrite(bytes, size);
  const std::string original(bytes, size);
  copy_ = original;
  rest_.Rewrite(copy_.data(), size);
  frame_.Rewrite(bytes, size);
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] == original[i]) bytes[i] = copy_[i];
  }
}

void Redaction::OnResolve(wire::Part part, size_t) {
  // The bytes before the body were a header or blanks: ignore them, also braces in a header.
  // Undecided bytes that turn out to belong to the body are rewritten already. They are the '[' of
  // a batch (wire/splitter.h), a whole line that ends here, or looked like a header inside a body.
  if (part == wire::Part::kHead) {
    frame_.Start();
    if (header_) rest_.Start();  // a header clearly begins another text
    lead_ = true;
  }
  if (part == wire::Part::kBody && !body_) {
    char bracket = '[';
    frame_.Start();
    frame_.Rewrite(&bracket, 1);
  }
}

void Redaction::OnEnd() {
  if (frame_.inside() && !rest_.inside()) rest_ = frame_;
  frame_.Start();
  lead_ = header_ = body_ = false;
}

}  // namespace midwire::proxy
