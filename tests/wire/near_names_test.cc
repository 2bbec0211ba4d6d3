#include "wire/near_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace midwire::wire {
namespace {

TEST(NearNamesTest, ThreeThatAreNear) {
  const std::vector<std::string> known = {"abcdef", "abcdeg", "abcdeh", "abcdei", "zzz"};
  EXPECT_EQ(NearNames("abcdex", known), "did you mean \"abcdef\", \"abcdeg\" or \"abcdeh\"?");
}

TEST(NearNamesTest, ABeginning) {
  EXPECT_EQ(NearNames("json", std::vector<std::string>{"json-rpc-2.0"}),
            "did you mean \"json-rpc-2.0\"?");
}

TEST(NearNamesTest, AllWhereNoneIsNear) {
  EXPECT_EQ(NearNames("kubernetes", std::vector<std::string>{"a", "b"}), "one of a, b");
  EXPECT_EQ(NearNames("x", {}), "");
}

TEST(NearNamesTest, LongAndManyNames) {
  std::vector<std::string> known(20'000, std::string(5000, 'y'));
  EXPECT_LT(NearNames(std::string(100'000, 'x'), known).size(), 3000u);
}

TEST(NearNamesTest, SwappedNeighboursAreOneChange) {
  EXPECT_EQ(EditDistance("crahs", "crash"), 1u);
  EXPECT_EQ(EditDistance("crash", "cash"), 1u);
  EXPECT_EQ(EditDistance("", "exit"), 4u);
}

TEST(NearNamesTest, CaseAndSeparatorsChangeNoName) {
  for (const char* name : {"Tools/List", "tools_list", "toolsList", "tools.list"}) {
    EXPECT_TRUE(SpelledAlike("tools/list", name)) << name;
  }
  for (const char* name : {"tools/lists", "tool/list", "", "/", "\xc3\xa9tools/list"}) {
    EXPECT_FALSE(SpelledAlike("tools/list", name)) << name;
  }
  EXPECT_FALSE(SpelledAlike("", ""));
}

}  // namespace
}  // namespace midwire::wire
