#include "fuzz/oracle/ending.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace midwire::fuzz {
namespace {

std::string DeathKey(int signal, const std::string& after, const std::string& err = "") {
  const auto death = DeathOf({.signal = signal}, err, after);
  return death ? death->key : "none";
}

TEST(EndingTest, ACrashWithoutAStackIsIdentifiedByItsMethod) {
  EXPECT_EQ(DeathKey(SIGSEGV, "request open"), "signal SIGSEGV after open");
  EXPECT_EQ(DeathKey(SIGSEGV, "notification open"), DeathKey(SIGSEGV, "request open"));
  EXPECT_NE(DeathKey(SIGSEGV, "request close"), DeathKey(SIGSEGV, "request open"));
  EXPECT_NE(DeathKey(SIGABRT, "request open"), DeathKey(SIGSEGV, "request open"));
}

TEST(EndingTest, WithoutAMethodACrashIsIdentifiedByTheKind) {
  EXPECT_EQ(DeathKey(SIGSEGV, "request ?"), "signal SIGSEGV after ?");
  EXPECT_EQ(DeathKey(SIGSEGV, "invalid ?"), "signal SIGSEGV after ?");
  EXPECT_EQ(DeathKey(SIGSEGV, "junk text"), "signal SIGSEGV after junk");
  EXPECT_EQ(DeathKey(SIGSEGV, "junk header"), "signal SIGSEGV after junk");
  EXPECT_EQ(DeathKey(SIGSEGV, "response"), "signal SIGSEGV after response");
}

TEST(EndingTest, AStackIdentifiesACrashBetterThanAMethod) {
  const std::string err = "ill: ill.cc:7: void Open(): Assertion `path' failed.\n";
  EXPECT_EQ(DeathKey(SIGABRT, "request open", err), DeathKey(SIGABRT, "request close", err));
}

TEST(EndingTest, AnAbortWithoutAStackIsIdentifiedByWhatWasWrittenBefore) {
  EXPECT_EQ(DeathKey(SIGABRT, "request open", "ready\nbad header 7\n"),
            "signal SIGABRT bad header #");
  EXPECT_EQ(DeathKey(SIGSEGV, "request open", "bad header 7\n"), "signal SIGSEGV after open");
  EXPECT_EQ(DeathOf({.signal = SIGABRT}, "bad header 7\n", "request open")->text,
            "ended by SIGABRT, after request open: bad header 7");
}

TEST(EndingTest, ADeathAtTheEndOfStdinSaysSo) {
  EXPECT_EQ(DeathKey(SIGSEGV, "the end of stdin"), "signal SIGSEGV after end of stdin");
  EXPECT_EQ(DeathOf({.signal = SIGSEGV}, "", "the end of stdin")->text,
            "ended by SIGSEGV, after the end of stdin");
}

TEST(EndingTest, TheTextHasTheKindOfTheMessage) {
  EXPECT_EQ(DeathOf({.signal = SIGSEGV}, "", "request open")->text,
            "ended by SIGSEGV, after request open");
}

TEST(EndingTest, ATraceThatIsCutBeforeItsErrorIsNamed) {
  const std::string python = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n";
  EXPECT_EQ(DeathOf({.code = 1}, python, "nothing")->text,
            "exit 1, after nothing: Traceback (most recent call last):");
  EXPECT_EQ(DeathOf({.code = 1}, "\n    at f (/a.js:1:2)\n", "nothing")->text,
            "exit 1, after nothing: at f (/a.js:1:2)");
}

TEST(EndingTest, AnExitIsNoFinding) { EXPECT_FALSE(DeathOf({.code = 3}, "", "request open")); }

}  // namespace
}  // namespace midwire::fuzz
