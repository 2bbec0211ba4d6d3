#include "fuzz/oracle/protocol_oracle.h"

#include <algorithm>

#include "wire/counted.h"

namespace midwire::fuzz {
namespace {

// Maximum number of blanks that complete a body: more cost more than a restart of the peer.
constexpr size_t kMaxBlanks = 4096;
// Maximum size of the answers that wait to be written. A peer that sends requests without reading
// gets no more.
constexpr size_t kMaxReply = 1u << 20;
// Of a longer frame of the peer, only the start is inspected.
constexpr size_t kMaxReceived = 16u << 20;

}  // namespace

ProtocolOracle::ProtocolOracle(Seeds* seeds, Features* features,
                               const ProtocolOracleOptions& options, Sink sink)
    : seeds_(seeds),
      features_(features),
      options_(options),
      sink_(std::move(sink)),
      shutdown_methods_(options.dialect, seeds->ends),
      script_(seeds),
      sent_(
          {.inspect =
               [this](const wire::Frame& frame, const wire::Message& message) {
                 return InspectSent(frame, message, *seeds_, options_);
               },
           .on_frame = [this](const SentMessageInfo& sent,
                              std::string_view bytes) { OnSentMessage(sent, sent.body.of(bytes)); },
           .on_junk = [this](const wire::Junk& junk) { OnSentJunk(junk); }}),
      received_({.inspect = InspectReceived,
                 .on_frame = [this](const ReceivedMessageInfo& received,
                                    std::string_view bytes) { OnReceivedMessage(received, bytes); },
                 .on_junk = [this](const wire::Junk& junk) { OnReceivedJunk(junk); }},
                kMaxReceived) {
  OnPeer();
}

void ProtocolOracle::OnPeer() {
  // What is sent is read as the peer must read it: by the framing of its protocol alone.
  sent_.Start(seeds_->framing);
  received_.Start(seeds_->framing);
  seeds_->live.Forget();
  pending_.OnPeer();
  peer_requests_.OnPeer();
  run_ = {};
  any_answer_before_ = false;
  sync_ = SyncState::kInSync;
  ends_line_ = true;
  last_sent_ = "nothing";
  script_.OnRun(nullptr);
}

void ProtocolOracle::OnRun(const Input* input) {
  script_.OnRun(input);
  peer_requests_.OnRun();
  pending_.OnRun();
  seeds_->live.OnRun();
  any_answer_before_ = run_.any_answer;
  run_ = {};
  features_->OnRun();
}

std::string_view ProtocolOracle::PartToSend(size_t index) {
  const std::string_view bytes = script_.Take(index);
  if (!bytes.empty()) OnSent(bytes);
  return bytes;
}

void ProtocolOracle::OnSent(std::string_view bytes, Sent how) {
  const bool aside = how == Sent::kAside || how == Sent::kProbe;
  const std::string before = aside ? last_sent_ : "";
  const size_t since_odd = run_.since_odd;
  if (how == Sent::kProbe) run_.last_request = 0;
  if (how == Sent::kProbe || how == Sent::kPart) run_.probe_is_last = how == Sent::kProbe;
  replying_ = how == Sent::kReply;
  probing_ = how == Sent::kProbe;
  sent_.Feed(bytes);
  replying_ = probing_ = false;
  Move(at_boundary() ? SyncEvent::kEnd : SyncEvent::kNoEnd);
  if (how == Sent::kProbe) run_.probe = run_.last_request;
  if (aside) last_sent_ = before, run_.since_odd = since_odd;
}

PeerState ProtocolOracle::state() const {
  const PendingRequest* const last = pending_.At(run_.last_request);
  const PendingRequest* const probe = pending_.At(run_.probe);
  return {
      .sync = sync_,
      .at_boundary = at_boundary(),
      .due = pending_.expected(),
      .answers = run_.answers + std::min(run_.refusals, run_.bad_sent),
      .awaits_answer = last != nullptr && !last->answered && run_.refusals == run_.refusals_before,
      .answered_since_unclear = run_.answers + run_.refusals > run_.answers_before_unclear,
      .settled = pending_.expected() == 0 && run_.last_expected,
      .asks = !peer_requests_.empty(),
      .probe_due = probe != nullptr && probe->expected && !probe->answered,
      .probe_answered = probe != nullptr && probe->answered,
      .spent = pending_.full() || seeds_->live.dry()};
}

void ProtocolOracle::OnBytes(std::string_view bytes, std::string* reply) {
  reply_ = reply;
  received_.Feed(bytes);
  of_probe_ = false;
}

void ProtocolOracle::OnPeerEnd() {
  reply_ = nullptr;
  received_.Finish();
  of_probe_ = false;
}

std::string ProtocolOracle::Next() {
  std::string sent;
  while (!script_.at_end() && !script_.at_answer()) {
    const size_t expected = pending_.expected();
    sent += PartToSend(script_.next());
    if (pending_.expected() > expected) break;
  }
  return sent;
}

std::string ProtocolOracle::Rest() {
  std::string rest;
  while (!script_.at_end()) rest += PartToSend(script_.next());
  return rest;
}

// The peer may wait for something that is not sent, so no answer is expected any more.
void ProtocolOracle::DropExpectations() {
  pending_.DropExpectations();
  run_.any_answer = true;
  run_.last_expected = false;
}

// A request of the peer gets no answer.
void ProtocolOracle::GiveUpOnPeer() {
  DropExpectations();
  Move(SyncEvent::kGaveUp);
}

std::string ProtocolOracle::CompleteBody() {
  std::string blanks;
  while (!at_boundary() && blanks.size() < kMaxBlanks) {
    blanks += ' ';
    OnSent(" ");
  }
  return blanks;
}

std::string ProtocolOracle::AnswerPeerRequests() {
  // Completes a damaged answer that has no end.
  std::string answers;
  if (!at_boundary() && seeds_->framing == wire::Framing::kContentLength) {
    answers = CompleteBody();
  } else if (!at_boundary()) {
    answers = "\n";
    OnSent(answers);
  }
  if (!at_boundary()) {
    peer_requests_.Take();
    DropExpectations();
    return answers;
  }
  const size_t already_sent = answers.size();
  for (const auto& [id, method] : peer_requests_.Take()) {
    answers += Framed(script_.RecordedAnswer(id, method), seeds_->framing).bytes;
  }
  // The peer may have accepted the damaged ones, and may refuse second ones.
  run_.any_answer = true;
  OnSent(std::string_view(answers).substr(already_sent), Sent::kReply);
  return answers;
}

// Answers with an array (JSON-RPC 2.0, clause 6) of recorded answers.
void ProtocolOracle::AnswerBatch(const std::vector<wire::Message>& batch) {
  if (reply_ == nullptr) return;
  std::string answers;
  for (const wire::Message& request : batch) {
    if (request.kind != wire::Kind::kRequest) continue;
    if (answers.size() > kMaxReply) return GiveUpOnPeer();
    answers += answers.empty() ? '[' : ',';
    answers += script_.RecordedAnswer(request.id.token, request.method);
  }
  if (answers.empty()) return;
  if (reply_->size() > kMaxReply) return GiveUpOnPeer();
  if (!at_boundary())
    return DropExpectations();  // it would be read as the rest of an unfinished message
  const Part part = Framed(answers + "]", seeds_->framing);
  OnSent(part.bytes, Sent::kReply);
  *reply_ += part.bytes;
}

void ProtocolOracle::Answer(const wire::Message& request) {
  if (reply_ == nullptr || !script_.runs()) return;
  if (reply_->size() > kMaxReply) return GiveUpOnPeer();
  for (const std::string& reply : script_.Replies(request.id.token, request.method)) {
    OnSent(reply, Sent::kReply);
    *reply_ += reply;
  }
}

std::string_view ProtocolOracle::first_expected_method() const {
  const PendingRequest* first = pending_.FirstExpected();
  return first != nullptr ? std::string_view(first->method) : "";
}

std::string ProtocolOracle::place() const {
  const std::string_view expected = first_expected_method();
  return expected.empty() ? last_sent_ : "request " + std::string(expected);
}

std::string ProtocolOracle::OddBefore(std::string_view after) const {
  if (run_.odd == nullptr || after != last_sent_) return "";
  if (run_.since_odd == 0) return run_.odd->clause;
  return ", " + wire::Counted(run_.since_odd, "message") + " after " + run_.odd->noun;
}

FaultPlace ProtocolOracle::PlaceAfter(std::string after) const {
  std::string odd = OddBefore(after);
  const bool last_is_odd = after == last_sent_ && run_.odd != nullptr && run_.since_odd == 0;
  const bool nonsense = last_is_odd || after.starts_with("junk ");
  return {std::move(after), std::move(odd), nonsense};
}

// The method if the protocol has it; otherwise "", because mutants have other methods each time.
std::string_view ProtocolOracle::KnownMethod(std::string_view method,
                                             const wire::MethodSpec* spec) const {
  return spec != nullptr || seeds_->methods.contains(method) ? method : "";
}

const wire::MethodSpec* ProtocolOracle::Spec(std::string_view method) const {
  return options_.dialect != nullptr ? options_.dialect->Find(method) : nullptr;
}

void ProtocolOracle::ReportMissing(Oracle oracle, std::optional<FaultKind> kind) {
  const bool under_wrong_ids = run_.unknown >= pending_.expected();
  run_.unknown -= std::min(run_.unknown, pending_.expected());
  pending_.GiveUpExpected([&](const PendingRequest& request) {
    if (under_wrong_ids) return;
    Report(oracle, std::string(Name(oracle)) + " " + NameOf(request),
           "no answer to the request " + request.id + " (" + NameOf(request) + ")" +
               OddBefore("request " + NameOf(request)),
           "", kind);
  });
}

void ProtocolOracle::ReportUnanswered() {
  if (!Speaks(Oracle::kParseError) || run_.refusals >= run_.bad_sent) return;
  // A peer that ignores bad requests of one method ignores those of all methods.
  const bool junk = last_sent_.starts_with("junk ");
  Report(Oracle::kParseError,
         "parse-error after " + (junk ? last_sent_ : last_sent_.substr(0, last_sent_.find(' '))),
         "no error in answer to a bad message, after " + last_sent_, "");
}

void ProtocolOracle::Report(Oracle oracle, std::string key, std::string text,
                            std::string_view evidence, std::optional<FaultKind> kind) {
  if (!Speaks(oracle)) return;
  sink_({.oracle = oracle,
         .key = std::move(key),
         .text = std::move(text),
         .kind = kind,
         .part = script_.last(),
         .of_probe = of_probe_,
         .evidence = std::string(evidence.substr(0, kMaxEvidence))});
}

}  // namespace midwire::fuzz
