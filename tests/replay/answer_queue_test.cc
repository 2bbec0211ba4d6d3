#include "replay/play/answer_queue.h"

#include <gtest/gtest.h>

#include "tests/replay/steps.h"

namespace midwire::replay {
namespace {

// The queue of the host of a script whose plugin calls it.
struct AQueue {
  explicit AQueue(const std::string& words)
      : script(StepsOf(words)),
        progress(&script, Direction::kHostToPlugin),
        queue(&progress, /*for_calls=*/false) {}
  // The plugin's call arrives.
  void Call(StepIndex step) {
    progress.SetDone(step);
    queue.Owe(script.steps[step].other, "9");
  }
  std::optional<StepIndex> Next() {
    queue.Update();
    return queue.Next();
  }
  Script script;
  Progress progress;
  AnswerQueue queue;
};

TEST(ReplayAnswerQueueTest, AnAnswerWithNothingBeforeItIsNext) {
  AQueue it("<ask >ask");
  EXPECT_EQ(it.Next(), std::nullopt);
  it.Call(0);
  EXPECT_EQ(it.Next(), 1u);
  EXPECT_EQ(it.queue.LiveIdOf(0), "9");
}

TEST(ReplayAnswerQueueTest, ItWaitsForWhatWasSentDuringTheCall) {
  AQueue it("<ask >!note >ask");
  it.Call(0);
  EXPECT_EQ(it.Next(), std::nullopt);
  it.progress.SetDone(1);
  EXPECT_EQ(it.Next(), 2u);
}

TEST(ReplayAnswerQueueTest, AndForTheAnswersToWhatWasRequestedDuringTheCall) {
  AQueue it("<ask >a <a >ask");
  it.Call(0);
  it.progress.SetDone(1);
  EXPECT_EQ(it.Next(), std::nullopt);
  it.progress.SetDone(2);
  EXPECT_EQ(it.Next(), 3u);
}

TEST(ReplayAnswerQueueTest, NotForTheAnswerToAnEarlierRequest) {
  AQueue it(">a <ask <a >ask");
  it.progress.SetDone(0);
  it.Call(1);
  EXPECT_EQ(it.Next(), 3u);
}

TEST(ReplayAnswerQueueTest, OneThatWaitsIsOvertaken) {
  AQueue it("<x >!note >x <y >y");
  it.Call(0);
  it.Call(3);
  EXPECT_EQ(it.queue.first(), 2u);
  EXPECT_EQ(it.Next(), 4u);
}

TEST(ReplayAnswerQueueTest, MadeUpAnswersAreBounded) {
  AQueue it("<ask >ask");
  const std::string big(1 << 20, 'x');
  size_t added = 0;
  while (it.queue.AddMadeUp(big)) ++added;
  EXPECT_EQ(added, kMaxMadeUpBytes / big.size() + 1);
  while (it.queue.any_made_up()) it.queue.TakeMadeUp();
  EXPECT_TRUE(it.queue.AddMadeUp(big));
}

}  // namespace
}  // namespace midwire::replay
