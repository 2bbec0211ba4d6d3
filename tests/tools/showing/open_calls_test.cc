#include "tools/showing/open_calls.h"

#include <gmock/gmock.h>

namespace midwire::tools {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kNow = 1'767'323'045 * kSecond;

class OpenCallsTest : public testing::Test {
 protected:
  void Open(uint64_t number, const std::string& id, const std::string& label = "") {
    wire::Message message;
    message.kind = wire::Kind::kRequest;
    message.method = "m" + std::to_string(number);
    message.id.token = id;
    trace::RecordedMessage recorded;
    recorded.number = number;
    recorded.time_ns = kNow;
    recorded.message = &message;
    calls_.Open(recorded, label);
  }
  std::vector<std::string> Oldest(size_t most = 9) const {
    std::vector<std::string> methods;
    for (const view::FooterCall& call : calls_.Oldest(most)) methods.push_back(call.method);
    return methods;
  }

  OpenCalls calls_;
};

TEST_F(OpenCallsTest, TheOldestComeFirst) {
  for (const uint64_t number : {3, 10, 11}) Open(number, "1");
  EXPECT_THAT(Oldest(2), testing::ElementsAre("m3", "m10"));
  calls_.Close(3, "1");
  EXPECT_THAT(Oldest(), testing::ElementsAre("m10", "m11"));
  EXPECT_EQ(calls_.count(), 2U);
}

TEST_F(OpenCallsTest, ElementsOfABatchShareANumber) {
  Open(3, "1");
  Open(3, "2");
  calls_.Close(3, "2");
  EXPECT_EQ(calls_.Oldest(9).at(0).id, "1");
  EXPECT_EQ(calls_.count(), 1U);
}

TEST_F(OpenCallsTest, AnAnswerAfterACancellationChangesNothing) {
  Open(3, "1");
  Open(4, "2");
  for (int i = 0; i < 2; ++i) calls_.Close(3, "1");
  EXPECT_EQ(calls_.count(), 1U);
}

TEST_F(OpenCallsTest, OfVeryManyTheLatestAreOnlyCounted) {
  for (uint64_t number = 1; number <= 20'000; ++number) Open(number, "1");
  EXPECT_EQ(calls_.count(), 20'000U);
  calls_.Close(19'999, "1");
  EXPECT_EQ(calls_.count(), 19'999U);
  calls_.Clear();
  EXPECT_EQ(calls_.count(), 0U);
}

TEST_F(OpenCallsTest, LongTextsAreCut) {
  const std::string text(5000, 'x');
  Open(1, text, text);
  const view::FooterCall call = calls_.Oldest(1).at(0);
  EXPECT_LT(call.id.size() + call.label.size(), 500U);
  calls_.Close(1, text);
  EXPECT_EQ(calls_.count(), 0U);
}

TEST(RateMeterTest, IsOverTheLastSeconds) {
  RateMeter meter;
  for (int second = 0; second < 60; ++second) {
    for (int i = 0; i < 10; ++i) meter.Add(kNow + second * kSecond + i, 100);
  }
  const view::FooterRate rate = meter.At(kNow + 60 * kSecond - 1);
  EXPECT_NEAR(rate.messages, 10, 0.1);
  EXPECT_NEAR(rate.bytes, 1000, 1);
  EXPECT_EQ(meter.At(kNow + 70 * kSecond).messages, 0);
}

TEST(RateMeterTest, OfASessionThatHasJustBegun) {
  RateMeter meter;
  EXPECT_EQ(meter.At(kNow).messages, 0);
  for (int i = 0; i < 10; ++i) meter.Add(kNow, 1);
  EXPECT_EQ(meter.At(kNow).messages, 10);
  EXPECT_EQ(meter.At(kNow + 2 * kSecond).messages, 5);
}

TEST(RateMeterTest, TimesThatNoClockHasNow) {
  RateMeter meter;
  for (const int64_t time : {int64_t{-5}, int64_t{0}, INT64_MAX, kNow + 3600 * kSecond}) {
    meter.Add(time, 1);
  }
  EXPECT_EQ(meter.At(kNow).messages, 0);
}

}  // namespace
}  // namespace midwire::tools
