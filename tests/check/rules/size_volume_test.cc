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
  const std::string said = Notify('<', "log", R"({"data":"abc"})");
  const size_t size = said.substr(said.find('{')).size() + 1;
  EXPECT_EQ(FoundBy(limited(3 * size), {said, said, Notify('>', "a", "{}"), said}), "");
  EXPECT_EQ(FoundBy(limited(3 * size - 1), {said, said, Notify('>', "a", "{}"), said, said}),
            "#4 p2h : at most " + std::to_string(3 * size - 1) + " bytes in all | " +
                std::to_string(3 * size) + " bytes\n");
  EXPECT_EQ(FoundBy(limited(2 * size), {said, said, "---", said, said}), "") << "a session each";
}

}  // namespace
}  // namespace midwire::trace
