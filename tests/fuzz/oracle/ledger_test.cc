#include "fuzz/oracle/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace midwire::fuzz {
namespace {

TEST(LedgerTest, WhatIsOwedIsAnsweredBeforeWhatMayBe) {
  Ledger ledger;
  ledger.Add({.id = "1", .method = "may"});
  ledger.Add({.id = "1", .method = "must", .must = true});
  EXPECT_EQ(ledger.owed(), 1u);
  EXPECT_EQ(ledger.Answer("1")->method, "must");
  EXPECT_EQ(ledger.Answer("1")->method, "may");
  EXPECT_EQ(ledger.Answer("1"), nullptr);
  EXPECT_TRUE(ledger.Answered("1"));
}

TEST(LedgerTest, AnIdIsItsToken) {
  Ledger ledger;
  ledger.Add({.id = "\"1\"", .method = "text", .must = true});
  EXPECT_EQ(ledger.Answer("1"), nullptr);
  ASSERT_NE(ledger.OfOtherType("1"), nullptr);
  EXPECT_EQ(ledger.OfOtherType("1")->method, "text");
  EXPECT_EQ(ledger.OfOtherType("\"1\""), nullptr);
  EXPECT_TRUE(ledger.Owes("\"1\""));
}

TEST(LedgerTest, AThousandIdsAreToldApart) {
  Ledger ledger;
  for (int i = 0; i < 1000; ++i) ledger.Add({.id = std::to_string(i), .must = true});
  for (int i = 999; i >= 0; --i) {
    const Asked* answered = ledger.Answer(std::to_string(i));
    ASSERT_NE(answered, nullptr);
    EXPECT_EQ(answered->id, std::to_string(i));
  }
  EXPECT_EQ(ledger.owed(), 0u);
}

TEST(LedgerTest, OneIdAHundredTimesIsAnsweredInOrder) {
  Ledger ledger;
  for (int i = 0; i < 100; ++i) ledger.Add({.id = "1", .method = std::to_string(i), .must = true});
  for (int i = 0; i < 60; ++i) EXPECT_EQ(ledger.Answer("1")->method, std::to_string(i));
  ledger.Add({.id = "1", .method = "later", .must = true});
  EXPECT_EQ(ledger.First("1")->method, "0");
  for (int i = 60; i < 100; ++i) EXPECT_EQ(ledger.Answer("1")->method, std::to_string(i));
  EXPECT_EQ(ledger.Answer("1")->method, "later");
  EXPECT_EQ(ledger.Answer("1"), nullptr);
  ledger.Add({.id = "1", .method = "last"});
  EXPECT_EQ(ledger.Answer("1")->method, "last");
}

// Against a list of what is open. A number and its string are in the same chain.
TEST(LedgerTest, InWhateverOrderTheyAreAnsweredTheFirstOfAnIdIsMeant) {
  Ledger ledger;
  std::vector<std::pair<std::string, std::string>> open;  // ids and methods
  const auto id_of = [](uint32_t n) {
    return n % 2 ? std::to_string(n / 2) : "\"" + std::to_string(n / 2) + "\"";
  };
  uint32_t random = 1;
  for (int i = 0; i < 5000; ++i) {
    random = random * 1664525 + 1013904223;
    const std::string id = id_of(random >> 29);
    if (random >> 20 & 1) {
      ledger.Add({.id = id, .method = std::to_string(i)});
      open.emplace_back(id, std::to_string(i));
    }
    const std::string other = id_of(random >> 26 & 7);
    const auto is = [&](const auto& asked) { return asked.first == other; };
    const auto first = std::find_if(open.begin(), open.end(), is);
    ASSERT_EQ(ledger.Open(other), first != open.end());
    const Asked* answered = ledger.Answer(other);
    ASSERT_EQ(answered != nullptr, first != open.end());
    if (answered == nullptr) continue;
    ASSERT_EQ(answered->method, first->second);
    open.erase(first);
  }
}

TEST(LedgerTest, OneThatIsOddIsOpenUntilItIsAnswered) {
  Ledger ledger;
  ledger.Add({.id = "1", .odd = true});
  ledger.Add({.id = "2", .must = true});
  EXPECT_TRUE(ledger.OddOpen());
  ledger.Answer("2");
  EXPECT_TRUE(ledger.OddOpen());
  ledger.Answer("1");
  EXPECT_FALSE(ledger.OddOpen());
}

TEST(LedgerTest, WhatWasNotAnsweredMayBeAnsweredInALaterRunOnce) {
  Ledger ledger;
  ledger.Add({.id = "1", .must = true});
  ledger.OnRun();
  EXPECT_EQ(ledger.owed(), 0u);
  ledger.OnRun();
  ledger.Add({.id = "1", .must = true});
  EXPECT_TRUE(ledger.Ambiguous(*ledger.First("1")));
  EXPECT_TRUE(ledger.AnswerEarlier("1"));
  EXPECT_FALSE(ledger.Ambiguous(*ledger.First("1")));
  ledger.OnPeer();
  EXPECT_FALSE(ledger.AnswerEarlier("1"));
}

TEST(LedgerTest, OfManyWithoutAnswerTheIdsAreKnownStill) {
  Ledger ledger;
  for (size_t i = 0; i < 4 * kMaxEarlier; ++i) {
    ledger.Add({.id = std::to_string(i)});
    ledger.OnRun();
  }
  EXPECT_TRUE(ledger.Earlier("0"));
  EXPECT_TRUE(ledger.AnswerEarlier("0"));
  EXPECT_FALSE(ledger.AnswerEarlier("none"));
  EXPECT_FALSE(ledger.full());
  ledger.OnPeer();
  EXPECT_FALSE(ledger.Earlier("0"));
}

TEST(LedgerTest, WhatWasOddLongAgoIsNotAnsweredAnyMore) {
  Ledger ledger;
  ledger.Add({.id = "1", .odd = true});
  for (uint32_t run = 0; run < kOddRuns; ++run) ledger.OnRun();
  EXPECT_TRUE(ledger.OddOpen());
  ledger.OnRun();
  EXPECT_FALSE(ledger.OddOpen());
  EXPECT_TRUE(ledger.Earlier("1"));
}

TEST(LedgerTest, WhatTakesItsTimeIsAwaitedForEver) {
  Ledger ledger;
  ledger.Add({.id = "1.0", .odd = true, .slow = true});
  for (uint32_t run = 0; run < 10 * kOddRuns; ++run) ledger.OnRun();
  EXPECT_TRUE(ledger.OddOpen());
  ledger.OnPeer();
  EXPECT_FALSE(ledger.OddOpen());
  ledger.AddUnreadable(true);
  for (uint32_t run = 0; run < 10 * kOddRuns; ++run) ledger.OnRun();
  EXPECT_TRUE(ledger.OddOpen());
}

TEST(LedgerTest, ARefusalOfWhatIsNoRequestComesSoonOrNotAtAll) {
  Ledger ledger;
  for (size_t i = 0; i < 2 * kMaxEarlier; ++i) ledger.Add({.id = "1", .stray = true});
  ledger.OnRun();
  EXPECT_TRUE(ledger.AnswerEarlier("1"));
  for (uint32_t run = 0; run < kOddRuns; ++run) ledger.OnRun();
  EXPECT_TRUE(ledger.AnswerEarlier("1"));
  ledger.OnRun();
  EXPECT_FALSE(ledger.AnswerEarlier("1"));
}

TEST(LedgerTest, WhatNobodyCanReadMayHaveHadTheSameId) {
  Ledger ledger;
  ledger.Add({.id = "1", .must = true});
  EXPECT_FALSE(ledger.Ambiguous(*ledger.First("1")));
  ledger.AddUnreadable(false);
  EXPECT_TRUE(ledger.Ambiguous(*ledger.First("1")));
  ledger.OnRun();
  ledger.Add({.id = "2", .must = true});
  ledger.Add({.id = "3", .odd = true});
  EXPECT_TRUE(ledger.Ambiguous(*ledger.First("2")));
}

TEST(LedgerTest, WhatIsBeyondTheCapIsOwedNothing) {
  Ledger ledger;
  for (size_t i = 0; i <= kMaxAsked; ++i) ledger.Add({.id = std::to_string(i), .must = true});
  EXPECT_EQ(ledger.owed(), kMaxAsked);
  size_t told = 0;
  ledger.GiveUp([&](const Asked&) { ++told; });
  EXPECT_EQ(told, kMaxAsked);
  EXPECT_EQ(ledger.owed(), 0u);
}

TEST(LedgerTest, NothingIsOwedByWhoIsExcused) {
  Ledger ledger;
  ledger.Add({.id = "1", .method = "open", .must = true});
  EXPECT_EQ(ledger.FirstOwed()->method, "open");
  ledger.Excuse();
  EXPECT_EQ(ledger.FirstOwed(), nullptr);
  EXPECT_FALSE(ledger.Owes("1"));
}

}  // namespace
}  // namespace midwire::fuzz
