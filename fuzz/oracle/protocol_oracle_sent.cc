// The oracle's mouth: what is said to a peer, and what the peer owes for it.
#include <algorithm>
#include <utility>

#include "fuzz/oracle/protocol_oracle.h"
#include "fuzz/oracle/well_formed.h"
#include "wire/contains.h"

namespace midwire::fuzz {
namespace {

using wire::Kind;
using wire::Message;

// A body that is larger may be refused without being read, and so without its id.
constexpr size_t kMaxSmall = 4096;

}  // namespace

void ProtocolOracle::OnSaidJunk(const wire::Junk& junk) {
  odd_ = true;
  last_owed_ = false;
  last_said_ = "junk " + std::string(Name(junk.reason));
  // A line that is no message ends where it ends; after a bad header nobody knows, and a blank
  // before one is a bad one for many.
  const bool lines = seeds_->framing != wire::Framing::kContentLength;
  if (!lines) in_sync_ = false;
  // For whoever reads lines, the whole one is bad once.
  const bool new_line = std::exchange(ends_line_, junk.bytes.ends_with('\n'));
  if (lines && new_line && junk.reason == wire::JunkReason::kText) ++bad_;
  // Who is lenient finds a message in it, with an id that we do not see.
  pending_.AddUnreadable(NamesLate(junk.bytes));
}

void ProtocolOracle::OnSaid(const SentMessageInfo& said, std::string_view body) {
  const Message& message = said.message;
  last_owed_ = false;
  last_asked_.clear();
  last_said_.assign(Name(message.kind));
  if (!message.IsAnswer() && message.kind != Kind::kBatch) {
    last_said_ += ' ';
    last_said_ += said.known ? message.method : "?";
  }
  if (!said.keeps_sync) in_sync_ = false;
  const bool new_line = std::exchange(ends_line_, said.ends_line);
  if (message.kind == Kind::kBatch) return OnSaidBatch(said, body);
  if (message.IsAnswer() && !replying_) odd_ = true;
  if (message.kind == Kind::kInvalid || !said.sound) {
    odd_ = true;
    if (!message.IsAnswer() && new_line) ++bad_;
  }
  if (!replying_) AllowAnswer(message, body, said.clear);
  Close(message, body, said.sound);
  if (message.kind == Kind::kNotification && said.sound) notified_ = true;
  Ask(message, said.spec, body, said.clear, said.answerable);
}

void ProtocolOracle::OnSaidBatch(const SentMessageInfo& said, std::string_view body) {
  // Our answer to a batch. What else is said before an answer may have requests in it.
  const auto& elements = said.message.elements;
  const auto answers = [](const Message& element) { return element.IsAnswer(); };
  if (replying_ && !elements.empty() && std::all_of(elements.begin(), elements.end(), answers)) {
    return;
  }
  odd_ = true;
  closing_ = closing_ || shutdown_methods_.IsNamedIn(body);
  for (const Message& element : elements) {
    AllowAnswer(element, body, said.clear);
    Close(element, "", false);
    Ask(element, Spec(element.method), body, said.clear, false);
  }
}

// Does this end the session?
void ProtocolOracle::Close(const Message& said, std::string_view body, bool sound) {
  if (said.IsAnswer() && sound) {
    // Of this run one, as who uses an id again may wait for an answer to each.
    const auto is = [&](const auto& request) { return request.first == said.id.token; };
    const auto fresh = open_.begin() + static_cast<ptrdiff_t>(open_before_);
    const auto answered = std::find_if(fresh, open_.end(), is);
    if (answered != open_.end()) open_.erase(answered);
    const auto before = open_.begin() + static_cast<ptrdiff_t>(open_before_);
    const auto kept = std::remove_if(open_.begin(), before, is);
    open_before_ = static_cast<size_t>(kept - open_.begin());
    open_.erase(kept, before);
    return;
  }
  if (closing_) return;
  closing_ =
      shutdown_methods_.IsMethod(said.method) || (!sound && shutdown_methods_.IsNamedIn(body));
}

// What is no request may be refused by its id, which a request may have had as well.
void ProtocolOracle::AllowAnswer(const Message& message, std::string_view body, bool clear) {
  const bool hidden = message.kind == Kind::kNotification && !clear;
  if (message.kind != Kind::kInvalid && !message.IsAnswer() && !hidden) return;
  const bool slow = NamesLate(body);
  if (!message.id.present()) return pending_.AddUnreadable(slow);
  pending_.Add({.id = message.id.token,
                .odd = !clear || IsBig(message.id) || !IsPlain(message.id),
                .stray = !slow,
                .slow = slow});
}

// Whether a method is named in it whose answer may come late.
bool ProtocolOracle::NamesLate(std::string_view body) const {
  return std::any_of(seeds_->late.begin(), seeds_->late.end(),
                     [&](const std::string& name) { return wire::Contains(body, name); });
}

void ProtocolOracle::Ask(const Message& request, const wire::MethodSpec* spec,
                         std::string_view body, bool clear, bool answerable) {
  if (request.kind != Kind::kRequest) return;
  PendingRequest asked = {
      .id = request.id.token, .method = std::string(Word(request.method, spec)), .spec = spec};
  asked.large = body.size() > kMaxSmall;
  // 1.0 is 1 for many a peer, and "\\u0031" is "1" for any.
  asked.odd = !clear || IsBig(request.id) || !IsPlain(request.id);
  asked.slow = asked.odd && NamesLate(body);
  // The same id twice in flight: who refuses that is right as well. And what comes after the end
  // may be refused, answered or left alone.
  const bool timely = !pending_.Open(asked.id) && !closing_ && !unopened_ && in_sync_;
  const bool sound = answerable && timely;
  asked.must = last_owed_ = sound && !seeds_->late.contains(request.method);
  if (!sound) odd_ = true;
  last_asked_ = asked.id;
  refused_before_ = refused_;
  pending_.Add(std::move(asked));
}

}  // namespace midwire::fuzz
