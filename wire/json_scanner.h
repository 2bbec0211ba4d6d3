// Push scanner over one JSON text: finds where it ends and classifies it on the way, in one pass,
// holding no bytes but the few tokens a Message keeps. Used by the splitter for every frame, in any
// chunking; never allocates on the usual path, never recurses, never fails: what is not JSON-RPC
// comes out as Kind::kInvalid. It does not validate: a report that needs that asks wire/json.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "wire/message.h"

namespace midwire::wire {

class JsonScanner {
 public:
  // line: a raw newline ends the text wherever it stands (line framing).
  void Start(bool line);

  // Consumes bytes up to and including the one that closes the top-level value, or up to (not
  // including) a raw newline in line mode. Returns how many were consumed.
  size_t Feed(std::string_view bytes);

  bool done() const { return done_; }        // the top-level object or array has closed
  bool stopped() const { return stopped_; }  // line mode met a newline before that

  // Classifies what was seen. Valid until the next Start. Call once, after the frame's end.
  const Message& Finish();

 private:
  bool done_ = false, stopped_ = false;
};

}  // namespace midwire::wire
