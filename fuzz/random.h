// The random number generator of fuzz/: a seed makes the same sequence on every machine and
// compiler, which std::uniform_int_distribution does not guarantee. Used in all of fuzz/ except
// harness/main.cc, which has a copy. Not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace midwire::fuzz {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): passes
// BigCrush, needs one chain of multiplications per number, and accepts any seed, also 0.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // From 0 to n - 1; 0 for n = 0. The bias of the multiplication is below n / 2^32.
  size_t Below(size_t n) { return size_t(((Next() >> 32) * uint64_t(n)) >> 32); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  template <class Container>
  const auto& Pick(const Container& of) {  // `of` must not be empty
    return of[Below(of.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace midwire::fuzz
