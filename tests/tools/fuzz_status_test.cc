// What midwire fuzz prints of its events and, with --explain, of a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/case.h"
#include "tests/tools/command.h"
#include "tools/fuzzing/alike_findings.h"
#include "tools/fuzzing/status.h"

namespace midwire::tools {
namespace {

// On stdout. stderr has the transient lines.
std::string Printed(const std::string& counts) {
  testing::internal::CaptureStdout();
  FuzzStatus(/*json=*/false)
      .OnLine(R"({"event":"finding","oracle":"hang","text":"t","cassette":"c",)" + counts + "}");
  return testing::internal::GetCapturedStdout();
}

class FuzzLikeTest : public CommandTest {
 protected:
  std::string Missing(const std::string& key) const {
    const fuzz::FindingRecord record = {.oracle = fuzz::Oracle::kMissing, .key = key, .text = "t"};
    return Save("f.jsonl", fuzz::WriteFinding(&record, {}, {"plugin"}));
  }
};

TEST(FuzzStatusTest, OneOfAThingIsOne) {
  EXPECT_EQ(Printed(R"("confirmed":3,"tries":3,"messages":1,"bytes":1)"),
            "hang: t\n    c (1 message, 1 byte)\n");
  EXPECT_EQ(Printed(R"("confirmed":1,"tries":3,"messages":2,"bytes":0)"),
            "hang: t\n    c (flaky, 1 of 3; 2 messages, 0 bytes)\n");
}

TEST(FuzzStatusTest, AFindingThatIsNotFullyReducedIsMarked) {
  EXPECT_EQ(Printed(R"("confirmed":3,"tries":3,"messages":2,"bytes":9,"finished":false)"),
            "hang: t\n    c (2 messages, 9 bytes; not fully reduced)\n");
  EXPECT_EQ(Printed(R"("confirmed":3,"tries":3,"messages":2,"bytes":9,"finished":true)"),
            "hang: t\n    c (2 messages, 9 bytes)\n");
}

TEST(FuzzStatusTest, AFindingOfOneLongRunOccurredOnce) {
  EXPECT_EQ(Printed(R"("confirmed":0,"tries":0,"messages":48309,"bytes":9)"),
            "hang: t\n    c (flaky, occurred once; 48309 messages, 9 bytes)\n");
}

TEST(FuzzStatusTest, TheSummaryListsTheWorstFirst) {
  testing::internal::CaptureStdout();
  FuzzStatus status(/*json=*/false);
  const auto find = [&](const std::string& members) {
    status.OnLine(R"({"event":"finding","confirmed":5,"tries":5,)" + members +
                  R"(,"cassette":"c"})");
  };
  find(R"("severity":"note","kind":"style","oracle":"pollution","text":"echo")");
  EXPECT_FALSE(status.found()) << "a note stops no run";
  find(R"("severity":"warning","kind":"protocol","oracle":"utf8","text":"bytes")");
  find(R"("severity":"error","kind":"crash","oracle":"exit","text":"exit 3")");
  EXPECT_TRUE(status.found());
  status.Finish({}, 0, "folder");
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::HasSubstr("worst first:\n"
                                 "  error   exit: exit 3\n"
                                 "  warning utf8: bytes\n"
                                 "  note    pollution: echo\n"));
}

TEST(FuzzStatusTest, TheSummarySaysHowLongFindingsTook) {
  const auto summary = [](const fuzz::Totals& totals) {
    testing::internal::CaptureStdout();
    FuzzStatus(/*json=*/false).Finish(totals, 30'000'000'000, "folder");
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_THAT(summary({}), testing::HasSubstr(" in 30.0 s, "));
  EXPECT_THAT(summary({.confirming_ns = 3'100'000'000, .reducing_ns = 6'900'000'000}),
              testing::HasSubstr(" in 30.0 s (confirming 3.1 s, reducing 6.9 s), "));
}

TEST(FuzzStatusTest, OfOneKindTheFlakyComesLast) {
  testing::internal::CaptureStdout();
  FuzzStatus status(/*json=*/false);
  for (const char* members :
       {R"("key":"a","text":"a","confirmed":2)", R"("key":"c","text":"c","confirmed":5)",
        R"("key":"b","text":"b","confirmed":5)"}) {
    status.OnLine(R"({"event":"finding","severity":"error","kind":"crash","oracle":"exit",)" +
                  std::string(members) + R"(,"tries":5,"cassette":"f"})");
  }
  status.Finish({}, 0, "folder");
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::HasSubstr("  error   exit: b\n  error   exit: c\n"
                                 "  error   exit: a (flaky)\n"));
}

TEST(FuzzStatusTest, TheSummaryHasWhatTheReductionHasShown) {
  testing::internal::CaptureStdout();
  FuzzStatus status(/*json=*/false);
  for (const char* file : {"a", "b"}) {
    status.OnLine(R"({"event":"finding","severity":"error","kind":"crash","oracle":"exit",)"
                  R"("text":"exit 1, after ping","confirmed":0,"tries":0,"cassette":")" +
                  std::string(file) + "\"}");
  }
  status.OnReduced("b", {.finding = {.text = "exit 1, after open"}, .hits = 5, .tries = 5}, {});
  status.Finish({}, 0, "folder");
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::HasSubstr("  error   exit: exit 1, after open\n"
                                 "  error   exit: exit 1, after ping (flaky)\n"));
}

