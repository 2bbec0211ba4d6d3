// The reports of saved findings for programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/view/saved_findings.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SavedFindingsTest, InJunitANoteIsNoFailure) {
  const std::string xml = Printed(AppendSavedJunit, {CrashFound(), NoteFound()});
  EXPECT_THAT(xml, HasSubstr(R"(tests="2" failures="1")"));
  EXPECT_THAT(xml, HasSubstr(R"(name="pollution x"><system-out>)"));
}

TEST(SavedFindingsTest, InJunitAFailureSaysWhatFailedOnOneLine) {
  SavedFinding crash = CrashFound();
  crash.key = "panic " + std::string(400, 'x');
  const std::string xml = Printed(AppendSavedJunit, {crash, NoteFound()});
  EXPECT_THAT(xml, HasSubstr(R"(message="memory error: ended by SIGSEGV, after request open; )"
                             R"(stderr: reading &lt;0&gt;")"));
  EXPECT_THAT(xml, HasSubstr(" name=\"panic " + std::string(93, 'x') + "\u2026\""));
  EXPECT_THAT(xml, Not(HasSubstr("1 finding:")));
}

TEST(SavedFindingsTest, InSarifTheKeyIsTheIdentity) {
  const auto log = wire::ParseJson(Printed(AppendSavedSarif, {CrashFound(), NoteFound()}));
  ASSERT_TRUE(log);
  const wire::Json& run = log->Find("runs")->items[0];
  const auto& results = run.Find("results")->items;
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].String("ruleId"), "signal");
  EXPECT_EQ(results[0].String("level"), "error");
  EXPECT_EQ(results[1].String("level"), "note");
  EXPECT_EQ(results[0].Find("partialFingerprints")->String("midwire/v1"),
            "signal SIGSEGV after open");
  EXPECT_EQ(run.Find("artifacts")->items.size(), 2u);
}

TEST(SavedFindingsTest, ReportsHaveHowToReplayAndNoMarkupOfAPeer) {
  SavedFinding hostile = CrashFound();
  hostile.text = hostile.err = "</failure><script>\x1b[2J";
  for (const PrintsSaved print : {AppendSavedSarif, AppendSavedJunit}) {
    const std::string text = Printed(print, {hostile});
    EXPECT_THAT(text, HasSubstr("midwire replay f/signal-1.jsonl -- plugin"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(Printed(AppendSavedJunit, {hostile}), Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace midwire::view
