#include "wire/message_shapes.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::wire {
namespace {

// Whether the message has a known shape; if not, it is kept.
bool Known(MessageShapes* shapes, std::string_view text) {
  if (shapes->Find(text)) return true;
  EXPECT_NE(shapes->Fresh()->ReadValue(text), nullptr);
  shapes->Keep(text);
  return false;
}

TEST(MessageShapesTest, FourThatTakeTurnsAreKnown) {
  MessageShapes shapes;
  const std::string_view texts[] = {R"({"a":1})", R"({"b":1})", R"({"c":1})", R"({"d":1})"};
  for (const std::string_view text : texts) EXPECT_FALSE(Known(&shapes, text));
  for (const std::string_view text : texts) EXPECT_TRUE(Known(&shapes, text));
  EXPECT_FALSE(Known(&shapes, R"({"e":1})"));
  EXPECT_FALSE(Known(&shapes, R"({"a":1})")) << "the latest four";
  EXPECT_TRUE(Known(&shapes, R"({"d":1})"));
}

TEST(MessageShapesTest, MembersOfClassification) {
  MessageShapes shapes;
  const std::string_view text =
      R"({"x":{"id":1},"id":7,"error":{"code":3,"data":{"code":4},"message":""},"result":[]})";
  Known(&shapes, text);
  const MessageShapes::Known* const known = shapes.Find(text);
  ASSERT_NE(known, nullptr);
  std::string members;
  for (const MessageShapes::Member& member : known->members) {
    members += std::string(member.in_error ? "in error " : "") +
               std::string(known->tokens.begin()[member.token].In(text)) + "; ";
  }
  EXPECT_EQ(members, "7; {; in error 3; in error \"\"; [; ");
}

TEST(MessageShapesTest, AfterManyUnknownOnesARepeatedOneIsKnownLater) {
  MessageShapes shapes;
  for (int i = 0; i < 200; ++i) Known(&shapes, "{\"a" + std::to_string(i) + "\":1}");
  int unknown = 0;
  while (unknown < 100 && !Known(&shapes, R"({"b":1})")) ++unknown;
  EXPECT_GT(unknown, 1);
  EXPECT_LT(unknown, 20);
}

}  // namespace
}  // namespace midwire::wire
