#include "fuzz/live/engine.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "fuzz/cause.h"
#include "fuzz/known_causes.h"
#include "fuzz/live/coverage.h"
#include "fuzz/live/finding_record.h"
#include "fuzz/live/finding_store.h"
#include "fuzz/live/host_runner.h"
#include "fuzz/random.h"
#include "fuzz/time_share.h"
#include "io/clock.h"
#include "io/process/scheduling.h"
#include "io/signals.h"
#include "wire/json/writer.h"

extern "C" {
// libFuzzer's interface, for which it has no header.
int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*callback)(const uint8_t*, size_t));
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
void __sanitizer_cov_8bit_counters_init(uint8_t* start, uint8_t* stop);
}

namespace midwire::fuzz {
namespace {

volatile sig_atomic_t stopping = 0;
volatile sig_atomic_t stop_code = 0;  // exit code after a signal

// One in this many mutants that may end the session is kept: a fresh peer costs as much as hundreds
// of messages.
constexpr unsigned kClosesOneIn = 8;

// After a broken header the start of the next message is unknown, and few peers find it again: most
// such mutants cost a fresh peer too. One in this many is kept, depending on that cost, so that
// they take at most about half of the time. The cost of a run is counted in answers.
constexpr int64_t kAnswersARun = 16, kMaxBreaksOneIn = 8;
// Mutants tried to get one that does not break the stream.
constexpr unsigned kUnbroken = 4;

// One in this many mutants is made from the recording and not from the corpus: what the corpus adds
// is mostly something refused, and mutants of mutants are rarely answered. A host drops its plugin
// at the first error.
constexpr size_t kAnewIn = 4, kHostAnewIn = 2;

// Mutants tried to get one without a known cause. Then the messages that have one are left out.
constexpr uint64_t kUnknown = 8;
constexpr size_t kShownInputs = 12;           // of one reduction, to learn from
constexpr uint64_t kNextMutant = 0x9E3779B9;  // from the seed of one to that of the next

// Large inputs take at most this part of the time, with the starts that they cost, so that the rate
// of ordinary ones stays.
constexpr int64_t kLargeOneIn = 20;

UsualMembers UsualOf(const Seeds& seeds) {
  UsualMembers usual;
  for (const Input& input : seeds.inputs) usual.Add(input);
  return usual;
}

// With headers: whether the input has bytes outside messages, or an unfinished message.
bool Breaks(const Input& input) {
  return std::any_of(input.parts.begin(), input.parts.end(),
                     [](const Part& part) { return part.junk(); });
}

// Time for a last replay after the signal to end; most replays need less.
constexpr int64_t kLastLook = 1'000'000'000;

class Engine {
 public:
  Engine(const EngineOptions& options, Seeds* seeds, Counters* counters, LineSink tell)
      : options_(options),
        seeds_(seeds),
        counters_(counters),
        tell_(std::move(tell)),
        mutator_(&seeds->words, {.max_size = options.max_len, .raw = LLVMFuzzerMutate}),
        closing_(options.runner.oracle.dialect, seeds->ends),
        known_(UsualOf(*seeds), seeds->opening),
        store_(options.findings, options.kept, counters, tell_) {}

  Status Prepare() {
    const Status created = coverage_.Create(options_.runner.argv);
    if (!created) return created;
    for (const std::string& variable : coverage_.Environment()) {
      options_.runner.environment.push_back(variable);
    }
    features_ = std::make_unique<Features>(coverage_.Responses());
    target_ = MakeTarget(options_.runner, seeds_, features_.get());
    target_->stop = [this] { return Stops(); };
    target_->on_opened = [this] {
      coverage_.Clear(tier_);
      coverage_.Responses()[0] = 1;
    };
    options_.investigate.stop = target_->stop;
    const Status calibrated = target_->Calibrate();
    if (!calibrated) return calibrated;
    if (stopping != 0) Exit(stop_code);  // not started yet
    begin_ = io::MonotonicNow();
    tier_ = coverage_.Detect();
    if (seeds_->framing == wire::Framing::kContentLength) {
      breaks_one_in_ =
          std::clamp<int64_t>(target_->start_cost() / kAnswersARun, 1, kMaxBreaksOneIn);
    }
    for (const std::span<uint8_t> counters : {coverage_.Responses(), coverage_.Edges(tier_)}) {
      if (counters.empty()) continue;
      __sanitizer_cov_8bit_counters_init(counters.data(), counters.data() + counters.size());
    }
    std::string line;
    wire::JsonWriter json(&line);
    json.Open('{');
    json.Key("event").Text("ready");
    json.Key("feedback").Text(Name(tier_));
    json.Key("probe").Text(target_->AliveText());
    json.Key("timeout_ms").Number(target_->timeout_ns() / 1'000'000);
    json.Close('}');
    tell_(line);
    return Ok{};
  }

