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
            "#4 p2h /result/buffer: 1 as in #2 | 2\n"
            "#6 p2h /result/buffer: 1 as in #2 | \n");
}
TEST(SameRule, LongTextsAreCutAroundTheirDifference) {
  const auto page = [](const std::string& end) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "a line\\n";
    return "{\"buffer\":\"" + text + end + "\"}";
  };
  const std::string found = FoundBy(kSame, {Ask('>', 1, "render"), Answer('<', 1, page("a dog")),
                                            Ask('>', 2, "render"), Answer('<', 2, page("a cat"))});
  EXPECT_TRUE(found.starts_with("#4 p2h /result/buffer: ...line\\na line\\n")) << found;
  EXPECT_NE(found.find("a line\\na dog\" as in #2 | ...line"), found.npos) << found;
  EXPECT_TRUE(found.ends_with("a line\\na cat\" (line 101)\n")) << found;
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
