// The rule types count and deadline.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kCount =
    R"({"type":"count","add":"set:/params/key","remove":["delete:/params/key"],
  "clear":["clear"],"max":2})";

std::string Set(int id, const std::string& key) {
  return Ask('<', id, "set", "{\"key\":\"" + key + "\"}");
}

TEST(CountRule, TheSameKeyTwiceIsOne) {
  EXPECT_EQ(FoundBy(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2), Set(3, "a"),
                             Answer('>', 3)}),
            "");
}
TEST(CountRule, OneTooManyWasAccepted) {
  EXPECT_EQ(FoundBy(kCount, {Set(1, "a"), Set(2, "b"), Set(3, "c"), Answer('>', 1), Answer('>', 3),
                             Answer('>', 2)}),
            "#6 h2p : at most 2 at once | number 3\n");
}
TEST(CountRule, OneTooManyWasRefused) {
  EXPECT_EQ(FoundBy(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2), Set(3, "c"),
                             Refuse('>', 3, -1), Set(4, "d")}),
            "");
}
TEST(CountRule, RemovedAndCleared) {
  EXPECT_EQ(FoundBy(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2),
                             Ask('<', 3, "delete", R"({"key":"a"})"), Answer('>', 3), Set(4, "c"),
                             Answer('>', 4), Ask('<', 5, "clear"), Answer('>', 5), Set(6, "d"),
                             Answer('>', 6), Set(7, "e"), Answer('>', 7)}),
            "");
}
TEST(CountRule, ADeleteThatFailedRemovesNothing) {
  EXPECT_NE(FoundBy(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2),
                             Ask('<', 3, "delete", R"({"key":"a"})"), Refuse('>', 3, -1),
                             Set(4, "c"), Answer('>', 4)}),
            "");
}
TEST(CountRule, NotificationsCountAtOnce) {
  EXPECT_EQ(FoundBy(R"({"type":"count","add":"set:/params/key","max":0})",
                    {Notify('<', "set", R"({"key":1})")}),
            "#1 p2h : at most 0 at once | number 1\n");
}

const std::string kDeadline =
    R"({"type":"deadline","methods":["invoke"],"limit":"/params/timeout_ms","code":-32002})";

std::vector<std::string> Invoke(const std::string& limit, int took_ms, const std::string& answer) {
  return {Ask('<', 1, "invoke", "{\"timeout_ms\":" + limit + "}"), "+" + std::to_string(took_ms),
          answer};
}

TEST(DeadlineRule, InTime) {
  EXPECT_EQ(FoundBy(kDeadline, Invoke("1000", 999, Answer('>', 1))), "");
  EXPECT_EQ(FoundBy(kDeadline, Invoke("1000", 1040, Answer('>', 1))), "");
}
TEST(DeadlineRule, LateWithTheCode) {
  EXPECT_EQ(FoundBy(kDeadline, Invoke("1000", 5000, Refuse('>', 1, -32002))), "");
}
TEST(DeadlineRule, LateWithAResultOrAnotherCode) {
  EXPECT_EQ(FoundBy(kDeadline, Invoke("1000", 2000, Answer('>', 1))),
            "#2 h2p : error -32002 after 1000 ms | a result after 2000 ms\n");
  EXPECT_EQ(FoundBy(kDeadline, Invoke("1e3", 2000, Refuse('>', 1, -1))),
            "#2 h2p : error -32002 after 1000 ms | an error after 2000 ms\n");
}
TEST(DeadlineRule, NoUsableLimit) {
  for (const char* limit : {"0", "-5", "null", "1e400", "1e300", "\"1\""}) {
    EXPECT_EQ(FoundBy(kDeadline, Invoke(limit, 1'000'000, Answer('>', 1))), "") << limit;
  }
}
TEST(DeadlineRule, ALimitOfTheProtocol) {
  EXPECT_EQ(FoundBy(R"({"type":"deadline","methods":["stop"],"limit_ms":1000})",
                    {Ask('>', 1, "stop"), "+1500", Refuse('<', 1, -1)}),
            "#2 p2h : an answer after 1000 ms | an error after 1500 ms\n");
}
TEST(DeadlineRule, WithoutTimesItIsUnknown) {
  EXPECT_EQ(FoundBy(kDeadline, {"untimed", Ask('<', 1, "invoke", R"({"timeout_ms":1})"), "+5000",
                                Answer('>', 1)}),
            "");
}

}  // namespace
}  // namespace midwire::trace
