#include "io/poll.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

namespace midwire::io {
namespace {

TEST(PollTest, MoreSlotsThanDescriptorsAreAllowed) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit low = {.rlim_cur = 4, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &low);
  std::vector<PollSlot> slots(6, PollSlot{-1, POLLIN, 0});
  slots[5].fd = ends[0];
  EXPECT_EQ(Poll(slots, kNever), 1);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(slots[5].revents, POLLIN);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace midwire::io
