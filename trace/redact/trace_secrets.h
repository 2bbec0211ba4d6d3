// What is known of the secrets of one trace. Finds them in its messages, texts and arguments,
// reports them to an audit, chooses tokens that fulfil the schemas, and hides them. Called by
// TraceRedactor (trace_redactor.h), which knows where messages and texts are. Never reads a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/event.h"
#include "trace/record.h"
#include "trace/redact/finder.h"
#include "trace/redact/schema_guard.h"
#include "trace/redact/secret_place.h"
#include "trace/redact/secrets.h"

namespace midwire::trace::redact {

// A secret, or what only looks like one, for an audit. Never its value.
struct FoundSecret {
  uint64_t message = 0;  // its number as `show` prints it; 0: in none
  Stream stream = Stream::kHostToPlugin;
  uint64_t offset = 0;     // in the stream's bytes, if it is in no message
  std::string pointer;     // in the message or event; empty: in its header, or in a text
  std::string rule, text;  // Found
  size_t size = 0;         // bytes, without JSON escapes
  bool sure = true;
  bool again = false;  // the value was reported before
};

class TraceSecrets {
 public:
  using Report = std::function<void(const FoundSecret&)>;

  TraceSecrets(SecretPlaces places, const TokenKey& key, std::vector<std::string> words,
               Patterns patterns);
  TraceSecrets(const TraceSecrets&) = delete;  // the finders point into it
  TraceSecrets& operator=(const TraceSecrets&) = delete;

  // See trace_redactor.h.
  void KeepSchemas(const wire::Dialect* dialect) { guard_.emplace(dialect); }
  void ReportTo(Report report);
  size_t broken() const { return broken_; }
  size_t staying() const { return staying_; }
  const Secrets& values() const { return secrets_; }

  const SecretPlaces& places() const { return places_; }
  bool has_patterns() const { return !patterns_.empty(); }

  // To find. `where`: without what a find says itself. They fail on more secrets than fit.
  using Method = std::optional<std::string_view>;  // none: unknown
  Status FindInMessage(std::string_view json, Method method, bool answer, const FoundSecret& where);
  Status FindInText(std::string_view text, const FoundSecret& where);
  // The plugin's arguments; the text of a note, which may be an event of a newer version.
  Status FindInEvent(const Event& event);
  // For a caller that decides which finds count.
  const Finder& finder() const { return finder_; }
  Status Add(std::string_view value, const Found& found, FoundSecret where);
  // Call after the last find, before the first hiding.
  void Seal() { secrets_.Seal(); }

  // To hide, in equal length. *now becomes `json` without secrets.
  void HideInMessage(std::string_view json, Method method, std::string* now) const;
  // *now begins as a copy of `text`, of which parts may be hidden already.
  void HideInText(std::string_view text, std::string* now) const;
  void HideInEvent(std::string* event) const;

 private:
  bool IsKnown(std::string_view value, const Found& found);
  Finder::Take Adding(FoundSecret where, Status* done);
  Finder::Take TokenOf(const std::string* only = nullptr) const;
  void FulfilSchema(std::string_view json, std::string_view method, bool answer);
  void HideWhereFound(std::string* event) const;

  const SecretPlaces named_;   // by the dialect or the user
  const SecretPlaces places_;  // also by telling names
  const Patterns patterns_, no_patterns_;
  const Finder at_named_places_{&named_, &no_patterns_}, everywhere_{&places_, &patterns_};
  Finder finder_{&places_, &patterns_};
  Report report_;
  std::optional<SchemaGuard> guard_;
  std::vector<std::string> fresh_;  // secrets of the message that is being searched
  size_t broken_ = 0;
  enum class Known : uint8_t { kLooksLikeOne, kBesideName, kSecret };
  std::unordered_map<size_t, Known> known_;  // by hashes of values
  size_t staying_ = 0;
  // Some value that was found without a place is not searched for elsewhere, or is not found so, as
  // there are escape sequences within it.
  bool only_here_ = false;
  Secrets secrets_;
};

}  // namespace midwire::trace::redact
