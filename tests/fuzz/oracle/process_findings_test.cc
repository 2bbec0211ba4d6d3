// What is reported of a process, from what was measured.
#include "fuzz/oracle/process_findings.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace midwire::fuzz {
namespace {

std::string KeyOf(const std::optional<Finding>& finding) { return finding ? finding->key : "none"; }

std::string EndKey(const ExitStatus& status, SyncState state, const std::string& err = "") {
  return KeyOf(EndFinding(status, err, "request open", state));
}

TEST(ProcessFindingsTest, AStatusAtTheEndOfStdinIsANoteIfTheRecordedOneIsZero) {
  const auto finding = EofStatusFinding({.code = 3}, {0}, "cannot save\n");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->key, "exit 3 at the end of stdin");
  EXPECT_EQ(finding->text, "exits with 3 at the end of stdin; recorded: 0: cannot save");
  EXPECT_EQ(SeverityOf(KindOf(*finding)), Severity::kNote);
  EXPECT_FALSE(EofStatusFinding({.code = 3}, {0, 3}, "")) << "it is recorded";
  EXPECT_FALSE(EofStatusFinding({.code = 3}, {1}, "")) << "the recorded one is an error too";
  EXPECT_FALSE(EofStatusFinding({.code = 3}, {}, "")) << "nothing is known";
  EXPECT_FALSE(EofStatusFinding({.code = 0}, {0}, ""));
}

TEST(ProcessFindingsTest, AnExitInSyncIsAFault) {
  EXPECT_EQ(EndKey({.code = 3}, SyncState::kInSync), "exit 3 after request open");
  EXPECT_EQ(EndKey({.code = 0}, SyncState::kInSync), "exit 0 after request open");
}

TEST(ProcessFindingsTest, AnExitAfterBytesThatDoNotFrameIsAnOracleOfItsOwn) {
  EXPECT_EQ(EndKey({.code = 3}, SyncState::kUnfinished), "exit-on-junk 3");
  EXPECT_EQ(EndKey({.code = 3}, SyncState::kMaybeLost), "exit-on-junk 3");
}

TEST(ProcessFindingsTest, AnExitWithItsReasonAfterNoMessageIsAWarning) {
  const auto severity = [](const std::string& err, const FaultPlace& place) {
    return Name(SeverityOf(KindOf(*EndFinding({.code = 1}, err, place, SyncState::kInSync))));
  };
  const FaultPlace junk = {"junk text", "", true},
                   note = {"notification note", ", 1 message after"};
  EXPECT_EQ(severity("not a message\n", junk), "warning");
  EXPECT_EQ(severity("", junk), "error") << "it gives no reason";
  EXPECT_EQ(severity("not a message\n", "request open"), "error");
  EXPECT_EQ(severity("not a message\n", note), "error") << "it went on after the nonsense";
  EXPECT_EQ(EndFinding({.code = 1}, "not a message\n", junk, SyncState::kInSync)->key,
            "exit 1: gives up: not a message")
      << "an error for the same reason is another finding";
}

TEST(ProcessFindingsTest, WhatIsOddBeforeAPlaceIsNamedButNotInTheKey) {
  const FaultPlace place = {"request open", ", 2 messages after a message that is not JSON"};
  const auto exit = EndFinding({.code = 3}, "bad id\n", place, SyncState::kInSync);
  EXPECT_EQ(exit->text,
            "exit 3, after request open, 2 messages after a message that is not JSON: bad id");
  EXPECT_EQ(NoAnswerFinding(false, "", place).key, "silence after request open");
}

TEST(ProcessFindingsTest, TheReasonThatAProcessGivesIsTheKeyOfItsExit) {
  EXPECT_EQ(EndKey({.code = 3}, SyncState::kInSync, "ready\nnot a JSON-RPC message: {\"a\":1}\n"),
            "exit 3: not a JSON-RPC message:");
  EXPECT_EQ(EndKey({.code = 0}, SyncState::kInSync, "bad id 7\n"), "exit 0 after request open");
  EXPECT_EQ(EndFinding({.code = 3}, "bad id 7\n", "request open", SyncState::kInSync)->text,
            "exit 3, after request open: bad id 7");
}

TEST(ProcessFindingsTest, OfAProcessThatGoesOnOnlyAStackIsTheKey) {
  EXPECT_EQ(NoAnswerFinding(false, "error: bad id\n", "request open").key,
            "silence after request open");
  EXPECT_EQ(NoAnswerFinding(true, "panic: no path\n", "request open").key, "hang: panic: no path");
  EXPECT_EQ(ClosedStdoutFinding("panic: no path\n", "request open").key, "silence: panic: no path");
}

TEST(ProcessFindingsTest, APluginMayExitWhenItsSessionCloses) {
  EXPECT_EQ(EndKey({.code = 0}, SyncState::kClosing), "none");
  EXPECT_EQ(EndKey({.code = 0}, SyncState::kUnopened), "none");
  EXPECT_EQ(EndKey({.signal = SIGSEGV}, SyncState::kClosing), "signal SIGSEGV after open");
}

TEST(ProcessFindingsTest, OfARunningProcessOnlyAFatalReportCounts) {
  EXPECT_EQ(KeyOf(StderrFinding("panic: no path\n\ngoroutine 1 [running]:\n")),
            "panic panic: no path");
  EXPECT_EQ(KeyOf(StderrFinding("Traceback (most recent call last):\n  File \"x\", line 1, in f\n"
                                "KeyError: 'a'\n")),
            "none");
  EXPECT_EQ(KeyOf(StderrFinding("opened 3 files\n")), "none");
}

TEST(ProcessFindingsTest, APeerThatDoesNotAnswerHangsOrSleeps) {
  EXPECT_EQ(NoAnswerFinding(true, "", "request open").key, "hang after request open");
  EXPECT_EQ(NoAnswerFinding(false, "", "request open").key, "silence after request open");
  EXPECT_EQ(AfterEofFinding(true, "").key, "spin");
  EXPECT_EQ(AfterEofFinding(false, "").key, "sleep-at-eof");
}

TEST(ProcessFindingsTest, MemoryMayGrowUpToItsLimit) {
  const MemoryUse before = {.resident = 1u << 20, .total = 1u << 30};
  const auto grown = [&](const MemoryUse& now) {
    return KeyOf(MemoryFinding(before, now, 1u << 20));
  };
  EXPECT_EQ(grown({.resident = 2u << 20, .total = 1u << 30}), "none");
  EXPECT_EQ(grown({.resident = 3u << 20, .total = 1u << 30}), "memory resident");
  EXPECT_EQ(grown({.resident = 1u << 20, .total = uint64_t{4} << 30}), "memory reserved");
  EXPECT_EQ(grown({}), "none") << "its memory is not known";
}

TEST(ProcessFindingsTest, WhatASanitizerReservesIsNotItsMemory) {
  const MemoryUse before = {.resident = 1, .total = uint64_t{20} << 40};
  const MemoryUse now = {.resident = 1, .total = uint64_t{21} << 40};
  EXPECT_EQ(KeyOf(MemoryFinding(before, now, 1u << 20)), "none");
}

TEST(ProcessFindingsTest, TheEvidenceIsCut) {
  EXPECT_EQ(ClosedStdoutFinding(std::string(1u << 20, 'x'), "request open").evidence.size(),
            kMaxEvidence);
}

}  // namespace
}  // namespace midwire::fuzz
