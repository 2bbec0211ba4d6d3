#include "wire/exchange.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/sanitized.h"

namespace midwire::wire {
namespace {

constexpr Direction kH2p = Direction::kHostToPlugin, kP2h = Direction::kPluginToHost;

Message WithId(const char* token) {
  Message m;
  m.id.type = *token == '"'                                                 ? Id::Type::kString
              : std::string_view(token) == "null"                           ? Id::Type::kNull
              : std::string_view(token).find('.') != std::string_view::npos ? Id::Type::kFraction
                                                                            : Id::Type::kInteger;
  m.id.token = token;
  m.method = std::string("m") + token;
  return m;
}

// The number of the request that an answer closes; 0: none.
uint64_t Close(Exchanges* exchanges, Direction d, const char* id) {
  const auto request = exchanges->Close(d, WithId(id));
  return request ? request->number : 0;
}

TEST(ExchangesTest, TheSameIdInBothDirectionsIsTwoExchanges) {
  Exchanges e;
  e.Open(kH2p, WithId("1"), 1, 10);
  e.Open(kP2h, WithId("1"), 2, 20);
  EXPECT_EQ(Close(&e, kH2p, "1"), 2u);
  EXPECT_EQ(Close(&e, kP2h, "1"), 1u);
}

TEST(ExchangesTest, DuplicatesCloseFirstInFirstOut) {
  Exchanges e;
  for (uint64_t n = 1; n <= 3; ++n) e.Open(kH2p, WithId("1"), n, 0);
  for (uint64_t n = 1; n <= 3; ++n) EXPECT_EQ(Close(&e, kP2h, "1"), n);
  EXPECT_EQ(Close(&e, kP2h, "1"), 0u);
}

// The number of the request that an answer closes although it spells the id otherwise; 0: none.
uint64_t CloseMeant(Exchanges* exchanges, Direction d, const char* id) {
  const auto request = exchanges->CloseMeant(d, WithId(id));
  return request ? request->number : 0;
}

TEST(ExchangesTest, AnIdOfAnotherTypeIsAnotherIdUnlessOneAsksWhatWasMeant) {
  Exchanges e;
  e.Open(kH2p, WithId("1"), 1, 0);
  EXPECT_EQ(Close(&e, kP2h, "\"1\""), 0u);
  EXPECT_EQ(Close(&e, kP2h, "1.0"), 0u);
  EXPECT_EQ(CloseMeant(&e, kP2h, "1.0"), 1u);
  e.Open(kH2p, WithId("1"), 2, 0);
  e.Open(kH2p, WithId("\"1\""), 3, 0);
  EXPECT_EQ(CloseMeant(&e, kP2h, "\"1\""), 3u);
  EXPECT_EQ(CloseMeant(&e, kP2h, "\"1\""), 2u);
}

TEST(ExchangesTest, AnotherTextOrNullIsNoOtherSpelling) {
  Exchanges e;
  e.Open(kH2p, WithId("\"null\""), 1, 0);
  e.Open(kH2p, WithId("a"), 2, 0);
  EXPECT_EQ(CloseMeant(&e, kP2h, "null"), 0u);
  EXPECT_EQ(CloseMeant(&e, kP2h, "\"a\""), 0u);
}

TEST(ExchangesTest, AClosedIdMayBeUsedAgain) {
  Exchanges e;
  for (uint64_t n = 1; n <= 5; ++n) {
    e.Open(kH2p, WithId("7"), n, 0);
    EXPECT_EQ(Close(&e, kP2h, "7"), n);
  }
  EXPECT_EQ(e.open_count(kH2p), 0u);
}

TEST(ExchangesTest, UnansweredInOrderOfNumber) {
  Exchanges e;
  for (uint64_t n : {4, 2, 9}) e.Open(kH2p, WithId(std::to_string(n).c_str()), n, 0);
  e.Open(kH2p, WithId("2"), 11, 0);
  const auto open = e.Unanswered(kH2p);
  ASSERT_EQ(open.size(), 4u);
  EXPECT_EQ(open[0].number, 2u);
  EXPECT_EQ(open[3].number, 11u);
  EXPECT_EQ(open[1].method, "m4");
}

TEST(ExchangesTest, AFloodOfRequestsIsCountedButNotKept) {
  Exchanges e;
  for (uint64_t n = 0; n < kMaxOpenRequests + 10; ++n) e.Open(kH2p, WithId("1"), n, 0);
  EXPECT_EQ(e.open_count(kH2p), kMaxOpenRequests + 10);
  EXPECT_EQ(e.Unanswered(kH2p).size(), kMaxOpenRequests);
}

TEST(ExchangesTest, AnIdThatIsNeverQuiteAnsweredDoesNotGrow) {
  if (IsSanitized()) GTEST_SKIP() << "sanitizers have their own heap";
  Exchanges e;
  const std::string id(1000, 'x');
  e.Open(kH2p, WithId(id.c_str()), 1, 0);
  const size_t before = mallinfo2().uordblks;
  for (int n = 2; n < 10'000; ++n) {
    e.Open(kH2p, WithId(id.c_str()), n, 0);
    EXPECT_EQ(Close(&e, kP2h, id.c_str()), n - 1u);
  }
  EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}

TEST(ExchangesTest, LongIdsAreKeptUpToACapInBytes) {
  Exchanges e;
  const auto id = [](int n) { return '"' + std::string(4000, 'x') + std::to_string(n) + '"'; };
  for (int n = 0; n < 10'000; ++n) e.Open(kH2p, WithId(id(n).c_str()), n, 0);
  size_t bytes = 0;
  for (const OpenRequest& request : e.Unanswered(kH2p)) bytes += request.id.size();
  EXPECT_LE(bytes, 16u << 20);
  EXPECT_EQ(e.open_count(kH2p), 10'000u);
  // An answer makes room again.
  EXPECT_EQ(Close(&e, kP2h, id(7).c_str()), 7u);
  e.Open(kH2p, WithId(id(10'001).c_str()), 10'001, 0);
  EXPECT_EQ(Close(&e, kP2h, id(10'001).c_str()), 10'001u);
}

}  // namespace
}  // namespace midwire::wire
