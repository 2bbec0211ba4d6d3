#include "fuzz/live/finding_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/files.h"

namespace midwire::fuzz {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class FindingStoreTest : public testing::Test {
 protected:
  FindingStore Store(std::set<std::string> kept = {}) {
    return {folder_, std::move(kept), &counters_,
            [&](const std::string& line) { events_ += line; }};
  }
  static Finding Of(const std::string& key) { return {.oracle = Oracle::kExit, .key = key}; }
  static void Keep(FindingStore* store, const std::string& key) {
    Investigated found;
    found.finding = Of(key);
    ASSERT_TRUE(store->Save(found, {}, "cassette", ""));
  }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  std::string events_;
  Counters counters_;
};

TEST_F(FindingStoreTest, AKeyIsInvestigatedOnce) {
  FindingStore store = Store();
  EXPECT_TRUE(store.See(Of("exit 3 after open"), true));
  EXPECT_FALSE(store.See(Of("exit 3 after open"), true));
  EXPECT_TRUE(store.See(Of("exit 3 after ping"), true));
}

TEST_F(FindingStoreTest, AKeptFindingIsNotInvestigatedByOtherJobs) {
  FindingStore mine = Store();
  Keep(&mine, "exit 3 after open");
  EXPECT_EQ(counters_.findings, 1u);
  EXPECT_THAT(events_, HasSubstr("\"key\":\"exit 3 after open\""));
  EXPECT_TRUE(mine.Keeps(Of("exit 3 after open")));
  EXPECT_FALSE(Store().See(Of("exit 3 after open"), true));
  EXPECT_EQ(counters_.known, 0u) << "of this campaign";
}

// Both jobs examined it at the same time.
TEST_F(FindingStoreTest, WhatTwoJobsSaveIsOneFinding) {
  FindingStore mine = Store(), others = Store();
  Keep(&mine, "exit 3: KeyError in f");
  events_.clear();
  Keep(&others, "exit 3: KeyError in f");
  Investigated panic;
  panic.finding = {.oracle = Oracle::kPanic, .key = "panic KeyError in f"};
  ASSERT_TRUE(others.Save(panic, {}, "cassette", ""));
  EXPECT_EQ(counters_.findings, 1u);
  EXPECT_THAT(events_, AllOf(HasSubstr(R"("event":"same")"), Not(HasSubstr(R"("finding")"))));
}

TEST_F(FindingStoreTest, AFindingOfAnEarlierCampaignIsKnownOnce) {
  FindingStore before = Store();
  Keep(&before, "exit 3 after open");
  const auto name = std::filesystem::directory_iterator(folder_)->path().stem();
  FindingStore store = Store({name});
  EXPECT_FALSE(store.See(Of("exit 3 after open"), true));
  EXPECT_FALSE(store.See(Of("exit 3 after open"), true));
  EXPECT_EQ(counters_.known, 1u);
}

TEST_F(FindingStoreTest, ANoteFailsNoRun) {
  FindingStore store = Store();
  Investigated note;
  note.finding = {.oracle = Oracle::kPollution, .key = "pollution x", .kind = FaultKind::kStyle};
  ASSERT_TRUE(store.Save(note, {}, "cassette", ""));
  EXPECT_FALSE(counters_.fails);
  EXPECT_THAT(events_, HasSubstr(R"("severity":"note","kind":"style",)"));
  Keep(&store, "exit 3 after open");
  EXPECT_TRUE(counters_.fails);
  EXPECT_THAT(events_, HasSubstr(R"("severity":"error","kind":"crash",)"));
}

TEST_F(FindingStoreTest, AKnownErrorFailsTheRun) {
  FindingStore before = Store();
  Keep(&before, "exit 3 after open");
  const auto name = std::filesystem::directory_iterator(folder_)->path().stem();
  counters_.fails = false;
  EXPECT_FALSE(Store({name}).See(Of("exit 3 after open"), true));
  EXPECT_TRUE(counters_.fails);
}

// A run that sends all at once cannot identify the message that caused a fault. One that can may
// show another fault, in that very place.
TEST_F(FindingStoreTest, AMisplacedFindingIsInvestigatedAtACertainPlace) {
  FindingStore store = Store();
  EXPECT_TRUE(store.See(Of("exit 3 after ping"), false));
  store.Misplaced(Of("exit 3 after ping"));
  EXPECT_FALSE(store.See(Of("exit 3 after ping"), false));
  EXPECT_FALSE(store.Keeps(Of("exit 3 after ping")));
  EXPECT_TRUE(store.See(Of("exit 3 after ping"), true));
  EXPECT_FALSE(store.See(Of("exit 3 after ping"), true));
}

TEST_F(FindingStoreTest, AFindingThatIsNotReproducibleIsInvestigatedFourTimes) {
  FindingStore store = Store();
  int looks = 0;
  for (int i = 0; i < 100; ++i) {
    if (!store.See(Of("missing open"), true)) continue;
    ++looks;
    store.Doubt(Of("missing open"));
  }
  EXPECT_EQ(looks, 4);
}

TEST_F(FindingStoreTest, OneCauseIsOneFindingAndOtherPlacesAreLikeIt) {
  FindingStore store = Store();
  const auto missing = [](const char* method) {
    return Finding{.oracle = Oracle::kMissing, .key = std::string("missing ") + method};
  };
  Investigated found;
  found.finding = missing("open");
  ASSERT_TRUE(store.Save(found, {}, "cassette", ""));
  events_.clear();
  EXPECT_FALSE(store.See(missing("open"), true)) << "itself";
  EXPECT_FALSE(store.See(missing("ping"), false)) << "its place is not certain";
  EXPECT_EQ(events_, "");
  EXPECT_FALSE(store.See(missing("ping"), true));
  EXPECT_FALSE(store.See(missing("ping"), true));
  EXPECT_THAT(events_, AllOf(HasSubstr(R"({"event":"like",)"), HasSubstr(R"("key":"missing ping")"),
                             HasSubstr(folder_ + "/missing-")));
  EXPECT_EQ(events_.find("like"), events_.rfind("like")) << "once";
}

TEST_F(FindingStoreTest, AFaultIsKnownHoweverTheProcessEnds) {
  FindingStore store = Store();
  Investigated found;
  found.finding = {.oracle = Oracle::kPanic, .key = "panic KeyError in f"};
  ASSERT_TRUE(store.Save(found, {}, "cassette", ""));
  EXPECT_TRUE(store.Keeps({.oracle = Oracle::kSignal, .key = "signal SIGABRT KeyError in f < g"}));
  EXPECT_FALSE(store.Keeps({.oracle = Oracle::kSignal, .key = "signal SIGSEGV after open"}));
}

TEST_F(FindingStoreTest, TheNumberOfKeysIsLimited) {
  FindingStore store = Store();
  size_t looks = 0;
  for (int i = 0; i < 3000; ++i) looks += store.See(Of("panic " + std::to_string(i)), true);
  EXPECT_EQ(looks, 1000u);
}

}  // namespace
}  // namespace midwire::fuzz
