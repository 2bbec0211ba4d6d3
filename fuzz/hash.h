// FNV-1a (Fowler, Noll, Vo), 64 bits: the same on every machine, so that file names and the pace of
// an input do not change. Used in all of fuzz/. Not for hash tables whose keys a peer chooses.
#pragma once

#include <cstdint>
#include <string_view>

namespace midwire::fuzz {

inline constexpr uint64_t kHashStart = 0xCBF29CE484222325u, kHashPrime = 0x100000001B3u;

constexpr uint64_t Hash(std::string_view bytes, uint64_t hash = kHashStart) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kHashPrime;
  return hash;
}

}  // namespace midwire::fuzz
