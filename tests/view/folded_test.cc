#include "view/text/folded.h"

#include <gtest/gtest.h>

namespace midwire::view {
namespace {

std::string Folded(std::string_view text, size_t width, size_t indent = 2, size_t used = 2) {
  std::string out;
  AppendFolded(text, used, indent, width, &out);
  return out;
}

TEST(FoldedTest, WhatFitsIsOneLine) {
  EXPECT_EQ(Folded("", 30), "");
  EXPECT_EQ(Folded("twenty-eight columns  of text", 31), "twenty-eight columns  of text");
}

TEST(FoldedTest, WithoutATerminalNothingIsFolded) {
  const std::string text(500, 'x');
  EXPECT_EQ(Folded(text, 0), text);
  EXPECT_EQ(Folded(text, 21), text) << "too narrow";
}

TEST(FoldedTest, LongerTextGoesOnBelowItsBeginning) {
  EXPECT_EQ(Folded("one two three four five six", 22), "one two three four\n  five six");
  EXPECT_EQ(Folded("one two three four five six", 24, 4, 10), "one two three\n    four five six");
}

TEST(FoldedTest, AWordThatFitsOnNoLineIsCut) {
  EXPECT_EQ(Folded("a " + std::string(45, 'x'), 22),
            "a\n  " + std::string(20, 'x') + "\n  " + std::string(20, 'x') + "\n  xxxxx");
}

TEST(FoldedTest, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(Folded("\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22 \u6f22\u6f22\u6f22\u6f22", 22),
            "\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\n  \u6f22\u6f22\u6f22\u6f22");
}

}  // namespace
}  // namespace midwire::view
