// A secret that cannot be guessed, from getrandom(2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace midwire::io {

// `bytes` random bytes as lower-case hex digits. nullopt: the kernel has none.
std::optional<std::string> RandomKey(size_t bytes);

}  // namespace midwire::io
