#include "proxy/redaction.h"

#include <sys/random.h>

namespace midwire::proxy {

void Redaction::OnResolve(wire::Part part, size_t) {
  // What came before the body was header or blanks: forget it, braces in a header included. When
  // undecided bytes turn out to be the body's, they are the '[' of a batch (see splitter.h), or a
  // whole line that ends here.
  if (part == wire::Part::kHead) redactor_.Start();
  if (part == wire::Part::kBody) {
    char bracket = '[';
    redactor_.Start();
    redactor_.Rewrite(&bracket, 1);
  }
}

std::optional<wire::Redactor::Key> NewRedactionKey() {
  wire::Redactor::Key key;
  if (getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) return {};
  return key;
}

}  // namespace midwire::proxy
