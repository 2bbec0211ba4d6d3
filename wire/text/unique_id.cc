#include "wire/text/unique_id.h"

#include <algorithm>
#include <cstddef>

#include "wire/json/ascii.h"
#include "wire/json/chars.h"

namespace midwire::wire {

bool IsUuid(std::string_view text) {
  constexpr size_t kUuid = 36;
  if (text.size() != kUuid) return false;
  for (size_t i = 0; i < kUuid; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsJsonChar(text[i], kJsonHexDigit)) return false;
  }
  return true;
}

bool IsUlid(std::string_view text) {
  constexpr size_t kUlid = 26;
  constexpr std::string_view kNotOfBase32 = "ILOUilou";
  return text.size() == kUlid && text[0] <= '7' &&
         std::all_of(text.begin(), text.end(), IsAlphanumeric) &&
         text.find_first_of(kNotOfBase32) == text.npos;
}

}  // namespace midwire::wire
