// What midwire findings prints of saved findings, in each of its formats.
#include "tests/view/saved_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace midwire::view {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// For people; those for programs have tests of their own.
constexpr PrintsSaved kPrinters[] = {AppendSavedText, AppendSavedMarkdown, AppendSavedHtml};

TEST(SavedFindingsTest, AFindingHasItsCauseItsInputAndHowToReplayIt) {
  EXPECT_EQ(Printed(AppendSavedText, {CrashFound()}),
            "error: memory error (signal): ended by SIGSEGV, after request open\n"
            "    cause:  signal SIGSEGV after open\n"
            "    stderr: reading <0>\n"
            "    input:  1 message, 25 bytes, lockstep\n"
            "            {\"id\":1,\"method\":\"open\"}\n"
            "    replay: midwire replay f/signal-1.jsonl -- plugin\n"
            "\n"
            "1 finding: 1 error, 0 warnings, 0 notes\n");
}

TEST(SavedFindingsTest, AKindThatIsNamedAsItsOracleIsNamedOnce) {
  SavedFinding hang = CrashFound();
  hang.kind = hang.oracle = "hang";
  EXPECT_THAT(Printed(AppendSavedText, {hang}), StartsWith("error: hang: ended by"));
}

TEST(SavedFindingsTest, OnATerminalTextIsFoldedAtBlanksAndCommandsAreNot) {
  SavedFinding crash = CrashFound();
  crash.command += " --with all of its many arguments";
  std::string text;
  AppendSavedText({{crash}}, 50, &text);
  EXPECT_THAT(text, HasSubstr("error: memory error (signal): ended by SIGSEGV,\n"
                              "    after request open\n"));
  EXPECT_THAT(text, HasSubstr("    replay: " + crash.command + "\n"));
}

TEST(SavedFindingsTest, AllFormatsHaveIt) {
  for (const PrintsSaved print : kPrinters) {
    const std::string text = Printed(print, {CrashFound()});
    EXPECT_THAT(text, HasSubstr("SIGSEGV after open"));
    EXPECT_THAT(text, HasSubstr("midwire replay f/signal-1.jsonl -- plugin"));
  }
}

TEST(SavedFindingsTest, WhatIsLikeItIsCountedAndTheFirstAreNamed) {
  SavedFinding crash = CrashFound();
  EXPECT_EQ(LikeText(crash), "");
  crash.like = {"a", "b"};
  crash.like_count = 2;
  EXPECT_EQ(LikeText(crash), "2: a, b");
  crash.like = {"a", "b", "c", "d", "e", "f"};
  crash.like_count = 12;
  EXPECT_EQ(LikeText(crash), "12: a, b, c, d, e, ...");
  for (const PrintsSaved print : kPrinters) {
    EXPECT_THAT(Printed(print, {crash}), HasSubstr("12: a, b, c, d, e, ..."));
  }
}

TEST(SavedFindingsTest, OtherCassettesOfItAreNamed) {
  SavedFinding crash = CrashFound();
  crash.also = {"f/a.jsonl", "f/b\x1b.jsonl"};
  for (const PrintsSaved print : kPrinters) {
    EXPECT_THAT(Printed(print, {crash}), HasSubstr("f/a.jsonl, f/b\\x1b.jsonl"));
  }
}

TEST(SavedFindingsTest, NoFindingIsReportedToo) {
  EXPECT_EQ(Printed(AppendSavedText, {}), "0 findings\n");
  for (const PrintsSaved print : kPrinters) EXPECT_NE(Printed(print, {}), "");
}

TEST(SavedFindingsTest, OfManyMessagesFiveLinesAreShown) {
  EXPECT_THAT(InputLines({"1", "2", "3", "4", "5"}), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(InputLines({"1", "2", "3", "4", "5", "6"}),
              ElementsAre("1", "... 2 messages ...", "4", "5", "6"));
}

TEST(SavedFindingsTest, TheMessageAtFaultIsShownAndMarked) {
  const std::vector<std::string> messages = {"1", "2", "3", "4", "5", "6", "7", "8"};
  EXPECT_THAT(InputLines(messages, 2), ElementsAre("  1", "  ... 1 message ...", "> 3",
                                                   "  ... 2 messages ...", "  6", "  7", "  8"));
  EXPECT_THAT(InputLines(messages, 7),
              ElementsAre("  1", "  ... 4 messages ...", "  6", "  7", "> 8"));
  EXPECT_THAT(InputLines({"1"}, 0), ElementsAre("1"));
}

TEST(SavedFindingsTest, ALongMessageIsCutBetweenCharacters) {
  std::string message(199, 'x');
  for (int i = 0; i < 10; ++i) message += "\u00e9";
  EXPECT_THAT(InputLines({message}), ElementsAre(std::string(199, 'x') + " ... 20 bytes more"));
}

TEST(SavedFindingsTest, TextOfAPeerIsNeitherMarkupNorATerminalsEscape) {
  SavedFinding hostile = CrashFound();
  hostile.text = hostile.key = hostile.err = "`</pre><script>\x1b[2J";
  hostile.input = InputLines({hostile.text});
  for (const PrintsSaved print : kPrinters) {
    EXPECT_THAT(Printed(print, {hostile}), Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(Printed(AppendSavedHtml, {hostile}), Not(HasSubstr("<script")));
  EXPECT_THAT(Printed(AppendSavedMarkdown, {hostile}), Not(HasSubstr("``")));
}

}  // namespace
}  // namespace midwire::view
