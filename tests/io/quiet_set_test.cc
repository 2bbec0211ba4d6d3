#include "io/quiet_set.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/pipe.h"

namespace midwire::io {
namespace {

int ReadyIn(const QuietSet& set) {
  PollSlot slots[] = {ForRead(set.fd())};
  return Poll(slots, 0);
}

TEST(QuietSetTest, IsReadyWhenOneOfThemIs) {
  Pipe one, other;
  ASSERT_TRUE(one.Open() && other.Open());
  QuietSet set;
  const PollSlot slots[] = {ForRead(one.reader), ForRead(-1), ForRead(other.reader)};
  ASSERT_TRUE(set.Watch(slots));
  EXPECT_EQ(ReadyIn(set), 0);
  ASSERT_EQ(write(other.writer, "x", 1), 1);
  EXPECT_EQ(ReadyIn(set), 1);
  EXPECT_TRUE(set.Watch(slots));
  EXPECT_EQ(ReadyIn(set), 1) << "until it is read";
  char byte;
  ASSERT_EQ(read(other.reader, &byte, 1), 1);
  EXPECT_EQ(ReadyIn(set), 0);
}

TEST(QuietSetTest, IsReadyWhenAReaderIsGone) {
  Pipe pipe;
  ASSERT_TRUE(pipe.Open());
  QuietSet set;
  const PollSlot slots[] = {ForHangUp(pipe.writer)};
  ASSERT_TRUE(set.Watch(slots));
  EXPECT_EQ(ReadyIn(set), 0);
  CloseDescriptor(&pipe.reader);
  EXPECT_EQ(ReadyIn(set), 1);
}

TEST(QuietSetTest, IsReadyAtATimeUntilThatIsForgotten) {
  QuietSet set;
  const PollSlot slots[] = {ForRead(-1)};
  ASSERT_TRUE(set.Watch(slots));
  set.WakeBy(MonotonicNow() + 3'600'000'000'000);
  EXPECT_EQ(ReadyIn(set), 0);
  set.WakeBy(MonotonicNow());
  PollSlot ready[] = {ForRead(set.fd())};
  EXPECT_EQ(Poll(ready, 20'000'000'000), 1);
  set.ForgetTime();
  EXPECT_EQ(ReadyIn(set), 0);
  set.WakeBy(-5);
  EXPECT_EQ(Poll(ready, 20'000'000'000), 1) << "again";
}

TEST(QuietSetTest, ALaterTimeDoesNotMoveTheTimer) {
  QuietSet set;
  const PollSlot before[] = {ForRead(-1)}, now[] = {ForHangUp(-1)};
  ASSERT_TRUE(set.Watch(before));
  set.WakeBy(MonotonicNow());
  set.WakeBy(MonotonicNow() + 3'600'000'000'000);
  ASSERT_TRUE(set.Watch(now)) << "the timer stays";
  PollSlot ready[] = {ForRead(set.fd())};
  EXPECT_EQ(Poll(ready, 20'000'000'000), 1);
}

// The host may have another descriptor of what was closed here.
TEST(QuietSetTest, ForgetsWhatItWatchedBefore) {
  Pipe pipe;
  ASSERT_TRUE(pipe.Open());
  const int copy = dup(pipe.reader);
  QuietSet set;
  const PollSlot before[] = {ForRead(copy)}, now[] = {ForRead(-1)};
  ASSERT_TRUE(set.Watch(before));
  close(copy);
  ASSERT_TRUE(set.Watch(now));
  ASSERT_EQ(write(pipe.writer, "x", 1), 1);
  EXPECT_EQ(ReadyIn(set), 0);
}

TEST(QuietSetTest, AFileNeverHangsUpAndIsNotWatchedForBytes) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  ASSERT_GE(null, 0);
  QuietSet set;
  const PollSlot hang_up[] = {ForHangUp(null)}, read[] = {ForRead(null)};
  EXPECT_TRUE(set.Watch(hang_up));
  EXPECT_EQ(ReadyIn(set), 0);
  EXPECT_FALSE(set.Watch(read));
  EXPECT_FALSE(set.Watch(read)) << "once more";
  close(null);
}

}  // namespace
}  // namespace midwire::io
