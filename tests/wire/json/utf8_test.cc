#include "wire/json/utf8.h"

#include <gtest/gtest.h>

namespace midwire::wire {
namespace {

TEST(Utf8Test, ATextIsCutBetweenCharacters) {
  const std::string_view text = "a\xc3\xa9\xe2\x82\xac";  // of one, two and three bytes
  const size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6};
  for (size_t most = 0; most < 8; ++most) {
    EXPECT_EQ(WholeCharacters(text, most), text.substr(0, kept[most])) << most;
  }
  EXPECT_EQ(WholeCharacters("\x80\x80\x80", 2), "") << "no character begins there";
}

TEST(Utf8Test, OnlyALongTextIsShortened) {
  EXPECT_EQ(Shortened("caf\xc3\xa9", 5), "caf\xc3\xa9");
  EXPECT_EQ(Shortened("caf\xc3\xa9", 4), "caf...");
}

}  // namespace
}  // namespace midwire::wire
