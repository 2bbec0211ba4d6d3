#include <set>

#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

Compare Number(uint64_t seen, uint64_t wanted, int width = 4) {
  return {.place = 7, .width = width, .seen = seen, .wanted = wanted};
}
Compare Text(std::string seen, std::string wanted) {
  return {.place = 7, .width = 0, .seen_text = std::move(seen), .wanted_text = std::move(wanted)};
}

// All that a mutator makes of a session of these bodies.
std::set<std::string> Wanted(std::string_view mutator, const std::vector<std::string_view>& bodies,
                             const std::vector<Compare>& compares, size_t max_size = 64 * 1024) {
  std::set<std::string> made;
  const Vocabulary none;
  const std::string session = Session(Framing::kLine, bodies);
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Input input = ParseInput(session);
    Random random(seed);
    Mutation mutation{&input,  seed % input.parts.size(), &random, &none, max_size, nullptr,
                      compares};
    const bool applied = Named(mutator)->apply(&mutation);
    EXPECT_EQ(applied, input.Bytes() != session);
    EXPECT_LE(input.size(), std::max(max_size, session.size()));
    if (applied) made.emplace(mutation.target().body());
  }
  return made;
}
using Set = std::set<std::string>;

TEST(MutateComparedTest, WithoutComparesItCannotApply) {
  for (const char* name : {"tree.wanted-number", "text.wanted-bytes"}) {
    EXPECT_EQ(Wanted(name, {R"({"method":"a","params":{"x":42,"y":"b"}})"}, {}), Set()) << name;
  }
}

TEST(MutateComparedTest, ANumberBecomesTheWantedOneOrItsNeighbour) {
  EXPECT_EQ(Wanted("tree.wanted-number", {R"({"id":42,"method":"a","params":{"x":42}})"},
                   {Number(42, 1592595002)}),
            (Set{R"({"id":42,"method":"a","params":{"x":1592595002}})",
                 R"({"id":42,"method":"a","params":{"x":1592595001}})",
                 R"({"id":42,"method":"a","params":{"x":1592595003}})"}));
}

TEST(MutateComparedTest, NegativeNumbersAreFoundAndMade) {
  const Set made =
      Wanted("tree.wanted-number", {R"({"params":[-5]})"}, {Number(0xFFFFFFFB, 0xFFFFFC18)});
  EXPECT_TRUE(made.contains(R"({"params":[-1000]})"));
  EXPECT_TRUE(made.contains(R"({"params":[4294966296]})"));
}

TEST(MutateComparedTest, ASumIsReachedByEitherOfItsNumbers) {
  const Set made =
      Wanted("tree.wanted-number", {R"({"params":{"a":1,"b":41}})"}, {Number(42, 1'000'042)});
  EXPECT_TRUE(made.contains(R"({"params":{"a":1000001,"b":41}})"));
  EXPECT_TRUE(made.contains(R"({"params":{"a":1,"b":1000041}})"));
}

TEST(MutateComparedTest, ALetterOfAStringBecomesTheWantedOne) {
  EXPECT_EQ(Wanted("text.wanted-bytes", {R"({"method":"open","params":{"name":"notes"}})"},
                   {Number('n', 'Z', 1)}),
            Set{R"({"method":"open","params":{"name":"Zotes"}})"});
}

TEST(MutateComparedTest, BytesOfANumberAreFoundInBothOrders) {
  const uint64_t abcd = 0x64636261, magic = 0x2167614D;  // "abcd", "Mag!" from the lowest byte
  EXPECT_EQ(Wanted("text.wanted-bytes", {R"({"params":["x-abcd","dcba"]})"}, {Number(abcd, magic)}),
            (Set{R"({"params":["x-Mag!","dcba"]})", R"({"params":["x-abcd","!gaM"]})"}));
}

TEST(MutateComparedTest, AStringBecomesAsLongAsWanted) {
  EXPECT_EQ(
      Wanted("text.wanted-bytes", {R"({"params":["abcde"]})"}, {Number(5, 7, 8)}),
      (Set{R"({"params":["abcdeaa"]})", R"({"params":["abcdea"]})", R"({"params":["abcdeaaa"]})"}));
}

