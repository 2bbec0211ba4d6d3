#include "io/random_key.h"

#include <gtest/gtest.h>

namespace midwire::io {
namespace {

TEST(RandomKeyTest, EachKeyIsAnother) {
  const auto first = RandomKey(), second = RandomKey();
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_NE(*RandomHexKey(16), *RandomHexKey(16));
}

TEST(RandomKeyTest, HexDigitsForAnAddress) {
  const std::string key = *RandomHexKey(20);
  EXPECT_EQ(key.size(), 40u);
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), key.npos) << key;
}

}  // namespace
}  // namespace midwire::io
