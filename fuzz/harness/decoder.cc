// Runs one input on a decoder: whole, byte by byte and in pieces it must give the same frames in
// bounded memory, and with DecoderOptions::resynchronises it must continue after junk.
#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/harness/memory.h"
#include "fuzz/harness/report.h"
#include "fuzz/harness/state.h"
#include "fuzz/harness/try.h"
#include "fuzz/random.h"
#include "fuzz/switches.h"
#include "wire/json/ascii.h"

namespace midwire::fuzz {
namespace {

// A user switches the checks as the oracles of a dispatcher: with DecoderOptions::oracles or
// $MIDWIRE_ORACLE.
enum class DecoderCheck : uint8_t { kChunking, kMemory, kResynchronises };
constexpr std::string_view kCheckNames[] = {"chunking", "memory", "resynchronises"};
constexpr int kDecoderChecks = std::size(kCheckNames);
std::string_view Name(DecoderCheck check) { return kCheckNames[static_cast<int>(check)]; }

class DecoderChecks {
 public:
  // A list that cannot be used ends the process with 2.
  explicit DecoderChecks(const DecoderOptions& options) {
    const auto set =
        ParseSwitches(OptionOf("MIDWIRE_ORACLE", options.oracles), (1u << kDecoderChecks) - 1,
                      {.noun = "check",
                       .names = kCheckNames,
                       .help = "a decoder has chunking, memory and resynchronises"});
    if (!set) {
      std::fprintf(stderr, "midwire: %s\n", set.error().Text().c_str());
      std::exit(2);
    }
    set_ = *set;
  }
  bool has(DecoderCheck check) const { return set_[static_cast<int>(check)]; }

 private:
  std::bitset<kDecoderChecks> set_;
};

// Frames of one decoder, concatenated. Reused for each input, so that it does not allocate.
class Frames {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
  }
  void Add(std::string_view frame) {
    bytes_ += frame;
    ends_.push_back(bytes_.size());
  }
  size_t count() const { return ends_.size(); }
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string bytes_;
  std::vector<size_t> ends_;
};

// Not memcmp: libFuzzer hooks it, and would take our frames for constants of the target.
bool Same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  uint64_t differences = 0, x = 0, y = 0;
  size_t at = 0;
  for (; at + sizeof x <= a.size(); at += sizeof x) {
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    differences |= x ^ y;
  }
  for (; at < a.size(); ++at) differences |= static_cast<uint64_t>(a[at] ^ b[at]);
  return differences == 0;
}

// A copy in a block of exactly its size, so that a sanitizer detects reads beyond it. Overwritten
// before it is freed, so that a kept view is detected even without a sanitizer.
class Chunk {
 public:
  explicit Chunk(std::string_view bytes)
      : size_(bytes.size()), bytes_(static_cast<char*>(std::malloc(std::max<size_t>(size_, 1)))) {
    if (bytes_ == nullptr) std::abort();
    std::memcpy(bytes_, bytes.data(), size_);
  }
  ~Chunk() {
    // volatile: the compiler would drop a write to memory that is freed next.
    std::memset(bytes_, '#', size_);
    asm volatile("" : : "r"(bytes_) : "memory");
    std::free(bytes_);
  }
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  std::string_view view() const { return {bytes_, size_}; }

 private:
  const size_t size_;
  char* const bytes_;
};

enum class Chunking { kWhole, kBytes, kPieces };
constexpr size_t kMostPieces = 8;
// Sizes of pieces that a report lists.
constexpr size_t kMaxListed = 64;

struct Tested {
  const DecoderMaker make;
  const DecoderOptions& options;
  const DecoderChecks checks;

  size_t MemoryFor(size_t input) const {
    if (!checks.has(DecoderCheck::kMemory)) return PTRDIFF_MAX;
    return options.memory_factor * input + options.memory_constant;
  }
};

