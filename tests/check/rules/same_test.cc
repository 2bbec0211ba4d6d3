// The rule type same.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kSame =
    R"({"type":"same","methods":["render"],"reset":["handle_*"],"at":"/result/buffer"})";

TEST(SameRule, EqualParamsEqualResults) {
  EXPECT_EQ(FoundBy(kSame, {Ask('>', 1, "render", R"({"w":80,"h":1e1})"),
                            Answer('<', 1, R"({"buffer":[1,{"a":1,"b":2}],"ms":3})"),
                            Ask('>', 2, "render", R"({ "h":10, "w":80.0 })"),
                            Answer('<', 2, R"({"ms":4,"buffer":[1.0,{"b":2,"\u0061":1}]})")}),
            "");
}
TEST(SameRule, EqualParamsOtherResults) {
  EXPECT_EQ(FoundBy(kSame, {Ask('>', 1, "render"), Answer('<', 1, R"({"buffer":1})"),
                            Ask('>', 2, "render"), Answer('<', 2, R"({"buffer":2})"),
                            Ask('>', 3, "render"), Answer('<', 3, "{}")}),
            "#4 p2h /result/buffer: as in #2 | 2\n"
            "#6 p2h /result/buffer: as in #2 | \n");
}
TEST(SameRule, OtherParamsOrAResetBetween) {
  EXPECT_EQ(FoundBy(kSame, {Ask('>', 1, "render"), Answer('<', 1, R"({"buffer":1})"),
                            Ask('>', 2, "render", R"({"x":1})"), Answer('<', 2, R"({"buffer":2})"),
                            Notify('>', "handle_key"), Ask('>', 3, "render"),
                            Answer('<', 3, R"({"buffer":3})")}),
            "");
}
TEST(SameRule, AResetWhileTheRequestIsOpen) {
  EXPECT_EQ(FoundBy(kSame, {Ask('>', 1, "render"), Notify('>', "handle_key"),
                            Answer('<', 1, R"({"buffer":1})"), Ask('>', 2, "render"),
                            Answer('<', 2, R"({"buffer":2})"), Ask('>', 3, "render"),
                            Answer('<', 3, R"({"buffer":2})")}),
            "");
}
TEST(SameRule, ErrorsAndOtherSessionsAreNotCompared) {
  EXPECT_EQ(FoundBy(kSame, {Ask('>', 1, "render"), Refuse('<', 1, -1), Ask('>', 2, "render"),
                            Answer('<', 2, R"({"buffer":1})"), "---", Ask('>', 1, "render"),
                            Answer('<', 1, R"({"buffer":2})")}),
            "");
}

}  // namespace
}  // namespace midwire::trace
