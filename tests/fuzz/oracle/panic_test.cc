#include "fuzz/oracle/panic.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

std::string TypeAndKey(std::string_view text) {
  const Panic panic = FindPanic(text);
  const char* kTypes[] = {"none", "trace", "fatal", "report"};
  return std::string(kTypes[static_cast<int>(panic.type)]) +
         (panic.key.empty() ? "" : " " + panic.key);
}

TEST(PanicTest, AddressSanitizersReport) {
  EXPECT_EQ(
      TypeAndKey("==314==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc\n"
                 "READ of size 1 at 0x602 thread T0\n"
                 "    #0 0x51 in __asan_memcpy (/bin/x+0x1)\n"
                 "    #1 0x4f in Open(char const*, int) /src/open.cc:31:5\n"
                 "    #2 0x50 in main /src/main.cc:7\n"
                 "SUMMARY: AddressSanitizer: heap-use-after-free /src/open.cc:31:5\n"),
      "report AddressSanitizer: heap-use-after-free in Open < main");
}

TEST(PanicTest, AReportsLineForPeopleHasNoNumberOfItsProcess) {
  const std::string report =
      "==314==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x5)\n";
  EXPECT_EQ(FindPanic(report + "    #0 0x4f in Open /src/open.cc:31:5\n"
                               "SUMMARY: AddressSanitizer: SEGV /src/open.cc:31:5 in Open\n")
                .line,
            "AddressSanitizer: SEGV /src/open.cc:31:5 in Open");
  EXPECT_EQ(FindPanic(report).line,
            "ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x5)");
  EXPECT_EQ(FindPanic("WARNING: ThreadSanitizer: data race (pid=7)\n"
                      "SUMMARY: ThreadSanitizer: data race /src/open.cc:9 in Open\n")
                .line,
            "ThreadSanitizer: data race /src/open.cc:9 in Open");
  const std::string undefined = "open.cc:31:5: runtime error: index 9 out of bounds";
  EXPECT_EQ(FindPanic(undefined + "\n").line, undefined);
}

TEST(PanicTest, UndefinedBehaviour) {
  const std::string key =
      TypeAndKey("open.cc:31:5: runtime error: index 9 out of bounds for 'char [8]'\n");
  EXPECT_EQ(key, "report open.cc:#:#: runtime error: index # out of bounds for ..");
  EXPECT_EQ(TypeAndKey("open.cc:31:5: runtime error: index 12 out of bounds for 'char [8]'\n"),
            key);
}

TEST(PanicTest, RustGoAndTheLibraries) {
  EXPECT_EQ(TypeAndKey("thread 'main' panicked at src/main.rs:7:3:\nno path\n"),
            "fatal panicked at src/main.rs:7:3");
  EXPECT_EQ(
      TypeAndKey("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1\n"),
      "fatal panic: runtime error: index out of range [#] with length #");
  EXPECT_EQ(TypeAndKey("panic: no path\n\ngoroutine 1 [running]:\n"), "fatal panic: no path");
  EXPECT_EQ(TypeAndKey("terminate called after throwing an instance of 'std::out_of_range'\n"),
            "fatal terminate std::out_of_range");
  EXPECT_EQ(TypeAndKey("plugin: open.c:7: Open: Assertion `path != NULL' failed.\n").substr(0, 5),
            "fatal");
  EXPECT_EQ(TypeAndKey("*** stack smashing detected ***: terminated\n"),
            "fatal *** stack smashing detected ***: terminated");
}

TEST(PanicTest, PythonsInnermostFramesAndWhatWasRaised) {
  EXPECT_EQ(TypeAndKey("noise before\n"
                       "Traceback (most recent call last):\n"
                       "  File \"/x/plugin.py\", line 90, in <module>\n"
                       "    main()\n"
                       "  File \"/x/plugin.py\", line 31, in main\n"
                       "    open_it(message)\n"
                       "  File \"/x/plugin.py\", line 7, in open_it\n"
                       "    path = message['params']['path']\n"
                       "KeyError: 'path'\n"),
            "trace KeyError in open_it < main");
}

TEST(PanicTest, APythonTraceWithTextAfterItWasCaught) {
  const std::string trace =
      "Traceback (most recent call last):\n  File \"x.py\", line 1, in decode\nKeyError: 'a'\n";
  EXPECT_FALSE(FindPanic(trace).gone_on);
  EXPECT_FALSE(FindPanic("started\n" + trace + "\n").gone_on);
  EXPECT_TRUE(FindPanic(trace + "bad header\n").gone_on);
  // The last one ended the process.
  const std::string two = trace + "going on\n" + trace;
  EXPECT_FALSE(FindPanic(two).gone_on);
  EXPECT_EQ(FindPanic(two).key, "KeyError in decode");
}

