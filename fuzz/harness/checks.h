// The checks of a decoder. A user switches them as the oracles of a dispatcher: with
// DecoderOptions::oracles or $MIDWIRE_ORACLE.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>

#include "fuzz/harness/try.h"

namespace midwire::fuzz {

enum class DecoderCheck : uint8_t { kChunking, kMemory, kResynchronises };
inline constexpr int kDecoderChecks = 3;
std::string_view Name(DecoderCheck check);

class DecoderChecks {
 public:
  // A list that cannot be used ends the process with 2.
  explicit DecoderChecks(const DecoderOptions& options);
  bool has(DecoderCheck check) const { return set_[static_cast<int>(check)]; }

 private:
  std::bitset<kDecoderChecks> set_;
};

}  // namespace midwire::fuzz
