// Texts in lines and units, and edits of them.
#include "check/documents/text_document.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace midwire::check {
namespace {

// "3:2" for the offset 3 in a line of which 2 bytes are before it; "beyond text", ...
std::string PlaceIn(const std::string& text, Position position,
                    PositionUnit unit = PositionUnit::kUtf16) {
  const TextDocument document(text);
  const TextDocument::Located located = document.Locate(position, unit);
  const std::string at = std::to_string(located.offset) + ":" + std::to_string(located.column);
  switch (located.fit) {
    case TextDocument::Fit::kFits:
      return at;
    case TextDocument::Fit::kBeyondText:
      return "beyond text " + at;
    case TextDocument::Fit::kBeyondLine:
      return "beyond line " + at;
    case TextDocument::Fit::kInsideCharacter:
      return "inside " + at;
  }
  return "";
}

TEST(TextDocumentTest, LinesEndInLfCrLfAndCr) {
  const std::string text = "a\nb\r\nc\rd";
  EXPECT_EQ(PlaceIn(text, {1, 1}), "3:1");
  EXPECT_EQ(PlaceIn(text, {1, 2}), "beyond line 3:1");
  EXPECT_EQ(PlaceIn(text, {2, 1}), "6:1");
  EXPECT_EQ(PlaceIn(text, {3, 1}), "8:1");
  EXPECT_EQ(PlaceIn(text, {4, 0}), "beyond text 8:1");
}

TEST(TextDocumentTest, ALineEndAtTheEndBeginsALine) {
  EXPECT_EQ(PlaceIn("a\n", {1, 0}), "2:0");
  EXPECT_EQ(PlaceIn("", {0, 0}), "0:0");
  EXPECT_EQ(PlaceIn("", {0, 1}), "beyond line 0:0");
}

TEST(TextDocumentTest, UnitsOfOtherScripts) {
  const std::string text = "\u00e9\u20ac\U0001f600x";  // 2, 3 and 4 bytes
  EXPECT_EQ(PlaceIn(text, {0, 4}), "9:9");
  EXPECT_EQ(PlaceIn(text, {0, 5}), "10:10");
  EXPECT_EQ(PlaceIn(text, {0, 9}, PositionUnit::kUtf8), "9:9");
  EXPECT_EQ(PlaceIn(text, {0, 3}, PositionUnit::kUtf32), "9:9");
  EXPECT_EQ(LengthIn(PositionUnit::kUtf8, text), 10u);
  EXPECT_EQ(LengthIn(PositionUnit::kUtf16, text), 5u);
  EXPECT_EQ(LengthIn(PositionUnit::kUtf32, text), 4u);
}

TEST(TextDocumentTest, InsideACharacter) {
  EXPECT_EQ(PlaceIn("\U0001f600", {0, 1}), "inside 0:0");
  EXPECT_EQ(PlaceIn("\u00e9", {0, 1}, PositionUnit::kUtf8), "inside 0:0");
}

TEST(TextDocumentTest, HalvesOfAPairThatCameOneByOne) {
  EXPECT_EQ(PlaceIn("\xed\xa0\xbd\xed\xb8\x80x", {0, 2}), "6:6");
}

TEST(TextDocumentTest, WhatIsNotUtf8HasPlacesToo) {
  EXPECT_EQ(PlaceIn("\xff\xf0", {0, 2}), "beyond line 2:2");
  EXPECT_EQ(PlaceIn("\xff\xf0", {0, 1}), "2:2");
}

// The starts of lines are those of a document that has the text from its beginning.
TEST(TextDocumentTest, AfterAnyEditLinesAreThoseOfTheText) {
  std::mt19937 random(7);
  const auto text_of = [&] {
    std::string text;
    for (size_t i = random() % 6; i > 0; --i) text += "a\n\rb\r\n"[random() % 6];
    return text;
  };
  for (int run = 0; run < 300; ++run) {
    TextDocument document(text_of() + text_of());
    for (int edit = 0; edit < 10; ++edit) {
      const size_t from = random() % (document.text().size() + 1);
      const size_t to = from + random() % (document.text().size() - from + 1);
      document.Replace(from, to, text_of());
      const TextDocument fresh(document.text());
      ASSERT_EQ(document.line_count(), fresh.line_count()) << run;
      for (size_t line = 0; line < fresh.line_count(); ++line) {
        const auto unit = PositionUnit::kUtf8;
        ASSERT_EQ(document.Locate({line, 0}, unit).offset, fresh.Locate({line, 0}, unit).offset);
      }
    }
  }
}

}  // namespace
}  // namespace midwire::check