  void TestOne(std::string_view bytes) {
    coverage_.Responses()[0] = 1;  // libFuzzer needs at least one feature
    if (stopping != 0 || (options_.max_runs != 0 && counters_->runs >= options_.max_runs)) End();
    coverage_.NextRun();
    const bool large = bytes.size() > options_.max_len;
    const int64_t start = large ? io::MonotonicNow() : 0;
    const auto findings = target_->Run(Parsed(bytes), PaceOf(bytes));
    if (large) {
      SpendLarge(start);
    } else {
      compares_.OnOutput(bytes, coverage_.Compares(tier_));
    }
    ++counters_->runs;
    counters_->messages = target_->messages();
    counters_->starts = target_->starts();
    if (features_->states() > counters_->states) {
      counters_->states = features_->states();
      counters_->new_ns = io::MonotonicNow();
    }
    if (!findings) return Fail(findings.error());
    const bool spent = target_->spent();
    if (findings->empty() && stopping == 0 && target_->opened() && !options_.runner.host &&
        !large) {
      known_.OnClean(SurelyRead(bytes));
    }
    for (const Finding& finding : *findings) {
      // A play that was cut short proves nothing.
      if (stopping != 0 && NeedsTime(finding.oracle)) continue;
      if (!Take(finding, bytes, spent) && spent) Learn(finding, bytes);
    }
    if (stopping != 0) End();
  }

  size_t Mutate(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    const std::string_view parent(reinterpret_cast<char*>(data), std::min(size, options_.max_len));
    if (const size_t made = MutateLarge(data, max_size, seed)) return made;
    if (known_.empty()) return Put(Mutant(parent, seed), data, size, max_size);
    const std::string kept(parent);
    Input mutant;
    for (uint64_t i = 0; i < kUnknown; ++i) {
      mutant = ParseInput(Mutant(kept, seed + i * kNextMutant).Bytes(), seeds_->framing);
      if (!known_.Skips(mutant, seed + i)) return Put(mutant, data, size, max_size);
      ++counters_->skipped;
    }
    known_.LeaveOut(&mutant);
    ancestry_.clear();
    return Put(mutant, data, size, max_size);
  }

  size_t CrossOver(std::string_view a, std::string_view b, uint8_t* out, size_t max_size,
                   unsigned seed) {
    Input crossed = mutator_.CrossOver(Parsed(a), ParseInput(b, seeds_->framing), seed);
    ancestry_.clear();
    if (seed % kClosesOneIn != 1) closing_.LeaveOut(&crossed);
    if (!known_.empty() && known_.Skips(crossed, seed)) {
      ++counters_->skipped;
      known_.LeaveOut(&crossed);
    }
    return Put(crossed, out, 0, std::min(max_size, options_.max_len));
  }

  [[noreturn]] void End() {
    if (stopping == 0) {
      for (const Finding& finding : target_->Retire()) Take(finding, "", false);
    }
    target_->Retire();
    Exit(stop_code);
  }

  // Destructors do not run when libFuzzer exits, so a target removes its files here.
  [[noreturn]] void Exit(int code) {
    target_.reset();
    _exit(code);
  }

  [[noreturn]] void Fail(const Error& error) {
    std::string line;
    wire::JsonWriter json(&line);
    json.Open('{');
    json.Key("event").Text("error");
    json.Key("text").Text(error.Text());
    json.Close('}');
    tell_(line);
    Exit(2);
  }

