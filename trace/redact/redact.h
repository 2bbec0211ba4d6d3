// Removes the secrets from a whole trace: each string and number at a secret place, what a pattern
// finds (patterns.h), and the same values wherever else they occur (other messages, junk, headers,
// stderr, events), is replaced by a token of equal length, so that times, segments and framing
// stay. Reads the trace three times: to collect the values, to locate them, and to return the
// records without them. Called by `midwire redact`. Finds no value in an encoding other than those
// of trace/redact/secrets.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/reader.h"
#include "trace/redact/finder.h"
#include "trace/redact/patches.h"
#include "trace/redact/schema_guard.h"
#include "trace/redact/secret_place.h"
#include "trace/redact/secrets.h"

namespace midwire::trace {

// A secret, or what only looks like one, for an audit. Never its value.
struct FoundSecret {
  uint64_t message = 0;  // its number as `show` prints it; 0: in none
  Stream stream = Stream::kHostToPlugin;
  uint64_t offset = 0;     // in the stream's bytes, if it is in no message
  std::string pointer;     // in the message or event; empty: in its header, or in a text
  std::string rule, text;  // wire::Found
  size_t size = 0;         // bytes, without JSON escapes
  bool sure = true;
  bool again = false;  // the value was reported before
};

class TraceRedaction {
 public:
  // words: of the protocol (secrets.h), in addition to those of JSON-RPC and of events, which are
  // built in.
  TraceRedaction(wire::SecretPlaces places, const wire::TokenKey& key,
                 std::vector<std::string> words, wire::Patterns patterns = {});
  // Chooses tokens that fulfil the schemas of this dialect, which outlives it. Its words
  // (SchemaGuard) belong to `words`.
  void KeepSchemas(const wire::Dialect* dialect) { guard_.emplace(dialect); }
  // Messages that fulfilled their schema and no longer do: no token was found for their secrets.
  size_t broken() const { return broken_; }
  // Values beside telling names that only look like secrets.
  size_t staying() const { return staying_; }
  // For an audit: called by Collect for each find, in the order of the trace.
  void ReportTo(std::function<void(const FoundSecret&)> report) { report_ = std::move(report); }

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
  Status Found(std::string_view value, const wire::Found& found, FoundSecret where);
  bool IsKnown(std::string_view value, const wire::Found& found);
  // All secrets, or only one of them.
  wire::Finder::Token TokenOf(const std::string* only = nullptr) const;
  void FulfilSchema(std::string_view json, std::string_view method, bool answer);

  const wire::SecretPlaces named_;   // by the dialect or the user
  const wire::SecretPlaces places_;  // also by telling names
  const wire::Patterns patterns_, no_patterns_;
  const wire::Finder at_named_places_{&named_, &no_patterns_}, everywhere_{&places_, &patterns_};
  std::function<void(const FoundSecret&)> report_;
  std::optional<wire::SchemaGuard> guard_;
  std::vector<std::string> fresh_;  // secrets of the message that is being collected
  size_t broken_ = 0;
  enum class Known : uint8_t { kLooksLikeOne, kBesideName, kSecret };
  std::unordered_map<size_t, Known> known_;  // by hashes of values
  size_t staying_ = 0;
  bool only_here_ =
      false;  // some value that was found without a place is not searched for elsewhere
  wire::Secrets secrets_;
  std::array<Patches, 3> patches_;  // by Stream; events are rewritten one by one
  uint64_t steps_ = 0;
};

}  // namespace midwire::trace
