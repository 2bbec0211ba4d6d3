// The part of the oracle for sent messages: which answers are expected, and which are allowed.
#include <algorithm>
#include <utility>

#include "fuzz/oracle/protocol_oracle.h"
#include "fuzz/oracle/well_formed.h"
#include "wire/contains.h"

namespace midwire::fuzz {
namespace {

using wire::Kind;
using wire::Message;

// A peer may refuse a larger body without reading it, and so without its id.
constexpr size_t kMaxSmall = 4096;
// How the place of bytes begins that are no message.
constexpr std::string_view kJunk = "junk ";

constexpr OddKind kStrayBlank = {"a stray blank", ""},
                  kNoMessage = {"bytes that are no message", ""},
                  kOddHeader = {"a message with an unusual header", ", with an unusual header"},
                  kNotJson = {"a message that is not JSON", ", which is not JSON"},
                  kOddJson = {"JSON that is no message", ", which is no message"},
                  kOtherVersion = {"a message that is not JSON-RPC 2.0",
                                   ", which is not JSON-RPC 2.0"};

// Flags of a message that is none of the protocol, if recorded ones do not have them.
constexpr uint16_t kVersionFlags = wire::kNoVersion | wire::kOtherVersion;

}  // namespace

void ProtocolOracle::OnSentJunk(const wire::Junk& junk) {
  const bool lines = seeds_->framing != wire::Framing::kContentLength;
  run_.any_answer = true;
  run_.last_expected = false;
  const bool blank =
      junk.reason == wire::JunkReason::kBlank || junk.reason == wire::JunkReason::kStrayBlank;
  // A bad header ends with an empty line, which is not what is wrong.
  if (!blank || !last_sent_.starts_with(kJunk)) {
    last_sent_ = std::string(kJunk) + std::string(Name(junk.reason));
  }
  if (run_.odd == nullptr) {
    run_.odd = blank ? &kStrayBlank : &kNoMessage;
  } else if (run_.odd->clause[0] != '\0' && !blank && (!lines || ends_line_)) {
    ++run_.since_odd;  // that was a message, and not the start of this line
  }
  // Bad lines have an end, but after a bad header the start of the next message is unknown. For
  // many peers, a blank before a header makes it bad.
  if (!lines) Move(SyncEvent::kUnclear);
  // For a peer that reads lines, a whole line is one bad message.
  const bool new_line = std::exchange(ends_line_, junk.bytes.ends_with('\n'));
  if (lines && new_line && junk.reason == wire::JunkReason::kText) ++run_.bad_sent;
  // A lenient peer may find a message in it, with an unknown id.
  pending_.AddUnreadable(NamesLate(junk.bytes));
}

void ProtocolOracle::OnSentMessage(const SentMessageInfo& sent, std::string_view body) {
  const Message& message = sent.message;
  run_.last_expected = false;
  run_.last_request = 0;
  last_sent_.assign(Name(message.kind));
  if (!message.IsAnswer() && message.kind != Kind::kBatch) {
    last_sent_ += ' ';
    last_sent_ += sent.known ? message.method : "?";
  }
  NoteOdd(sent);
  if (!sent.keeps_sync) Move(SyncEvent::kUnclear);
  const bool new_line = std::exchange(ends_line_, sent.ends_line);
  if (message.kind == Kind::kBatch) return OnSentBatch(sent, body);
  // Of any request: a mutant may name several, or spell the id in another way.
  if (sent.cancels) DropExpectations();
  if (message.IsAnswer() && !replying_) run_.any_answer = true;
  if (message.kind == Kind::kInvalid || !sent.well_formed) {
    run_.any_answer = true;
    if (!message.IsAnswer() && new_line) ++run_.bad_sent;
  }
  if (!replying_) AllowAnswer(message, body, sent.clear_id);
  UpdateSession(message, body, sent.well_formed);
  if (message.kind == Kind::kNotification && sent.well_formed) run_.notification_sent = true;
  AddRequest(message, sent.spec, body, sent.clear_id, sent.answerable);
}

void ProtocolOracle::NoteOdd(const SentMessageInfo& sent) {
  if (run_.odd != nullptr) {
    ++run_.since_odd;
  } else if (!sent.keeps_sync) {
    run_.odd = &kOddHeader;
  } else if (!sent.json) {
    run_.odd = &kNotJson;
  } else if (sent.message.kind == Kind::kInvalid) {
    run_.odd = &kOddJson;
  } else if ((sent.message.flags & kVersionFlags & ~seeds_->usual_flags) != 0) {
    run_.odd = &kOtherVersion;
  }
}

void ProtocolOracle::OnSentBatch(const SentMessageInfo& sent, std::string_view body) {
  // An answer to a batch of the peer. Other batches that are sent while answering may have
  // requests.
  const auto& elements = sent.message.elements;
  const auto answers = [](const Message& element) { return element.IsAnswer(); };
  if (replying_ && !elements.empty() && std::all_of(elements.begin(), elements.end(), answers)) {
    return;
  }
  run_.any_answer = true;
  if (!IsClosing(sync_) && shutdown_methods_.IsNamedIn(body)) Move(SyncEvent::kCloses);
  for (const Message& element : elements) {
    if (CancelsAnswer(element, options_.dialect)) DropExpectations();
    AllowAnswer(element, body, sent.clear_id);
    UpdateSession(element, "", false);
    AddRequest(element, Spec(element.method), body, sent.clear_id, false);
  }
}

// A valid answer closes a request of the peer. Other messages may end the session.
void ProtocolOracle::UpdateSession(const Message& sent, std::string_view body, bool well_formed) {
  if (sent.IsAnswer() && well_formed) return peer_requests_.Answer(sent.id.token);
  if (IsClosing(sync_)) return;
  if (shutdown_methods_.IsMethod(sent.method) ||
      (!well_formed && shutdown_methods_.IsNamedIn(body))) {
    Move(SyncEvent::kCloses);
  }
}

// A peer may refuse a message that is not a request by its id, which a request may have as well.
void ProtocolOracle::AllowAnswer(const Message& message, std::string_view body, bool clear_id) {
  const bool hidden = message.kind == Kind::kNotification && !clear_id;
  if (message.kind != Kind::kInvalid && !message.IsAnswer() && !hidden) return;
  const bool slow = NamesLate(body);
  if (!message.id.present()) return pending_.AddUnreadable(slow);
  pending_.Add({.id = message.id.token,
                .ambiguous = !clear_id || IsBig(message.id) || !IsPlain(message.id),
                .not_request = !slow,
                .slow = slow});
}

// Whether the body has the name of a method whose answer may come late.
bool ProtocolOracle::NamesLate(std::string_view body) const {
  return std::any_of(seeds_->late.begin(), seeds_->late.end(),
                     [&](const std::string& name) { return wire::Contains(body, name); });
}

void ProtocolOracle::AddRequest(const Message& message, const wire::MethodSpec* spec,
                                std::string_view body, bool clear_id, bool answerable) {
  if (message.kind != Kind::kRequest) return;
  PendingRequest request = {.id = message.id.token,
                            .method = std::string(KnownMethod(message.method, spec)),
                            .spec = spec};
  request.large = body.size() > kMaxSmall;
  request.probe = probing_;
  // For many peers 1.0 is 1, and for all peers "\\u0031" is "1".
  request.ambiguous = !clear_id || IsBig(message.id) || !IsPlain(message.id);
  request.slow = request.ambiguous && NamesLate(body);
  // A peer may refuse an id that is in flight already. A request before the opening or after the
  // shutdown may be refused, answered or ignored.
  const bool timely = !pending_.IsOpen(request.id) && IsFollowed(sync_);
  const bool valid = answerable && timely;
  request.expected = run_.last_expected = valid && !seeds_->late.contains(message.method);
  if (!valid) run_.any_answer = true;
  run_.refusals_before = run_.refusals;
  run_.last_request = pending_.Add(std::move(request));
}

}  // namespace midwire::fuzz
