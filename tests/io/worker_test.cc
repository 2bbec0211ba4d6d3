// Copies of this process, and the signals that end or stop them.
#include "io/process/worker.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "io/clock.h"
#include "io/interrupt.h"
#include "io/poll.h"
#include "io/process/reap.h"
#include "tests/eventually.h"

namespace midwire::io {
namespace {

// What the worker prints, up to its end.
std::string Output(const Worker& worker) {
  std::string text;
  while (true) {
    PollSlot slots[] = {ForRead(worker.lines())};
    EXPECT_EQ(Poll(slots, 20'000'000'000), 1);
    char bytes[256];
    const ssize_t count = read(worker.lines(), bytes, sizeof bytes);
    if (count <= 0) return text;
    text.append(bytes, static_cast<size_t>(count));
  }
}

void Print(int fd, std::string_view text) { (void)!write(fd, text.data(), text.size()); }

TEST(WorkerTest, ItsLinesAndItsLogComeBack) {
  auto worker = Worker::Start(
      [](int lines) {
        Print(lines, "line\n");
        Print(1, "to no terminal\n");
        Print(2, "log\n");
        _exit(5);
      },
      [](bool) {});
  ASSERT_TRUE(worker.ok()) << worker.error().Text();
  EXPECT_EQ(Output(*worker), "line\n");
  EXPECT_EQ(worker->Join(), ExitStatus{.code = 5});
  char log[16] = {};
  EXPECT_EQ(read(worker->log(), log, sizeof log), 4);
  EXPECT_STREQ(log, "log\n");
}

TEST(WorkerTest, ItKnowsWhetherItsParentEndsIt) {
  auto worker = Worker::Start(
      [](int lines) {
        Print(lines, "ready\n");
        while (true) pause();
      },
      [](bool from_parent) { _exit(from_parent ? 6 : 7); });
  ASSERT_TRUE(worker.ok()) << worker.error().Text();
  PollSlot ready[] = {ForRead(worker->lines())};
  ASSERT_EQ(Poll(ready, 20'000'000'000), 1);
  worker->Signal(SIGINT);  // ignored
  worker->Signal(SIGSTOP);
  worker->Signal(SIGTERM);
  ASSERT_TRUE(Eventually([&] {
    worker->WakeIfStopped();
    return HasEnded(worker->pid());
  }));
  EXPECT_EQ(worker->Join(), ExitStatus{.code = 6});
}

TEST(InterruptTest, IsCountedAndEndsAWait) {
  signal(SIGUSR1, SIG_IGN);
  CatchInterrupts({SIGUSR1, SIGUSR2});
  raise(SIGUSR1);
  EXPECT_EQ(Interrupted(), 0) << "it was ignored";
  CatchInterrupts({SIGUSR1}, Ignored::kIsCaught);
  raise(SIGUSR2);
  raise(SIGUSR1);
  EXPECT_EQ(Interrupted(), SIGUSR1);
  EXPECT_EQ(InterruptCount(), 2);
  alarm(1);
  CatchInterrupts({SIGALRM});
  const int64_t begin = MonotonicNow();
  EXPECT_EQ(Poll({}, 20'000'000'000), 0);
  EXPECT_LT(MonotonicNow() - begin, 15'000'000'000);
  EXPECT_EXIT(EndByInterrupt(), testing::KilledBySignal(SIGALRM), "");
}

TEST(PollTest, LooksOrWaits) {
  EXPECT_EQ(Poll({}, 0), 0);
  EXPECT_EQ(Poll({}, -5), 0);
  const int64_t begin = MonotonicNow();
  EXPECT_EQ(Poll({}, 2'000'000), 0);
  EXPECT_GE(MonotonicNow() - begin, 2'000'000);
}

}  // namespace
}  // namespace midwire::io
