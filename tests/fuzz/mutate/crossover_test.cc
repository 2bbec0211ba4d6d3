#include <map>
#include <set>

#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

class CrossOverTest : public testing::Test {
 protected:
  const Vocabulary none{};
  const Mutator mutator{&none};
};

std::set<std::string> PartsOf(const Input& input) {
  std::set<std::string> parts;
  for (const Part& part : input.parts) parts.insert(part.bytes);
  return parts;
}

TEST_F(CrossOverTest, TheSameSeedMakesTheSame) {
  const Input a = ParseInput(SeedSessions()[0]), b = ParseInput(SeedSessions()[1]);
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string bytes = mutator.CrossOver(a, b, seed).Bytes();
    EXPECT_EQ(mutator.CrossOver(a, b, seed).Bytes(), bytes);
    made.insert(bytes);
  }
  EXPECT_GT(made.size(), 100u);
}

// Except one that was given a value, and except fresh ids.
TEST_F(CrossOverTest, NearlyEachMessageIsOneOfTheirs) {
  const Input a = ParseInput(SeedSessions()[0]), b = ParseInput(SeedSessions()[1]);
  std::set<std::string> theirs = PartsOf(a);
  theirs.merge(PartsOf(b));
  size_t of_both = 0, given = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Input made = mutator.CrossOver(a, b, seed);
    size_t others = 0, of_b = 0;
    for (const Part& part : made.parts) {
      if (!theirs.contains(part.bytes)) ++others;
      if (PartsOf(b).contains(part.bytes)) ++of_b;
    }
    EXPECT_LE(others, 1u) << made.Bytes();  // b has one request, so one fresh id at most
    if (of_b > 0 && of_b < made.parts.size()) ++of_both;
    if (others == 1 && of_b == 0) ++given;
  }
  EXPECT_GT(of_both, 100u);
  EXPECT_GT(given, 20u);
}

TEST_F(CrossOverTest, AValueGoesToThePlaceOfItsName) {
  const Input a = ParseInput("{\"x\":{\"h\":1}}\n"), b = ParseInput("{\"h\":\"b\",\"z\":2}\n");
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 100; ++seed) made.insert(mutator.CrossOver(a, b, seed).Bytes());
  EXPECT_TRUE(made.contains("{\"x\":{\"h\":\"b\"}}\n"));
}

TEST_F(CrossOverTest, IsNeverLargerThanAllowed) {
  const Input a = ParseInput(SeedSessions()[0]), b = ParseInput(SeedSessions()[4]);
  for (const size_t max_size : {size_t{10}, size_t{300}, size_t{1000}}) {
    const Mutator bounded(&none, {.max_size = max_size});
    for (uint64_t seed = 0; seed < 200; ++seed) {
      EXPECT_LE(bounded.CrossOver(a, b, seed).size(), max_size);
    }
  }
}

TEST_F(CrossOverTest, WithNothingItIsTheOther) {
  const Input a = ParseInput(SeedSessions()[0]), nothing;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(mutator.CrossOver(a, nothing, seed).Bytes(), a.Bytes());
    EXPECT_EQ(mutator.CrossOver(nothing, a, seed).Bytes(), a.Bytes());
    EXPECT_EQ(mutator.CrossOver(nothing, nothing, seed).Bytes(), "");
  }
}

}  // namespace
}  // namespace midwire::fuzz
