#include "fuzz/oracle/explain.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fuzz/cause.h"
#include "fuzz/oracle/body.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

const Input kNoInput;
// Of a message: enough to see what is wrong with most.
constexpr size_t kShown = 400;

// Whether it is that a request has no answer.
bool IsOfMissing(Oracle oracle) {
  return oracle == Oracle::kMissing || oracle == Oracle::kLostAtEof;
}
bool IsOfNoAnswer(Oracle oracle) { return oracle == Oracle::kHang || oracle == Oracle::kSilence; }

// Whether it has nothing to do with the last message.
bool IsOfNoMessage(Oracle oracle) {
  return oracle == Oracle::kMemory || oracle == Oracle::kSpin || oracle == Oracle::kSleepAtEof;
}

// Whether messages of the peer show it, so that its place is known when one is received.
bool IsOfMessage(Oracle oracle) {
  constexpr Oracle kAll[] = {Oracle::kDouble,    Oracle::kUnknown, Oracle::kIdType,
                             Oracle::kShape,     Oracle::kDialect, Oracle::kNotification,
                             Oracle::kPollution, Oracle::kUtf8,    Oracle::kBigId,
                             Oracle::kBadMessage};
  return std::find(std::begin(kAll), std::end(kAll), oracle) != std::end(kAll);
}

std::string InState(SyncState state) { return "the session is " + std::string(Name(state)); }

}  // namespace

Explainer::Explainer(Seeds* seeds, const ProtocolOracleOptions& options, bool probed,
                     ExplainedFinding finding)
    : seeds_(seeds),
      options_(options),
      probed_(probed),
      finding_(std::move(finding)),
      oracle_(seeds, &features_, options, [this](const Finding& found) { OnReported(found); }) {
  oracle_.set_listener([this](wire::Direction from, const std::string&, std::string_view bytes) {
    if (from != seeds_->ours) OnReceived(bytes);
  });
  oracle_.set_rule_listener(
      [this](const wire::Message& answer, const AnswerRule& rule) { OnRule(answer, rule); });
  oracle_.OnRun(&kNoInput);
}

void Explainer::On(wire::Direction direction, std::string_view bytes) {
  const SyncState before = oracle_.state().sync;
  if (direction == seeds_->ours) {
    OnSent(bytes);
  } else {
    oracle_.OnBytes(bytes, nullptr);
  }
  const SyncState now = oracle_.state().sync;
  if (now != before) text_ += "   " + InState(now) + "\n";
}

void Explainer::OnReported(const Finding& finding) {
  text_ += "   reported: " + wire::Escaped(finding.key) +
           "\n   because: " + wire::Escaped(finding.text) + "\n";
  any_ = true;
  if (fault_at_ || finding.of_probe || !IsSameKey(finding_.key, finding.key)) return;
  fault_at_ = AtOfRequest(oracle_.answered());
  if (!fault_at_ && !sent_.empty()) fault_at_ = sent_.back().at;
}

void Explainer::OnSent(std::string_view bytes) {
  // A reply to the peer does not allow any answer, as an answer of an input does.
  const Input input = ParseInput(bytes, seeds_->framing);
  const bool reply = input.parts.size() == 1 && IsAnswer(input.parts[0]) &&
                     oracle_.IsAsked(AnsweredId(wire::Trimmed(input.parts[0].body())));
  oracle_.OnSent(bytes, reply ? Sent::kReply : Sent::kPart);
  const PeerState state = oracle_.state();
  text_ += "-> " + (state.at_boundary ? wire::Escaped(oracle_.last_sent()) : "a part of a message");
  text_ += ": " + Shown(bytes) + "\n";
  sent_.push_back(SentRecord{sent_bytes_, text_.size(), oracle_.pending().last()});
  sent_bytes_ += bytes.size();
  if (!probed_ || !state.at_boundary || !NeedsProbe(state.sync)) return;
  text_ += "   a probe follows, which is not in the trace\n";
  oracle_.OnProbeAnswered();
}

void Explainer::OnReceived(std::string_view bytes) { text_ += "<- " + Shown(bytes) + "\n"; }

