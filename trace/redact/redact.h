// Takes the secrets out of a whole trace: every string and number at a secret place, and the same
// values wherever else they stand (other messages, junk, headers, stderr, events), replaced by
// tokens of equal length, so that times, segments and framing stay. Reads the trace three times:
// to collect the values, to find where they stand, to hand it out without them. Called by `midwire
// redact`. What a value looks like in another encoding than those of wire/secrets.h is not known.
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
  // words: of the protocol (secrets.h), besides those of JSON-RPC and of events, which are known.
  TraceRedaction(wire::SecretPlaces places, const wire::TokenKey& key,
                 std::vector<std::string> words);

  // The first two readings, each from the beginning to kWait. Errors: a message above
  // wire::kKeepBytes (what it holds is not known), more secrets than fit, no temporary file.
  Status Collect(TraceReader* reader);
  Status Locate(TraceReader* reader);
  // The third: `reader`, which must outlive it, without secrets. Ends where the first reading did,
  // should the trace have grown. What went wrong it tells as an error of Next.
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
