#include "fuzz/live/investigate.h"

#include <algorithm>
#include <optional>

#include "fuzz/cause.h"
#include "fuzz/reduce.h"

namespace midwire::fuzz {
namespace {

// Earlier runs on the same peer that are tried together, before the whole history.
constexpr size_t kRecent = 8;
// Answers get this many times the time of the search, because a wrong verdict costs more than time
// here, but no longer than a busy machine may stall. A play that shows a hang waits all of it.
constexpr int kPatience = 4;
constexpr int64_t kLongStop = 1'000'000'000;
// Bounds of the time for the plays at the end: most take milliseconds, and what was played once may
// be flaky.
constexpr int64_t kLeastConfirmation = 200'000'000, kMostConfirmation = 2'000'000'000;

int PatienceWith(const Target& target) {
  const int64_t times = kLongStop / std::max<int64_t>(target.timeout_ns(), 1);
  return static_cast<int>(std::clamp<int64_t>(times, 1, kPatience));
}

bool Stopped(const InvestigateOptions& options) { return options.stop && options.stop(); }

// Plays the run kFirstTries times, fewer if the time for that is over. Counts the plays, those that
// show the finding, and keeps the last of these. A play that was cut by the end of the run is no
// verdict.
Status Count(Target* target, const std::string& key, const InvestigateOptions& options, int64_t end,
             Investigated* seen) {
  while (seen->tries < kFirstTries && !Stopped(options)) {
    if (seen->tries > 0 && options.now() >= end) break;
    Transcript transcript;
    const auto findings = target->Play(seen->life, PatienceWith(*target), &transcript);
    if (!findings) return findings.error();
    const Finding* finding = FindKey(*findings, key, /*probes=*/false);
    if (finding == nullptr && Stopped(options)) break;
    ++seen->tries;
    if (finding == nullptr) continue;
    ++seen->hits;
    seen->finding = *finding;
    seen->transcript = std::move(transcript);
  }
  return Ok{};
}

bool NeedsEof(Oracle oracle) {
  return oracle == Oracle::kSpin || oracle == Oracle::kLostAtEof || oracle == Oracle::kSleepAtEof;
}

// On a line of its own.
void AddLine(const Part& part, Input* input) {
  const bool joins = part.framing == wire::Framing::kLine && !input->parts.empty() &&
                     !input->parts.back().bytes.ends_with('\n');
  if (joins) input->parts.push_back({.bytes = "\n"});
  input->parts.push_back(part);
}

// Plays the run once. Whether the finding occurs, or another of its oracle; then *seen has it.
Result<bool> Occurs(Target* target, const Case& life, const Finding& sought, Investigated* seen) {
  Transcript transcript;
  const auto findings = target->Play(life, PatienceWith(*target), &transcript);
  if (!findings) return findings.error();
  const Finding* found = FindKey(*findings, sought.key, /*probes=*/false);
  for (const Finding& finding : *findings) {
    const bool counts = finding.oracle == sought.oracle && !finding.of_probe;
    if (found == nullptr && counts) found = &finding;
  }
  if (found == nullptr) return false;
  *seen = {
      .life = life, .finding = *found, .transcript = std::move(transcript), .hits = 1, .tries = 1};
  return true;
}

}  // namespace

bool HasKey(const std::vector<Finding>& findings, const std::string& key) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.key == key; });
}

const Finding* FindKey(const std::vector<Finding>& findings, const std::string& key, bool probes) {
  for (const bool of_probe : {false, true}) {
    if (of_probe && !probes) break;
    for (const Finding& finding : findings) {
      if (finding.key == key && finding.of_probe == of_probe) return &finding;
    }
    for (const Finding& finding : findings) {
      const bool same = CauseOf(finding.key) == CauseOf(key) || IsSameKey(key, finding.key);
      if (same && finding.of_probe == of_probe) return &finding;
    }
  }
  return nullptr;
}

