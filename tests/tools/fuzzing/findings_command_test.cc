// midwire findings: the list of what midwire fuzz has saved, and its reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/case.h"
#include "tests/tools/command.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

class FindingsCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::create_directories(Path("fuzz/findings"));
  }
  // The cassette of a finding, in which the host sends these lines.
  std::string Keep(const std::string& name, fuzz::FindingRecord record,
                   const std::string& said = kOpenLine) const {
    record.framing = wire::Framing::kLine;
    if (record.tries == 0) record.hits = record.tries = 3;
    fuzz::Transcript transcript;
    transcript.chunks = {{wire::Direction::kHostToPlugin, said}};
    transcript.err =
        "loading\nTraceback (most recent call last):\n  File \"p.py\", line 1, in f\n"
        "KeyError: 'a'\n";
    return Save("fuzz/findings/" + name + ".jsonl",
                fuzz::WriteFinding(&record, transcript, {"my plugin", "--flag"}));
  }
  std::string KeepCrash() const {
    return Keep("signal-1", {.oracle = fuzz::Oracle::kSignal,
                             .key = "signal SIGSEGV after open",
                             .text = "ended by SIGSEGV"});
  }
  std::string KeepWarning() const {
    return Keep("double-1",
                {.oracle = fuzz::Oracle::kDouble, .key = "double open", .text = "twice"});
  }
  std::string KeepNote() const {
    return Keep("pollution-1", {.oracle = fuzz::Oracle::kPollution,
                                .key = "pollution x",
                                .text = "echo",
                                .kind = fuzz::FaultKind::kStyle});
  }
  static constexpr char kOpenLine[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n";
};

TEST_F(FindingsCommandTest, TheWorstIsFirst) {
  KeepWarning();
  KeepNote();
  KeepCrash();
  const Ran ran = Run({"findings", Path("fuzz")});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_LT(ran.out.find("error: memory error (signal)"),
            ran.out.find("warning: wrong answer (double)"));
  EXPECT_LT(ran.out.find("warning: "), ran.out.find("note: style (pollution): echo"));
  EXPECT_THAT(ran.out, HasSubstr("\n3 findings: 1 error, 1 warning, 1 note\n"));
}

TEST_F(FindingsCommandTest, OfOneKindTheFlakyComesLast) {
  const auto exits = [&](const std::string& name, int hits) {
    Keep(name,
         {.oracle = fuzz::Oracle::kExit, .key = name, .text = name, .hits = hits, .tries = 5});
  };
  exits("exit 1", 2);
  exits("exit 2", 5);
  const Ran ran = Run({"findings", Path("fuzz")});
  EXPECT_LT(ran.out.find("crash (exit): exit 2\n"), ran.out.find("crash (exit): exit 1\n"));
}

TEST_F(FindingsCommandTest, AReducedCopyIsNoSecondFinding) {
  const fuzz::FindingRecord twice = {
      .oracle = fuzz::Oracle::kDouble, .key = "double open", .text = "twice"};
  const std::string whole = Keep("double-1", twice, std::string(kOpenLine) + kOpenLine);
  const std::string small = Keep("double-1.reduced", twice);
  const Ran ran = Run({"findings", Path("fuzz")});
  EXPECT_THAT(ran.out, HasSubstr("    also:   " + whole + "\n    input:  1 message, 41 bytes"));
  EXPECT_THAT(ran.out, HasSubstr("replay: midwire replay " + small));
  EXPECT_THAT(ran.out, HasSubstr("\n1 finding: "));
}

TEST_F(FindingsCommandTest, EachHasItsInputAndHowToReplayIt) {
  const std::string cassette = KeepCrash();
  const Ran ran = Run({"findings", cassette});
  EXPECT_THAT(ran.out, HasSubstr("    cause:  signal SIGSEGV after open\n"));
  EXPECT_THAT(ran.out, HasSubstr("    stderr: KeyError: 'a'\n"));
  EXPECT_THAT(ran.out,
              HasSubstr("    input:  1 message, 41 bytes, lockstep\n"
                        "            {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n"));
  EXPECT_THAT(ran.out,
              HasSubstr("    replay: midwire replay " + cassette + " -- 'my plugin' --flag\n"));
}