TEST(PanicTest, NodesFrames) {
  EXPECT_EQ(TypeAndKey("/x/plugin.js:7\n  throw new TypeError('no path')\n  ^\n\n"
                       "TypeError: no path\n"
                       "    at open (/x/plugin.js:7:9)\n"
                       "    at node:internal/main:1:1\n"
                       "    at dispatch (/x/plugin.js:31:3)\n"),
            "trace TypeError in open < dispatch");
}

TEST(PanicTest, AddressesPidsAndLinesDoNotChangeAKey) {
  const auto report = [](const char* pid, const char* at) {
    return "==" + std::string(pid) + "==ERROR: AddressSanitizer: SEGV on unknown address " + at +
           "\n    #0 " + at + " in Open(int) open.cc:3\n";
  };
  EXPECT_EQ(TypeAndKey(report("12", "0x7ffe12")), TypeAndKey(report("99999", "0x1")));
}

TEST(PanicTest, ALogHasNone) {
  for (const char* text : {
           "",
           "listening\n",
           "[info] opened 3 files at 10:31:07\n",
           "WARN assertion checks are on\n",
           "INFO Assertion checks are on\n",
           "error: unknown method \"x\"\n",
           "recovered from a panic, going on\n",
       }) {
    EXPECT_EQ(TypeAndKey(text), "none") << text;
  }
}

TEST(PanicTest, TheMostSpecificOneCounts) {
  EXPECT_EQ(
      TypeAndKey("Traceback (most recent call last):\n  File \"x\", line 1, in f\nKeyError: 1\n"
                 "==1==ERROR: AddressSanitizer: stack-overflow on address 0x1\n")
          .substr(0, 39),
      "report AddressSanitizer: stack-overflow");
}

TEST(PanicTest, HostileTextIsBoundedWork) {
  std::string text = "Traceback (most recent call last)\n";
  for (int i = 0; i < 60'000; ++i) text += "  File \"x\", line 1, in f\n";
  text += std::string(1u << 20, 'a');
  EXPECT_EQ(FindPanic(text).type, Panic::Type::kTrace);
  EXPECT_EQ(FindPanic("panic: " + std::string(1u << 20, '\'')).type, Panic::Type::kFatal);
}

TEST(PanicTest, AKeyIsShort) {
  std::string text = "panic: no\n";
  for (int i = 0; i < 3; ++i) text += "    at " + std::string(100'000, 'f') + " (x.js:1:1)\n";
  EXPECT_LT(FindPanic(text).key.size(), 1000u);
  EXPECT_LT(FindPanic("Traceback (most recent call last)\n  File \"x\", line 1, in f\n" +
                      std::string(100'000, 'E') + "\n")
                .key.size(),
            1000u);
}

TEST(NormalisedTest, NumbersAndQuotedTextGo) {
  EXPECT_EQ(Normalised("took 12.5 ms, 'abc' is \"x\" at 0xfF01"), "took #.# ms, .. is .. at #");
  EXPECT_EQ(Normalised("don't"), "don't");
  EXPECT_EQ(Normalised("a\tb\x01 c  "), "ab c");
  EXPECT_LE(Normalised(std::string(5000, 'x')).size(), 160u);
}

TEST(PanicTest, AReportGoesOnUntilItsSummary) {
  const std::string report =
      "==12==ERROR: AddressSanitizer: heap-use-after-free on 0x1\n    #0 0x1 in";
  EXPECT_FALSE(ReportGoesOn(""));
  EXPECT_FALSE(ReportGoesOn("all is well\n"));
  EXPECT_TRUE(ReportGoesOn(report));
  EXPECT_FALSE(ReportGoesOn(report + " Open\nSUMMARY: AddressSanitizer: heap-use-after-free\n"));
  EXPECT_FALSE(ReportGoesOn("a.cc:1:2: runtime error: index 1 out of bounds\n"));
}

TEST(PanicTest, TheSameTextInALogIsNone) {
  EXPECT_EQ(TypeAndKey("[warn] request refused: runtime error: no such method\n"), "none");
  EXPECT_EQ(TypeAndKey("[info] do not panic: all is well\n"), "none");
  EXPECT_EQ(TypeAndKey("log: fatal error: none\nlog: panic: none\n"), "none");
  EXPECT_EQ(TypeAndKey("log: panic: none\npanic: at the disco\n"), "fatal panic: at the disco");
}

}  // namespace
}  // namespace midwire::fuzz
