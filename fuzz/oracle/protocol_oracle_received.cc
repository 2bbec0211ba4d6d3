// The part of the oracle for received messages: compares them with the requests that were sent, and
// validates them against JSON-RPC and the dialect.
#include <algorithm>

#include "fuzz/oracle/body.h"
#include "fuzz/oracle/panic.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "wire/json/fault.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

using wire::Id;
using wire::Kind;
using wire::Message;

constexpr size_t kMaxUnended = 200;  // bytes of an unfinished message: enough to see what is wrong

std::string Named(const std::optional<wire::JsonFault>& fault) {
  if (!fault) return "";
  return " (" + fault->what + ", at byte " + std::to_string(fault->offset) + ")";
}

}  // namespace

std::string_view ProtocolOracle::unfinished_message() const {
  const std::string_view pending = received_.decoder().pending();
  const bool message =
      pending.starts_with('{') || pending.starts_with('[') || pending.starts_with("Content-Length");
  return message ? pending.substr(0, kMaxUnended) : "";
}

void ProtocolOracle::OnReceivedJunk(const wire::Junk& junk) {
  if (listener_) listener_(wire::Opposite(seeds_->ours), "", junk.bytes);
  // A message that was cut off by the peer's end is not pollution.
  const bool harmless = junk.reason == wire::JunkReason::kBlank ||
                        junk.reason == wire::JunkReason::kStrayBlank ||
                        junk.reason == wire::JunkReason::kTruncated;
  if (harmless || !Speaks(Oracle::kPollution)) return;
  // The text is part of the key, unless it is a piece of a message or binary: then each would be a
  // finding of its own.
  const std::string_view first = junk.bytes.substr(0, junk.bytes.find('\n'));
  const bool text = std::none_of(first.begin(), first.end(), [](unsigned char c) {
    return (c < ' ' && c != '\t' && c != '\r' && c != '\x1b') || c == '"' || c == '{' || c == '}';
  });
  if (ReportEcho(Oracle::kPollution, junk.bytes)) return;
  // A plugin that logs each request shows it by the probe too, which is in no cassette.
  of_probe_ = run_.probe_is_last;
  Report(Oracle::kPollution, "pollution " + (text ? Normalised(first) : "after " + last_sent_),
         "bytes on stdout that are not a message, after " + last_sent_, junk.bytes);
}

// Bytes that the peer only repeats are our own. One key for all, because each mutant has others.
bool ProtocolOracle::ReportEcho(Oracle oracle, std::string_view bytes) {
  if (!script_.HasSent(bytes)) return false;
  of_probe_ = false;
  Report(oracle, std::string(Name(oracle)) + " echo",
         "it repeats bytes that were sent, after " + last_sent_, bytes, FaultKind::kStyle);
  return true;
}

void ProtocolOracle::OnReceivedMessage(const ReceivedMessageInfo& received,
                                       std::string_view bytes) {
  const Message& message = received.message;
  if (listener_) listener_(wire::Opposite(seeds_->ours), message.id.token, bytes);
  of_probe_ = run_.probe_is_last;
  if (!received.utf8 && Speaks(Oracle::kUtf8) && !ReportEcho(Oracle::kUtf8, bytes)) {
    Report(Oracle::kUtf8, "utf8 " + std::string(Name(message.kind)),
           "a message that is not UTF-8" + Named(wire::FindBadUtf8(received.body.of(bytes))) +
               ", after " + last_sent_,
           bytes);
  }
  if (message.kind == Kind::kBatch) {
    in_batch_ = true;
    const ReceivedMessageInfo nothing;
    for (const Message& element : message.elements) Check(element, nothing, "");
    in_batch_ = false;
    AnswerBatch(message.elements);
    return;
  }
  if (received.broken) {
    if (Speaks(Oracle::kBadMessage) && !ReportEcho(Oracle::kBadMessage, bytes)) {
      const auto fault = wire::FindJsonFault(received.body.of(bytes));
      std::string key = received.json ? "JSON that is no message" : "a frame that is no JSON";
      if (fault) key.append(": ").append(fault->kind);
      const char* const text =
          received.json ? "JSON that is not a message" : "a frame that is not JSON";
      Report(Oracle::kBadMessage, "bad-message " + key + " after " + last_sent_,
             text + Named(fault) + ", after " + last_sent_, bytes);
    }
    DropExpectations();  // it may be the answer to any request
    return;
  }
  Check(message, received, bytes);
}

