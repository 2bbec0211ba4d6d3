#include "fuzz/oracle/pending_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace midwire::fuzz {
namespace {

TEST(PendingRequestsTest, WhatIsOwedIsAnsweredBeforeWhatMayBe) {
  PendingRequests pending;
  pending.Add({.id = "1", .method = "may"});
  pending.Add({.id = "1", .method = "must", .must = true});
  EXPECT_EQ(pending.owed(), 1u);
  EXPECT_EQ(pending.Answer("1")->method, "must");
  EXPECT_EQ(pending.Answer("1")->method, "may");
  EXPECT_EQ(pending.Answer("1"), nullptr);
  EXPECT_TRUE(pending.Answered("1"));
}

TEST(PendingRequestsTest, AnIdIsItsToken) {
  PendingRequests pending;
  pending.Add({.id = "\"1\"", .method = "text", .must = true});
  EXPECT_EQ(pending.Answer("1"), nullptr);
  ASSERT_NE(pending.OfOtherType("1"), nullptr);
  EXPECT_EQ(pending.OfOtherType("1")->method, "text");
  EXPECT_EQ(pending.OfOtherType("\"1\""), nullptr);
  EXPECT_TRUE(pending.Owes("\"1\""));
}

TEST(PendingRequestsTest, AThousandIdsAreToldApart) {
  PendingRequests pending;
  for (int i = 0; i < 1000; ++i) pending.Add({.id = std::to_string(i), .must = true});
  for (int i = 999; i >= 0; --i) {
    const PendingRequest* answered = pending.Answer(std::to_string(i));
    ASSERT_NE(answered, nullptr);
    EXPECT_EQ(answered->id, std::to_string(i));
  }
  EXPECT_EQ(pending.owed(), 0u);
}

TEST(PendingRequestsTest, OneIdAHundredTimesIsAnsweredInOrder) {
  PendingRequests pending;
  for (int i = 0; i < 100; ++i) pending.Add({.id = "1", .method = std::to_string(i), .must = true});
  for (int i = 0; i < 60; ++i) EXPECT_EQ(pending.Answer("1")->method, std::to_string(i));
  pending.Add({.id = "1", .method = "later", .must = true});
  EXPECT_EQ(pending.First("1")->method, "0");
  for (int i = 60; i < 100; ++i) EXPECT_EQ(pending.Answer("1")->method, std::to_string(i));
  EXPECT_EQ(pending.Answer("1")->method, "later");
  EXPECT_EQ(pending.Answer("1"), nullptr);
  pending.Add({.id = "1", .method = "last"});
  EXPECT_EQ(pending.Answer("1")->method, "last");
}

// Against a list of what is open. A number and its string are in the same chain.
TEST(PendingRequestsTest, InWhateverOrderTheyAreAnsweredTheFirstOfAnIdIsMeant) {
  PendingRequests pending;
  std::vector<std::pair<std::string, std::string>> open;  // ids and methods
  const auto id_of = [](uint32_t n) {
    return n % 2 ? std::to_string(n / 2) : "\"" + std::to_string(n / 2) + "\"";
  };
  uint32_t random = 1;
  for (int i = 0; i < 5000; ++i) {
    random = random * 1664525 + 1013904223;
    const std::string id = id_of(random >> 29);
    if (random >> 20 & 1) {
      pending.Add({.id = id, .method = std::to_string(i)});
      open.emplace_back(id, std::to_string(i));
    }
    const std::string other = id_of(random >> 26 & 7);
    const auto is = [&](const auto& asked) { return asked.first == other; };
    const auto first = std::find_if(open.begin(), open.end(), is);
    ASSERT_EQ(pending.Open(other), first != open.end());
    const PendingRequest* answered = pending.Answer(other);
    ASSERT_EQ(answered != nullptr, first != open.end());
    if (answered == nullptr) continue;
    ASSERT_EQ(answered->method, first->second);
    open.erase(first);
  }
}

TEST(PendingRequestsTest, OneThatIsOddIsOpenUntilItIsAnswered) {
  PendingRequests pending;
  pending.Add({.id = "1", .odd = true});
  pending.Add({.id = "2", .must = true});
  EXPECT_TRUE(pending.OddOpen());
  pending.Answer("2");
  EXPECT_TRUE(pending.OddOpen());
  pending.Answer("1");
  EXPECT_FALSE(pending.OddOpen());
}

TEST(PendingRequestsTest, WhatWasNotAnsweredMayBeAnsweredInALaterRunOnce) {
  PendingRequests pending;
  pending.Add({.id = "1", .must = true});
  pending.OnRun();
  EXPECT_EQ(pending.owed(), 0u);
  pending.OnRun();
  pending.Add({.id = "1", .must = true});
  EXPECT_TRUE(pending.Ambiguous(*pending.First("1")));
  EXPECT_TRUE(pending.AnswerEarlier("1"));
  EXPECT_FALSE(pending.Ambiguous(*pending.First("1")));
  pending.OnPeer();
  EXPECT_FALSE(pending.AnswerEarlier("1"));
}

TEST(PendingRequestsTest, OfManyWithoutAnswerTheIdsAreKnownStill) {
  PendingRequests pending;
  for (size_t i = 0; i < 4 * kMaxEarlier; ++i) {
    pending.Add({.id = std::to_string(i)});
    pending.OnRun();
  }
  EXPECT_TRUE(pending.Earlier("0"));
  EXPECT_TRUE(pending.AnswerEarlier("0"));
  EXPECT_FALSE(pending.AnswerEarlier("none"));
  EXPECT_FALSE(pending.full());
  pending.OnPeer();
  EXPECT_FALSE(pending.Earlier("0"));
}

TEST(PendingRequestsTest, WhatWasOddLongAgoIsNotAnsweredAnyMore) {
  PendingRequests pending;
  pending.Add({.id = "1", .odd = true});
  for (uint32_t run = 0; run < kOddRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.OddOpen());
  pending.OnRun();
  EXPECT_FALSE(pending.OddOpen());
  EXPECT_TRUE(pending.Earlier("1"));
}

TEST(PendingRequestsTest, WhatTakesItsTimeIsAwaitedForEver) {
  PendingRequests pending;
  pending.Add({.id = "1.0", .odd = true, .slow = true});
  for (uint32_t run = 0; run < 10 * kOddRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.OddOpen());
  pending.OnPeer();
  EXPECT_FALSE(pending.OddOpen());
  pending.AddUnreadable(true);
  for (uint32_t run = 0; run < 10 * kOddRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.OddOpen());
}

TEST(PendingRequestsTest, ARefusalOfWhatIsNoRequestComesSoonOrNotAtAll) {
  PendingRequests pending;
  for (size_t i = 0; i < 2 * kMaxEarlier; ++i) pending.Add({.id = "1", .stray = true});
  pending.OnRun();
  EXPECT_TRUE(pending.AnswerEarlier("1"));
  for (uint32_t run = 0; run < kOddRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.AnswerEarlier("1"));
  pending.OnRun();
  EXPECT_FALSE(pending.AnswerEarlier("1"));
}

TEST(PendingRequestsTest, WhatNobodyCanReadMayHaveHadTheSameId) {
  PendingRequests pending;
  pending.Add({.id = "1", .must = true});
  EXPECT_FALSE(pending.Ambiguous(*pending.First("1")));
  pending.AddUnreadable(false);
  EXPECT_TRUE(pending.Ambiguous(*pending.First("1")));
  pending.OnRun();
  pending.Add({.id = "2", .must = true});
  pending.Add({.id = "3", .odd = true});
  EXPECT_TRUE(pending.Ambiguous(*pending.First("2")));
}

TEST(PendingRequestsTest, WhatIsBeyondTheCapIsOwedNothing) {
  PendingRequests pending;
  for (size_t i = 0; i <= kMaxPendingRequests; ++i)
    pending.Add({.id = std::to_string(i), .must = true});
  EXPECT_EQ(pending.owed(), kMaxPendingRequests);
  size_t told = 0;
  pending.GiveUp([&](const PendingRequest&) { ++told; });
  EXPECT_EQ(told, kMaxPendingRequests);
  EXPECT_EQ(pending.owed(), 0u);
}

TEST(PendingRequestsTest, NothingIsOwedByWhoIsExcused) {
  PendingRequests pending;
  pending.Add({.id = "1", .method = "open", .must = true});
  EXPECT_EQ(pending.FirstOwed()->method, "open");
  pending.DropExpectations();
  EXPECT_EQ(pending.FirstOwed(), nullptr);
  EXPECT_FALSE(pending.Owes("1"));
}

}  // namespace
}  // namespace midwire::fuzz
