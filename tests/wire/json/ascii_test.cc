#include "wire/json/ascii.h"

#include <gtest/gtest.h>

namespace midwire::wire {
namespace {

TEST(AsciiTest, NoOtherByteIsAHexDigit) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_EQ(IsHexDigit(c), kDigits.find(c) != kDigits.npos) << byte;
  }
}

TEST(AsciiTest, TextsOfOneClass) {
  EXPECT_TRUE(IsDigits("0123456789"));
  EXPECT_TRUE(IsDigits(""));
  EXPECT_FALSE(IsDigits("12a"));
  EXPECT_TRUE(IsHexDigits("09afAF"));
  EXPECT_FALSE(IsHexDigits("0x1f"));
}

TEST(AsciiTest, TheLastDigitsOfANumber) {
  std::string text;
  AppendHex(0x12345, 4, &text);
  AppendHex(7, 2, &text);
  AppendHex(UINT64_MAX, 16, &text);
  EXPECT_EQ(text,
            "2345"
            "07"
            "ffffffffffffffff");
}

}  // namespace
}  // namespace midwire::wire
