// The oracle's ears: what a peer says, held against what it owes, its protocol and its dialect.
#include <algorithm>

#include "fuzz/oracle/body.h"
#include "fuzz/oracle/panic.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

using wire::Id;
using wire::Kind;
using wire::Message;

// Of the peer's, that are open.
constexpr size_t kMaxOpen = 1024;
constexpr size_t kMaxUnended = 200;  // bytes of such a message: enough to see what is wrong

}  // namespace

std::string_view ProtocolOracle::unended() const {
  const std::string_view pending = heard_.decoder().pending();
  const bool message =
      pending.starts_with('{') || pending.starts_with('[') || pending.starts_with("Content-Length");
  return message ? pending.substr(0, kMaxUnended) : "";
}

void ProtocolOracle::OnHeardJunk(const wire::Junk& junk) {
  if (listener_) listener_(wire::Opposite(seeds_->ours), "", junk.bytes);
  // A message that its end cut off is no pollution.
  const bool harmless =
      junk.reason == wire::JunkReason::kBlank || junk.reason == wire::JunkReason::kTruncated;
  if (harmless || !on(Oracle::kPollution)) return;
  // A piece of a message, or bytes: each cut would be a finding of its own.
  const std::string_view first = junk.bytes.substr(0, junk.bytes.find('\n'));
  const bool text = std::none_of(first.begin(), first.end(), [](unsigned char c) {
    return (c < ' ' && c != '\t' && c != '\r' && c != '\x1b') || c == '"' || c == '{' || c == '}';
  });
  Report(Oracle::kPollution, "pollution " + (text ? Normalised(first) : "after " + last_said_),
         "something on stdout that is no message, after " + last_said_, junk.bytes);
}

void ProtocolOracle::OnHeard(const ReceivedMessageInfo& heard, std::string_view bytes) {
  const Message& message = heard.message;
  if (listener_) listener_(wire::Opposite(seeds_->ours), message.id.token, bytes);
  if (!heard.utf8 && on(Oracle::kUtf8)) {
    Report(Oracle::kUtf8, "utf8 " + std::string(Name(message.kind)),
           "a message that is not UTF-8, after " + last_said_, bytes);
  }
  if (message.kind == Kind::kBatch) {
    in_batch_ = true;
    const ReceivedMessageInfo nothing;
    for (const Message& element : message.elements) Judge(element, nothing, "");
    in_batch_ = false;
    AnswerBatch(message.elements);
    return;
  }
  if (heard.broken) {
    if (on(Oracle::kBadMessage)) {
      const std::string what = heard.json ? "JSON that is no message" : "a frame that is no JSON";
      Report(Oracle::kBadMessage, "bad-message " + what, what + ", after " + last_said_, bytes);
    }
    DropExpectations();  // it may be the answer to any of them
    return;
  }
  Judge(message, heard, bytes);
}

void ProtocolOracle::Judge(const Message& message, const ReceivedMessageInfo& heard,
                           std::string_view bytes) {
  const std::string_view body = heard.json ? heard.body.of(bytes) : "";
  const std::string_view value = heard.value.of(bytes);
  if (!message.IsAnswer()) {
    JudgeCall(message, body, value);
    features_->OnMessage(message, Word(message.method, Spec(message.method)), heard.shape);
    if (!body.empty()) seeds_->live.Learn(message.method, body);
    if (message.kind == Kind::kRequest && !in_batch_) {
      if (open_.size() >= kMaxOpen) GiveUpOnPeer();
      if (open_.size() < kMaxOpen) open_.emplace_back(message.id.token, message.method);
      Answer(message);
    }
    return;
  }
  const PendingRequest* asked = Match(message);
  features_->OnMessage(message, asked != nullptr ? std::string_view(asked->method) : "",
                       heard.shape);
  if (asked == nullptr) return;
  ++answers_;
  if (!body.empty()) seeds_->live.Learn(asked->method, body);
  JudgeAnswer(message, body, value, *asked);
}

