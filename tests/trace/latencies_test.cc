#include "trace/report/latencies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace midwire::trace {
namespace {

Latencies LatenciesOf(const std::vector<int64_t>& samples) {
  Latencies latencies;
  for (const int64_t sample : samples) latencies.Add(sample);
  return latencies;
}

// By the definition, on all samples.
int64_t NearestRank(std::vector<int64_t> samples, int percent) {
  std::sort(samples.begin(), samples.end());
  return samples[(samples.size() * percent + 99) / 100 - 1];
}

TEST(LatenciesTest, NothingMeasured) {
  EXPECT_EQ(Latencies().Percentile(50), 0);
  EXPECT_EQ(Latencies().max(), 0);
}

TEST(LatenciesTest, OneSampleIsEveryPercentile) {
  for (const int percent : {1, 50, 99, 100}) EXPECT_EQ(LatenciesOf({7}).Percentile(percent), 7);
}

TEST(LatenciesTest, NearestRankOfAFew) {
  const Latencies latencies = LatenciesOf({40, 10, 30, 20});
  EXPECT_EQ(latencies.Percentile(25), 10);
  EXPECT_EQ(latencies.Percentile(50), 20);
  EXPECT_EQ(latencies.Percentile(51), 30);
  EXPECT_EQ(latencies.Percentile(99), 40);
}

TEST(LatenciesTest, AClockThatWasSetBackCountsAsZero) {
  EXPECT_EQ(LatenciesOf({-5}).Percentile(50), 0);
}

TEST(LatenciesTest, ExactUpToTheCapThenWithinItsError) {
  std::mt19937_64 random(1);
  std::vector<int64_t> samples;
  Latencies latencies;
  for (size_t i = 0; i < 3 * Latencies::kExactSamples; ++i) {
    samples.push_back(static_cast<int64_t>(random() >> (1 + random() % 62)));
    latencies.Add(samples.back());
    if (i + 1 != Latencies::kExactSamples && i + 1 != 3 * Latencies::kExactSamples) continue;
    EXPECT_EQ(latencies.exact(), i + 1 == Latencies::kExactSamples);
    for (const int percent : {1, 50, 90, 99, 100}) {
      const double truth = static_cast<double>(NearestRank(samples, percent));
      const double allowed = latencies.exact() ? 0 : truth * 0.016 + 0.5;
      EXPECT_NEAR(static_cast<double>(latencies.Percentile(percent)), truth, allowed) << percent;
    }
  }
  EXPECT_EQ(latencies.max(), *std::max_element(samples.begin(), samples.end()));
}

TEST(LatenciesTest, ExtremesFitTheHistogram) {
  Latencies latencies;
  for (size_t i = 0; i <= Latencies::kExactSamples; ++i) {
    latencies.Add(i % 2 ? 0 : std::numeric_limits<int64_t>::max());
  }
  EXPECT_EQ(latencies.Percentile(1), 0);
  EXPECT_GT(latencies.Percentile(99), std::numeric_limits<int64_t>::max() / 100 * 98);
  EXPECT_LE(latencies.Percentile(100), std::numeric_limits<int64_t>::max());
}

// Every small value has a bucket of its own, so that nanosecond latencies stay exact.
TEST(LatenciesTest, SmallValuesStayExactInTheHistogram) {
  Latencies latencies;
  for (size_t i = 0; i < 100 * 64; ++i) latencies.Add(static_cast<int64_t>(i % 64));
  ASSERT_FALSE(latencies.exact());
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(latencies.Percentile(percent), (64 * percent + 99) / 100 - 1);
  }
}

}  // namespace
}  // namespace midwire::trace
