// Runs one input on a decoder: whole, byte by byte and in pieces it must give the same frames in
// bounded memory, and with DecoderOptions::resynchronises it must continue after junk.
#include "wire/decoder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "fuzz/harness/memory.h"
#include "fuzz/harness/report.h"
#include "fuzz/harness/state.h"
#include "fuzz/harness/try.h"
#include "fuzz/random.h"

namespace midwire::fuzz {
namespace {

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
constexpr const char* kChunkings[] = {"whole", "byte by byte", "in pieces"};
constexpr size_t kMostPieces = 8;

class Trial {
 public:
  Trial(std::string_view input, DecoderMaker make, const DecoderOptions& options)
      : input_(input),
        make_(make),
        hash_(HashInput(input)),
        cap_(options.memory_factor * input.size() + options.memory_constant) {}

  uint64_t hash() const { return hash_; }
  void Run(Chunking chunking, const Emit& emit) {
    const Emit unwatched = [&emit](std::string_view frame) {
      const MemoryWatch::Pause pause;
      emit(frame);
    };
    const MemoryWatch watch(input_.size(), cap_);
    const auto decoder = make_();
    Random random(hash_);
    const size_t step = 1 + 2 * input_.size() / kMostPieces;
    for (std::string_view rest = input_; !rest.empty();) {
      const size_t wanted = chunking == Chunking::kWhole   ? rest.size()
                            : chunking == Chunking::kBytes ? 1
                                                           : 1 + random.Below(step);
      const std::string_view taken = rest.substr(0, wanted);
      rest.remove_prefix(taken.size());
      Feed(decoder.get(), taken, unwatched);
    }
    decoder->Finish(unwatched);
  }

 private:
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

void TryChunkings(std::string_view input, DecoderMaker make, const DecoderOptions& options) {
  static Frames whole;
  whole.Clear();
  Trial trial(input, make, options);
  trial.Run(Chunking::kWhole, [](std::string_view frame) { whole.Add(frame); });
  for (const Chunking chunking : {Chunking::kBytes, Chunking::kPieces}) {
    if (SkipsWhileFuzzing(chunking == Chunking::kBytes, trial.hash())) continue;
    const std::string name = kChunkings[static_cast<int>(chunking)];
    size_t count = 0;
    trial.Run(chunking, [&](std::string_view frame) {
      if (count >= whole.count()) {
        Broken("chunking",
               "fed " + name + " it emits more than the " + std::to_string(whole.count()) +
                   " frames that it emits for the whole",
               {{"more", std::string(frame)}, {"input", std::string(input)}});
      }
      if (!Same(whole[count], frame)) {
        Broken("chunking",
               "fed " + name + " its frame " + std::to_string(count + 1) + " is another",
               {{"whole", std::string(whole[count])},
                {name, std::string(frame)},
                {"input", std::string(input)}});
      }
      ++count;
    });
    if (count == whole.count()) continue;
    Broken("chunking",
           "fed " + name + " it emits " + std::to_string(count) + " frames, whole " +
               std::to_string(whole.count()),
           {{"missing", std::string(whole[count])}, {"input", std::string(input)}});
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
    auto digit = std::find_if(at, bytes.end(), [](char c) { return c >= '0' && c <= '9'; });
    for (; digit != bytes.end() && *digit >= '0' && *digit <= '9'; ++digit) {
      number = std::min<uint64_t>(number * 10 + static_cast<uint64_t>(*digit - '0'), UINT32_MAX);
    }
    largest = std::max(largest, number);
  }
}

// Whether the decoder emits the last frame after the junk. For lines: the line after a newline. For
// header blocks: the last of so many frames that no claimed length contains all of them. Each body
// ends with a newline, so that a decoder that searches for the next header line finds one.
void TryResynchronising(std::string_view input, DecoderMaker make, const DecoderOptions& options) {
  const std::string_view framing = options.resynchronises;
  std::string stream(input);
  if (framing == "line") {
    stream += "\n" + std::string(kProbe) + "\n";
  } else {
    if (LargestClaim(input) > kMostClaimed) return;
    const std::string body = std::string(kProbe) + "\r\n";
    const std::string frame = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    stream += "\r\n\r\n";
    for (size_t size = 0; size < 2 * kMostClaimed; size += frame.size()) stream += frame;
  }
  bool found = false;
  std::string last;
  Trial(stream, make, options).Run(Chunking::kWhole, [&](std::string_view frame) {
    found = frame.find(kProbe) != frame.npos;
    last.assign(frame);
  });
  if (found) return;
  Broken("resynchronises", "a frame after junk does not come out",
         {{"junk", std::string(input)}, {"frame", std::string(kProbe)}, {"last out", last}});
}

}  // namespace

void TryDecoder(std::string_view input, DecoderMaker make, const DecoderOptions& options) {
  TryChunkings(input, make, options);
  if (options.resynchronises[0] == '\0') return;
  if (SkipsWhileFuzzing(true, HashInput(input) >> 8)) return;
  TryResynchronising(input, make, options);
}

}  // namespace midwire::fuzz
