#include "fuzz/live/finding_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace midwire::fuzz {
namespace {

using testing::HasSubstr;

class FindingStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "book-XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  FindingStore Book(std::set<std::string> kept = {}) {
    return {folder_, std::move(kept), &counters_, [&](const std::string& line) { told_ += line; }};
  }
  static Finding Of(const std::string& key) { return {.oracle = Oracle::kExit, .key = key}; }
  static void Keep(FindingStore* book, const std::string& key) {
    Investigated found;
    found.finding = Of(key);
    ASSERT_TRUE(book->Save(found, "cassette", ""));
  }

  std::string folder_, told_;
  Counters counters_;
};

TEST_F(FindingStoreTest, OfOneKeyOneIsLookedAt) {
  FindingStore book = Book();
  EXPECT_TRUE(book.See(Of("exit 3 after open"), true));
  EXPECT_FALSE(book.See(Of("exit 3 after open"), true));
  EXPECT_TRUE(book.See(Of("exit 3 after ping"), true));
}

TEST_F(FindingStoreTest, WhatIsKeptIsNotLookedAtByOthers) {
  FindingStore mine = Book();
  Keep(&mine, "exit 3 after open");
  EXPECT_EQ(counters_.findings, 1u);
  EXPECT_THAT(told_, HasSubstr("\"key\":\"exit 3 after open\""));
  EXPECT_TRUE(mine.Keeps(Of("exit 3 after open")));
  EXPECT_FALSE(Book().See(Of("exit 3 after open"), true));
  EXPECT_EQ(counters_.known, 0u) << "of this campaign";
}

TEST_F(FindingStoreTest, WhatWasThereBeforeTheCampaignCountsOnce) {
  FindingStore before = Book();
  Keep(&before, "exit 3 after open");
  const auto name = std::filesystem::directory_iterator(folder_)->path().stem();
  FindingStore book = Book({name});
  EXPECT_FALSE(book.See(Of("exit 3 after open"), true));
  EXPECT_FALSE(book.See(Of("exit 3 after open"), true));
  EXPECT_EQ(counters_.known, 1u);
}

// A run that sends all at once cannot identify the message that caused a fault. One that can may
// show another fault, in that very place.
TEST_F(FindingStoreTest, WhatWasMisplacedIsLookedAtWhereItsPlaceIsSure) {
  FindingStore book = Book();
  EXPECT_TRUE(book.See(Of("exit 3 after ping"), false));
  book.Misplaced(Of("exit 3 after ping"));
  EXPECT_FALSE(book.See(Of("exit 3 after ping"), false));
  EXPECT_FALSE(book.Keeps(Of("exit 3 after ping")));
  EXPECT_TRUE(book.See(Of("exit 3 after ping"), true));
  EXPECT_FALSE(book.See(Of("exit 3 after ping"), true));
}

TEST_F(FindingStoreTest, WhatWasNotSeenAgainIsLookedAtSomeTimes) {
  FindingStore book = Book();
  int looks = 0;
  for (int i = 0; i < 100; ++i) {
    if (!book.See(Of("missing open"), true)) continue;
    ++looks;
    book.Doubt(Of("missing open"));
  }
  EXPECT_EQ(looks, 4);
}

TEST_F(FindingStoreTest, APeerThatMakesUpKeysIsNotFollowedForEver) {
  FindingStore book = Book();
  size_t looks = 0;
  for (int i = 0; i < 3000; ++i) looks += book.See(Of("panic " + std::to_string(i)), true);
  EXPECT_EQ(looks, 1000u);
}

}  // namespace
}  // namespace midwire::fuzz
