// Removes the secrets from a whole trace: each string and number at a secret place, and the same
// values wherever else they occur (other messages, junk, headers, stderr, events), is replaced by a
// token of equal length, so that times, segments and framing stay. Reads the trace three times: to
// collect the values, to locate them, and to return the records without them. Called by `midwire
// redact`. Finds no value in an encoding other than those of trace/redact/secrets.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/reader.h"
#include "trace/redact/patches.h"
#include "trace/redact/secret_place.h"
#include "trace/redact/secrets.h"

namespace midwire::trace {

class TraceRedaction {
 public:
  // words: of the protocol (secrets.h), in addition to those of JSON-RPC and of events, which are
  // built in.
  TraceRedaction(wire::SecretPlaces places, const wire::TokenKey& key,
                 std::vector<std::string> words);

  // The first two readings, each from the beginning to kWait. Fails on a message above
  // wire::kKeepBytes (its content is not known), on more secrets than fit, and without a temporary
  // file.
  Status Collect(TraceReader* reader);
  Status Locate(TraceReader* reader);
  // The third reading: `reader`, which must outlive it, without secrets. Ends where the first
  // reading did, even if the trace has grown. Failures are returned by Next.
  std::unique_ptr<TraceReader> Redacted(TraceReader* reader);

  const wire::Secrets& secrets() const { return secrets_; }

 private:
  class Text;
  class Handler;
  class Reader;

  Status Read(TraceReader* reader, bool collect);

  const wire::SecretPlaces places_;
  wire::Secrets secrets_;
  std::array<Patches, 3> patches_;  // by Stream; events are rewritten one by one
  uint64_t steps_ = 0;
};

}  // namespace midwire::trace
