// Integers in the text of cassettes and filters. Called by their parsers.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace midwire::trace {

// The decimal integer that is all of `text`: no blanks, no plus sign. False: it is none, or does
// not fit.
inline bool ParseInteger(std::string_view text, int64_t* to) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *to);
  return error == std::errc() && stop == text.data() + text.size();
}

}  // namespace midwire::trace
