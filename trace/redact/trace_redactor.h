// Removes the secrets from a whole trace: each string and number at a secret place, and what a
// pattern finds (patterns.h). The same values are removed wherever else they occur: other messages,
// junk, headers, stderr, events. Tokens of equal length replace them, so that times, segments and
// framing stay. Reads the trace three times: to collect the values, to locate them, and to return
// the records without them. Called by `midwire redact`. Finds no value in an encoding other than
// those of trace/redact/secrets.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/reader.h"
#include "trace/redact/patches.h"
#include "trace/redact/trace_secrets.h"

namespace midwire::trace::redact {

class TraceRedactor {
 public:
  // words: of the protocol (secrets.h), in addition to those of JSON-RPC and of events, which are
  // built in.
  TraceRedactor(SecretPlaces places, const TokenKey& key, std::vector<std::string> words,
                Patterns patterns = {})
      : secrets_(std::move(places), key, std::move(words), std::move(patterns)) {}
  // Chooses tokens that fulfil the schemas of this dialect, which outlives it. Its words
  // (SchemaGuard) belong to `words`.
  void KeepSchemas(const wire::Dialect* dialect) { secrets_.KeepSchemas(dialect); }
  // The framing of the protocol (Session::Expect).
  void Expect(std::optional<wire::Framing> framing) { framing_ = framing; }
  // Messages that fulfilled their schema and no longer do: no token was found for their secrets.
  size_t broken() const { return secrets_.broken(); }
  // Values beside telling names that only look like secrets.
  size_t staying() const { return secrets_.staying(); }
  // For an audit: called by Collect for each find, in the order of the trace.
  void ReportTo(TraceSecrets::Report report) { secrets_.ReportTo(std::move(report)); }

  // The first two readings, each from the beginning to kWait. Fails on a message above
  // wire::kKeepBytes (its content is not known), on more secrets than fit, and without a temporary
  // file.
  Status Collect(TraceReader* reader);
  Status Locate(TraceReader* reader);
  // The third reading: `reader`, which must outlive it, without secrets. Ends where the first
  // reading did, even if the trace has grown. Failures are returned by Next.
  std::unique_ptr<TraceReader> Redacted(TraceReader* reader);

  const Secrets& secrets() const { return secrets_.values(); }

 private:
  class Handler;
  class Reader;

  Status Read(TraceReader* reader, bool collect);

  TraceSecrets secrets_;
  static constexpr size_t kStreams = 3;    // with bytes
  std::array<Patches, kStreams> patches_;  // by Stream; events are rewritten one by one
  std::optional<wire::Framing> framing_;
  uint64_t steps_ = 0;
};

}  // namespace midwire::trace::redact