void ProtocolOracle::Check(const Message& message, const ReceivedMessageInfo& received,
                           std::string_view bytes) {
  const std::string_view body = received.json ? received.body.of(bytes) : "";
  const std::string_view value = received.value.of(bytes);
  if (!message.IsAnswer()) {
    CheckCall(message, body, value);
    features_->OnMessage(message, KnownMethod(message.method, Spec(message.method)),
                         received.shape);
    if (!body.empty()) seeds_->live.Learn(message.method, body);
    if (message.kind == Kind::kRequest && !in_batch_) {
      if (!peer_requests_.Add(message.id.token, message.method)) GiveUpOnPeer();
      Answer(message);
    }
    return;
  }
  of_probe_ = false;
  const PendingRequest* request = Match(message);
  features_->OnMessage(message, request != nullptr ? std::string_view(request->method) : "",
                       received.shape);
  if (request == nullptr) return;
  ++run_.answers;
  if (!body.empty()) seeds_->live.Learn(request->method, body);
  of_probe_ = request->probe;
  answered_ = pending_.PlaceOf(request);
  CheckAnswer(message, body, value, *request);
  of_probe_ = false;
  answered_ = 0;
}

// Applies the rule for the answer. The request that it belongs to; null: not known.
const PendingRequest* ProtocolOracle::Match(const Message& answer) {
  const std::string& id = answer.id.token;
  const bool anonymous = answer.id.type == Id::Type::kNull || answer.id.type == Id::Type::kAbsent;
  const AnswerRule& rule = RuleFor({.pending = pending_,
                                    .id = id,
                                    .anonymous = anonymous,
                                    .any_answer = run_.any_answer || any_answer_before_,
                                    .notification_sent = run_.notification_sent,
                                    .sync = sync_});
  if (rule_listener_) rule_listener_(answer, rule);
  const AnswerVerdict verdict = rule.verdict;
  if (verdict == AnswerVerdict::kExpected) return pending_.Answer(id);
  const PendingRequest* const large = anonymous ? pending_.FirstLargeExpected() : nullptr;
  if (large != nullptr) pending_.MakeOptional(large);
  if (verdict == AnswerVerdict::kRefusal) return nullptr;
  if (verdict == AnswerVerdict::kOptional) {
    ++run_.refusals;  // it may be one of the bad messages, or the large one
    const PendingRequest* const other = pending_.ExpectedOfOtherType(id);
    if (other != nullptr) pending_.MakeOptional(other);  // or its answer, under a wrong id
    return pending_.Answer(id);
  }
  const PendingRequest* const other_type = pending_.ExpectedOfOtherType(id);
  if (verdict == AnswerVerdict::kIdType) {
    pending_.MarkAnswered(other_type);
    answered_ = pending_.PlaceOf(other_type);
    of_probe_ = other_type->probe;
    Report(Oracle::kIdType, "id-type " + other_type->method,
           "the request's id is " + other_type->id + " (" + NameOf(*other_type) +
               "), its answer's " + id,
           "");
    answered_ = 0;
    return other_type;
  }
  const bool of_no_request = !anonymous && !id.empty() && !pending_.HadAnyType(id);
  if (verdict == AnswerVerdict::kAccepted && of_no_request && Speaks(Oracle::kUnknown)) {
    ++run_.unknown;
  }
  // It may be the answer to this request or to another message, so this request may still get one.
  if (other_type != nullptr) pending_.MakeOptional(other_type);
  // It may refuse a bad message, with another spelling of its id: 0 for -0.
  if (anonymous || answer.kind == Kind::kError) ++run_.refusals;
  if (verdict == AnswerVerdict::kLate) pending_.AnswerEarlier(id);
  if (verdict == AnswerVerdict::kDouble) {
    const PendingRequest& request = *pending_.First(id);
    of_probe_ = request.probe;
    answered_ = pending_.PlaceOf(&request);
    Report(Oracle::kDouble, "double " + request.method,
           "a second answer to the request " + id + " (" + NameOf(request) + ")", "");
    of_probe_ = false;
    answered_ = 0;
  } else if (verdict == AnswerVerdict::kNotification) {
    Report(Oracle::kNotification, "notification " + last_sent_,
           "an answer without an id, as if to a notification, which gets none", "");
  } else if (verdict == AnswerVerdict::kUnknown) {
    ReportUnknown(answer.id.token);
  }
  return nullptr;
}

