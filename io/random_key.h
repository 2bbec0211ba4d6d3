// Keys that cannot be guessed, from getrandom(2). Called where tokens replace secrets, and by
// `view` for its address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace midwire::io {

// nullopt: the kernel has no random bytes.
std::optional<std::array<uint8_t, 16>> RandomKey();
// `bytes` random bytes as lower-case hex digits.
std::optional<std::string> RandomHexKey(size_t bytes);

}  // namespace midwire::io
