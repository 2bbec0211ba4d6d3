#include "io/random_key.h"

#include <sys/random.h>

#include <cerrno>
#include <span>

namespace midwire::io {
namespace {

bool FillRandomly(std::span<uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(got));
  }
  return true;
}

}  // namespace

std::optional<std::array<uint8_t, 16>> RandomKey() {
  std::array<uint8_t, 16> key;
  if (!FillRandomly(key)) return std::nullopt;
  return key;
}

std::optional<std::string> RandomHexKey(size_t bytes) {
  std::string random(bytes, '\0');
  if (!FillRandomly({reinterpret_cast<uint8_t*>(random.data()), bytes})) return std::nullopt;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string key;
  for (const char c : random) {
    const auto byte = static_cast<unsigned char>(c);
    key += kDigits[byte >> 4];
    key += kDigits[byte & 15];
  }
  return key;
}

}  // namespace midwire::io
