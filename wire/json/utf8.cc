#include "wire/json/utf8.h"

#include "wire/json/scan.h"

namespace midwire::wire {

bool IsUtf8(std::string_view text) {
  Utf8Check check;
  check.Feed(text);
  return check.valid();
}

std::string_view WholeCharacters(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && IsWithinCharacter(text[most])) --most;
  return text.substr(0, most);
}

std::string Shortened(std::string text, size_t most) {
  if (text.size() <= most) return text;
  text.resize(WholeCharacters(text, most).size());
  return text + "...";
}

Character FirstCharacter(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return {lead, 1, true};
  const Character broken = {lead, 1, false};
  const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < static_cast<size_t>(length)) return broken;
  uint32_t code = lead & (0x7f >> length);
  for (int i = 1; i < length; ++i) {
    if (!IsWithinCharacter(text[i])) return broken;
    code = code << 6 | (static_cast<uint8_t>(text[i]) & 0x3f);
  }
  const bool overlong = code < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return broken;
  return {code, static_cast<uint8_t>(length), true};
}

void AppendUtf8(char32_t c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xc0 | (c >> 6));
    *out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xe0 | (c >> 12));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    *out += static_cast<char>(0xf0 | (c >> 18));
    *out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

// Most bodies are ASCII: few looks decide for all their bytes.
void Utf8Check::Feed(std::string_view bytes) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    if (missing_ == 0) {
      at = FindNonAscii(SkipAscii(at, end), end);
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
