#include "wire/json/utf8.h"

#include "wire/json/scan.h"

namespace midwire::wire {

void Utf8Check::Feed(std::string_view bytes) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    if (missing_ == 0) {
      at = FindNonAscii(at, end);
      if (at == end) return;
    }
    const auto byte = static_cast<uint8_t>(*at);
    if (missing_ != 0) {
      if (byte < lowest_ || byte > highest_) {
        valid_ = false;
        missing_ = 0;
        continue;  // this byte starts a character of its own
      }
      --missing_;
      lowest_ = 0x80, highest_ = 0xbf;
    } else if (byte == 0) {
      has_nul_ = true;
    } else if (byte >= 0xc2 && byte <= 0xdf) {
      missing_ = 1;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      missing_ = 2;
      if (byte == 0xe0) lowest_ = 0xa0;   // overlong below
      if (byte == 0xed) highest_ = 0x9f;  // surrogates above
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      missing_ = 3;
      if (byte == 0xf0) lowest_ = 0x90;
      if (byte == 0xf4) highest_ = 0x8f;
    } else {
      valid_ = false;
    }
    ++at;
  }
}

}  // namespace midwire::wire
