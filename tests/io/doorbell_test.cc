#include "io/doorbell.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "io/pipe.h"

namespace midwire::io {
namespace {

class DoorbellTest : public testing::Test {
 protected:
  DoorbellTest() { opened_ = messages_.Open() && quiet_.Open(); }

  bool Arm() { return opened_ && bell_.Arm(messages_.reader, quiet_.reader, /*version=*/1); }
  ssize_t Read() { return read(messages_.reader, &byte_, 1); }
  static void Send(const Pipe& to) { EXPECT_EQ(write(to.writer, "x", 1), 1); }

  Pipe messages_, quiet_;
  Doorbell bell_;
  bool opened_ = false;
  char byte_ = 0;
};

TEST_F(DoorbellTest, AReadWaitsForAMessage) {
  ASSERT_TRUE(Arm());
  std::thread other([&] { Send(messages_); });
  EXPECT_EQ(Read(), 1);
  other.join();
  EXPECT_TRUE(Arm());
}

TEST_F(DoorbellTest, AReadThatWaitsIsInterrupted) {
  ASSERT_TRUE(Arm());
  std::thread other([&] { Send(quiet_); });
  EXPECT_EQ(Read(), -1);
  EXPECT_EQ(errno, EAGAIN);
  other.join();
}

TEST_F(DoorbellTest, ARingBeforeTheReadIsNotLost) {
  Send(quiet_);
  ASSERT_TRUE(Arm());
  EXPECT_EQ(Read(), -1) << "it has rung by then, or rings meanwhile";
}

TEST_F(DoorbellTest, ItsCallerPollsOnceAndThenItWaitsAgain) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Arm());
    Send(quiet_);
    EXPECT_EQ(Read(), -1);
    while (Arm()) EXPECT_EQ(Read(), -1);
    EXPECT_EQ(read(quiet_.reader, &byte_, 1), 1);
  }
}

TEST_F(DoorbellTest, AFileThatReplacesTheQuietOneRings) {
  ASSERT_TRUE(Arm());
  Pipe other;
  ASSERT_TRUE(other.Open());
  ASSERT_TRUE(bell_.Arm(messages_.reader, other.reader, /*version=*/2));
  Send(other);
  EXPECT_EQ(Read(), -1);
}

TEST_F(DoorbellTest, TheEndIsFound) {
  ASSERT_TRUE(Arm());
  CloseDescriptor(&messages_.writer);
  EXPECT_EQ(Read(), 0);
}

}  // namespace
}  // namespace midwire::io