class Trial {
 public:
  Trial(std::string_view input, const Tested& tested)
      : input_(input),
        make_(tested.make),
        hash_(HashInput(input)),
        cap_(tested.MemoryFor(input.size())) {}

  uint64_t hash() const { return hash_; }
  void Run(Chunking chunking, const Emit& emit) {
    const Emit unwatched = [&emit](std::string_view frame) {
      const MemoryWatch::Pause pause;
      emit(frame);
    };
    const MemoryWatch watch(input_, cap_);
    const auto decoder = make_();
    ForEachPiece(chunking, [&](std::string_view piece) { Feed(decoder.get(), piece, unwatched); });
    decoder->Finish(unwatched);
  }
  // "18 bytes, in pieces of 5, 9, 4".
  std::string HowFed(Chunking chunking) const {
    std::string text = std::to_string(input_.size()) + " bytes, ";
    if (chunking == Chunking::kWhole) return text + "at once";
    if (chunking == Chunking::kBytes) return text + "one by one";
    text += "in pieces of";
    size_t listed = 0;
    ForEachPiece(chunking, [&](std::string_view piece) {
      if (++listed > kMaxListed) return;
      text += (listed == 1 ? " " : ", ") + std::to_string(piece.size());
    });
    return listed > kMaxListed ? text + ", ..." : text;
  }

 private:
  template <typename Take>
  void ForEachPiece(Chunking chunking, const Take& take) const {
    Random random(hash_);
    const size_t step = 1 + 2 * input_.size() / kMostPieces;
    for (std::string_view rest = input_; !rest.empty();) {
      const size_t wanted = chunking == Chunking::kWhole   ? rest.size()
                            : chunking == Chunking::kBytes ? 1
                                                           : 1 + random.Below(step);
      const std::string_view piece = rest.substr(0, wanted);
      rest.remove_prefix(piece.size());
      take(piece);
    }
  }

  static void Feed(DecoderUnderTest* decoder, std::string_view bytes, const Emit& emit) {
    alignas(Chunk) char place[sizeof(Chunk)];
    Chunk* chunk;
    {
      const MemoryWatch::Pause pause;
      chunk = new (place) Chunk(bytes);
    }
    decoder->Feed(chunk->view(), emit);
    const MemoryWatch::Pause pause;
    chunk->~Chunk();
  }

  const std::string_view input_;
  const DecoderMaker make_;
  const uint64_t hash_;
  const size_t cap_;
};

// Compares the frames of one more trial with those of the whole input, which are expected.
class Comparison {
 public:
  explicit Comparison(const Frames* expected) : expected_(*expected) {}

  void Add(std::string_view frame) {
    const size_t n = count_++;
    if (!wrong_.empty()) return;
    if (n >= expected_.count()) {
      wrong_ = "it emits more than " + Expected();
      shown_ = {{"emitted too", std::string(frame)}};
    } else if (!Same(expected_[n], frame)) {
      wrong_ = "its frame " + std::to_string(n + 1) + " is another";
      shown_ = {{"expected", std::string(expected_[n])}, {"emitted", std::string(frame)}};
    }
  }
  void Finish() {
    if (!wrong_.empty() || count_ == expected_.count()) return;
    wrong_ = "it emits " + std::to_string(count_) + " of " + Expected();
    shown_ = {{"expected", std::string(expected_[count_])}};
  }
  const std::string& wrong() const { return wrong_; }  // "": nothing
  const Evidence& shown() const { return shown_; }

 private:
  std::string Expected() const {
    return "the " + std::to_string(expected_.count()) + " frames that it emits for the whole";
  }

  const Frames& expected_;
  size_t count_ = 0;
  std::string wrong_;
  Evidence shown_;
};