TEST_F(FindingsCommandTest, WhatTheTextSaysIsNotRepeated) {
  Keep("panic-1",
       {.oracle = fuzz::Oracle::kPanic, .key = "panic a", .text = "exit 1: KeyError: 'a'"});
  EXPECT_THAT(Run({"findings", Path("fuzz")}).out, Not(HasSubstr("stderr:")));
}

TEST_F(FindingsCommandTest, TheRequestWithoutAnAnswerIsMarked) {
  std::string sent;
  for (int id = 1; id <= 8; ++id) {
    const std::string method = id == 4 ? "open" : "ping";
    sent += R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + "\"}\n";
  }
  Keep("missing-1",
       {.oracle = fuzz::Oracle::kMissing,
        .key = "missing open",
        .text = "no answer",
        .methods = {"open", "ping"}},
       sent);
  const Ran ran = Run({"findings", Path("fuzz")});
  EXPECT_THAT(ran.out, HasSubstr("              ... 2 messages ...\n"
                                 "            > {\"jsonrpc\":\"2.0\",\"id\":4,"));
}

TEST_F(FindingsCommandTest, NotesAloneAreFine) {
  KeepNote();
  EXPECT_EQ(Run({"findings", Path("fuzz/findings")}).code, 0);
}

TEST_F(FindingsCommandTest, AFolderWithoutFindingsIsFine) {
  Save("fuzz/findings/other.txt", "no cassette");
  const Ran ran = Run({"findings", Path("fuzz")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "0 findings\n");
}

TEST_F(FindingsCommandTest, AFolderThatIsNotThereIsAMistake) {
  const Ran ran = Run({"findings", Path("nowhere")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("cannot read the folder of findings: "));
}

TEST_F(FindingsCommandTest, ADamagedCassetteDoesNotHideTheOthers) {
  KeepNote();
  Save("fuzz/findings/a.jsonl", R"({"midwire":"cassette","version":1,"finding":7})"
                                "\n");
  const Ran ran = Run({"findings", Path("fuzz")});
  EXPECT_EQ(ran.code, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("a.jsonl, /finding"));
  EXPECT_THAT(ran.out, HasSubstr("\n1 finding: "));
}

TEST_F(FindingsCommandTest, ANamedFileThatIsNoTraceIsAMistake) {
  const Ran ran = Run({"findings", Save("a.jsonl", "hello")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("not a trace: "));
}

TEST_F(FindingsCommandTest, ReportsAreWritten) {
  KeepCrash();
  const Ran ran = Run({"findings", Path("fuzz"), "--html", Path("f.html"), "--md", Path("f.md"),
                       "--sarif", Path("f.sarif"), "--junit", Path("f.xml")});
  EXPECT_EQ(ran.code, 1) << ran.err;
  for (const char* name : {"f.html", "f.md", "f.sarif", "f.xml"}) {
    EXPECT_THAT(ReadFile(Path(name)), HasSubstr("SIGSEGV after open")) << name;
    // It has what was sent.
    EXPECT_EQ(std::filesystem::status(Path(name)).permissions(), std::filesystem::perms(0600));
  }
  EXPECT_TRUE(wire::ParseJson(ReadFile(Path("f.sarif"))));
}

TEST_F(FindingsCommandTest, AReportDoesNotReplaceACassette) {
  const std::string cassette = KeepCrash();
  EXPECT_EQ(Run({"findings", Path("fuzz"), "--md", cassette}).code, 2);
  EXPECT_THAT(ReadFile(cassette), HasSubstr("\"cassette\""));
}

}  // namespace
}  // namespace midwire::tools
