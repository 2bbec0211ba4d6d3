#include <set>

#include "tests/fuzz/mutate/mutants.h"
#include "wire/dialect/built_in.h"
#include "wire/dialect/dialect.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

std::set<std::string> SetOf(const std::vector<std::string>& made) {
  return {made.begin(), made.end()};
}

TEST(MutateTreeTest, WhatWasJsonStaysJson) {
  const Vocabulary words = SessionWords();
  for (const MutatorSpec& spec : Mutators()) {
    if (spec.level != Level::kTree) continue;
    int applied = 0;
    for (const std::string& session : SeedSessions()) {
      for (uint64_t seed = 0; seed < 40; ++seed) {
        Input input = ParseInput(session);
        const size_t part = seed % input.parts.size();
        if (!Apply(spec, &input, part, seed, words)) continue;
        ++applied;
        EXPECT_TRUE(wire::IsJson(input.parts[part].body()))
            << spec.name << ": " << input.parts[part].body();
      }
    }
    EXPECT_GT(applied, 0) << spec.name;
  }
}

// Nothing but the length in its header.
TEST(MutateTreeTest, TheFrameStaysRight) {
  const Vocabulary words = SessionWords();
  for (const MutatorSpec& spec : Mutators()) {
    if (spec.level != Level::kTree && spec.level != Level::kRpc) continue;
    for (uint64_t seed = 0; seed < 60; ++seed) {
      Input input = ParseInput(Session(Framing::kContentLength, kHostBodies));
      Apply(spec, &input, seed % input.parts.size(), seed, words);
      const Read read(input.Bytes());
      ASSERT_EQ(read.frames.size(), input.parts.size()) << spec.name;
      for (size_t i = 0; i < input.parts.size(); ++i) {
        EXPECT_EQ(read.frames[i].body, input.parts[i].body()) << spec.name;
      }
    }
  }
}

TEST(MutateTreeTest, AMemberGoesWithItsComma) {
  EXPECT_EQ(SetOf(Made("tree.drop-member", R"({"a":1, "b":{"c":2}})")),
            (std::set<std::string>{R"({ "b":{"c":2}})", R"({"a":1})", R"({"a":1, "b":{}})"}));
  EXPECT_EQ(SetOf(Made("tree.drop-element", "[1,2]")), (std::set<std::string>{"[2]", "[1]"}));
}

TEST(MutateTreeTest, AllElseKeepsItsBytes) {
  const std::vector<std::string> made = Made("tree.null", R"({ "a" :  1e0, "b":"\u0041" })");
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    EXPECT_TRUE(body == R"({ "a" :  null, "b":"\u0041" })" || body == R"({ "a" :  1e0, "b":null })")
        << body;
  }
}

// Values that the dialect lists for the method, and values recorded under the name; nothing else.
TEST(MutateTreeTest, AKnownValueIsOneThatItsPlaceMayHave) {
  const auto dialect = wire::LoadDialect(
      R"({"dialect":"test","methods":{"paint":{"from":"host","kind":"request",
          "params":{"properties":{"color":{"enum":["red","blue"]}}}}}})",
      "test.json", false, wire::BuiltInDialect);
  ASSERT_TRUE(dialect.ok()) << dialect.error().Text();
  Vocabulary words = WordsOf({R"({"id":1,"method":"a","params":{"color":"said","x":"other"}})"},
                             wire::Direction::kHostToPlugin);
  words.AddDialect(*dialect);
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Input input = ParseInput(R"({"id":1,"method":"paint","params":{"color":"red"}})");
    if (!Apply(*Named("tree.known-value"), &input, 0, seed, words)) continue;
    made.emplace(input.parts[0].body());
  }
  EXPECT_EQ(made, (std::set<std::string>{
                      R"({"id":1,"method":"paint","params":{"color":"blue"}})",
                      R"({"id":1,"method":"paint","params":{"color":"said"}})",
                  }));
}

TEST(MutateTreeTest, ANumberIsAnyBitAway) {
  std::set<std::string> made = SetOf(Made("tree.number-beside", "[0]", Framing::kLine, 3000));
  for (int bit = 0; bit < 63; ++bit) {
    EXPECT_TRUE(made.contains("[" + std::to_string(int64_t{1} << bit) + "]")) << bit;
  }
}

TEST(MutateTreeTest, ValuesChangePlaces) {
  EXPECT_EQ(SetOf(Made("tree.swap-values", R"({"a":1,"b":"x"})")),
            (std::set<std::string>{R"({"a":"x","b":1})"}));
  EXPECT_EQ(SetOf(Made("tree.copy-value", R"({"a":1,"b":2})")),
            (std::set<std::string>{R"({"a":2,"b":2})", R"({"a":1,"b":1})"}));
}

TEST(MutateTreeTest, AValueIsOfAnotherType) {
  const std::vector<std::string> made = Made("tree.wrong-type", "{\"a\":\"x\"}");
  ASSERT_FALSE(made.empty());
  for (const std::string& body : made) {
    EXPECT_TRUE(body[0] != '{' || body[5] != '"') << body;
  }
}

TEST(MutateTreeTest, TheValueOfThatNameElsewhereIsTaken) {
  Input input = ParseInput("{\"h\":1}\n{\"x\":{\"h\":\"h-17\"}}\n");
  bool taken = false;
  for (uint64_t seed = 0; seed < 20 && !taken; ++seed) {
    taken = Apply(*Named("tree.same-name-value"), &input, 0, seed, Vocabulary());
  }
  EXPECT_EQ(input.parts[0].body(), "{\"h\":\"h-17\"}");
}

TEST(MutateTreeTest, AlsoTheValueThatATraceHadUnderThatName) {
  const Vocabulary words = SessionWords();
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Input input = ParseInput("{\"uri\":0}\n");
    if (Apply(*Named("tree.same-name-said"), &input, 0, seed, words)) made.insert(input.Bytes());
  }
  EXPECT_EQ(made, std::set<std::string>{"{\"uri\":\"file:///a\"}\n"});
}

TEST(MutateTreeTest, WordsOfTheVocabularyComeIn) {
  const Vocabulary words = SessionWords();
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Input input = ParseInput("{\"a\":\"b\"}\n");
    if (Apply(*Named("tree.word-string"), &input, 0, seed, words)) {
      made.insert(std::string(input.parts[0].body()));
    }
  }
  EXPECT_TRUE(made.contains("{\"a\":\"h-17\"}"));
}

TEST(MutateTreeTest, JunkHasNoTree) {
  for (const MutatorSpec& spec : Mutators()) {
    if (spec.level != Level::kTree) continue;
    Input input = ParseInput("log: {\"a\":1}\n");
    ASSERT_TRUE(input.parts[0].junk());
    EXPECT_FALSE(Apply(spec, &input, 0, 1, Vocabulary())) << spec.name;
  }
}

}  // namespace
}  // namespace midwire::fuzz
