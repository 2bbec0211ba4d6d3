#include "fuzz/oracle/ending.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace midwire::fuzz {
namespace {

std::string KeyOf(int signal, const std::string& after, const std::string& err = "") {
  const auto death = DeathOf({.signal = signal}, err, after);
  return death ? death->key : "none";
}

TEST(EndingTest, ACrashWithoutAStackIsIdentifiedByItsMethod) {
  EXPECT_EQ(KeyOf(SIGSEGV, "request open"), "signal SIGSEGV after open");
  EXPECT_EQ(KeyOf(SIGSEGV, "notification open"), KeyOf(SIGSEGV, "request open"));
  EXPECT_NE(KeyOf(SIGSEGV, "request close"), KeyOf(SIGSEGV, "request open"));
  EXPECT_NE(KeyOf(SIGABRT, "request open"), KeyOf(SIGSEGV, "request open"));
}

TEST(EndingTest, WithoutAMethodACrashIsIdentifiedByTheKind) {
  EXPECT_EQ(KeyOf(SIGSEGV, "request ?"), "signal SIGSEGV after ?");
  EXPECT_EQ(KeyOf(SIGSEGV, "invalid ?"), "signal SIGSEGV after ?");
  EXPECT_EQ(KeyOf(SIGSEGV, "junk text"), "signal SIGSEGV after junk");
  EXPECT_EQ(KeyOf(SIGSEGV, "junk header"), "signal SIGSEGV after junk");
  EXPECT_EQ(KeyOf(SIGSEGV, "response"), "signal SIGSEGV after response");
}

TEST(EndingTest, AStackIdentifiesACrashBetterThanAMethod) {
  const std::string err = "ill: ill.cc:7: void Open(): Assertion `path' failed.\n";
  EXPECT_EQ(KeyOf(SIGABRT, "request open", err), KeyOf(SIGABRT, "request close", err));
}

TEST(EndingTest, TheTextHasTheKindOfTheMessage) {
  EXPECT_EQ(DeathOf({.signal = SIGSEGV}, "", "request open")->text,
            "ended by SIGSEGV, after request open");
}

TEST(EndingTest, AnExitIsNoFinding) { EXPECT_FALSE(DeathOf({.code = 3}, "", "request open")); }

}  // namespace
}  // namespace midwire::fuzz
