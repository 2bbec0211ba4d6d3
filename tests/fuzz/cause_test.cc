// Which findings have one cause.
#include "fuzz/cause.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

struct KeyAndCause {
  const char *key, *cause;
};

TEST(CauseOfTest, WhatChangesFromPlaceToPlaceIsNoPartOfTheCause) {
  for (const KeyAndCause& each : {
           KeyAndCause{"missing tools/call", "missing"},
           {"double ", "double"},
           {"unknown after request open", "unknown"},
           {"notification notification note", "notification"},
           {"parse-error after junk text", "parse-error"},
           {"shape both open", "shape both"},
           {"dialect error open", "dialect error"},
           {"dialect result open /x required", "dialect result open"},
           {"dialect direction open", "dialect direction open"},
           {"pollution listening on #", "pollution"},
           {"pollution echo", "pollution echo"},
           {"pollution debug: echo", "pollution"},
           {"utf8 response", "utf8"},
           {"bad-message a frame that is no JSON: a word after request open",
            "bad-message a frame that is no JSON: a word"},
           {"bad-message JSON that is no message after request open",
            "bad-message JSON that is no message"},
           {"bad-message echo", "bad-message echo"},
           {"sanitizer AddressSanitizer: SEGV in a < b", "fault AddressSanitizer: SEGV in a"},
           {"memory resident", "memory resident"},
           {"exit 3 after request open", "exit 3 after open"},
           {"exit 3 after notification open", "exit 3 after open"},
           {"exit 3 after junk header", "exit 3 after junk"},
           {"hang after request a b", "hang after a b"},
           {"silence closed stdout after request open", "silence closed stdout after open"},
           {"signal SIGSEGV after open", "signal SIGSEGV after open"},
           {"deaf", "deaf"},
           {"", ""},
           {"exit", "exit"},
           {"signal", "signal"},
       }) {
    EXPECT_EQ(CauseOf(each.key), each.cause) << each.key;
  }
}

TEST(CauseOfTest, AKeyOfAnOlderVersionIsTheSame) {
  const std::string old = "bad-message a frame that is no JSON";
  EXPECT_EQ(CauseOf(old), old);
  EXPECT_TRUE(IsSameKey(old, old));
  EXPECT_TRUE(IsSameKey(old, old + ": a word after request open"));
  EXPECT_FALSE(IsSameKey(old + ": a word after request open", old));
  EXPECT_FALSE(IsSameKey(old + ": a word after request open", old + ": a word after request x"));
  EXPECT_FALSE(IsSameKey("missing open", "missing open after"));
}

TEST(CauseOfTest, AFaultIsTheSameHoweverTheProcessEnds) {
  for (const char* key : {"panic KeyError in f < g < h", "exit 1: KeyError in f < z",
                          "signal SIGABRT KeyError in f", "silence: KeyError in f < x"}) {
    EXPECT_EQ(CauseOf(key), "fault KeyError in f");
  }
}

TEST(CauseOfTest, AnAssertionIsNotCutAtItsComparison) {
  EXPECT_EQ(CauseOf("signal SIGABRT Assertion `a < b' failed (a.c)"),
            "fault Assertion `a < b' failed (a.c)");
}

TEST(CauseOfTest, AValueAtTheEndOfAReasonIsOfTheInput) {
  for (const char* value : {" true", " null", " #", " ..", " [", ""}) {
    EXPECT_EQ(CauseOf("exit 1: not a message:" + std::string(value)), "fault not a message:");
  }
  EXPECT_EQ(CauseOf("exit 1: not a message: too long"), "fault not a message: too long");
}

TEST(CauseOfTest, AReasonMayHaveTheWordAfter) {
  EXPECT_EQ(CauseOf("exit 1: error after reading"), "fault error after reading");
}

}  // namespace
}  // namespace midwire::fuzz
