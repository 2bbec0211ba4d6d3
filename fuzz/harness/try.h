// Called by the macros of harness.h: runs one input on a decoder or a dispatcher with all checks,
// or mutates it. A failed check is reported on stderr and ends in abort(), so that any fuzzing
// engine keeps the input, or with $MIDWIRE_KEEP_GOING is reported once. For fuzz targets only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace midwire::fuzz {

// Emits one frame (a decoder) or one message's body (a dispatcher). Called on the thread that runs
// the target, during its call or a later one for the same input.
using Emit = std::function<void(std::string_view bytes)>;

struct DecoderOptions {
  // Memory that it may take: this many times the size of the input, plus a constant for buffers.
  // Real decoders copy a frame once or twice; they must not allocate what a length only claims.
  size_t memory_factor = 8;
  size_t memory_constant = 1u << 20;
  // "line" or "content-length": after any junk it must find a later frame of that framing. "": not
  // checked.
  const char* resynchronises = "";
  // A built-in dialect or a file, for the mutator's words; $MIDWIRE_DIALECT takes precedence.
  const char* dialect = "";
  // "-NAME,+NAME" of chunking, memory and resynchronises; $MIDWIRE_ORACLE takes precedence.
  const char* oracles = "";
};

struct DispatcherOptions {
  // A built-in dialect or a file: answers are validated against its schemas, and its words are the
  // mutator's. $MIDWIRE_DIALECT takes precedence.
  const char* dialect = "";
  // "+NAME,-NAME" as in `midwire fuzz --oracle`; $MIDWIRE_ORACLE takes precedence.
  const char* oracles = "";
  // It is a host's dispatcher: inputs are messages of a plugin.
  bool host = false;
  // A tape or a cassette of this dispatcher: handles that it makes are put in place of the recorded
  // ones, and its requests get the recorded answers. $MIDWIRE_FROM takes precedence.
  const char* from = "";
};

// The target behind its adapter (adapt.h): one object per input.
class DecoderUnderTest {
 public:
  virtual ~DecoderUnderTest() = default;
  virtual void Feed(std::string_view bytes, const Emit& emit) = 0;
  virtual void Finish(const Emit& emit) = 0;  // the stream has ended
};
class DispatcherUnderTest {
 public:
  virtual ~DispatcherUnderTest() = default;
  virtual void Dispatch(std::string_view body, const Emit& emit) = 0;
  virtual void Settle(const Emit& emit) = 0;  // pending messages must be emitted now
};
using DecoderMaker = std::unique_ptr<DecoderUnderTest> (*)();
using DispatcherMaker = std::unique_ptr<DispatcherUnderTest> (*)();

// A power of two, as Features needs; small, because libFuzzer clears and reads them in each run.
inline constexpr size_t kResponseCounters = 1024;

void TryDecoder(std::string_view input, DecoderMaker make, const DecoderOptions& options);
void TryDispatcher(std::string_view input, DispatcherMaker make, const DispatcherOptions& options,
                   std::span<uint8_t> responses);

// Before the first input: loads the dialect, and words of the corpus folders among the arguments.
// A dialect that cannot be used ends the process with 2.
void StartHarness(int argc, char** argv, const char* dialect);
// As LLVMFuzzerCustomMutator and LLVMFuzzerCustomCrossOver; `raw` is LLVMFuzzerMutate or null.
size_t HarnessMutate(uint8_t* data, size_t size, size_t max_size, unsigned seed,
                     size_t (*raw)(uint8_t*, size_t, size_t));
size_t HarnessCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                        uint8_t* out, size_t max_size, unsigned seed);

}  // namespace midwire::fuzz
