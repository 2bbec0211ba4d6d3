#include "io/http/random_key.h"

#include <sys/random.h>

#include <cerrno>

namespace midwire::io {

std::optional<std::string> RandomKey(size_t bytes) {
  std::string random(bytes, '\0');
  for (size_t got = 0; got < bytes;) {
    const ssize_t n = getrandom(random.data() + got, bytes - got, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    got += static_cast<size_t>(n);
  }
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
