// Items of arrays by what names them.
#include "replay/match/alignment.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::replay {
namespace {

// "b" as {"name":"b"}; what is not a letter stays.
std::string Named(std::string_view letters, std::string_view member = "name") {
  std::string items;
  for (const char letter : letters) {
    items += items.empty() ? "" : ",";
    items += "{\"" + std::string(member) + "\":\"" + letter + "\"}";
  }
  return "[" + items + "]";
}

// "+x0 -b1 ~c2>0": new at, gone from, moved from and to. Of a name, its first and last character
// are left out: its quotes.
std::string AlignmentOf(std::string_view expected, std::string_view got) {
  const auto aligned = Align(expected, got);
  if (!aligned) return "not aligned";
  std::string shown;
  const auto show = [&](char sign, const AlignedArray::Item& item, size_t at) {
    shown += (shown.empty() ? "" : " ") + std::string(1, sign) +
             std::string(item.name.substr(1, item.name.size() - 2)) + std::to_string(at);
  };
  for (size_t i = 0; i < aligned->got.size(); ++i) {
    if (aligned->got[i].partner == kUnaligned) show('+', aligned->got[i], i);
  }
  for (size_t i = 0; i < aligned->expected.size(); ++i) {
    const AlignedArray::Item& item = aligned->expected[i];
    if (item.partner == kUnaligned) show('-', item, i);
    if (item.moved) show('~', item, i), shown += '>' + std::to_string(item.partner);
  }
  return shown;
}

TEST(AlignmentTest, ANewItemMovesNoOther) {
  EXPECT_EQ(AlignmentOf(Named("abc"), Named("xabc")), "+x0");
  EXPECT_EQ(AlignmentOf(Named("abc"), Named("abxyc")), "+x2 +y3");
}

TEST(AlignmentTest, AnItemThatIsGone) {
  EXPECT_EQ(AlignmentOf(Named("abc"), Named("ac")), "-b1");
  EXPECT_EQ(AlignmentOf(Named("abc"), Named("xa")), "+x0 -b1 -c2");
}

TEST(AlignmentTest, AnItemThatMovedIsOneItem) {
  EXPECT_EQ(AlignmentOf(Named("abcd"), Named("dabc")), "~d3>0");
  EXPECT_EQ(AlignmentOf(Named("abcd"), Named("bcda")), "~a0>3");
}

TEST(AlignmentTest, WhatIsInItsPlaceNeedsNoAlignment) {
  EXPECT_EQ(AlignmentOf(Named("abc"), Named("abc")), "not aligned");
  EXPECT_EQ(AlignmentOf(Named("abc"), Named("axc")), "not aligned");
}

TEST(AlignmentTest, ByIdOrUriWhereNamesAreMissingOrNotUnique) {
  EXPECT_EQ(AlignmentOf(Named("ab", "uri"), Named("b", "uri")), "-a0");
  EXPECT_EQ(
      AlignmentOf(R"([{"name":"n","id":"a"},{"name":"n","id":"b"}])", R"([{"name":"n","id":"b"}])"),
      "-a0");
  EXPECT_EQ(AlignmentOf(R"([{"id":107},{"id":108}])", R"([{"id":108}])"), "-00");
}

TEST(AlignmentTest, ItemsThatNothingNames) {
  EXPECT_EQ(AlignmentOf(Named("aa"), Named("a")), "not aligned");
  EXPECT_EQ(AlignmentOf(Named("ab"), Named("xyz")), "not aligned");
  EXPECT_EQ(AlignmentOf(R"([{"name":1.5},{"name":2}])", R"([{"name":2}])"), "not aligned");
  EXPECT_EQ(AlignmentOf(R"([1,2])", R"([2])"), "not aligned");
  EXPECT_EQ(AlignmentOf(R"({"name":"a"})", Named("a")), "not aligned");
}

TEST(AlignmentTest, OtherSpellingsOfOneName) {
  EXPECT_EQ(AlignmentOf(R"([{"n\u0061me":"\u0061"},{"name":"b"}])", Named("ba")), R"(~\u00610>1)");
}

TEST(AlignmentTest, ALongArrayIsNotAligned) {
  std::string items = "[";
  for (size_t i = 0; i <= kMaxAligned; ++i) items += "{\"id\":" + std::to_string(i) + "},";
  items.back() = ']';
  EXPECT_EQ(AlignmentOf(items, R"([{"id":1}])"), "not aligned");
  EXPECT_EQ(AlignmentOf(R"([{"id":1}])", items), "not aligned");
}

}  // namespace
}  // namespace midwire::replay