int PlaysToShow(int hits, int tries) {
  if (tries > 0 && hits >= tries) return 1;
  constexpr int kLeast = 9, kPerHit = 5;  // with a chance of 1 in n, all of 5 n plays miss it: 0.7%
  return std::clamp(hits > 0 ? kPerHit * tries / hits : kMostPlays, kLeast, kMostPlays);
}

Investigated SeenOnce(const Target& target, Case sent, Finding finding) {
  Investigated whole = {.life = std::move(sent), .finding = std::move(finding)};
  whole.life.eof = whole.finding.at_eof, whole.life.probes_sync = false;
  for (const Part& part : whole.life.input.parts) {
    whole.transcript.chunks.push_back({target.ours(), part.bytes});
  }
  return whole;
}

Result<Investigated> ReduceCase(Target* target, Case life, const Shows& shows_it, int tries,
                                const InvestigateOptions& options) {
  const int64_t last =
      std::clamp(options.max_time_ns / kConfirmIn, kLeastConfirmation, kMostConfirmation);
  const int64_t begin = options.now(), end = begin + options.max_time_ns - last;
  std::optional<Error> failure;
  Investigated result = {.life = std::move(life)};
  // Each play that shows it leaves its transcript, which is what is saved.
  const auto shows = [&](const Case& candidate, int patience) {
    Transcript transcript;
    const auto findings = target->Play(candidate, patience, &transcript);
    if (!findings) {
      failure = findings.error();
      return false;
    }
    Finding finding;
    if (!shows_it(*findings, transcript, &finding)) return false;
    result.finding = std::move(finding);
    result.transcript = std::move(transcript);
    if (options.shown) options.shown(candidate.input);
    return true;
  };
  const auto any_shows = [&](const Case& candidate) {
    for (int i = 0; i < tries; ++i) {
      if (failure || Stopped(options) || options.now() > end) return false;
      if (shows(candidate, std::min(options.patience, PatienceWith(*target)))) return true;
    }
    return false;
  };
  // First the simplest pace that shows it, then the reduction.
  if (result.life.pace != Pace::kLockstep) {
    Case plain = result.life;
    plain.pace = Pace::kLockstep;
    if (any_shows(plain)) result.life = std::move(plain);
  }
  const auto still = [&](const Input& input) {
    return any_shows({.input = input,
                      .pace = result.life.pace,
                      .eof = result.life.eof,
                      .probes_sync = result.life.probes_sync});
  };
  const auto over = [&] { return failure || Stopped(options) || options.now() > end; };
  Reduced reduced =
      Reduce(result.life.input, still, {.max_tests = options.max_tests, .stop = over});
  result.life.input = std::move(reduced.input);
  result.tests = reduced.tests;
  result.finished = reduced.finished;
  if (result.life.probes_sync) {  // the bytes that broke the framing are mostly gone
    Case plain = result.life;
    plain.probes_sync = false;
    if (any_shows(plain)) result.life = std::move(plain);
  }
  result.reducing_ns = options.now() - begin;
  const int64_t surely = std::max(end, options.now()) + last;
  for (int i = 0; i < kTries && !failure && !Stopped(options); ++i) {
    if (i > 0 && options.now() >= surely) break;
    const bool shown = shows(result.life, PatienceWith(*target));
    if (!shown && Stopped(options)) break;  // cut short, so no verdict
    ++result.tries;
    result.hits += shown;
  }
  if (failure) return *failure;
  return result;
}

std::vector<Case> CasesOf(const Target& target, const Finding& finding) {
  std::vector<Case> cases = {target.Recent(1), target.Recent(kRecent), target.History()};
  for (size_t i = 1; i < cases.size(); ++i) cases[i].probes_sync = target.probes_sync();
  const bool eof = finding.at_eof || NeedsEof(finding.oracle);
  const auto probe = finding.of_probe ? target.ProbePart() : std::nullopt;
  for (Case& each : cases) {
    if (probe) AddLine(*probe, &each.input);
  }
  for (Case& each : cases) each.eof = eof;
  if (!eof) return cases;
  cases.insert(cases.begin(), Case{.input = target.Recent(0).input, .eof = true});
  if (probe) AddLine(*probe, &cases[0].input);
  return cases;
}

