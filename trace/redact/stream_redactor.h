// Hides the secrets of a session while it is recorded: the entrance for a recorder. A finished
// trace, of which all values are known before the first is hidden, has another (trace_redactor.h);
// what is secret is decided by the same tables. Called by proxy/record.cc and the recorder. Never
// changes forwarded bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "trace/record.h"
#include "trace/redact/patterns.h"
#include "trace/redact/redactor.h"
#include "trace/redact/stream_shapes.h"
#include "trace/redact/tokens.h"

namespace midwire::trace::redact {

class StreamRedactor {
 public:
  struct Secrets {
    std::vector<wire::Pointer> pointers;
    std::vector<std::string> names;  // of members, anywhere
    bool shapes = false;             // what looks like a secret, also in arguments and stderr
    bool places() const { return !pointers.empty() || !names.empty(); }
  };
  StreamRedactor(Secrets secrets, const TokenKey& key);
  StreamRedactor(const StreamRedactor&) = delete;  // the streams point into it
  StreamRedactor& operator=(const StreamRedactor&) = delete;

  const Secrets& secrets() const { return secrets_; }
  // Hides what is at the places, in the frames of one direction.
  Redactor InFrames() const { return {secrets_.pointers, key_, secrets_.names}; }
  // Hides what looks like a secret. All bytes of a stream: appends to *out what may be recorded now
  // (stream_shapes.h).
  void Feed(Stream stream, std::string_view bytes, std::string* out);
  // The stream has ended.
  void Finish(Stream stream, std::string* out);
  // The arguments of the plugin.
  void HideInArguments(std::vector<std::string>* arguments) const;

 private:
  const Secrets secrets_;
  const TokenKey key_;
  Patterns patterns_;
  std::vector<StreamShapes> streams_;  // by Stream; empty: what looks like a secret stays
};

}  // namespace midwire::trace::redact
