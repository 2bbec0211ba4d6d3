#include "fuzz/oracle/protocol_oracle.h"

#include <algorithm>

#include "fuzz/oracle/body.h"
#include "wire/contains.h"

namespace midwire::fuzz {
namespace {

// Maximum number of blanks that complete a body: more cost more than a restart of the peer.
constexpr size_t kMaxBlanks = 4096;
// Of a longer frame of the peer, only the start is inspected.
constexpr size_t kMaxReceived = 16u << 20;

}  // namespace

ProtocolOracle::ProtocolOracle(Seeds* seeds, Features* features,
                               const ProtocolOracleOptions& options, Sink sink)
    : seeds_(seeds),
      features_(features),
      options_(options),
      sink_(std::move(sink)),
      shutdown_methods_(options.dialect),
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
  input_ = nullptr;
}

void ProtocolOracle::OnRun(const Input* input) {
  input_ = input;
  sent_parts_.assign(input->parts.size(), false);
  next_ = 0;
  part_index_ = SIZE_MAX;
  peer_requests_.OnRun();
  pending_.OnRun();
  seeds_->live.OnRun();
  any_answer_before_ = run_.any_answer;
  run_ = {};
  features_->OnRun();
}

const ProtocolOracle::PartInfo& ProtocolOracle::InspectPart(size_t index) {
  if (part_index_ == index) return *part_info_;
  part_index_ = index;
  const Part& part = input_->parts[index];
  const PartInfo* known = part.junk() ? nullptr : part_infos_.Find(part.bytes);
  if (known != nullptr && known->head == part.head) return *(part_info_ = known);
  part_ = {.head = part.head};
  part_info_ = &part_;
  if (part.junk()) return part_;
  const std::string_view body = part.body();
  seeds_->live.FindUses(body, &part_.uses);
  part_.answers = wire::Contains(body, "\"result\"") || wire::Contains(body, "\"error\"");
  part_infos_.Keep(part.bytes, part_);
  return part_;
}

bool ProtocolOracle::Depends(size_t index) {
  const Part& part = input_->parts[index];
  if (sent_parts_[index] || part.junk()) return false;
  const PartInfo& info = InspectPart(index);
  return info.answers || !seeds_->live.AreMade(info.uses);
}

std::string_view ProtocolOracle::PartToSend(size_t index) {
  next_ = index + 1;
  if (sent_parts_[index]) return "";
  sent_parts_[index] = true;
  const Part& part = input_->parts[index];
  const auto& uses = InspectPart(index).uses;
  if (uses.empty() || !seeds_->live.Apply(part.body(), uses, &body_)) {
    OnSent(part.bytes);
    return part.bytes;
  }
  Part live = part;
  live.SetBody(body_);
  bytes_ = std::move(live.bytes);
  OnSent(bytes_);
  return bytes_;
}

void ProtocolOracle::OnSent(std::string_view bytes, Sent how) {
  const bool aside = how == Sent::kAside || how == Sent::kProbe;
  const std::string before = aside ? last_sent_ : "";
  if (how == Sent::kProbe) run_.last_request = 0;
  replying_ = how == Sent::kReply;
  sent_.Feed(bytes);
  replying_ = false;
  Move(at_boundary() ? SyncEvent::kEnd : SyncEvent::kNoEnd);
  if (how == Sent::kProbe) run_.probe = run_.last_request;
  if (aside) last_sent_ = before;
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
      .settled = pending_.expected() == 0 && run_.last_expected,
      .asks = !peer_requests_.empty(),
      .probe_due = probe != nullptr && probe->expected && !probe->answered,
      .probe_answered = probe != nullptr && probe->answered,
      .spent = pending_.full() || seeds_->live.dry()};
}

void ProtocolOracle::OnBytes(std::string_view bytes, std::string* reply) {
  reply_ = reply;
  received_.Feed(bytes);
}

void ProtocolOracle::OnPeerEnd() {
  reply_ = nullptr;
  received_.Finish();
}

std::string ProtocolOracle::Next() {
  std::string sent;
  while (next_ < input_->parts.size() && !IsAnswer(input_->parts[next_])) {
    const size_t expected = pending_.expected();
    sent += PartToSend(next_);
    if (pending_.expected() > expected) break;
  }
  return sent;
}

std::string ProtocolOracle::Rest() {
  std::string rest;
  while (next_ < input_->parts.size()) rest += PartToSend(next_);
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

std::string_view ProtocolOracle::first_expected_method() const {
  const PendingRequest* first = pending_.FirstExpected();
  return first != nullptr ? std::string_view(first->method) : "";
}

std::string ProtocolOracle::place() const {
  const std::string_view expected = first_expected_method();
  return expected.empty() ? last_sent_ : "request " + std::string(expected);
}

// The method if the protocol has it; otherwise "", because mutants have other methods each time.
std::string_view ProtocolOracle::KnownMethod(std::string_view method,
                                             const wire::MethodSpec* spec) const {
  return spec != nullptr || seeds_->methods.contains(method) ? method : "";
}

const wire::MethodSpec* ProtocolOracle::Spec(std::string_view method) const {
  return options_.dialect != nullptr ? options_.dialect->Find(method) : nullptr;
}

void ProtocolOracle::ReportMissing(Oracle oracle) {
  pending_.GiveUpExpected([&](const PendingRequest& request) {
    Report(oracle,
           std::string(Name(oracle)) + " " + (request.method.empty() ? "?" : request.method),
           "no answer to the request " + request.id + " (" + request.method + ")", "");
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
                            std::string_view evidence) {
  if (!Speaks(oracle)) return;
  sink_({.oracle = oracle,
         .key = std::move(key),
         .text = std::move(text),
         .part = next_ == 0 ? 0 : next_ - 1,
         .evidence = std::string(evidence.substr(0, kMaxEvidence))});
}

}  // namespace midwire::fuzz
