// The harness kit: a fuzz target for a framing decoder or a dispatcher in ten lines, with checks, a
// structure-aware mutator and crossover. Included, as <midwire/fuzz/harness.h>, by one file of a
// target: link it with -fsanitize=fuzzer, with $LIB_FUZZING_ENGINE, or with midwire::fuzz_main,
// which runs files through it. Not for code that is shipped: it replaces operator new.
//
//   struct MyDecoder { void feed(std::string_view bytes, const midwire::fuzz::Emit& emit); };
//   MIDWIRE_FUZZ_DECODER(MyDecoder, .resynchronises = "content-length")
//
//   void Dispatch(std::string_view body, const midwire::fuzz::Emit& emit);
//   MIDWIRE_FUZZ_DISPATCHER(Dispatch, .dialect = "mcp")
//
// doc/fuzz.md, "In process", is the guide.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuzz/harness/adapt.h"
#include "fuzz/harness/new.h"
#include "fuzz/harness/try.h"

// libFuzzer's own mutations of bytes; other engines do not have them.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size)
    __attribute__((weak));
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A type, or a function without arguments that returns one; then designated members of
// DecoderOptions. The type has `feed(bytes, emit)` or `Feed`, and perhaps `finish(emit)`.
#define MIDWIRE_FUZZ_DECODER(...) MIDWIRE_FUZZ_DECODER_(__VA_ARGS__, )
#define MIDWIRE_FUZZ_DECODER_(target, ...)                                                \
  MIDWIRE_FUZZ_COUNT_NEW_                                                                 \
  static const midwire::fuzz::DecoderOptions midwire_fuzz_options = {__VA_ARGS__};        \
  MIDWIRE_FUZZ_MUTATORS_(midwire_fuzz_options.dialect)                                    \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {               \
    midwire::fuzz::TryDecoder({reinterpret_cast<const char*>(data), size},                \
                              &midwire::fuzz::MakeDecoder<target>, midwire_fuzz_options); \
    return 0;                                                                             \
  }

// A function, a type or a function that returns one; then designated members of DispatcherOptions.
// It is called as target(body, emit) or target.dispatch(body, emit), or returns its messages.
#define MIDWIRE_FUZZ_DISPATCHER(...) MIDWIRE_FUZZ_DISPATCHER_(__VA_ARGS__, )
#define MIDWIRE_FUZZ_DISPATCHER_(target, ...)                                                    \
  static const midwire::fuzz::DispatcherOptions midwire_fuzz_options = {__VA_ARGS__};            \
  MIDWIRE_FUZZ_MUTATORS_(midwire_fuzz_options.dialect)                                           \
  /* A new answer counts as new coverage. */                                                     \
  __attribute__((section("__libfuzzer_extra_counters"),                                          \
                 used)) static uint8_t midwire_fuzz_responses[midwire::fuzz::kResponseCounters]; \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {                      \
    midwire::fuzz::TryDispatcher({reinterpret_cast<const char*>(data), size},                    \
                                 &midwire::fuzz::MakeDispatcher<target>, midwire_fuzz_options,   \
                                 midwire_fuzz_responses);                                        \
    return 0;                                                                                    \
  }

// Only the mutators, for a target that takes wire bytes and has its own LLVMFuzzerTestOneInput. The
// argument, if any, is the dialect whose words they use.
#define MIDWIRE_FUZZ_MUTATORS(...) MIDWIRE_FUZZ_MUTATORS_((__VA_ARGS__ ""))
#define MIDWIRE_FUZZ_MUTATORS_(dialect)                                                          \
  extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {                                 \
    midwire::fuzz::StartHarness(*argc, *argv, dialect);                                          \
    return 0;                                                                                    \
  }                                                                                              \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,         \
                                            unsigned seed) {                                     \
    return midwire::fuzz::HarnessMutate(data, size, max_size, seed, &LLVMFuzzerMutate);          \
  }                                                                                              \
  extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, \
                                              size_t b_size, uint8_t* out, size_t max_size,      \
                                              unsigned seed) {                                   \
    return midwire::fuzz::HarnessCrossOver(a, a_size, b, b_size, out, max_size, seed);           \
  }