 private:
  // A large mutant of a recorded input; 0: it is not time for one, or none was made.
  size_t MutateLarge(uint8_t* data, size_t max_size, uint64_t seed) {
    if (options_.max_input <= options_.max_len) return 0;
    const int64_t start = io::MonotonicNow();
    if (large_.Left(start - begin_) == 0) return 0;
    Input input = Anew(seed * kAnewIn);
    ancestry_ = mutator_.Enlarge(&input, seed, std::min(max_size, options_.max_input));
    const size_t made = ancestry_.empty() ? 0 : Put(input, data, 0, max_size);
    large_.Spend(io::MonotonicNow() - start);
    return made;
  }

  // It does not join the corpus: each of its mutants would be as slow.
  void SpendLarge(int64_t start) {
    coverage_.Clear(tier_);
    coverage_.Responses()[0] = 1;
    const int64_t restart = target_->spent() ? target_->start_ns() : 0;
    large_.Spend(io::MonotonicNow() - start + restart);
  }

  // Sets ancestry_.
  Input Mutant(std::string_view parent, uint64_t seed) {
    // Half of the mutants, as long as there are messages.
    if (auto* news = seed % 2 == 0 ? compares_.Next(seed) : nullptr) {
      Input input = ParseInput(news->bytes, seeds_->framing);
      const Compare* used = nullptr;
      ancestry_ = mutator_.MutateCompared(&input, seed, news->compares, &used);
      if (used != nullptr && compares_.Made(news, input.Bytes(), *used)) return input;
    }
    // With its own random seed, because the mutator draws the number of changes first.
    Input input = Random(~seed).OneIn(options_.runner.host ? kHostAnewIn : kAnewIn)
                      ? Anew(seed)
                      : Parsed(parent);
    // What the corpus has of known causes would be in each of its mutants.
    if (!known_.empty()) known_.LeaveOut(&input);
    const bool may_break = breaks_one_in_ == 1 || seed / kClosesOneIn % breaks_one_in_ == 0;
    const Input start = may_break ? Input{} : input;
    for (unsigned attempt = 0; attempt < kUnbroken; ++attempt) {
      if (attempt > 0) input = start;
      ancestry_ = mutator_.Mutate(&input, seed + attempt, compares_.last());
      if (may_break || !Breaks(ParseInput(input.Bytes(), seeds_->framing))) break;
    }
    if (seed % kClosesOneIn != 1) {
      closing_.LeaveOut(&input);
    } else if (Random behind(seed << 32); behind.OneIn(2)) {
      closing_.MoveBehind(&input, &behind);
    }
    return input;
  }

  // The parts that the peer has read for certain: it may end after one that closes the session, or
  // find no message any more after a broken header.
  Input SurelyRead(std::string_view bytes) {
    Input input = Parsed(bytes);
    const bool headers = seeds_->framing == wire::Framing::kContentLength;
    for (size_t i = 0; i < input.parts.size(); ++i) {
      const Part& part = input.parts[i];
      if (!(headers && part.junk()) && !closing_.IsNamedIn(part.bytes)) continue;
      input.parts.resize(i + 1);
    }
    return input;
  }

  // A known cause has occurred again, and cost the peer.
  void Learn(const Finding& finding, std::string_view bytes) {
    if (!store_.Keeps(finding)) return;
    const std::string cause = CauseOf(finding.key), before = known_.TextOf(cause);
    known_.OnShown(cause, Parsed(bytes));
    Learned(finding, before);
  }

  void Learned(const Finding& finding, const std::string& before) {
    const std::string now = known_.TextOf(CauseOf(finding.key));
    if (now != before) store_.Report("learned", finding, now);
  }

  // libFuzzer mutates the same bytes several times in a row, mostly those it has just tried.
  const Input& Parsed(std::string_view bytes) {
    if (bytes != parsed_bytes_) {
      parsed_ = ParseInput(bytes, seeds_->framing);
      parsed_bytes_ = bytes;
    }
    return parsed_;
  }

  Input Anew(uint64_t seed) const {
    const auto& recorded = seeds_->inputs;
    return recorded.empty() ? Input{} : recorded[Random(seed / kAnewIn).Below(recorded.size())];
  }

