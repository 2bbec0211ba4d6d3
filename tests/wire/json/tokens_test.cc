#include "wire/json/tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::wire {
namespace {

TEST(JsonTokensTest, EndWithTheValue) {
  JsonTokens tokens;
  const std::string_view text = R"( {"a":1} , "b")";
  EXPECT_EQ(tokens.ReadValue(text), text.data() + 8);
  EXPECT_EQ(tokens.size(), 8u);
  EXPECT_EQ(tokens.end() - tokens.begin(), 4);
  EXPECT_EQ(tokens.begin()[1].In(text), "\"a\"");
}

TEST(JsonTokensTest, OfWhatIsNoJsonHaveNoSize) {
  JsonTokens tokens;
  EXPECT_NE(tokens.ReadValue("[1]"), nullptr);
  EXPECT_EQ(tokens.ReadValue("[1,]"), nullptr);
  EXPECT_EQ(tokens.size(), 0u);
}

TEST(JsonTokensTest, MoreThanAreKeptAreRead) {
  std::string text = "[0";
  for (size_t i = 1; i < JsonTokens::kMost - 2; ++i) text += ",0";
  JsonTokens tokens;
  EXPECT_NE(tokens.ReadValue(text + "]"), nullptr);
  EXPECT_TRUE(tokens.complete());
  EXPECT_NE(tokens.ReadValue(text + ",0]"), nullptr);
  EXPECT_FALSE(tokens.complete());
  EXPECT_EQ(tokens.size(), text.size() + 3);
}

}  // namespace
}  // namespace midwire::wire
