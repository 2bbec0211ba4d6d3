#include <algorithm>
#include <map>
#include <set>

#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

constexpr size_t kLarge = 4u << 20;

// By name, the largest input that each large mutator makes of a session.
std::map<std::string, size_t> LargestMade(Framing framing) {
  const Vocabulary none;
  const Mutator mutator(&none);
  std::map<std::string, size_t> largest;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Input input = ParseInput(Session(framing, kHostBodies));
    const Ancestry ancestry = mutator.Enlarge(&input, seed, kLarge);
    if (ancestry.empty()) continue;
    EXPECT_LE(input.size(), kLarge) << AncestryText(ancestry);
    size_t& size = largest[ancestry[0].mutator->name];
    size = std::max(size, input.size());
  }
  return largest;
}

TEST(LargeMutatorTest, EachMakesInputsBeyondOrdinaryOnesAndWithinTheLimit) {
  const auto largest = LargestMade(Framing::kContentLength);
  EXPECT_EQ(largest.size(), LargeMutators().size());
  for (const auto& [name, size] : largest) EXPECT_GT(size, 256u << 10) << name;
}

TEST(LargeMutatorTest, ALineHasNoHeader) {
  const auto largest = LargestMade(Framing::kLine);
  EXPECT_EQ(largest.size(), LargeMutators().size() - 2);
}

TEST(LargeMutatorTest, ArraysNestAMillionLevelsDeep) {
  const Vocabulary none;
  size_t deepest = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Input input = ParseInput(Session(Framing::kLine, {kHostBodies[0]}));
    Random random(seed);
    Mutation mutation{&input, 0, &random, &none, kLarge};
    ASSERT_TRUE(LargeMutators()[0].apply(&mutation));
    const std::string bytes = input.Bytes();
    deepest = std::max<size_t>(deepest, std::count(bytes.begin(), bytes.end(), '['));
  }
  EXPECT_GE(deepest, 1'000'000u);
}

TEST(LargeMutatorTest, AsManyMessagesAsAnInputMayHaveWithIdsOfTheirOwn) {
  const MutatorSpec* messages = nullptr;
  for (const MutatorSpec& spec : LargeMutators()) {
    if (std::string_view(spec.name) == "large.messages") messages = &spec;
  }
  ASSERT_NE(messages, nullptr);
  Input input = ParseInput(Session(Framing::kLine, {R"({"id":1,"method":"ping"})"}));
  const Vocabulary none;
  Random random(1);
  Mutation mutation{&input, 0, &random, &none, kLarge};
  ASSERT_TRUE(messages->apply(&mutation));
  std::set<std::string> distinct;
  for (const Part& part : input.parts) distinct.insert(part.bytes);
  EXPECT_EQ(distinct.size(), input.parts.size());
  EXPECT_GT(input.parts.size(), 1000u);
}

}  // namespace
}  // namespace midwire::fuzz
