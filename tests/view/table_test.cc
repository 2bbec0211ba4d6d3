#include "view/text/table.h"

#include <gtest/gtest.h>

namespace midwire::view {
namespace {

const std::vector<TableColumn> kThree = {{.name = "name", .least = 4},
                                         {.name = "count", .number = true, .rank = 1},
                                         {.name = "end", .rank = 2}};

std::string Table(size_t width, bool color = false) {
  std::string out;
  AppendTable(kThree, {{{"abcdefghijkl"}, {"1"}, {"yes"}}, {{"b"}, {"20", Paint::kRed}}},
              {.color = color, .width = width}, &out);
  return out;
}

TEST(TableTest, ColumnsOfOneWidth) {
  EXPECT_EQ(Table(0),
            "name          count  end\n"
            "abcdefghijkl      1  yes\n"
            "b                20\n");
}

TEST(TableTest, ATextIsCutBeforeAColumnGoes) {
  EXPECT_EQ(Table(22),
            "name        count  end\n"
            "abcdefghi\u2026      1  yes\n"
            "b              20\n");
  EXPECT_EQ(Table(16), "name  count  end\nabc\u2026      1  yes\nb        20\n");
}

TEST(TableTest, TheHighestRankGoesFirst) {
  EXPECT_EQ(Table(12), "name   count\nabcd\u2026      1\nb         20\n");
  EXPECT_EQ(Table(5), "name\nabcd\u2026\nb\n");
}

TEST(TableTest, APathIsCutInItsFolderThenInTheName) {
  const auto row = [](size_t width) {
    std::string out;
    AppendTable({{.name = "file", .least = 9, .path = true}}, {{{"/a/folder/name.txt"}}},
                {.width = width}, &out);
    return out.substr(out.find('\n') + 1);
  };
  EXPECT_EQ(row(18), "/a/folder/name.txt\n");
  EXPECT_EQ(row(14), "/a/fo\u2026name.txt\n");
  EXPECT_EQ(row(9), "\u2026name.txt\n");
  EXPECT_EQ(row(8), "/a/\u2026.txt\n");
}

TEST(TableTest, PaintIsAroundACell) {
  EXPECT_EQ(Table(16, true),
            "\x1b[1mname  count  end\x1b[0m\nabc\u2026      1  yes\nb     \x1b[31m   20\x1b[0m\n");
}

}  // namespace
}  // namespace midwire::view
