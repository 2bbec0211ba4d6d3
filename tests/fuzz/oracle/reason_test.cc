// Why a process ended, where it wrote no stack.
#include "fuzz/oracle/reason.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

std::string KeyIn(std::string_view err) { return ReasonOf(err).key; }

TEST(ReasonTest, TheFirstLineThatReportsAnError) {
  EXPECT_EQ(KeyIn("listening\nread 24 bytes\nnot a JSON-RPC message\nError: giving up\n"),
            "not a JSON-RPC message");
  EXPECT_EQ(KeyIn("plugin: bad header\n"), "plugin: bad header");
}

TEST(ReasonTest, TheLineForPeopleHasItsValues) {
  const Reason reason = ReasonOf("  error: no such file: \"/a/7\"\n");
  EXPECT_EQ(reason.key, "error: no such file: ..");
  EXPECT_EQ(reason.line, "error: no such file: \"/a/7\"");
}

TEST(ReasonTest, ValuesOfTheInputDoNotSplitAKey) {
  EXPECT_EQ(KeyIn("[pid 77] ERROR not a message: {\"id\":1,\"x\":[2]}\n"),
            KeyIn("[pid 4711] ERROR not a message: {\"id\":9}\n"));
  EXPECT_EQ(KeyIn("invalid length 17\n"), KeyIn("invalid length 99999\n"));
}

TEST(ReasonTest, AStackIsTheBetterReason) {
  EXPECT_EQ(KeyIn("error: failed\npanic: no\n\ngoroutine 1 [running]:\n"), "panic: no");
}

TEST(ReasonTest, ALogThatReportsNoErrorIsNoReason) {
  for (const char* err :
       {"", "\n\n", "listening\n", "[info] 0 errors\n", "WARN invalid id, ignored\n",
        "2026-11-27 DEBUG unexpected message\n", "{\"error\":1}\n"}) {
    EXPECT_EQ(KeyIn(err), "") << err;
  }
}

TEST(ReasonTest, TheLetterOfALevelBeforeTheTimeCounts) {
  const std::string info = "I[18:52:57.360] --> reply:a(51) 0 ms, error: -32002: not initialized\n";
  EXPECT_EQ(KeyIn(info + "I1127 18:52:57 1 f.cc:2] error: none\n"), "");
  EXPECT_EQ(KeyIn(info + "E[18:52:58.001] Not a JSON-RPC 2.0 message: {\n"),
            KeyIn("E[18:52:44.333] Not a JSON-RPC 2.0 message: {\n"));
  EXPECT_EQ(KeyIn("Invalid 7\n"), "Invalid #") << "a word is no level";
}

TEST(ReasonTest, WhatIsWrittenAtEachStartIsNotNew) {
  const std::string usual = "error: no configuration, pid 7\n";
  EXPECT_EQ(NewLines("error: no configuration, pid 99\nbad header\n", usual), "bad header\n");
  EXPECT_EQ(NewLines("bad header", ""), "bad header");
}

TEST(ReasonTest, AStackIsNewThoughItsLinesAreUsual) {
  const std::string trace = "Traceback (most recent call last):\n  File \"x.py\", line 1, in f\n";
  const std::string usual = trace + "LookupError: no such method\n";
  const std::string other = usual + trace + "TypeError: not iterable\n";
  EXPECT_EQ(NewLines(other, usual), other);
  EXPECT_EQ(NewLines(usual + "bad header\n", usual), "bad header\n");
}

TEST(ReasonTest, HostileTextIsBoundedWork) {
  EXPECT_LE(ReasonOf("error " + std::string(1u << 20, 'x')).line.size(), 1024u);
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += std::string(1 + i % 100, 'a' + i % 26) + "\n";
  EXPECT_LE(NewLines(many, many).size(), many.size());
}

}  // namespace
}  // namespace midwire::fuzz
