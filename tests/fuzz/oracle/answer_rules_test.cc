// One answer and the requests before it: which rule decides.
#include "fuzz/oracle/answer_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/oracle/documented.h"

namespace midwire::fuzz {
namespace {

class AnswerRulesTest : public testing::Test {
 protected:
  // The verdict about an answer with this id, and its reason.
  std::string Rule(std::string_view id, AnswerCase answer) {
    answer.id = id;
    answer.anonymous = id == "null";
    const AnswerRule& rule = RuleFor(answer);
    return std::string(Name(rule.verdict)) + (*rule.reason != 0 ? ": " : "") + rule.reason;
  }
  std::string Rule(std::string_view id) { return Rule(id, {.pending = pending_}); }

  PendingRequests pending_;
};

TEST_F(AnswerRulesTest, AnAnswerBelongsToTheRequestWithItsId) {
  pending_.Add({.id = "1", .expected = true});
  pending_.Add({.id = "2"});
  EXPECT_EQ(&RuleFor({.pending = pending_, .id = "1"}), &AnswerRules()[0]);
  EXPECT_EQ(&RuleFor({.pending = pending_, .id = "2"}), &AnswerRules()[1]);
}

TEST_F(AnswerRulesTest, ASecondAnswerIsADouble) {
  pending_.Add({.id = "1", .expected = true});
  pending_.Answer("1");
  EXPECT_EQ(Rule("1"), "double");
}

TEST_F(AnswerRulesTest, ASecondAnswerMayBelongToAnotherRequest) {
  pending_.Add({.id = "1", .expected = true});
  pending_.Answer("1");
  pending_.Add({.id = "1.0", .ambiguous = true});
  EXPECT_EQ(Rule("1"), "accepted: it may answer the other one");
}

TEST_F(AnswerRulesTest, OfARepeatedIdAnyAnswerMayBeLate) {
  for (int i = 0; i < 2; ++i) pending_.Add({.id = "1", .expected = true});
  for (int i = 0; i < 2; ++i) pending_.Answer("1");
  EXPECT_EQ(Rule("1"), "accepted: any of them may be answered late");
}

TEST_F(AnswerRulesTest, AnAnswerToAnEarlierRunIsLate) {
  pending_.Add({.id = "1", .expected = true});
  pending_.OnRun();
  EXPECT_EQ(Rule("1"), "accepted: an answer may be late");
}

TEST_F(AnswerRulesTest, AnIdOfAnotherTypeIsAFaultIfNothingElseIsMeant) {
  pending_.Add({.id = "\"1\"", .expected = true});
  EXPECT_EQ(Rule("1"), "id-type");
  EXPECT_EQ(Rule("1", {.pending = pending_, .sync = SyncState::kMaybeLost}),
            "accepted: it was reported, or may be late");
  pending_.AddUnreadable(false);
  EXPECT_EQ(Rule("1"), "accepted: it was reported, or may be late");
}

TEST_F(AnswerRulesTest, AnAnswerWithoutAnIdMayRefuseWhatPeersRefuse) {
  EXPECT_EQ(Rule("null", {.pending = pending_, .any_answer = true}),
            "accepted: it may refuse that message");
  EXPECT_EQ(Rule("null", {.pending = pending_, .sync = SyncState::kUnfinished}),
            "accepted: it may refuse that message");
  pending_.Add({.id = "1", .expected = true, .large = true});
  EXPECT_EQ(Rule("null"), "accepted: a peer may refuse a large body without its id");
}

TEST_F(AnswerRulesTest, AnAnswerToANotificationHasNoId) {
  EXPECT_EQ(Rule("null", {.pending = pending_, .notification_sent = true}), "notification");
  EXPECT_EQ(Rule("7", {.pending = pending_, .notification_sent = true}), "unknown");
  EXPECT_EQ(Rule("null"), "unknown");
}

TEST_F(AnswerRulesTest, TheTableIsDocumented) {
  std::string rows;
  for (const AnswerRule& rule : AnswerRules()) {
    const std::string verdict(Name(rule.verdict));
    const bool fault = *rule.reason == 0;
    rows += "| " + std::string(rule.condition) + " | " + (fault ? "`" + verdict + "`" : verdict) +
            " | " + rule.reason + (fault ? "|\n" : " |\n");
  }
  EXPECT_EQ(Undocumented("| the first that holds | verdict | because |", rows), "");
}

}  // namespace
}  // namespace midwire::fuzz