  size_t Put(const Input& input, uint8_t* out, size_t otherwise, size_t max_size) {
    mutant_ = input.Bytes();
    if (mutant_.size() > max_size) return otherwise;
    if (!mutant_.empty()) memcpy(out, mutant_.data(), mutant_.size());
    return mutant_.size();
  }

  // False: the finding has occurred before. spent: it has cost the peer.
  bool Take(const Finding& finding, std::string_view bytes, bool spent) {
    const bool exact = bytes.empty() || PaceOf(bytes) == Pace::kLockstep;
    if (!store_.See(finding, exact)) return false;
    TakeNew(finding, bytes, exact, spent);
    return true;
  }

  void TakeNew(const Finding& finding, std::string_view bytes, bool exact, bool spent) {
    store_.Report("seen", finding);
    // The investigation's counts are not this input's. Without the input's own counts, libFuzzer
    // would take it for one without features, and exit if it is the first.
    const std::span<uint8_t> counters[] = {coverage_.Responses(), coverage_.Edges(tier_)};
    const std::vector<uint8_t> kept[] = {{counters[0].begin(), counters[0].end()},
                                         {counters[1].begin(), counters[1].end()}};
    std::vector<Input> shown;
    const auto found = InvestigateFinding(finding, &shown);
    for (int i = 0; i < 2; ++i) std::copy(kept[i].begin(), kept[i].end(), counters[i].begin());
    if (!found) {  // no fresh peer can be started
      const Status saved = Save(SeenOnce(*target_, finding), bytes);
      return Fail(saved ? found.error() : saved.error());
    }
    const bool other = found->finding.key != finding.key;
    if (other && !exact) store_.Misplaced(finding);
    if (other) store_.See(found->finding, true);
    if (other && store_.Keeps(found->finding)) {
      return store_.Report("same", finding, found->finding.key);
    }
    if (found->hits == 0 && IsGuess(finding.oracle)) {
      store_.Doubt(finding);  // it may occur again in a run that shows more
      return store_.Report("unconfirmed", finding);
    }
    const Status saved = Save(*found, bytes);
    if (!saved) return Fail(saved.error());
    if (spent && found->hits > 0) {
      const std::string cause = CauseOf(found->finding.key), before = known_.TextOf(cause);
      known_.OnReduced(cause, found->life.input, found->finding.part, std::move(shown));
      Learned(found->finding, before);
    }
    const bool fails = SeverityOf(KindOf(found->finding)) > Severity::kNote;
    if (options_.stop_on_finding && fails) Exit(0);
  }

  Status Save(const Investigated& found, std::string_view bytes) {
    const std::string ancestry = bytes == mutant_ ? AncestryText(ancestry_) : "";
    return store_.Save(found, Write(found, ancestry), ancestry);
  }

  // Investigations get at most half of the time so far, except for the first finding and for a
  // minimum per finding: a finding that is not fully reduced can be reduced later.
  // *shown: some of the inputs that showed it.
  Result<Investigated> InvestigateFinding(const Finding& finding, std::vector<Input>* shown) {
    const int64_t begin = io::MonotonicNow();
    InvestigateOptions options = options_.investigate;
    const int64_t most = options.max_time_ns;
    options.max_time_ns = std::clamp(most + (begin - begin_) / 2 - looked_ns_,
                                     std::min(kLeastInvestigation, most), most);
    options.known = [this](const Finding& other) { return store_.Keeps(other); };
    size_t seen = 0;
    Random random(counters_->runs);
    options.shown = [&](const Input& input) {  // each with the same chance
      const size_t at = seen++ < kShownInputs ? shown->size() : random.Below(seen);
      if (at == shown->size())
        shown->push_back(input);
      else if (at < shown->size())
        (*shown)[at] = input;
    };
    guesses_ = IsGuess(finding.oracle);
    auto found = Investigate(target_.get(), finding, options);
    guesses_ = false;
    looked_ns_ += io::MonotonicNow() - begin;
    return found;
  }

  // After the signal to end, the current finding is saved as it is, except a guess, which is
  // worthless before it is confirmed.
  bool Stops() {
    if (stopping == 0) return false;
    if (last_look_ == 0) last_look_ = io::MonotonicNow() + kLastLook;
    return !guesses_ || io::MonotonicNow() >= last_look_;
  }

