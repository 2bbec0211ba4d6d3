// Hides the secrets of one direction in the record (P8): wire::Redactor fed with the splitter's
// parts. Made by Record per direction; forwarded bytes never pass here.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "proxy/segmenter.h"
#include "trace/redact/redactor.h"

namespace midwire::proxy {

// A text does not always end where its frame does: a length that counts characters instead of bytes
// cuts it short, a pretty-printed one goes on over lines. Its rest is junk on the wire and still
// secret. So a second redactor follows such a text across frames until it closes or another one
// plainly begins, and what either of the two hides is hidden.
class Redaction : public Rewriter {
 public:
  Redaction(std::vector<wire::Pointer> pointers, const wire::Redactor::Key& key,
            std::vector<std::string> names = {})
      : frame_(pointers, key, names), rest_(std::move(pointers), key, std::move(names)) {}

  void OnPart(wire::Part part, char* bytes, size_t size) override;
  void OnResolve(wire::Part part, size_t count) override;
  void OnEnd() override;

 private:
  wire::Redactor frame_;  // starts afresh with every frame
  wire::Redactor rest_;   // inside a text that an earlier frame left open
  std::string copy_;
  bool lead_ = false;    // blanks or a header stand before this frame's body
  bool header_ = false;  // undecided bytes that are no blanks have come since the last end
};

// From the kernel's random numbers; nothing when it has none to give.
std::optional<wire::Redactor::Key> NewRedactionKey();

}  // namespace midwire::proxy
