// The mutators of fuzz/ as libFuzzer calls them.
#include <cstring>
#include <string>

#include "fuzz/harness/state.h"
#include "fuzz/harness/try.h"
#include "fuzz/input.h"
#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {
namespace {

std::string_view Text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// 0 if the result is too long: the engine then tries another.
size_t Put(const Input& input, uint8_t* out, size_t max_size) {
  if (input.size() > max_size) return 0;
  size_t size = 0;
  for (const Part& part : input.parts) {
    std::memcpy(out + size, part.bytes.data(), part.bytes.size());
    size += part.bytes.size();
  }
  return size;
}

}  // namespace

size_t HarnessMutate(uint8_t* data, size_t size, size_t max_size, unsigned seed,
                     size_t (*raw)(uint8_t*, size_t, size_t)) {
  HarnessState& state = StateOfHarness();
  state.mutating = true;
  const Mutator mutator(&state.words, {.max_size = max_size, .raw = raw});
  static Input input;  // its memory is used again
  ParseInput(Text(data, size), &input);
  mutator.Mutate(&input, seed);
  return Put(input, data, max_size);
}

size_t HarnessCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                        uint8_t* out, size_t max_size, unsigned seed) {
  HarnessState& state = StateOfHarness();
  state.mutating = true;
  const Mutator mutator(&state.words, {.max_size = max_size});
  static Input one, other;  // their memory is used again
  ParseInput(Text(a, a_size), &one);
  ParseInput(Text(b, b_size), &other);
  return Put(mutator.CrossOver(one, other, seed), out, max_size);
}

}  // namespace midwire::fuzz