void TryChunkings(std::string_view input, const Tested& tested) {
  static Frames whole;
  whole.Clear();
  Trial trial(input, tested);
  trial.Run(Chunking::kWhole, [](std::string_view frame) { whole.Add(frame); });
  if (!tested.checks.has(DecoderCheck::kChunking)) return;
  for (const Chunking chunking : {Chunking::kBytes, Chunking::kPieces}) {
    const bool bytes = chunking == Chunking::kBytes;
    if (SkipsWhileFuzzing(bytes, trial.hash())) continue;
    Comparison comparison(&whole);
    trial.Run(chunking, [&](std::string_view frame) { comparison.Add(frame); });
    comparison.Finish();
    if (comparison.wrong().empty() || !IsNewFault("chunking")) continue;
    Evidence shown = comparison.shown();
    shown.emplace_back("fed", trial.HowFed(chunking));
    shown.emplace_back("input", std::string(input));
    ReportFailure(
        {.rule = Name(DecoderCheck::kChunking),
         .text = std::string(bytes ? "fed byte by byte, " : "fed in pieces, ") + comparison.wrong(),
         .shown = std::move(shown),
         .input = input});
  }
}

constexpr std::string_view kProbe = R"({"jsonrpc":"2.0","method":"midwire/are-you-there"})";
// Bytes that a length claimed by junk may swallow; an input that claims more is not checked.
constexpr uint64_t kMostClaimed = 4096;

// The largest number after "Content-Length", in any case and spelling.
uint64_t LargestClaim(std::string_view bytes) {
  uint64_t largest = 0;
  constexpr std::string_view kEnd = "ength";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  for (auto at = bytes.begin();;) {
    at = std::search(at, bytes.end(), kEnd.begin(), kEnd.end(), same);
    if (at == bytes.end()) return largest;
    at += kEnd.size();
    uint64_t number = 0;
    auto digit = std::find_if(at, bytes.end(), wire::IsDigit);
    for (; digit != bytes.end() && wire::IsDigit(*digit); ++digit) {
      number = std::min<uint64_t>(number * 10 + static_cast<uint64_t>(*digit - '0'), UINT32_MAX);
    }
    largest = std::max(largest, number);
  }
}

// Whether the decoder emits the last frame after the junk. For lines: the line after a newline. For
// header blocks: the last of so many frames that no claimed length contains all of them. Each body
// ends with a newline, so that a decoder that searches for the next header line finds one.
void TryResynchronising(std::string_view input, const Tested& tested) {
  const std::string_view framing = tested.options.resynchronises;
  std::string stream(input), added = "a newline and the frame";
  if (framing == "line") {
    stream += "\n" + std::string(kProbe) + "\n";
  } else {
    if (LargestClaim(input) > kMostClaimed) return;
    const std::string body = std::string(kProbe) + "\r\n";
    const std::string frame = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    stream += "\r\n\r\n";
    const size_t times = (2 * kMostClaimed + frame.size() - 1) / frame.size();
    for (size_t i = 0; i < times; ++i) stream += frame;
    added = "two line ends and " + std::to_string(times) + " times the frame";
  }
  bool found = false;
  std::string last;
  Trial(stream, tested).Run(Chunking::kWhole, [&](std::string_view frame) {
    found = frame.find(kProbe) != frame.npos;
    last.assign(frame);
  });
  if (found || !IsNewFault("resynchronises")) return;
  ReportFailure({.rule = Name(DecoderCheck::kResynchronises),
                 .text = "a frame after junk does not come out",
                 .shown = {{"input", std::string(input)},
                           {"then fed", added},
                           {"expected", std::string(kProbe)},
                           {"last out", last}},
                 .input = input});
}

}  // namespace

void TryDecoder(std::string_view input, DecoderMaker make, const DecoderOptions& options) {
  const Tested tested = {make, options, DecoderChecks(options)};
  TryChunkings(input, tested);
  if (options.resynchronises[0] == '\0') return;
  if (!tested.checks.has(DecoderCheck::kResynchronises)) return;
  if (SkipsWhileFuzzing(true, HashInput(input) >> 8)) return;
  TryResynchronising(input, tested);
}

}  // namespace midwire::fuzz
