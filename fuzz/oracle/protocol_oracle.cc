#include "fuzz/oracle/protocol_oracle.h"

#include <algorithm>

#include "fuzz/oracle/body.h"
#include "wire/contains.h"

namespace midwire::fuzz {
namespace {

// A body that is not all there is made up with so many blanks at most: more cost more than a start.
constexpr size_t kMaxBlanks = 4096;
// A frame of the peer's that is longer is looked at by its head only.
constexpr size_t kMaxHeard = 16u << 20;

}  // namespace

ProtocolOracle::ProtocolOracle(Seeds* seeds, Features* features,
                               const ProtocolOracleOptions& options, Sink sink)
    : seeds_(seeds),
      features_(features),
      options_(options),
      sink_(std::move(sink)),
      shutdown_methods_(options.dialect),
      said_({.read =
                 [this](const wire::Frame& frame, const wire::Message& message) {
                   return InspectSent(frame, message, *seeds_, options_);
                 },
             .on_frame = [this](const SentMessageInfo& said,
                                std::string_view bytes) { OnSaid(said, said.body.of(bytes)); },
             .on_junk = [this](const wire::Junk& junk) { OnSaidJunk(junk); }}),
      heard_({.read = InspectReceived,
              .on_frame = [this](const ReceivedMessageInfo& heard,
                                 std::string_view bytes) { OnHeard(heard, bytes); },
              .on_junk = [this](const wire::Junk& junk) { OnHeardJunk(junk); }},
             kMaxHeard) {
  OnPeer();
}

void ProtocolOracle::OnPeer() {
  // What we say is read as the peer must: by the framing of its protocol alone.
  said_.Start(seeds_->framing);
  heard_.Start(seeds_->framing);
  seeds_->live.Forget();
  pending_.OnPeer();
  open_.clear();
  open_before_ = 0;
  odd_ = odd_before_ = notified_ = closing_ = unopened_ = false;
  in_sync_ = ends_line_ = true;
  gave_up_ = false;
  last_said_ = "nothing";
  last_asked_.clear();
  input_ = nullptr;
}

void ProtocolOracle::OnRun(const Input* input) {
  input_ = input;
  used_.assign(input->parts.size(), false);
  next_ = 0;
  part_of_ = SIZE_MAX;
  open_before_ = open_.size();
  pending_.OnRun();
  seeds_->live.OnRun();
  odd_before_ = odd_;
  odd_ = notified_ = last_owed_ = false;
  bad_ = refused_ = answers_ = refused_before_ = 0;
  last_asked_.clear();
  features_->OnRun();
}

const ProtocolOracle::PartReading& ProtocolOracle::ReadPart(size_t index) {
  if (part_of_ == index) return *part_read_;
  part_of_ = index;
  const Part& part = input_->parts[index];
  const PartReading* known = part.junk() ? nullptr : parts_.Find(part.bytes);
  if (known != nullptr && known->head == part.head) return *(part_read_ = known);
  part_ = {.head = part.head};
  part_read_ = &part_;
  if (part.junk()) return part_;
  const std::string_view body = part.body();
  seeds_->live.FindUses(body, &part_.uses);
  part_.answers = wire::Contains(body, "\"result\"") || wire::Contains(body, "\"error\"");
  parts_.Keep(part.bytes, part_);
  return part_;
}

bool ProtocolOracle::Depends(size_t index) {
  const Part& part = input_->parts[index];
  if (used_[index] || part.junk()) return false;
  const PartReading& reading = ReadPart(index);
  return reading.answers || !seeds_->live.AreMade(reading.uses);
}

std::string_view ProtocolOracle::Say(size_t index) {
  next_ = index + 1;
  if (used_[index]) return "";
  used_[index] = true;
  const Part& part = input_->parts[index];
  const auto& uses = ReadPart(index).uses;
  if (uses.empty() || !seeds_->live.Apply(part.body(), uses, &body_)) {
    Sent(part.bytes);
    return part.bytes;
  }
  Part live = part;
  live.SetBody(body_);
  bytes_ = std::move(live.bytes);
  Sent(bytes_);
  return bytes_;
}

void ProtocolOracle::Sent(std::string_view bytes, bool aside) {
  const std::string before = aside ? last_said_ : "";
  said_.Feed(bytes);
  if (aside) last_said_ = before;
}

void ProtocolOracle::OnBytes(std::string_view bytes, std::string* reply) {
  reply_ = reply;
  heard_.Feed(bytes);
}

void ProtocolOracle::OnPeerEnd() {
  reply_ = nullptr;
  heard_.Finish();
}

std::string ProtocolOracle::Next() {
  std::string said;
  while (next_ < input_->parts.size() && !IsAnswer(input_->parts[next_])) {
    const size_t owed = pending_.owed();
    said += Say(next_);
    if (pending_.owed() > owed) break;
  }
  return said;
}

std::string ProtocolOracle::Rest() {
  std::string rest;
  while (next_ < input_->parts.size()) rest += Say(next_);
  return rest;
}

// The peer waits for something that we do not say.
void ProtocolOracle::DropExpectations() {
  pending_.DropExpectations();
  odd_ = true;
  last_owed_ = false;
}

// One of its requests gets no answer.
void ProtocolOracle::GiveUpOnPeer() {
  DropExpectations();
  in_sync_ = false;
  gave_up_ = true;
}

std::string ProtocolOracle::Complete() {
  std::string blanks;
  while (!at_boundary() && blanks.size() < kMaxBlanks) {
    blanks += ' ';
    Sent(" ");
  }
  return blanks;
}

std::string_view ProtocolOracle::owed_method() const {
  const PendingRequest* first = pending_.FirstOwed();
  return first != nullptr ? std::string_view(first->method) : "";
}

std::string ProtocolOracle::place() const {
  const std::string_view owed = owed_method();
  return owed.empty() ? last_said_ : "request " + std::string(owed);
}

// A method that the protocol knows; else "", as a mutant's would be another each time.
std::string_view ProtocolOracle::Word(std::string_view method, const wire::MethodSpec* spec) const {
  return spec != nullptr || seeds_->methods.contains(method) ? method : "";
}

const wire::MethodSpec* ProtocolOracle::Spec(std::string_view method) const {
  return options_.dialect != nullptr ? options_.dialect->Find(method) : nullptr;
}

void ProtocolOracle::ReportMissing(Oracle oracle) {
  pending_.GiveUp([&](const PendingRequest& asked) {
    if (!on(oracle)) return;
    Report(oracle, std::string(Name(oracle)) + " " + (asked.method.empty() ? "?" : asked.method),
           "the request " + asked.id + " (" + asked.method + ") is not answered", "");
  });
}

void ProtocolOracle::ReportUnanswered() {
  if (!on(Oracle::kParseError) || refused_ >= bad_) return;
  // Who is silent about one method's bad request is so about all of them.
  const bool junk = last_said_.starts_with("junk ");
  Report(Oracle::kParseError,
         "parse-error after " + (junk ? last_said_ : last_said_.substr(0, last_said_.find(' '))),
         "a bad message is not answered with an error, after " + last_said_, "");
}

void ProtocolOracle::Report(Oracle oracle, std::string key, std::string text,
                            std::string_view evidence) {
  sink_({.oracle = oracle,
         .key = std::move(key),
         .text = std::move(text),
         .part = next_ == 0 ? 0 : next_ - 1,
         .evidence = std::string(evidence.substr(0, kMaxEvidence))});
}

}  // namespace midwire::fuzz
