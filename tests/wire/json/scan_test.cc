#include "wire/json/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "wire/json/digits.h"

namespace midwire::wire {
namespace {

// Texts of up to 80 bytes with one byte that matters, at each place: blocks of 16 and their ends.
template <typename Check>
void ForEachPlace(std::string_view bytes, Check check) {
  for (size_t size = 0; size < 80; ++size) {
    const std::string plain(size, 'x');
    check(plain, size);
    for (size_t at = 0; at < size; ++at) {
      for (const char byte : bytes) {
        std::string text = plain;
        text[at] = byte;
        check(text, at);
      }
    }
  }
}

TEST(ScanTest, AStringStopsAtItsFirstSpecialByte) {
  ForEachPlace("\"\\\n\x1f", [](const std::string& text, size_t at) {
    const char* const begin = text.data();
    EXPECT_EQ(FindStringStop<false>(begin, begin + text.size()) - begin, at) << text;
    EXPECT_EQ(FindStringStop<true>(begin, begin + text.size()) - begin, at) << text;
  });
}

TEST(ScanTest, OfTwoSpecialBytesTheFirstStops) {
  for (size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = text[39] = '"';
    EXPECT_EQ(FindStringStop<false>(text.data(), text.data() + 40) - text.data(), at);
  }
}

TEST(ScanTest, WhatIsNoAsciiOrNulIsFound) {
  ForEachPlace(std::string_view("\0\x80\xff", 3), [](const std::string& text, size_t at) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    EXPECT_LE(SkipAscii(begin, end) - begin, at) << text.size();
    EXPECT_EQ(FindNonAscii(SkipAscii(begin, end), end) - begin, at) << text.size();
  });
}

TEST(ScanTest, ADigitIsFoundAtEachPlace) {
  ForEachPlace("09/:\xb0\x39", [](const std::string& text, size_t) {
    const bool digit =
        std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    EXPECT_EQ(HasDigit(text), digit) << text;
  });
}

}  // namespace
}  // namespace midwire::wire
