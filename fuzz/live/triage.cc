#include "fuzz/live/triage.h"

#include <algorithm>
#include <utility>

#include "fuzz/cause.h"
#include "fuzz/live/finding_record.h"
#include "fuzz/random.h"
#include "io/clock.h"

namespace midwire::fuzz {
namespace {

constexpr size_t kShownInputs = 12;  // of one reduction, to learn from

// Time for a last replay after the signal to end; most replays need less.
constexpr int64_t kLastLook = 1'000'000'000;

}  // namespace

Triage::Triage(const EngineOptions* options, const Seeds* seeds,
               const ShutdownMethods* shutdown_methods, KnownCauses* known, Counters* counters,
               const LineSink& print_line)
    : options_(options),
      seeds_(seeds),
      shutdown_methods_(shutdown_methods),
      known_(known),
      counters_(counters),
      store_(options->findings, options->kept, counters, print_line),
      suspicions_(options->max_time_ns) {}

void Triage::UseTarget(Target* target) {
  target_ = target;
  target_->stop = [this] { return Stops(); };
}

void Triage::Begin(const Coverage* coverage, Tier tier, int64_t now_ns) {
  coverage_ = coverage;
  tier_ = tier;
  begin_ = now_ns;
}

// After the signal to end, the current finding is saved as it is, except a guess, which is
// worthless before it is confirmed.
bool Triage::Stops() {
  if (!EngineStops()) return false;
  if (last_look_ == 0) last_look_ = io::MonotonicNow() + kLastLook;
  return !guesses_ || io::MonotonicNow() >= last_look_;
}

void Triage::OnClean(const SentInput& sent) { known_->OnClean(SurelyRead(*sent.input)); }

// The parts that the peer has read for certain: it may end after one that closes the session, or
// find no message any more after a broken header.
Input Triage::SurelyRead(const Input& all) const {
  Input input = all;
  const bool headers = seeds_->framing == wire::Framing::kContentLength;
  for (size_t i = 0; i < input.parts.size(); ++i) {
    const Part& part = input.parts[i];
    if (!(headers && part.junk()) && !shutdown_methods_->IsNamedIn(part.bytes)) continue;
    input.parts.resize(i + 1);
  }
  return input;
}

Status Triage::OnFindings(const std::vector<Finding>& findings, const SentInput& sent, bool spent) {
  for (const Finding& finding : findings) {
    // A play that was cut short proves nothing.
    if (EngineStops() && NeedsTime(finding.oracle)) continue;
    const bool exact = sent.bytes.empty() || PaceOf(sent.bytes) == Pace::kLockstep;
    if (!store_.See(finding, exact)) {  // it has occurred before
      if (spent) Learn(finding, *sent.input);
      continue;
    }
    Suspicion seen = {.finding = finding,
                      .cases = CasesOf(*target_, finding),
                      .ancestry = sent.ancestry,
                      .exact = exact,
                      .spent = spent};
    if (IsGuess(finding.oracle)) {
      if (!suspicions_.Add(std::move(seen))) store_.Forget(finding);
      continue;
    }
    bool confirmed = false;
    const Status taken = TakeNew(seen, INT64_MAX, &confirmed);
    if (!taken || ended_) return taken;
  }
  return OnTime();
}

Status Triage::OnTime() {
  while (!suspicions_.empty() && !ended_ && !EngineStops()) {
    const int64_t now = io::MonotonicNow() - begin_;
    const auto next = suspicions_.Next(now);
    if (!next) break;
    const Status examined = Examine(*next, suspicions_.TimeFor(now));
    if (!examined) return examined;
  }
  return Ok{};
}

Status Triage::Finish() {
  while (auto next = suspicions_.Take()) {
    if (ended_) break;
    const Status examined = Examine(*next, kLeastInvestigation);
    if (!examined) return examined;
  }
  return Ok{};
}

Status Triage::Examine(const Suspicion& suspicion, int64_t most_ns) {
  if (store_.Keeps(suspicion.finding)) {  // its cause was saved while it waited
    if (suspicion.exact) store_.See(suspicion.finding, true);
    return Ok{};
  }
  const int64_t begin = io::MonotonicNow();
  bool confirmed = false;
  const Status taken = TakeNew(suspicion, most_ns, &confirmed);
  suspicions_.OnExamined(io::MonotonicNow() - begin, confirmed);
  return taken;
}

// A known cause has occurred again, and cost the peer.
void Triage::Learn(const Finding& finding, const Input& input) {
  if (!store_.Keeps(finding)) return;
  const std::string cause = CauseOf(finding.key), before = known_->TextOf(cause);
  known_->OnShown(cause, input);
  Learned(finding, before);
}

void Triage::Learned(const Finding& finding, const std::string& before) {
  const std::string now = known_->TextOf(CauseOf(finding.key));
  if (now != before) store_.Report("learned", finding, now);
}

// *confirmed: it was worth its time.
Status Triage::TakeNew(const Suspicion& seen, int64_t most_ns, bool* confirmed) {
  const Finding& finding = seen.finding;
  store_.Report("seen", finding);
  std::vector<Input> shown;
  const auto found = InvestigateFinding(seen, most_ns, &shown);
  if (!found) {  // no fresh peer can be started
    const Status saved = Save(SeenOnce(*target_, seen.cases.back(), finding), seen.ancestry);
    return saved ? found.error() : saved.error();
  }
  const bool other = found->finding.key != finding.key;
  *confirmed = found->hits > 0 || other;
  if (other && !seen.exact) store_.Misplaced(finding);
  if (other) store_.See(found->finding, true);
  if (other && store_.Keeps(found->finding)) {
    store_.Report("same", finding, found->finding.key);
    return Ok{};
  }
  if (found->hits == 0 && IsGuess(finding.oracle)) {
    store_.Doubt(finding);  // it may occur again in a run that shows more
    store_.Report("unconfirmed", finding);
    return Ok{};
  }
  const Status saved = Save(*found, seen.ancestry);
  if (!saved) return saved;
  if (seen.spent && found->hits > 0) {
    const std::string cause = CauseOf(found->finding.key), before = known_->TextOf(cause);
    known_->OnReduced(cause, found->life.input, found->finding.part, std::move(shown));
    Learned(found->finding, before);
  }
  const bool fails = SeverityOf(KindOf(found->finding)) > Severity::kNote;
  ended_ = options_->stop_on_finding && fails;
  return Ok{};
}

// Investigations get at most half of the time so far: a finding that is not fully reduced can be
// reduced later. Except for the first finding, and for a minimum per finding.
// *shown: some of the inputs that showed it.
Result<Investigated> Triage::InvestigateFinding(const Suspicion& seen, int64_t most_ns,
                                                std::vector<Input>* shown) {
  const KeptCounters kept(*coverage_, tier_);
  const int64_t begin = io::MonotonicNow();
  InvestigateOptions options = options_->investigate;
  const int64_t most = std::min(options.max_time_ns, most_ns);
  options.max_time_ns = std::clamp(most + (begin - begin_) / 2 - looked_ns_,
                                   std::min(kLeastInvestigation, most), most);
  options.stop = target_->stop;
  options.known = [this](const Finding& other) { return store_.Keeps(other); };
  size_t count = 0;
  Random random(counters_->runs);
  options.shown = [&](const Input& input) {  // each with the same chance
    const size_t at = count++ < kShownInputs ? shown->size() : random.Below(count);
    if (at == shown->size())
      shown->push_back(input);
    else if (at < shown->size())
      (*shown)[at] = input;
  };
  guesses_ = IsGuess(seen.finding.oracle);
  auto found = Investigate(target_, seen.finding, seen.cases, options);
  guesses_ = false;
  const int64_t took = io::MonotonicNow() - begin, reducing = found ? found->reducing_ns : 0;
  looked_ns_ += took;
  counters_->reducing_ns += reducing;
  counters_->confirming_ns += took - reducing;
  return found;
}

Status Triage::Save(const Investigated& found, const std::string& ancestry) {
  FindingRecord record = RecordOf(found, {.options = &options_->runner,
                                          .seeds = seeds_,
                                          .target = target_,
                                          .dialect = options_->dialect,
                                          .exempt = options_->exempt});
  record.ancestry = ancestry;
  record.seed = options_->seed;
  const SentSize sent = SizeOf(found.transcript, target_->ours(), seeds_->framing);
  return store_.Save(found, sent, WriteFinding(&record, found.transcript, options_->runner.argv),
                     ancestry);
}

}  // namespace midwire::fuzz