Result<Investigated> Investigate(Target* target, Finding finding, std::vector<Case> cases,
                                 const InvestigateOptions& options) {
  const int64_t begin = options.now(), end = begin + options.max_time_ns;
  const bool eof = cases[0].eof;
  for (size_t i = 0; i < cases.size() && !Stopped(options); ++i) {
    if (i > 0 && options.now() > end) break;
    // The same run again: it had no history.
    if (i > 0 && cases[i].input.parts.size() == cases[i - 1].input.parts.size()) continue;
    // Most guesses are a stall of the machine. What one play does not show is not played again:
    // that of a whole history takes seconds.
    const bool guess = IsGuess(finding.oracle), in_turn = cases[i].pace == Pace::kLockstep;
    Investigated seen;
    bool occurs = !guess || (in_turn && !eof);
    if (!occurs) {
      const auto shown = Occurs(target, cases[i], finding, &seen);
      if (!shown) return shown.error();
      occurs = *shown;
      // A message that may be answered in any way hides a wrong answer that arrives after it. In
      // the search, the opening was answered before.
      if (!occurs && (eof || NeedsTime(finding.oracle))) continue;
    }
    if (!eof) {
      // Message by message, so that the finding, or another of its oracle, names the right message.
      Case plain = cases[i];
      plain.pace = Pace::kLockstep;
      auto shown = Occurs(target, plain, finding, &seen);
      if (!shown) return shown.error();
      if (!*shown && guess && (in_turn || !occurs)) continue;
      if (*shown) {
        cases[i].pace = Pace::kLockstep;
      } else if (!guess && !in_turn) {
        // It needs several messages at once. On a fresh peer, the fault may come at another one.
        shown = Occurs(target, cases[i], finding, &seen);
        if (!shown) return shown.error();
      }
      if (*shown && seen.finding.key != finding.key && options.known &&
          options.known(seen.finding)) {
        return Investigated{.finding = std::move(seen.finding)};
      }
      if (*shown)
        finding = seen.finding;
      else if (!Stopped(options))  // a play that was cut takes no confirmation away
        seen = {};
    }
    // A play of this run counts.
    if (CauseOf(seen.finding.key) != CauseOf(finding.key)) seen = {};
    seen.life = cases[i];
    const int64_t counts = begin + options.max_time_ns / kConfirmIn;
    const Status counted = Count(target, finding.key, options, counts, &seen);
    if (!counted) return counted.error();
    if (seen.hits == 0) continue;
    const auto shows = [&](const std::vector<Finding>& findings, const Transcript&,
                           Finding* found) {
      const Finding* same = FindKey(findings, finding.key, /*probes=*/false);
      if (same != nullptr) *found = *same;
      return same != nullptr;
    };
    InvestigateOptions left = options;
    left.max_time_ns = end - options.now();
    // Each play that shows it takes the whole timeout; only the final plays wait longer.
    if (NeedsTime(finding.oracle)) left.patience = 1;
    auto reduced =
        ReduceCase(target, cases[i], shows, seen.hits == seen.tries ? 1 : kFirstTries, left);
    if (!reduced) return reduced.error();
    // It could not be reduced and then did not occur, or the reduced run shows it only without
    // waiting.
    if (reduced->finding.key.empty() || (reduced->tries == kTries && reduced->hits == 0)) {
      seen.reducing_ns = reduced->reducing_ns;
      return seen;
    }
    // Stopped before the reduced run was confirmed; the full run was.
    if (reduced->tries == 0) reduced->hits = seen.hits, reduced->tries = seen.tries;
    return reduced;
  }
  return SeenOnce(*target, std::move(cases.back()), std::move(finding));
}

}  // namespace midwire::fuzz
