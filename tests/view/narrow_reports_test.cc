// Reports on a terminal that is narrower than their lines.
#include <gtest/gtest.h>

#include "view/text/check_report.h"
#include "view/text/replay_report.h"
#include "view/text/stats_report.h"

namespace midwire::view {
namespace {

trace::Violation Long() {
  trace::Violation violation;
  violation.rule = "handle.job";
  violation.clause = "3.1";
  violation.frame = 5;
  violation.pointer = "/params/job";
  violation.expected = "a job that was started before";
  violation.got = "\"j-2\"";
  violation.text = "the job is not known any more";
  return violation;
}

TEST(NarrowReportsTest, AViolationIsFoldedBelowItsText) {
  std::string out;
  AppendViolation(Long(), {.width = 50}, &out);
  EXPECT_EQ(out,
            "      must    handle.job: the job is not known any\n"
            "              more (clause 3.1)\n"
            "              /params/job: expected a job that was\n"
            "              started before, got \"j-2\"\n");
}

TEST(NarrowReportsTest, WithoutATerminalAViolationHasTwoLines) {
  std::string out;
  AppendViolation(Long(), Style(), &out);
  EXPECT_EQ(out,
            "      must    handle.job: the job is not known any more (clause 3.1)\n"
            "              /params/job: expected a job that was started before, got \"j-2\"\n");
}

TEST(NarrowReportsTest, AVerdictIsFolded) {
  trace::ViolationList none;
  std::string out;
  AppendCheckText(none, {.dialect = "my-protocol", .messages = 1}, false, {.width = 40}, &out);
  EXPECT_EQ(out, "fine: 0 must, 0 should, 0 notes in 1\nmessage, checked against my-protocol\n");
}

TEST(NarrowReportsTest, TheVerdictOfAReplayIsFolded) {
  std::string out;
  AppendReplayText({.sent = 12, .matched = 34}, {}, {.width = 40}, &out);
  EXPECT_EQ(out, "same: 12 messages sent, 34 received as\nrecorded\n");
}

TEST(NarrowReportsTest, TheCommandOfASessionIsFolded) {
  trace::Tally tally;
  tally.sessions.push_back({.spawn = "node /srv/plugins/weather/dist/index.js --verbose",
                            .exit = "exit with status 0",
                            .ended = true});
  tally.session_count = 1;
  std::string out;
  AppendStatsText(tally, {.width = 48}, &out);
  EXPECT_EQ(out.substr(0, out.find("\n\n")),
            "session    node\n"
            "           /srv/plugins/weather/dist/index.js\n"
            "           --verbose\n"
            "ended      exit with status 0");
}

}  // namespace
}  // namespace midwire::view