// What the answer answers; null where that is not known. Tells what is wrong about that.
const PendingRequest* ProtocolOracle::Match(const Message& answer) {
  const std::string& id = answer.id.token;
  const bool anonymous = answer.id.type == Id::Type::kNull || answer.id.type == Id::Type::kAbsent;
  PendingRequest* const large = anonymous ? pending_.LargeOwed() : nullptr;
  if (const PendingRequest* asked = pending_.Answer(id)) {
    if (asked->must) return asked;
    ++refused_;  // it may be one of the bad messages, or the large one
    if (large != nullptr) pending_.MakeOptional(large);
    return asked;
  }
  // Who refuses the length that is claimed reads what follows, and we take it for the body.
  // And who reads on in another place than we do may find a message that we do not see, or one of
  // ours twice.
  const bool lost = !at_boundary() || !in_sync_;
  const bool odd = odd_ || odd_before_ || lost;
  if (large != nullptr) {
    pending_.MakeOptional(large);
    return nullptr;
  }
  PendingRequest* const other_type = pending_.OfOtherType(id);
  const bool sure = in_sync_ && !pending_.Earlier(id) && !pending_.OddOpen() && !(anonymous && odd);
  // Where it may be the answer to something else, it may be this one's too, whose own may come yet.
  if (other_type != nullptr && !sure) pending_.MakeOptional(other_type);
  if (other_type != nullptr && sure) {
    pending_.Settle(other_type);
    if (!on(Oracle::kIdType)) return other_type;
    Report(Oracle::kIdType, "id-type " + other_type->method,
           "the request's id is " + other_type->id + ", its answer's " + id, "");
    return other_type;
  }
  // By an id that may be a bad message's in other words: 0 for -0.
  if (anonymous || answer.kind == Kind::kError) ++refused_;
  if (anonymous && odd) return nullptr;  // of any of the bad messages
  if (pending_.AnswerEarlier(id)) return nullptr;
  if (const PendingRequest* first = pending_.First(id)) {
    // Of the same id in several requests, any may have been answered late; and an odd one may have
    // been read as having this id.
    if (lost || pending_.Repeated(id) || pending_.OddOpen()) return nullptr;
    if (on(Oracle::kDouble)) {
      Report(Oracle::kDouble, "double " + first->method,
             "the request " + id + " (" + first->method + ") is answered a second time", "");
    }
    return nullptr;
  }
  // A second answer of another type, or a late one: that was told, or is not sure.
  if (odd || pending_.HadOfAnyType(id)) return nullptr;
  if (anonymous && notified_) {
    if (on(Oracle::kNotification)) {
      Report(Oracle::kNotification, "notification " + last_said_,
             "an answer without an id where only notifications were unanswered", "");
    }
  } else if (on(Oracle::kUnknown)) {
    Report(
        Oracle::kUnknown, "unknown after " + last_said_,
        "an answer with the id " + (id.empty() ? "that is missing" : id) + ", which nobody asked",
        "");
  }
  return nullptr;
}

void ProtocolOracle::JudgeAnswer(const Message& answer, std::string_view body,
                                 std::string_view result, const PendingRequest& asked) {
  if ((answer.flags & (wire::kResultAndError | wire::kNeither)) != 0 && on(Oracle::kShape)) {
    const bool both = (answer.flags & wire::kResultAndError) != 0;
    Report(Oracle::kShape, std::string(both ? "shape both " : "shape neither ") + asked.method,
           "the answer to the request " + asked.id + " (" + asked.method + ") has " +
               (both ? "a result and an error" : "neither result nor error"),
           body);
    return;
  }
  if (!on(Oracle::kDialect) || body.empty() || (answer.flags & wire::kDap) != 0) return;
  if (answer.kind == Kind::kError) {
    const std::string_view error = Member(body, "\"error\"");
    if (!error.empty() && error[0] == '{' && answer.error_code) return;
    const auto* dialect = options_.dialect;
    const bool lax = dialect != nullptr && dialect->error_without_code != wire::Severity::kMust;
    if (lax && !error.empty() && (error[0] == '{' || error[0] == '"')) return;
    Report(Oracle::kDialect, "dialect error " + asked.method,
           "an error is an object with an integer code", body);
    return;
  }
  if (asked.spec == nullptr || !asked.spec->result || !asked.must) return;
  // It may be of another method under the same id, in flight with it or late.
  // Within a body that we take for unfinished, others may read a request with its id.
  if (pending_.Ambiguous(asked) || !at_boundary()) return;
  if (const auto broken = asked.spec->result->Validate(result)) {
    Report(Oracle::kDialect,
           "dialect result " + asked.method + " " + broken->rule + " " + broken->keyword,
           "/result" + broken->pointer + " should be " + asked.spec->result->Expectation(*broken),
           body);
  }
}

void ProtocolOracle::JudgeCall(const Message& call, std::string_view body,
                               std::string_view params) {
  if (!on(Oracle::kDialect) || options_.dialect == nullptr || body.empty()) return;
  const wire::MethodSpec* spec = options_.dialect->Find(call.method);
  if (spec == nullptr || (call.flags & wire::kDap) != 0) return;
  const int peer = seeds_->ours == wire::Direction::kHostToPlugin ? 1 : 0;
  if (!spec->from[peer]) {
    Report(Oracle::kDialect, "dialect direction " + call.method,
           "\"" + call.method + "\" is not this party's to say", body);
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
