// The rows of a timeline that wait for an answer.
#include "tools/showing/waiting_rows.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace midwire::tools {
namespace {

constexpr auto kToPlugin = wire::Direction::kHostToPlugin;

class WaitingRowsTest : public testing::Test {
 protected:
  ~WaitingRowsTest() override { close(descriptor_); }

  void Wait(uint64_t number, wire::Direction direction = kToPlugin) {
    WaitingRow row;
    row.begin = row.open_at = row.end = rows_.place();
    row.number = number;
    row.direction = direction;
    rows_.Wait(std::move(row));
  }
  bool never_read(uint64_t number) { return rows_.Find(number, "")->never_read; }

  const int descriptor_ = open("/dev/null", O_WRONLY | O_CLOEXEC);
  Output output_{descriptor_};
  WaitingRows rows_{&output_, 4u << 20, 0};
};

TEST_F(WaitingRowsTest, ThoseOfADirectionBetweenTwoNumbersWereNeverRead) {
  for (uint64_t number : {1, 2, 4}) Wait(number);
  Wait(3, wire::Direction::kPluginToHost);
  rows_.NeverRead(2, 3, kToPlugin);
  EXPECT_FALSE(never_read(1));
  EXPECT_TRUE(never_read(2));
  EXPECT_FALSE(never_read(3));
  EXPECT_FALSE(never_read(4));
}

TEST_F(WaitingRowsTest, ALaterRowWasNotClosedBefore) {
  Wait(1);
  rows_.NeverRead(1, 9, kToPlugin);
  Wait(2);
  EXPECT_TRUE(never_read(1));
  EXPECT_FALSE(never_read(2));
}

// Each event once looked at all rows that wait.
TEST_F(WaitingRowsTest, ManyEventsLookAtEachRowOnce) {
  constexpr uint64_t kRows = 1000;
  for (uint64_t number = 1; number <= kRows; ++number) Wait(number);
  uint64_t looked_at = 0;
  for (uint64_t last = 1; last <= kRows; ++last) looked_at += rows_.NeverRead(1, last, kToPlugin);
  EXPECT_EQ(looked_at, kRows);
  EXPECT_TRUE(never_read(1));
  EXPECT_TRUE(never_read(kRows));
}

TEST_F(WaitingRowsTest, ARowThatIsWrittenDoesNotWait) {
  Wait(1);
  *rows_.text() += "a row";
  rows_.WriteThrough();
  EXPECT_EQ(rows_.Find(1, ""), nullptr);
  EXPECT_EQ(rows_.NeverRead(1, 1, kToPlugin), 0u);
}

TEST_F(WaitingRowsTest, ARowThatIsDecidedIsNotLookedAt) {
  Wait(1);
  rows_.Decide(rows_.Find(1, ""), true, "");
  EXPECT_EQ(rows_.NeverRead(1, 1, kToPlugin), 0u);
}

}  // namespace
}  // namespace midwire::tools
