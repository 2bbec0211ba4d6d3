#include "fuzz/live/input_maker.h"

#include <string.h>

#include <algorithm>

#include "fuzz/random.h"
#include "io/clock.h"

extern "C" {
// libFuzzer's interface, for which it has no header.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
}

namespace midwire::fuzz {
namespace {

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
constexpr size_t kRecordedIn = 4, kHostRecordedIn = 2;

// Mutants tried to get one without a known cause. Then the messages that have one are left out.
constexpr uint64_t kUnknown = 8;
constexpr uint64_t kNextMutant = 0x9E3779B9;  // from the seed of one to that of the next

// The first mutants alone take at most this part of a run.
constexpr int64_t kFirstOneIn = 5;

// Large inputs take at most this part of the time, with the starts that they cost, so that the rate
// of ordinary ones stays.
constexpr int64_t kLargeOneIn = 20;

// With headers: whether the input has bytes outside messages, or an unfinished message.
bool Breaks(const Input& input) {
  return std::any_of(input.parts.begin(), input.parts.end(),
                     [](const Part& part) { return part.junk(); });
}

}  // namespace

InputMaker::InputMaker(const EngineOptions* options, const Seeds* seeds,
                       const ShutdownMethods* shutdown_methods, KnownCauses* known,
                       Counters* counters)
    : options_(options),
      seeds_(seeds),
      shutdown_methods_(shutdown_methods),
      known_(known),
      counters_(counters),
      mutator_(&seeds->words, {.max_size = options->max_len, .raw = LLVMFuzzerMutate}),
      large_(kLargeOneIn) {}

void InputMaker::Begin(const Target& target, int64_t now_ns) {
  begin_ = now_ns;
  // A host drops its plugin at the first error, so half a session tests little of it.
  if (!options_->runner.host) {
    FirstMutants::Options options = {.job = options_->job, .jobs = options_->jobs};
    const int64_t most = options_->max_time_ns / kFirstOneIn;
    if (most != 0) options.alone_ns = std::min(options.alone_ns, most);
    first_.emplace(&seeds_->inputs, options);
  }
  if (seeds_->framing == wire::Framing::kContentLength) {
    breaks_one_in_ = std::clamp<int64_t>(target.start_cost() / kAnswersARun, 1, kMaxBreaksOneIn);
  }
}

size_t InputMaker::Mutate(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  const std::string_view parent(reinterpret_cast<char*>(data), std::min(size, options_->max_len));
  if (const size_t made = MutateFirst(data, max_size, seed)) return made;
  if (const size_t made = MutateLarge(data, max_size, seed)) return made;
  if (known_->empty()) return Put(Mutant(parent, seed), data, size, max_size);
  const std::string kept(parent);
  Input mutant;
  for (uint64_t i = 0; i < kUnknown; ++i) {
    mutant = ParseInput(Mutant(kept, seed + i * kNextMutant).Bytes(), seeds_->framing);
    if (!known_->Skips(mutant, seed + i)) return Put(mutant, data, size, max_size);
    ++counters_->skipped;
  }
  known_->LeaveOut(&mutant);
  ancestry_.clear();
  return Put(mutant, data, size, max_size);
}

size_t InputMaker::CrossOver(std::string_view a, std::string_view b, uint8_t* out, size_t max_size,
                             unsigned seed) {
  if (const size_t made = MutateFirst(out, max_size, seed)) return made;
  Input crossed = mutator_.CrossOver(Parsed(a), ParseInput(b, seeds_->framing), seed);
  ancestry_.clear();
  if (seed % kClosesOneIn != 1) shutdown_methods_->LeaveOut(&crossed);
  if (!known_->empty() && known_->Skips(crossed, seed)) {
    ++counters_->skipped;
    known_->LeaveOut(&crossed);
  }
  return Put(crossed, out, 0, std::min(max_size, options_->max_len));
}

// The next of the first mutants; 0: it is not time for one, or there is none left.
size_t InputMaker::MutateFirst(uint8_t* data, size_t max_size, uint64_t seed) {
  if (!first_ || !first_->IsDue(io::MonotonicNow() - begin_, seed)) return 0;
  Input input;
  while (first_->Next(&input, &ancestry_)) {
    shutdown_methods_->LeaveOut(&input);
    if (!known_->empty()) known_->LeaveOut(&input);
    const size_t made = input.parts.empty() ? 0 : Put(input, data, 0, max_size);
    if (made != 0) return made;
  }
  first_.reset();
  return 0;
}

// A large mutant of a recorded input; 0: it is not time for one, or none was made.
size_t InputMaker::MutateLarge(uint8_t* data, size_t max_size, uint64_t seed) {
  if (options_->max_input <= options_->max_len) return 0;
  const int64_t start = io::MonotonicNow();
  if (large_.Left(start - begin_) == 0) return 0;
  Input input = Recorded(seed * kRecordedIn);
  ancestry_ = mutator_.Enlarge(&input, seed, std::min(max_size, options_->max_input));
  const size_t made = ancestry_.empty() ? 0 : Put(input, data, 0, max_size);
  large_.Spend(io::MonotonicNow() - start);
  return made;
}

// Sets ancestry_.
Input InputMaker::Mutant(std::string_view parent, uint64_t seed) {
  // Half of the mutants, as long as there are messages.
  if (auto* news = seed % 2 == 0 ? compares_.Next(seed) : nullptr) {
    Input input = ParseInput(news->bytes, seeds_->framing);
    const Compare* used = nullptr;
    ancestry_ = mutator_.MutateCompared(&input, seed, news->compares, &used);
    if (used != nullptr && compares_.Made(news, input.Bytes(), *used)) return input;
  }
  // With its own random seed, because the mutator draws the number of changes first.
  Input input = Random(~seed).OneIn(options_->runner.host ? kHostRecordedIn : kRecordedIn)
                    ? Recorded(seed)
                    : Parsed(parent);
  // What the corpus has of known causes would be in each of its mutants.
  if (!known_->empty()) known_->LeaveOut(&input);
  const bool may_break = breaks_one_in_ == 1 || seed / kClosesOneIn % breaks_one_in_ == 0;
  const Input start = may_break ? Input{} : input;
  for (unsigned attempt = 0; attempt < kUnbroken; ++attempt) {
    if (attempt > 0) input = start;
    ancestry_ = mutator_.Mutate(&input, seed + attempt, compares_.last());
    if (may_break || !Breaks(ParseInput(input.Bytes(), seeds_->framing))) break;
  }
  if (seed % kClosesOneIn != 1) {
    shutdown_methods_->LeaveOut(&input);
  } else if (Random behind(seed << 32); behind.OneIn(2)) {
    shutdown_methods_->MoveBehind(&input, &behind);
  }
  return input;
}

// libFuzzer mutates the same bytes several times in a row, mostly those it has just tried.
const Input& InputMaker::Parsed(std::string_view bytes) {
  if (bytes != parsed_bytes_) {
    parsed_ = ParseInput(bytes, seeds_->framing);
    parsed_bytes_ = bytes;
  }
  return parsed_;
}

Input InputMaker::Recorded(uint64_t seed) const {
  const auto& recorded = seeds_->inputs;
  return recorded.empty() ? Input{} : recorded[Random(seed / kRecordedIn).Below(recorded.size())];
}

size_t InputMaker::Put(const Input& input, uint8_t* out, size_t otherwise, size_t max_size) {
  mutant_ = input.Bytes();
  if (mutant_.size() > max_size) return otherwise;
  if (!mutant_.empty()) memcpy(out, mutant_.data(), mutant_.size());
  return mutant_.size();
}

}  // namespace midwire::fuzz