// Without its header or the end of its line, if it is a message whose frame is as usual.
std::string Explainer::Shown(std::string_view bytes) const {
  const Input input = ParseInput(bytes, seeds_->framing);
  const bool plain = input.parts.size() == 1 && !input.parts[0].junk() &&
                     PlainFrame(bytes, seeds_->framing) == bytes.size();
  const std::string_view shown = plain ? wire::Trimmed(input.parts[0].body()) : bytes;
  if (shown.size() <= kShown) return wire::Escaped(shown);
  return wire::Escaped(shown.substr(0, kShown)) + "... (" + wire::Counted(shown.size(), "byte") +
         ")";
}

void Explainer::OnRule(const wire::Message& answer, const AnswerRule& rule) {
  const std::string& id = answer.id.token;
  text_ += "   " + std::string(Name(answer.kind)) + " " +
           (id.empty() ? "without an id" : wire::Escaped(id)) + ": " + rule.condition + "\n";
  const auto fault = FaultOf(rule.verdict);
  const SyncState state = oracle_.state().sync;
  std::string reason;
  if (!fault && Name(rule.verdict) == "accepted") reason = rule.reason;
  if (fault && !MaySpeak(*fault, state)) {
    reason = InState(state) + ", so " + std::string(Name(*fault)) + " is no fault";
  }
  if (fault && !options_.oracles[static_cast<size_t>(*fault)]) {
    reason = "the oracle " + std::string(Name(*fault)) + " is off";
  }
  if (!reason.empty()) text_ += "   not reported because " + reason + "\n";
}

std::optional<size_t> Explainer::AtOfRequest(size_t place) const {
  if (place == 0) return std::nullopt;
  const auto found = std::find_if(sent_.begin(), sent_.end(), [&](const SentRecord& sent) {
    return sent.last_request >= place;
  });
  if (found == sent_.end()) return std::nullopt;
  return found->at;
}

// As ProtocolOracle::place says: the first request that is not answered, else the last message.
std::optional<size_t> Explainer::AtOfProcess() const {
  if (const PendingRequest* const first = oracle_.pending().FirstExpected()) {
    return AtOfRequest(oracle_.pending().PlaceOf(first));
  }
  if (sent_.empty()) return std::nullopt;
  return sent_.back().at;
}

// Below the requests that must be answered and were not.
void Explainer::AddMissing() {
  const PendingRequests& pending = oracle_.pending();
  std::string text;
  size_t copied = 0, place = 1;
  bool any = false;
  for (const SentRecord& sent : sent_) {
    for (; place <= sent.last_request; ++place) {
      const PendingRequest& request = *pending.At(place);
      if (!request.expected || request.answered) continue;
      const bool named = IsOfMissing(finding_.oracle) &&
                         finding_.key == std::string(Name(finding_.oracle)) + " " + NameOf(request);
      const bool reported = named || (IsOfNoAnswer(finding_.oracle) && !any);
      any = true;
      if (named && !fault_at_) fault_at_ = sent.at;
      text += text_.substr(copied, sent.text_end - copied) + "   must be answered; was not" +
              (reported && !finding_.key.empty() ? ": reported\n" : "\n");
      copied = sent.text_end;
    }
  }
  text_ = text + text_.substr(copied);
}

void Explainer::End() {
  oracle_.OnPeerEnd();
  const PeerState state = oracle_.state();
  AddMissing();
  const bool of_process = !finding_.key.empty() && !IsOfMissing(finding_.oracle) &&
                          !IsOfMessage(finding_.oracle) && !IsOfNoMessage(finding_.oracle);
  if (of_process && !fault_at_) fault_at_ = AtOfProcess();
  if (state.due > 0) {
    text_ += wire::Counted(state.due, "answer") + " missing at the end, the first to " +
             wire::Escaped(oracle_.place()) + "\n";
  }
  text_ += "at the end, " + InState(state.sync) + "; no fault then:";
  std::string none;
  for (const OracleSpec& spec : Oracles()) {
    if (!MaySpeak(spec.oracle, state.sync))
      none += std::string(none.empty() ? " " : ", ") + spec.name;
  }
  text_ += (none.empty() ? " nothing" : none) + "\n";
}

}  // namespace midwire::fuzz
