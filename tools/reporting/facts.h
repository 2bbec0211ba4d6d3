// What a dialect says of the messages of a session, one by one: their labels, which answers are
// failures, and which messages cancel a request. Reads their bodies only where the dialect needs
// them. Called by show and stats, and by TraceRows. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trace/dialect/labels.h"
#include "trace/session.h"
#include "wire/dialect/dialect.h"
#include "wire/json/parts.h"

namespace midwire::tools {

// Of one message; valid until the next. Nothing is escaped.
struct Facts {
  std::string_view label;    // of a call and of its answer; "": none
  bool failed = false;       // an error of JSON-RPC, or an answer that the dialect calls a failure
  std::string_view failure;  // of an answer that is no error: why it failed; "": not known
  std::string_view cancels;  // the id of a request of the same direction, as spelled; "": none
};

class FactReader {
 public:
  // `dialect`: null if there is none; outlives it.
  explicit FactReader(const wire::Dialect* dialect);
  // Whether messages must be kept as a whole.
  bool needs_bodies() const { return dialect_ != nullptr && (labels_->any() || cancels_); }
  // Whether the dialect has messages that cancel requests.
  bool knows_cancels() const { return cancels_; }

  Facts OnMessage(const trace::RecordedMessage& recorded);
  Facts OnElement(const trace::RecordedMessage& recorded);
  void OnSessionEnd();
  // Of the latest message: trimmed; loose JSON, or empty if it is not known.
  std::string_view body();

 private:
  Facts FactsOf(const trace::RecordedMessage& recorded);

  const wire::Dialect* const dialect_;
  bool cancels_ = false;
  std::optional<trace::Labels> labels_;  // none: there is no dialect
  std::string_view body_;                // of the latest message
  bool body_checked_ = false;            // it is loose JSON, or empty
  std::string batch_, failure_;
  std::optional<wire::JsonParts> elements_;  // of batch_
};

}  // namespace midwire::tools
