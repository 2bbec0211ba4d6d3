// Hides the secrets of one direction in the recording (P8): passes the splitter's parts to
// trace::redact::Redactor. Record makes one per direction, which the recorder's segmenter calls.
// Never changes forwarded bytes.
#pragma once

#include <string>

#include "proxy/segmenter.h"
#include "trace/redact/redactor.h"

namespace midwire::proxy {

// A JSON text may continue after the end of its frame: a length that counts characters and not
// bytes cuts it short, and a pretty-printed text has several lines. Its rest is junk on the wire
// but still secret. So a second redactor follows such a text across frames until it closes or
// another text clearly begins. A byte is hidden if either redactor hides it.
class Redaction : public Rewriter {
 public:
  explicit Redaction(const trace::redact::Redactor& places) : frame_(places), rest_(places) {}

  void OnPart(wire::Part part, char* bytes, size_t size) override;
  void OnResolve(wire::Part part, size_t count) override;
  void OnEnd() override;

 private:
  trace::redact::Redactor frame_;  // restarted for each frame
  trace::redact::Redactor rest_;   // inside a text that did not close in an earlier frame
  std::string copy_;
  bool lead_ = false;    // blanks or a header came before this frame's body
  bool body_ = false;    // bytes of this frame's body came
  bool header_ = false;  // undecided bytes other than blanks came since the last end
};

}  // namespace midwire::proxy
