#include "wire/json/decimal.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace midwire::wire {
namespace {

TEST(DecimalTest, NumbersInTheirOrder) {
  const std::string_view ascending[] = {"-1e99999999999999999999",
                                        "-1e400",
                                        "-101",
                                        "-100.5",
                                        "-1",
                                        "-0.5",
                                        "-1e-400",
                                        "0",
                                        "1e-99999999999999999999",
                                        "1e-400",
                                        "0.09",
                                        "0.1",
                                        "0.11",
                                        "0.5",
                                        "1",
                                        "1.5",
                                        "2",
                                        "10",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "1e17",
                                        "123456789012345678901",
                                        "1e400",
                                        "1e99999999999999999998",
                                        "1e99999999999999999999"};
  for (const std::string_view& a : ascending) {
    for (const std::string_view& b : ascending) {
      const int expected = &a < &b ? -1 : &a > &b;
      EXPECT_EQ(CompareNumbers(a, b), expected) << a << " " << b;
      EXPECT_EQ(SameNumber(a, b), expected == 0) << a << " " << b;
    }
  }
}

TEST(DecimalTest, SpellingsOfOneNumberCompareEqual) {
  for (const std::string_view spelling :
       {"150", "1.5e2", "15E+1", "0.15e3", "150.000", "15000e-2"}) {
    EXPECT_EQ(CompareNumbers("150", spelling), 0) << spelling;
    EXPECT_EQ(CompareNumbers("149.9", spelling), -1) << spelling;
  }
  EXPECT_EQ(CompareNumbers("-0", "0.0e5"), 0);
}

TEST(DecimalTest, WhatANumberConsistsOf) {
  const Decimal number("-0.00120e5");
  EXPECT_TRUE(number.negative());
  EXPECT_EQ(number.Digits(), "12");
  EXPECT_EQ(number.Scale(), 3);
  EXPECT_EQ(number.ScaleText(), "3");
  EXPECT_TRUE(Decimal("-0.0").zero());
  EXPECT_FALSE(Decimal("-0.0").negative());
  const Decimal huge("12.5e999999999999999999999");
  EXPECT_EQ(huge.Scale(), std::nullopt);
  EXPECT_EQ(huge.ScaleText(), "1000000000000000000001");
}

TEST(DecimalTest, MultiplesAreExact) {
  EXPECT_TRUE(IsMultiple("100", "25"));
  EXPECT_FALSE(IsMultiple("100", "30"));
  EXPECT_TRUE(IsMultiple("-4.5", "1.5"));
  EXPECT_TRUE(IsMultiple("0.3", "0.1"));
  EXPECT_TRUE(IsMultiple("0.0075", "0.0001"));
  EXPECT_FALSE(IsMultiple("0.00751", "0.0001"));
  EXPECT_TRUE(IsMultiple("0", "7e300"));
  EXPECT_TRUE(IsMultiple("1e400", "1e399"));
  EXPECT_TRUE(IsMultiple("1e400", "1024"));
  EXPECT_FALSE(IsMultiple("1e400", "7"));
  EXPECT_FALSE(IsMultiple("1e399", "1e400"));
  EXPECT_TRUE(IsMultiple("3e99", "1.5"));
  EXPECT_FALSE(IsMultiple("1e308", "0.123456789"));
  // Of doubles these are all integers, and so multiples of any other.
  EXPECT_TRUE(IsMultiple("98765432109876543210987654321", "3"));
  EXPECT_FALSE(IsMultiple("98765432109876543210987654322", "3"));
}

TEST(DecimalTest, AFractionMayBeOffByADoublesLastDigits) {
  EXPECT_TRUE(IsMultiple("0.30000000000000004", "0.1"));
  EXPECT_FALSE(IsMultiple("0.3001", "0.1"));
}

}  // namespace
}  // namespace midwire::wire
