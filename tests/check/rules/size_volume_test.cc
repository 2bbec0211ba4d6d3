// The rule types size and volume.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

TEST(SizeRule, InBytesOnTheWire) {
  const std::string rule = R"({"type":"size","at":"set:/params/data","max":5})";
  EXPECT_EQ(FoundBy(rule, {Notify('<', "set", R"({"data":"abc"})"),
                           Notify('<', "set", R"({"data":"abcd"})")}),
            "#2 p2h /params/data: at most 5 bytes | 6 bytes\n");
}

TEST(VolumeRule, AllThatThePluginSends) {
  // A call makes 57 bytes of a message without its end of line.
  const std::string rule = R"({"type":"volume","from":"plugin","max":MAX})";
  const auto limited = [&](size_t most) {
    std::string text = rule;
    return text.replace(text.find("MAX"), 3, std::to_string(most));
  };
  const std::string sent = Notify('<', "log", R"({"data":"abc"})");
  const size_t size = sent.substr(sent.find('{')).size() + 1;
  EXPECT_EQ(FoundBy(limited(3 * size), {sent, sent, Notify('>', "a", "{}"), sent}), "");
  EXPECT_EQ(FoundBy(limited(3 * size - 1), {sent, sent, Notify('>', "a", "{}"), sent, sent}),
            "#4 p2h : at most " + std::to_string(3 * size - 1) + " bytes in all | " +
                std::to_string(3 * size) + " bytes\n");
  EXPECT_EQ(FoundBy(limited(2 * size), {sent, sent, "---", sent, sent}), "") << "a session each";
}

}  // namespace
}  // namespace midwire::trace