TEST_F(FuzzLikeTest, WhatIsLikeAFindingIsWrittenToItsFileAndCounted) {
  const std::string cassette = Missing("missing open");
  testing::internal::CaptureStdout();
  FuzzStatus status(/*json=*/false);
  status.OnLine(
      R"({"event":"finding","severity":"warning","oracle":"missing","text":"t","confirmed":5,)"
      R"("tries":5,"cassette":")" +
      cassette + "\"}");
  for (const char* key : {"missing open", "missing ping", "missing note", "missing ping"}) {
    status.OnLine(R"({"event":"like","key":")" + std::string(key) + R"(","as":")" + cassette +
                  "\"}");
  }
  EXPECT_TRUE(status.SaveLike());
  status.Finish({}, 0, "folder");
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::HasSubstr("worst first:\n  warning missing: t (and 2 like it)\n"));
  EXPECT_THAT(ReadFile(cassette),
              testing::HasSubstr(R"("like_count":2,"like":["missing note","missing ping"]}})"));
  EXPECT_THAT(Run({"findings", cassette}).out,
              testing::HasSubstr("    like:   2: missing note, missing ping\n"));
}

TEST_F(FuzzLikeTest, ALaterRunAddsToThem) {
  const std::string cassette = Missing("missing open");
  for (const char* key : {"missing ping", "missing note"}) {
    AlikeFindings alike;
    alike.Add(cassette, key);
    EXPECT_TRUE(alike.Write());
  }
  EXPECT_THAT(ReadFile(cassette), testing::HasSubstr(R"("like_count":2,)"));
}

TEST_F(FuzzLikeTest, AFileThatIsNoFindingAnyMoreIsReported) {
  AlikeFindings alike;
  alike.Add(Save("a.jsonl", "{}\n"), "missing ping");
  EXPECT_FALSE(alike.Write());
  EXPECT_EQ(ReadFile(Path("a.jsonl")), "{}\n");
}

TEST(FuzzStatusTest, WhatIsNoErrorSaysSo) {
  EXPECT_EQ(Printed(R"("severity":"warning","messages":1,"bytes":1)"),
            "hang: t\n    c (warning; flaky, occurred once; 1 message, 1 byte)\n");
}

class FuzzExplainTest : public CommandTest {
 protected:
  std::string Saved(const std::string& finding) const {
    return Save("finding.jsonl",
                R"({"midwire":"cassette","version":1)" + finding + "}\n" +
                    R"({"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"open"}})"
                    "\n"
                    R"({"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":1}})"
                    "\n"
                    R"({"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":1}})"
                    "\n");
  }
};

TEST_F(FuzzExplainTest, AFindingIsExplained) {
  const Ran ran = Run({"fuzz", "--explain",
                       Saved(R"(,"finding":{"oracle":"double","key":"double open",)"
                             R"("text":"twice","pace":"lockstep"})")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "finding: twice\n"
            "-> request open: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n"
            "<- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n"
            "   response 1: a request with its id must be answered\n"
            "<- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n"
            "   response 1: a request has its id, and was answered\n"
            "   reported: double open\n"
            "   because: a second answer to the request 1 (open)\n"
            "at the end, the session is in sync; no fault then: exit-on-junk, deaf\n");
}

TEST_F(FuzzExplainTest, AFindingOfTheProcessShowsWhatItWrote) {
  const std::string file = Save(
      "exit.jsonl",
      R"({"midwire":"cassette","version":1,"finding":{"oracle":"exit","key":"exit 3 after open",)"
      R"("text":"exit 3","pace":"lockstep"}})"
      "\n"
      R"({"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"open"}})"
      "\n"
      R"({"stderr":"no such file\n"})"
      "\n"
      R"({"event":{"event":"exit","code":3}})"
      "\n");
  const Ran ran = Run({"fuzz", "--explain", file});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::EndsWith(
                           "no single message shows the finding, which is of the oracle exit: the "
                           "process exited without a request to do so\n"
                           "the process ended: exit 3\n"
                           "it wrote to stderr:\n    no such file\n"));
}

TEST_F(FuzzExplainTest, ATraceWithoutAFindingIsRefused) {
  const Ran ran = Run({"fuzz", "--explain", Saved("")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, testing::HasSubstr("not a finding: "));
}

}  // namespace
}  // namespace midwire::tools