// An answer with an id that no request has. If only one request waits for an answer, this is its
// answer, under a wrong id: one fault, not two. That request may still get another answer.
void ProtocolOracle::ReportUnknown(const std::string& id) {
  const std::string named = "the id " + id + ", which no request has";
  std::string text = id.empty() ? "an answer without an id" : "an answer with " + named;
  const PendingRequest* const only = pending_.expected() == 1 ? pending_.FirstExpected() : nullptr;
  const bool its = only != nullptr && !only->probe && Speaks(Oracle::kUnknown);
  if (its) {
    text = "the answer to the request " + only->id + " (" + NameOf(*only) + ") has " +
           (id.empty() ? "no id" : named);
    answered_ = pending_.PlaceOf(only);
    pending_.MakeOptional(only);
  } else if (Speaks(Oracle::kUnknown)) {
    ++run_.unknown;
  }
  Report(Oracle::kUnknown, "unknown after " + last_sent_, std::move(text), "");
  answered_ = 0;
}

void ProtocolOracle::CheckAnswer(const Message& answer, std::string_view body,
                                 std::string_view result, const PendingRequest& request) {
  if (const auto* dialect = options_.dialect; (answer.flags & wire::kNeither) != 0 && dialect) {
    if (dialect->WithoutResult(request.spec) != wire::Severity::kMust) return;
    // It may be a result of null for another request with the same id.
    const bool lax = dialect->without_result != wire::Severity::kMust;
    if (lax && pending_.MayAnswerAnother(request)) return;
  }
  if ((answer.flags & (wire::kResultAndError | wire::kNeither)) != 0 && Speaks(Oracle::kShape)) {
    const bool both = (answer.flags & wire::kResultAndError) != 0;
    Report(Oracle::kShape, std::string(both ? "shape both " : "shape neither ") + request.method,
           "the answer to the request " + request.id + " (" + NameOf(request) + ") has " +
               (both ? "a result and an error" : "neither result nor error"),
           body);
    return;
  }
  if (!Speaks(Oracle::kDialect) || body.empty() || (answer.flags & wire::kDap) != 0) return;
  if (answer.kind == Kind::kError) {
    const std::string_view error = Member(body, "\"error\"");
    if (!error.empty() && error[0] == '{' && answer.error_code) return;
    const auto* dialect = options_.dialect;
    const bool lax = dialect != nullptr && dialect->error_without_code != wire::Severity::kMust;
    if (lax && !error.empty() && (error[0] == '{' || error[0] == '"')) return;
    Report(Oracle::kDialect, "dialect error " + request.method,
           "/error should be an object with an integer code", body);
    return;
  }
  if (request.spec == nullptr || !request.spec->result || !request.expected) return;
  // The result may belong to another method with the same id, which is in flight too or late. A
  // peer may also read a request with this id from a body that is unfinished.
  if (pending_.MayAnswerAnother(request) || !at_boundary()) return;
  if (const auto broken = request.spec->result->Validate(result)) {
    Report(Oracle::kDialect,
           "dialect result " + request.method + " " + broken->rule + " " + broken->keyword,
           "/result" + broken->pointer + " should be " + request.spec->result->Expectation(*broken),
           body);
  }
}

void ProtocolOracle::CheckCall(const Message& call, std::string_view body,
                               std::string_view params) {
  if (!Speaks(Oracle::kDialect) || options_.dialect == nullptr || body.empty()) return;
  const wire::MethodSpec* spec = options_.dialect->Find(call.method);
  if (spec == nullptr || (call.flags & wire::kDap) != 0) return;
  const int peer = seeds_->ours == wire::Direction::kHostToPlugin ? 1 : 0;
  if (!spec->from[peer]) {
    Report(Oracle::kDialect, "dialect direction " + call.method,
           "\"" + call.method + "\" is only sent by the other party", body);
    return;
  }
  if (!spec->params || params.empty()) return;
  if (const auto broken = spec->params->Validate(params)) {
    Report(Oracle::kDialect,
           "dialect params " + call.method + " " + broken->rule + " " + broken->keyword,
           "/params" + broken->pointer + " should be " + spec->params->Expectation(*broken), body);
  }
}

}  // namespace midwire::fuzz
