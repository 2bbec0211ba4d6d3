// Hides the secrets of one direction in the record (P8): wire::Redactor fed with what the splitter
// tells. Made by Record for each direction; what is forwarded never passes here.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "proxy/segmenter.h"
#include "wire/redactor.h"

namespace midwire::proxy {

class Redaction : public Rewriter {
 public:
  Redaction(std::vector<wire::Pointer> pointers, const wire::Redactor::Key& key)
      : redactor_(std::move(pointers), key) {}

  // Undecided bytes may be the start of a batch, so they pass too; they are recorded at once.
  void OnPart(wire::Part part, char* bytes, size_t size) override {
    if (part == wire::Part::kBody || part == wire::Part::kUndecided) redactor_.Rewrite(bytes, size);
  }
  void OnResolve(wire::Part part, size_t) override;
  void OnEnd() override { redactor_.Start(); }

 private:
  wire::Redactor redactor_;
};

// From the kernel's random numbers; nothing when it has none to give.
std::optional<wire::Redactor::Key> NewRedactionKey();

}  // namespace midwire::proxy
