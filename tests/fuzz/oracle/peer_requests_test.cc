#include "fuzz/oracle/peer_requests.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

std::string Taken(PeerRequests* requests) {
  std::string all;
  for (const auto& [id, method] : requests->Take()) all += id + " " + method + "\n";
  return all;
}

TEST(PeerRequestsTest, AnAnswerClosesTheRequestWithItsId) {
  PeerRequests requests;
  requests.Add("1", "ask");
  requests.Add("\"1\"", "tell");
  requests.Answer("2");
  requests.Answer("1");
  EXPECT_FALSE(requests.Has("1"));
  EXPECT_EQ(Taken(&requests), "\"1\" tell\n");
  EXPECT_TRUE(requests.empty());
}

TEST(PeerRequestsTest, OfARepeatedIdAnAnswerClosesOneRequest) {
  PeerRequests requests;
  for (const char* method : {"first", "second"}) requests.Add("1", method);
  requests.Answer("1");
  EXPECT_EQ(Taken(&requests), "1 second\n");
}

TEST(PeerRequestsTest, AnAnswerClosesAllRequestsOfEarlierRuns) {
  PeerRequests requests;
  for (const char* method : {"first", "second"}) requests.Add("1", method);
  requests.OnRun();
  for (const char* method : {"third", "fourth"}) requests.Add("1", method);
  requests.Answer("1");
  EXPECT_EQ(Taken(&requests), "1 fourth\n");
}

TEST(PeerRequestsTest, AFloodIsNotRemembered) {
  PeerRequests requests;
  for (size_t i = 0; i < kMaxPeerRequests; ++i) EXPECT_TRUE(requests.Add("1", "ask"));
  EXPECT_FALSE(requests.Add("2", "ask"));
  EXPECT_FALSE(requests.Has("2"));
  requests.OnPeer();
  EXPECT_TRUE(requests.Add("2", "ask"));
}

}  // namespace
}  // namespace midwire::fuzz
