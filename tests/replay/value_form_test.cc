#include "replay/values/value_form.h"

#include <gtest/gtest.h>

namespace midwire::replay {
namespace {

TEST(ValueFormTest, AnotherValueOfTheSameForm) {
  EXPECT_TRUE(SameForm(R"("thr_8f3a91")", R"("thr_02")"));
  EXPECT_TRUE(SameForm(R"("0123456789")", R"("01234abcde")"));
  EXPECT_TRUE(SameForm(R"("a1b2c3d4e5f6a7b8c9")", R"("q-_8+/=")"));
  EXPECT_TRUE(SameForm("17", "4"));
}

TEST(ValueFormTest, AnEmptyTextIsOfNoForm) {
  EXPECT_FALSE(SameForm(R"("thr_8f3a91")", R"("")"));
  EXPECT_TRUE(SameForm(R"("")", R"("")"));
}

TEST(ValueFormTest, BlanksAndOtherSignsAreOfAnother) {
  EXPECT_FALSE(SameForm(R"("thr_8f3a91")", R"("a b c")"));
  EXPECT_FALSE(SameForm(R"("thr_8f3a91")", R"("thr_8f3a\n")"));
  EXPECT_FALSE(SameForm(R"("h:81")", R"("h%81")"));
  EXPECT_FALSE(SameForm(R"("1234567890")", R"("undefined")"));
}

TEST(ValueFormTest, AUniqueIdStaysOneAndNoWordForNothingIsAValue) {
  constexpr const char* kUuid = R"("123e4567-e89b-42d3-a456-426614174000")";
  EXPECT_TRUE(SameForm(kUuid, R"("00112233-4455-4677-8899-aabbccddeeff")"));
  for (const char* other : {R"("undefined")", R"("null")", R"("123e4567")", R"("h1")"}) {
    EXPECT_FALSE(SameForm(kUuid, other)) << other;
  }
  for (const char* nothing : {R"("undefined")", R"("null")", R"("None")", R"("NaN")"}) {
    EXPECT_FALSE(SameForm(R"("thr_8f3a91")", nothing)) << nothing;
  }
}

TEST(ValueFormTest, TheUuidOfNothingIsNoValueOfOne) {
  constexpr const char* kUuid = R"("123e4567-e89b-42d3-a456-426614174000")";
  constexpr const char* kNil = R"("00000000-0000-0000-0000-000000000000")";
  EXPECT_FALSE(SameForm(kUuid, kNil));
  EXPECT_TRUE(SameForm(kNil, kNil));
}

TEST(ValueFormTest, NumbersKeepSignAndFraction) {
  EXPECT_FALSE(SameForm("17", "-1"));
  EXPECT_FALSE(SameForm("17", "0.5"));
  EXPECT_FALSE(SameForm("17", R"("17")"));
}

}  // namespace
}  // namespace midwire::replay