TEST(MutateComparedTest, TextIsFoundInValuesMethodsAndNames) {
  const Set made = Wanted("text.wanted-bytes", {R"({"method":"open","params":{"open":"open it"}})"},
                          {Text("open", "hidden")});
  EXPECT_TRUE(made.contains(R"({"method":"hidden","params":{"open":"open it"}})"));
  EXPECT_TRUE(made.contains(R"({"method":"open","params":{"hidden":"open it"}})"));
  EXPECT_TRUE(made.contains(R"({"method":"open","params":{"open":"hidden it"}})"));
  EXPECT_TRUE(made.contains(R"({"method":"open","params":{"open":"hidden"}})"));
}

TEST(MutateComparedTest, WhatCannotBeWrittenIsNotTried) {
  const std::string_view body = R"({"params":["abcd"]})";
  EXPECT_EQ(Wanted("text.wanted-bytes", {body}, {Number('a', '"', 1), Number('b', 3, 1)}), Set());
  EXPECT_EQ(Wanted("text.wanted-bytes", {body}, {Text("abcd", "a\nb"), Text("", "xyz")}), Set());
  EXPECT_EQ(Wanted("text.wanted-bytes", {body}, {Text("abcd", "abcdefghijkl")}, 21), Set());
}

TEST(MutateComparedTest, AnyComparesAreTaken) {
  const Vocabulary none;
  const Mutator mutator(&none, {.max_size = 4096});
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    std::vector<Compare> compares;
    for (int i = 0; i < 5; ++i) {
      const int width = 1 << random.Below(4);
      const auto any = [&] { return random.Next() >> (64 - 8 * width) >> random.Below(8 * width); };
      compares.push_back(random.OneIn(3) ? Text(std::string(random.Below(3), char(random.Next())),
                                                std::string(random.Below(28), char(random.Next())))
                                         : Number(any(), any(), width));
    }
    Input input = ParseInput(SeedSessions()[seed % 6]);
    const Compare* used = nullptr;
    const Ancestry ancestry = mutator.MutateCompared(&input, seed, compares, &used);
    EXPECT_EQ(ancestry.empty(), used == nullptr);
    EXPECT_EQ(ancestry.empty(), input.Bytes() == SeedSessions()[seed % 6]);
    EXPECT_LE(input.size(), 4096u);
  }
}

TEST(MutateComparedTest, OneMutationInEightAtLeastIsOfWhatIsWanted) {
  const Vocabulary words = SessionWords();
  const Mutator mutator(&words);
  const std::vector<Compare> compares = {Number(0, 77), Number('a', 'b', 1)};
  int wanted = 0, all = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Input input = ParseInput(SeedSessions()[0]);
    for (const Change& change : mutator.Mutate(&input, seed, compares)) {
      ++all;
      wanted += std::string_view(change.mutator->name).find(".wanted-") != std::string_view::npos;
    }
  }
  EXPECT_GT(wanted * 11, all);
  EXPECT_LT(wanted * 5, all);
}

TEST(CompareMemoryTest, WhatIsNewIsTriedWithItsInput) {
  CompareMemory memory;
  EXPECT_EQ(memory.Next(0), nullptr);
  memory.OnOutput("input", {Number(1, 2)});
  CompareMemory::News* news = memory.Next(0);
  ASSERT_NE(news, nullptr);
  EXPECT_EQ(news->bytes, "input");
  EXPECT_EQ(memory.last().size(), 1u);
}

TEST(CompareMemoryTest, OfNothingThereIsNoNews) {
  CompareMemory memory;
  memory.OnOutput("", {Number(1, 2)});
  memory.OnOutput("input", {});
  EXPECT_EQ(memory.Next(0), nullptr);
}

TEST(CompareMemoryTest, AMutantIsMadeOnce) {
  CompareMemory memory;
  memory.OnOutput("input", {Number(1, 2)});
  CompareMemory::News* news = memory.Next(0);
  EXPECT_TRUE(memory.Made(news, "mutant", Number(1, 2)));
  EXPECT_FALSE(memory.Made(news, "mutant", Number(1, 2)));
}

TEST(CompareMemoryTest, WhatWasTriedOftenIsNewsNoMore) {
  CompareMemory memory;
  size_t made = 0;
  for (; made < 1000; ++made) {
    memory.OnOutput("input", {Number(1, 2)});
    CompareMemory::News* news = memory.Next(made);
    if (news == nullptr) break;
    while (!memory.Made(news, std::to_string(made), news->compares[0])) FAIL();
  }
  EXPECT_LT(made, 100u);
  EXPECT_GT(made, 10u);
}

}  // namespace
}  // namespace midwire::fuzz
