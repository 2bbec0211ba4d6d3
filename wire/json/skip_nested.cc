#include "wire/json/skip_nested.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "wire/json/scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {
namespace {

constexpr size_t kBlock = 64;

// One bit per byte of a block.
struct Bits {
  uint64_t quote = 0, escape = 0, newline = 0, open = 0, close = 0;
};

#if defined(__SSE2__)
Bits Classify(const char* block) {
  const auto same = [](__m128i bytes, char c) {
    return static_cast<uint64_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c))));
  };
  Bits bits;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));  // '[' is '{', ']' is '}'
    bits.quote |= same(bytes, '"') << (16 * i);
    bits.escape |= same(bytes, '\\') << (16 * i);
    bits.newline |= same(bytes, '\n') << (16 * i);
    bits.open |= same(folded, '{') << (16 * i);
    bits.close |= same(folded, '}') << (16 * i);
  }
  return bits;
}
#else
Bits Classify(const char* block) {
  Bits bits;
  for (size_t i = 0; i < kBlock; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    const char c = block[i];
    if (c == '"') bits.quote |= bit;
    if (c == '\\') bits.escape |= bit;
    if (c == '\n') bits.newline |= bit;
    if ((c | 0x20) == '{') bits.open |= bit;
    if ((c | 0x20) == '}') bits.close |= bit;
  }
  return bits;
}
#endif

constexpr uint64_t Below(size_t bit) {
  return bit >= kBlock ? ~uint64_t{0} : (uint64_t{1} << bit) - 1;
}

// Bit i: the parity of the bits up to and including i.
constexpr uint64_t RunningParity(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

const char* SkipNested(const char* at, const char* end, bool line, Nesting* nesting) {
  while (at != end) {
    if (nesting->in_string) {  // a long text: to its end, without a look at each of its brackets
      at = FindInString(at, end);
      if (at == end) return at;
      if (*at == '\\' || (*at == '\n' && line)) return at;
      nesting->in_string = *at++ == '\n';
      // Often, a text ends the containers that it is in.
      for (; !nesting->in_string && at != end && (*at == '}' || *at == ']'); ++at) {
        if (--nesting->depth == 0) return at + 1;
      }
      continue;
    }
    const size_t size = std::min(kBlock, static_cast<size_t>(end - at));
    Bits bits;
    if (size == kBlock) {
      bits = Classify(at);
    } else {
      char padded[kBlock] = {};
      std::memcpy(padded, at, size);
      bits = Classify(padded);
    }
    const uint64_t stops = (bits.escape | (line ? bits.newline : 0)) & Below(size);
    const size_t usable = stops ? std::countr_zero(stops) : size;
    const uint64_t quotes = bits.quote & Below(usable);
    const uint64_t parity = RunningParity(quotes);
    const uint64_t opens = bits.open & ~parity & Below(usable);
    const uint64_t closes = bits.close & ~parity & Below(usable);
    if (nesting->depth > kBlock) {  // no block can close that much
      nesting->depth += std::popcount(opens);
      nesting->depth -= std::popcount(closes);
    } else {
      for (uint64_t both = opens | closes; both; both &= both - 1) {
        const int bit = std::countr_zero(both);
        if (opens >> bit & 1) {
          ++nesting->depth;
        } else if (--nesting->depth == 0) {
          return at + bit + 1;
        }
      }
    }
    nesting->in_string = (parity >> 63) != 0;
    at += usable;
    if (stops) return at;
  }
  return at;
}

}  // namespace midwire::wire
