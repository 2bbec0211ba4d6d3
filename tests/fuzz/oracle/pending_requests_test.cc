#include "fuzz/oracle/pending_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/wire/id_spellings.h"

namespace midwire::fuzz {
namespace {

TEST(PendingRequestsTest, AnExpectedAnswerComesBeforeAnOptionalOne) {
  PendingRequests pending;
  pending.Add({.id = "1", .method = "may"});
  pending.Add({.id = "1", .method = "must", .expected = true});
  EXPECT_EQ(pending.expected(), 1u);
  EXPECT_EQ(pending.Answer("1")->method, "must");
  EXPECT_EQ(pending.Answer("1")->method, "may");
  EXPECT_EQ(pending.Answer("1"), nullptr);
}

TEST(PendingRequestsTest, AnIdIsItsToken) {
  PendingRequests pending;
  pending.Add({.id = "\"1\"", .method = "text", .expected = true});
  EXPECT_EQ(pending.Answer("1"), nullptr);
  ASSERT_NE(pending.ExpectedOfOtherType("1"), nullptr);
  EXPECT_EQ(pending.ExpectedOfOtherType("1")->method, "text");
  EXPECT_EQ(pending.ExpectedOfOtherType("\"1\""), nullptr);
  EXPECT_TRUE(pending.IsExpected("\"1\""));
}

TEST(PendingRequestsTest, AThousandIdsAreDistinguished) {
  PendingRequests pending;
  for (int i = 0; i < 1000; ++i) pending.Add({.id = std::to_string(i), .expected = true});
  for (int i = 999; i >= 0; --i) {
    const PendingRequest* answered = pending.Answer(std::to_string(i));
    ASSERT_NE(answered, nullptr);
    EXPECT_EQ(answered->id, std::to_string(i));
  }
  EXPECT_EQ(pending.expected(), 0u);
}

TEST(PendingRequestsTest, RequestsOfOneIdAreAnsweredInOrder) {
  PendingRequests pending;
  for (int i = 0; i < 100; ++i)
    pending.Add({.id = "1", .method = std::to_string(i), .expected = true});
  for (int i = 0; i < 60; ++i) EXPECT_EQ(pending.Answer("1")->method, std::to_string(i));
  pending.Add({.id = "1", .method = "later", .expected = true});
  EXPECT_EQ(pending.First("1")->method, "0");
  for (int i = 60; i < 100; ++i) EXPECT_EQ(pending.Answer("1")->method, std::to_string(i));
  EXPECT_EQ(pending.Answer("1")->method, "later");
  EXPECT_EQ(pending.Answer("1"), nullptr);
  pending.Add({.id = "1", .method = "last"});
  EXPECT_EQ(pending.Answer("1")->method, "last");
}

// Compared with a list of open requests. A number and its string are in the same chain.
TEST(PendingRequestsTest, AnAnswerBelongsToTheFirstOpenRequestWithItsId) {
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
    const auto is = [&](const auto& request) { return request.first == other; };
    const auto first = std::find_if(open.begin(), open.end(), is);
    ASSERT_EQ(pending.IsOpen(other), first != open.end());
    const PendingRequest* answered = pending.Answer(other);
    ASSERT_EQ(answered != nullptr, first != open.end());
    if (answered == nullptr) continue;
    ASSERT_EQ(answered->method, first->second);
    open.erase(first);
  }
}

TEST(PendingRequestsTest, AnAmbiguousRequestIsOpenUntilItIsAnswered) {
  PendingRequests pending;
  pending.Add({.id = "1", .ambiguous = true});
  pending.Add({.id = "2", .expected = true});
  EXPECT_TRUE(pending.HasAmbiguous());
  pending.Answer("2");
  EXPECT_TRUE(pending.HasAmbiguous());
  pending.Answer("1");
  EXPECT_FALSE(pending.HasAmbiguous());
}

TEST(PendingRequestsTest, ALateAnswerIsAcceptedOnce) {
  PendingRequests pending;
  pending.Add({.id = "1", .expected = true});
  pending.OnRun();
  EXPECT_EQ(pending.expected(), 0u);
  pending.OnRun();
  pending.Add({.id = "1", .expected = true});
  EXPECT_TRUE(pending.MayAnswerAnother(*pending.First("1")));
  EXPECT_TRUE(pending.AnswerEarlier("1"));
  EXPECT_FALSE(pending.MayAnswerAnother(*pending.First("1")));
  pending.OnPeer();
  EXPECT_FALSE(pending.AnswerEarlier("1"));
}

TEST(PendingRequestsTest, IdsOfManyUnansweredRequestsAreRemembered) {
  PendingRequests pending;
  for (size_t i = 0; i < 4 * kMaxEarlier; ++i) {
    pending.Add({.id = std::to_string(i)});
    pending.OnRun();
  }
  EXPECT_TRUE(pending.HadEarlier("0"));
  EXPECT_TRUE(pending.AnswerEarlier("0"));
  EXPECT_FALSE(pending.AnswerEarlier("none"));
  EXPECT_FALSE(pending.full());
  pending.OnPeer();
  EXPECT_FALSE(pending.HadEarlier("0"));
}

TEST(PendingRequestsTest, AnAmbiguousRequestExpiresAfterSomeRuns) {
  PendingRequests pending;
  pending.Add({.id = "1", .ambiguous = true});
  for (uint32_t run = 0; run < kAmbiguousRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.HasAmbiguous());
  pending.OnRun();
  EXPECT_FALSE(pending.HasAmbiguous());
  EXPECT_TRUE(pending.HadEarlier("1"));
}

TEST(PendingRequestsTest, ASlowRequestStaysAmbiguous) {
  PendingRequests pending;
  pending.Add({.id = "1.0", .ambiguous = true, .slow = true});
  for (uint32_t run = 0; run < 10 * kAmbiguousRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.HasAmbiguous());
  pending.OnPeer();
  EXPECT_FALSE(pending.HasAmbiguous());
  pending.AddUnreadable(true);
  for (uint32_t run = 0; run < 10 * kAmbiguousRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.HasAmbiguous());
}

TEST(PendingRequestsTest, ALateRefusalOfANonRequestIsNotAccepted) {
  PendingRequests pending;
  for (size_t i = 0; i < 2 * kMaxEarlier; ++i) pending.Add({.id = "1", .not_request = true});
  pending.OnRun();
  EXPECT_TRUE(pending.AnswerEarlier("1"));
  for (uint32_t run = 0; run < kAmbiguousRuns; ++run) pending.OnRun();
  EXPECT_TRUE(pending.AnswerEarlier("1"));
  pending.OnRun();
  EXPECT_FALSE(pending.AnswerEarlier("1"));
}

TEST(PendingRequestsTest, UnreadableBytesMayHaveTheSameId) {
  PendingRequests pending;
  pending.Add({.id = "1", .expected = true});
  EXPECT_FALSE(pending.MayAnswerAnother(*pending.First("1")));
  pending.AddUnreadable(false);
  EXPECT_TRUE(pending.MayAnswerAnother(*pending.First("1")));
  pending.OnRun();
  pending.Add({.id = "2", .expected = true});
  pending.Add({.id = "3", .ambiguous = true});
  EXPECT_TRUE(pending.MayAnswerAnother(*pending.First("2")));
}

TEST(PendingRequestsTest, RequestsBeyondTheLimitExpectNoAnswer) {
  PendingRequests pending;
  for (size_t i = 0; i <= kMaxPendingRequests; ++i)
    pending.Add({.id = std::to_string(i), .expected = true});
  EXPECT_EQ(pending.expected(), kMaxPendingRequests);
  size_t visited = 0;
  pending.GiveUpExpected([&](const PendingRequest&) { ++visited; });
  EXPECT_EQ(visited, kMaxPendingRequests);
  EXPECT_EQ(pending.expected(), 0u);
}

TEST(PendingRequestsTest, NoAnswerIsExpectedAfterDropExpectations) {
  PendingRequests pending;
  pending.Add({.id = "1", .method = "open", .expected = true});
  EXPECT_EQ(pending.FirstExpected()->method, "open");
  pending.DropExpectations();
  EXPECT_EQ(pending.FirstExpected(), nullptr);
  EXPECT_FALSE(pending.IsExpected("1"));
}

TEST(PendingRequestsTest, SpellingsOfOneId) {
  for (const wire::IdSpelling& each : wire::kIdSpellings) {
    PendingRequests pending;
    pending.Add({.id = each.asked, .expected = true});
    EXPECT_EQ(pending.ExpectedOfOtherType(each.answered) != nullptr, each.same_id)
        << each.asked << " " << each.answered;
    EXPECT_EQ(pending.HadAnyType(each.answered), each.same_id);
  }
}

}  // namespace
}  // namespace midwire::fuzz
