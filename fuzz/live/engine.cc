#include "fuzz/live/engine.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "fuzz/live/coverage.h"
#include "fuzz/live/host_runner.h"
#include "fuzz/live/input_maker.h"
#include "fuzz/live/triage.h"
#include "io/clock.h"
#include "io/process/scheduling.h"
#include "io/signals.h"
#include "wire/json/writer.h"

extern "C" {
// libFuzzer's interface, for which it has no header.
int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*callback)(const uint8_t*, size_t));
void __sanitizer_cov_8bit_counters_init(uint8_t* start, uint8_t* stop);
}

namespace midwire::fuzz {
namespace {

volatile sig_atomic_t stopping = 0;
volatile sig_atomic_t stop_code = 0;  // exit code after a signal

UsualMembers UsualOf(const Seeds& seeds) {
  UsualMembers usual;
  for (const Input& input : seeds.inputs) usual.Add(input);
  return usual;
}

class Engine {
 public:
  Engine(const EngineOptions& options, Seeds* seeds, Counters* counters, LineSink print_line)
      : options_(options),
        seeds_(seeds),
        counters_(counters),
        print_line_(std::move(print_line)),
        shutdown_methods_(options.runner.oracle.dialect, seeds->ends),
        known_(UsualOf(*seeds), seeds->opening),
        maker_(&options_, seeds, &shutdown_methods_, &known_, counters),
        triage_(&options_, seeds, &shutdown_methods_, &known_, counters, print_line_) {}

  Status Prepare() {
    const Status created = coverage_.Create(options_.runner.argv);
    if (!created) return created;
    for (const std::string& variable : coverage_.Environment()) {
      options_.runner.environment.push_back(variable);
    }
    features_ = std::make_unique<Features>(coverage_.Responses());
    target_ = MakeTarget(options_.runner, seeds_, features_.get());
    triage_.UseTarget(target_.get());
    target_->on_opened = [this] { ForgetCounts(); };
    const Status calibrated = target_->Calibrate();
    if (!calibrated) return calibrated;
    shutdown_methods_ = ShutdownMethods(options_.runner.oracle.dialect, seeds_->ends);
    if (EngineStops()) Exit(stop_code);  // not started yet
    const int64_t begin = io::MonotonicNow();
    tier_ = coverage_.Detect();
    maker_.Begin(*target_, begin);
    triage_.Begin(&coverage_, tier_, begin);
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
    print_line_(line);
    return Ok{};
  }

  void TestOne(std::string_view bytes) {
    coverage_.Responses()[0] = 1;  // libFuzzer needs at least one feature
    if (EngineStops() || (options_.max_runs != 0 && counters_->runs >= options_.max_runs)) End();
    coverage_.NextRun();
    const bool large = maker_.IsLarge(bytes);
    const int64_t start = large ? io::MonotonicNow() : 0;
    const Input& input = maker_.Parsed(bytes);
    const auto findings = target_->Run(input, PaceOf(bytes));
    if (large) {
      // It does not join the corpus: each of its mutants would be as slow.
      ForgetCounts();
      const int64_t restart = target_->spent() ? target_->start_ns() : 0;
      maker_.SpendLarge(io::MonotonicNow() - start + restart);
    } else {
      maker_.OnOutput(bytes, coverage_.Compares(tier_));
    }
    Count();
    if (!findings) return Fail(findings.error());
    const SentInput sent = {.bytes = bytes, .input = &input};
    if (findings->empty() && !EngineStops() && target_->opened() && !options_.runner.host &&
        !large) {
      triage_.OnClean(sent);
    }
    if (!findings->empty()) {
      Judge(*findings, sent, target_->spent());
    } else {
      Handle(triage_.OnTime());
    }
    if (EngineStops()) End();
  }

  InputMaker& maker() { return maker_; }

  [[noreturn]] void End() {
    if (!EngineStops()) {
      const Input none;
      Judge(target_->Retire(), {.input = &none}, false);
    }
    Handle(triage_.Finish());
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
    print_line_(line);
    Exit(2);
  }

 private:
  void ForgetCounts() {
    coverage_.Clear(tier_);
    coverage_.Responses()[0] = 1;
  }

  void Count() {
    ++counters_->runs;
    counters_->messages = target_->messages();
    counters_->starts = target_->starts();
    if (features_->states() <= counters_->states) return;
    counters_->states = features_->states();
    counters_->new_ns = io::MonotonicNow();
  }

  void Judge(const std::vector<Finding>& findings, SentInput sent, bool spent) {
    sent.ancestry = maker_.AncestryOf(sent.bytes);
    Handle(triage_.OnFindings(findings, sent, spent));
  }

  void Handle(const Status& triaged) {
    if (!triaged) return Fail(triaged.error());
    if (triage_.ended()) Exit(0);
  }

  EngineOptions options_;
  Seeds* seeds_;
  Counters* counters_;
  LineSink print_line_;
  ShutdownMethods shutdown_methods_;
  KnownCauses known_;
  InputMaker maker_;
  Triage triage_;
  Coverage coverage_;
  Tier tier_ = Tier::kResponses;
  std::unique_ptr<Features> features_;
  std::unique_ptr<Target> target_;
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

bool EngineStops() { return stopping != 0; }

void RunEngine(const EngineOptions& options, Seeds* seeds, Counters* counters,
               LineSink print_line) {
  if (options.processor >= 0) io::PinToProcessor(options.processor);
  io::YieldToChildren();
  io::IgnoreSignals({SIGPIPE, SIGXFSZ});  // a limit of files' sizes is reported as a full disk is
  static Engine the_engine(options, seeds, counters, print_line);
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
      std::string("-reload=") + (options.jobs > 1 ? "1" : "0"),
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
  return midwire::fuzz::engine->maker().Mutate(data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b,
                                            size_t b_size, uint8_t* out, size_t max_size,
                                            unsigned seed) {
  const auto view = [](const uint8_t* data, size_t size) {
    return std::string_view(reinterpret_cast<const char*>(data), size);
  };
  return midwire::fuzz::engine->maker().CrossOver(view(a, a_size), view(b, b_size), out, max_size,
                                                  seed);
}
