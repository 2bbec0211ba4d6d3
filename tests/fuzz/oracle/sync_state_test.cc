// The states of a session, and which oracles may report in them.
#include "fuzz/oracle/sync_state.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "tests/fuzz/oracle/documented.h"

namespace midwire::fuzz {
namespace {

class SyncStateTest : public testing::Test {
 protected:
  using enum SyncEvent;
  using enum SyncState;
  static std::string StateAfter(SyncState state, std::initializer_list<SyncEvent> events) {
    for (const SyncEvent event : events) state = After(state, event);
    return std::string(Name(state));
  }
};

TEST_F(SyncStateTest, AnUnfinishedMessageIsInSyncAgainAtItsEnd) {
  EXPECT_EQ(StateAfter(kInSync, {kNoEnd}), "unfinished");
  EXPECT_EQ(StateAfter(kInSync, {kNoEnd, kNoEnd, kEnd}), "in sync");
}

TEST_F(SyncStateTest, OnlyAProbeEndsADoubt) {
  EXPECT_EQ(StateAfter(kInSync, {kUnclear, kEnd, kEnd}), "maybe lost");
  EXPECT_EQ(StateAfter(kInSync, {kUnclear, kEnd, kProbeAnswered}), "in sync");
  EXPECT_EQ(StateAfter(kInSync, {kUnclear, kGaveUp, kUnclear}), "lost");
  EXPECT_EQ(StateAfter(kInSync, {kGaveUp, kProbeAnswered}), "in sync");
}

TEST_F(SyncStateTest, ASessionThatClosesNeverGetsInSync) {
  EXPECT_EQ(StateAfter(kInSync, {kCloses, kEnd, kProbeAnswered}), "closing");
  EXPECT_EQ(StateAfter(kInSync, {kCloses, kUnclear, kProbeAnswered, kEnd}), "closing lost");
  EXPECT_EQ(StateAfter(kInSync, {kUnclear, kCloses}), "closing lost");
}

TEST_F(SyncStateTest, NothingOpensAnUnopenedSession) {
  for (int event = 0; event < kSyncEvents; ++event) {
    EXPECT_EQ(After(kUnopened, static_cast<SyncEvent>(event)), kUnopened);
  }
}

TEST_F(SyncStateTest, ACrashIsAFaultInEachState) {
  for (int state = 0; state < kSyncStates; ++state) {
    EXPECT_TRUE(MaySpeak(Oracle::kSignal, static_cast<SyncState>(state)));
  }
}

TEST_F(SyncStateTest, AnExitIsAFaultOrItsReasonMayBeJunk) {
  for (int i = 0; i < kSyncStates; ++i) {
    const auto state = static_cast<SyncState>(i);
    EXPECT_EQ(MaySpeak(Oracle::kExit, state), state == kInSync);
    EXPECT_EQ(MaySpeak(Oracle::kExitOnJunk, state), state == kUnfinished || NeedsProbe(state));
  }
}

// ---- the tables of the documentation

TEST_F(SyncStateTest, TheTransitionsAreDocumented) {
  std::string head = "| state |", rows;
  for (int event = 0; event < kSyncEvents; ++event) {
    head += " " + std::string(Name(static_cast<SyncEvent>(event))) + " |";
  }
  for (int i = 0; i < kSyncStates; ++i) {
    const auto state = static_cast<SyncState>(i);
    rows += "| " + std::string(Name(state)) + " |";
    for (int event = 0; event < kSyncEvents; ++event) {
      const SyncState next = After(state, static_cast<SyncEvent>(event));
      rows += next == state ? " - |" : " " + std::string(Name(next)) + " |";
    }
    rows += '\n';
  }
  EXPECT_EQ(Undocumented(head, rows), "");
}

TEST_F(SyncStateTest, WhatMayBeReportedInEachStateIsDocumented) {
  std::string head = "| oracle |", rows;
  for (int state = 0; state < kSyncStates; ++state) {
    head += " " + std::string(Name(static_cast<SyncState>(state))) + " |";
  }
  for (const OracleSpec& spec : Oracles()) {
    rows += "| `" + std::string(spec.name) + "` |";
    for (int state = 0; state < kSyncStates; ++state) {
      rows += MaySpeak(spec.oracle, static_cast<SyncState>(state)) ? " yes |" : " - |";
    }
    rows += '\n';
  }
  EXPECT_EQ(Undocumented(head, rows), "");
}

}  // namespace
}  // namespace midwire::fuzz
