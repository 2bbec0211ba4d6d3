// Bytes of a trace that are not JSON, or not a whole JSON text: stderr, junk, messages cut off.
// Reads them in windows: secret places are found as far as a Redactor finds them, what patterns
// find and known values anywhere. Called by TraceRedactor (trace_redactor.h), for each stream once
// per reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/patches.h"
#include "trace/redact/redactor.h"
#include "trace/redact/secret_place.h"
#include "trace/redact/trace_secrets.h"

namespace midwire::trace::redact {

class TextWindows {
 public:
  // `patches`: receives the stream's bytes without secrets; null: finds the secrets instead. Both
  // pointers outlive it.
  TextWindows(TraceSecrets* secrets, Patches* patches, Stream stream, const StreamedPlaces& places);

  // The next bytes of the stream, at `offset`: contiguous with the previous ones unless Flush came
  // between.
  Status Append(uint64_t offset, std::string_view bytes);
  Status Flush() { return was_.empty() ? Status(Ok{}) : Look(/*all=*/true); }
  // What follows is another text.
  void Forget();
  // A JSON text has begun and not ended.
  bool inside() const { return places_.inside(); }

 private:
  void FindPlaces(std::string_view bytes, uint64_t offset);
  template <typename Visit>
  void EachPlaced(const Visit& visit) const;
  Status Look(bool all);
  Status Find(bool all, size_t* cut);
  Status Hide(size_t cut);
  size_t Cut() const;

  TraceSecrets* secrets_;
  Patches* patches_;
  Stream stream_;
  Redactor places_;
  bool line_start_ = true;
  uint64_t offset_ = 0;                  // of what follows, in the stream
  std::string was_, now_;                // the same bytes: original, redacted
  std::vector<Redactor::Place> placed_;  // what is at secret places there, by offset in the stream
};

}  // namespace midwire::trace::redact
