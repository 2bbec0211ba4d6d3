#include "tools/reporting/facts.h"

#include "tools/reporting/place_values.h"
#include "tools/reporting/row_text.h"
#include "view/text/printer.h"
#include "wire/json/valid.h"

namespace midwire::tools {

using trace::RecordedMessage;
using wire::Kind;

FactReader::FactReader(const wire::Dialect* dialect) : dialect_(dialect) {
  if (dialect == nullptr) return;
  labels_.emplace(dialect);
  cancels_ = !dialect->ids_of_sender.empty();
}

std::string_view FactReader::body() {
  if (!body_checked_) {
    body_checked_ = true;
    if (!wire::IsLooseJson(body_)) body_ = {};
  }
  return body_;
}

Facts FactReader::FactsOf(const RecordedMessage& recorded) {
  Facts facts;
  const Kind kind = recorded.message->kind;
  facts.failed = kind == Kind::kError;
  if (!needs_bodies()) return facts;
  const std::string_view method = view::MethodOf(recorded);
  const bool call = kind == Kind::kRequest || kind == Kind::kNotification;
  if (call && cancels_ && Cancels(method)) facts.cancels = CancelledId(*dialect_, method, body());
  const trace::NegotiationInput input = {
      .message = recorded.message,
      .method = method,
      .body = labels_->Reads(kind, method) ? body() : std::string_view(),
      .number = recorded.number,
      .request = recorded.request};
  const trace::Labels::Of of = labels_->OnMessage(recorded.direction, input);
  facts.label = of.label;
  if (!of.failed) return facts;
  facts.failed = true;
  failure_ = ReasonIn(input.body);
  facts.failure = failure_;
  return facts;
}

Facts FactReader::OnMessage(const RecordedMessage& recorded) {
  const wire::Frame& frame = *recorded.frame;
  body_ = frame.whole() ? wire::Trimmed(frame.body()) : std::string_view();
  body_checked_ = false;
  elements_.reset();
  if (labels_ && recorded.message->kind == Kind::kBatch && !body().empty()) {
    batch_ = body_;
    elements_.emplace(batch_);
  }
  return FactsOf(recorded);
}

Facts FactReader::OnElement(const RecordedMessage& recorded) {
  wire::JsonPart part;
  if (elements_ && !elements_->Next(&part)) elements_.reset();
  body_ = elements_ ? part.value : std::string_view();
  body_checked_ = true;
  return FactsOf(recorded);
}

void FactReader::OnSessionEnd() {
  if (labels_) labels_->OnSessionEnd();
}

}  // namespace midwire::tools
