// One table of what is a unique id, for all rooms that look for them.
#include "wire/text/unique_id.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::wire {
namespace {

TEST(UniqueIdTest, UuidsInEitherCase) {
  EXPECT_TRUE(IsUuid("0193b7b2-8e5a-7c3e-9a1b-2f4d6c8e0a1b"));
  EXPECT_TRUE(IsUuid("0193B7B2-8E5A-7C3E-9A1B-2F4D6C8E0A1B"));
  EXPECT_TRUE(IsUuid("00000000-0000-0000-0000-000000000000")) << "the nil UUID";
}
TEST(UniqueIdTest, WhatOnlyResemblesAUuid) {
  EXPECT_FALSE(IsUuid(""));
  EXPECT_FALSE(IsUuid("0193b7b2-8e5a-7c3e-9a1b-2f4d6c8e0a1")) << "a digit too few";
  EXPECT_FALSE(IsUuid("0193b7b2-8e5a-7c3e-9a1b-2f4d6c8e0a1g"));
  EXPECT_FALSE(IsUuid("0193b7b28-e5a-7c3e-9a1b-2f4d6c8e0a1b")) << "a dash elsewhere";
  EXPECT_FALSE(IsUuid("0193b7b2-8e5a-7c3e-9a1b-2f4d6c8e0a1b ")) << "a blank";
  EXPECT_FALSE(IsUuid("0193b7b2-8e5a-7c3e-9a1b-2f4d6c8e0a\xc3\xa9"));
}
TEST(UniqueIdTest, UlidsInEitherCase) {
  EXPECT_TRUE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_TRUE(IsUlid("01arz3ndektsv4rrffq69g5fav"));
  EXPECT_TRUE(IsUlid("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")) << "the last one";
}
TEST(UniqueIdTest, WhatOnlyResemblesAUlid) {
  EXPECT_FALSE(IsUlid(""));
  EXPECT_FALSE(IsUlid("01ARZ3NDEKTSV4RRFFQ69G5FA")) << "a character too few";
  EXPECT_FALSE(IsUlid("81ARZ3NDEKTSV4RRFFQ69G5FAV")) << "a time of 49 bits";
  EXPECT_FALSE(IsUlid("A1ARZ3NDEKTSV4RRFFQ69G5FAV"));
  for (const char c : std::string("ILOUilou-_ ")) {
    EXPECT_FALSE(IsUlid(std::string("01ARZ3NDEKTSV4RRFFQ69G5FA") + c)) << c;
  }
}

}  // namespace
}  // namespace midwire::wire