  std::string Write(const Investigated& found, const std::string& ancestry) {
    FindingRecord record = RecordOf(found, {.options = &options_.runner,
                                            .seeds = seeds_,
                                            .target = target_.get(),
                                            .dialect = options_.dialect,
                                            .exempt = options_.exempt});
    record.ancestry = ancestry;
    record.seed = options_.seed;
    return WriteFinding(&record, found.transcript, options_.runner.argv);
  }

  EngineOptions options_;
  Seeds* seeds_;
  Counters* counters_;
  LineSink tell_;
  Mutator mutator_;
  const ShutdownMethods closing_;
  KnownCauses known_;
  TimeShare large_{kLargeOneIn};
  uint64_t breaks_one_in_ = 1;
  Coverage coverage_;
  CompareMemory compares_;
  Tier tier_ = Tier::kResponses;
  std::unique_ptr<Features> features_;
  std::unique_ptr<Target> target_;
  FindingStore store_;
  int64_t begin_ = 0, looked_ns_ = 0;  // start of the search; time spent on findings
  int64_t last_look_ = 0;              // end of the last investigation, after the signal to end
  bool guesses_ = false;               // the finding being investigated is a guess
  Input parsed_;                       // the last input, parsed
  std::string parsed_bytes_;
  std::string mutant_;  // the last mutant and its ancestry
  Ancestry ancestry_;
};

// libFuzzer's callbacks take no argument of ours.
Engine* engine = nullptr;

// libFuzzer writes inputs with the umask's mode, and they contain recorded data.
// Peers get the umask that midwire was started with.
constexpr mode_t kPrivate = 077;
mode_t users_mask = 0;

int TestOne(const uint8_t* data, size_t size) {
  umask(users_mask);
  engine->TestOne({reinterpret_cast<const char*>(data), size});
  umask(kPrivate);
  return 0;
}

}  // namespace

void StopEngine(int code) {
  if (stopping == 0) stop_code = code;
  stopping = 1;
}

void RunEngine(const EngineOptions& options, Seeds* seeds, Counters* counters, LineSink tell) {
  if (options.processor >= 0) io::PinToProcessor(options.processor);
  io::YieldToChildren();
  io::IgnoreSignals({SIGPIPE, SIGXFSZ});  // a limit of files' sizes is reported as a full disk is
  static Engine the_engine(options, seeds, counters, tell);
  engine = &the_engine;
  const Status prepared = engine->Prepare();
  if (!prepared) engine->Fail(prepared.error());
  // Signals, time and memory are watched by the runner; the mutator bounds lengths.
  std::vector<std::string> words = {
      "midwire",
      "-seed=" + std::to_string(1 + options.seed % 0x7FFFFFFF),
      "-max_len=" + std::to_string(std::max(options.max_len, options.max_input)),
      "-verbosity=1",
      "-timeout=0",
      "-rss_limit_mb=0",
      "-malloc_limit_mb=0",
      "-detect_leaks=0",
      "-len_control=0",
      std::string("-reload=") + (options.shares ? "1" : "0"),
      "-report_slow_units=2147483647",
      "-print_final_stats=0"};
  for (const char* name :
       {"abrt", "bus", "fpe", "ill", "int", "segv", "term", "xfsz", "usr1", "usr2"}) {
    words.push_back(std::string("-handle_") + name + "=0");
  }
  words.push_back(options.corpus);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  char** arguments = argv.data();
  users_mask = umask(kPrivate);
  LLVMFuzzerRunDriver(&argc, &arguments, TestOne);
  umask(users_mask);
  engine->End();
}

}  // namespace midwire::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return midwire::fuzz::engine->Mutate(data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b,
                                            size_t b_size, uint8_t* out, size_t max_size,
                                            unsigned seed) {
  const auto view = [](const uint8_t* data, size_t size) {
    return std::string_view(reinterpret_cast<const char*>(data), size);
  };
  return midwire::fuzz::engine->CrossOver(view(a, a_size), view(b, b_size), out, max_size, seed);
}
