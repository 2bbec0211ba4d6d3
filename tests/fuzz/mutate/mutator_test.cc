#include "fuzz/mutate/mutator.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/fuzz/mutate/mutants.h"
#include "tests/paths.h"

namespace midwire::fuzz {
namespace {

constexpr uint64_t kSeeds = 2000;

// Those that change the list of parts, and not one of them.
bool ChangesList(const MutatorSpec& spec) {
  return spec.level == Level::kSession || std::string_view(spec.name) == "rpc.batch-next" ||
         std::string_view(spec.name) == "rpc.answer-to-nothing";
}

class MutatorTest : public testing::Test {
 protected:
  const Vocabulary words = SessionWords();
  const Mutator mutator{&words};
};

TEST_F(MutatorTest, TheSameSeedMakesTheSame) {
  const Mutator again(&words);
  for (const std::string& session : SeedSessions()) {
    for (uint64_t seed = 0; seed < kSeeds / 10; ++seed) {
      Input a = ParseInput(session), b = a;
      const std::string ancestry = AncestryText(mutator.Mutate(&a, seed));
      EXPECT_EQ(AncestryText(again.Mutate(&b, seed)), ancestry);
      EXPECT_EQ(a.Bytes(), b.Bytes()) << ancestry;
    }
  }
}

TEST_F(MutatorTest, OtherSeedsMakeOthers) {
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Input input = ParseInput(SeedSessions()[0]);
    mutator.Mutate(&input, seed);
    made.insert(input.Bytes());
  }
  EXPECT_GT(made.size(), kSeeds * 9 / 10);
}

// Each seed's ancestry and bytes. MIDWIRE_REWRITE_GOLDEN=1 rewrites the file: do that when the
// table has changed, and say so, as stored seeds mean something else from then on.
TEST_F(MutatorTest, MakesWhatItMade) {
  const Vocabulary none;
  const Mutator plain(&none, {.max_size = 1024});
  std::string text;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<std::string> sessions = SeedSessions();
    Input input = ParseInput(sessions[seed % sessions.size()]);
    text += std::to_string(seed) + " " + AncestryText(plain.Mutate(&input, seed)) + "\n  ";
    text += Shown(input.Bytes()) + "\n";
  }
  const std::string path = SourceFolder() + "/tests/golden/mutants.txt";
  if (std::getenv("MIDWIRE_REWRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ostringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, golden.str());
}

TEST_F(MutatorTest, PartsThatTheAncestryDoesNotNameKeepTheirBytes) {
  size_t looked = 0;
  for (const std::string& session : SeedSessions()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const Input before = ParseInput(session);
      Input after = before;
      const Ancestry ancestry = mutator.Mutate(&after, seed);
      std::set<size_t> named;
      bool list = false;
      for (const Change& change : ancestry) {
        named.insert(change.part);
        list = list || ChangesList(*change.mutator);
      }
      if (list) continue;
      ++looked;
      ASSERT_EQ(after.parts.size(), before.parts.size()) << AncestryText(ancestry);
      for (size_t i = 0; i < before.parts.size(); ++i) {
        if (named.contains(i)) continue;
        EXPECT_EQ(after.parts[i].bytes, before.parts[i].bytes) << AncestryText(ancestry);
      }
    }
  }
  EXPECT_GT(looked, kSeeds);
}

TEST_F(MutatorTest, EachOfTheTableIsReached) {
  std::map<std::string, int> reached;
  for (const std::string& session : SeedSessions()) {
    for (uint64_t seed = 0; seed < 4 * kSeeds; ++seed) {
      Input input = ParseInput(session);
      for (const Change& change : mutator.Mutate(&input, seed, kSeedCompares)) {
        ++reached[change.mutator->name];
      }
    }
  }
  for (const MutatorSpec& spec : Mutators()) EXPECT_GT(reached[spec.name], 0) << spec.name;
}

TEST_F(MutatorTest, EachSaysWhetherItHasChangedAnything) {
  for (const MutatorSpec& spec : Mutators()) {
    bool changed = false;
    for (const std::string& session : SeedSessions()) {
      const Input before = ParseInput(session);
      for (uint64_t seed = 0; seed < 60; ++seed) {
        Input after = before;
        const bool applied = Apply(spec, &after, seed % before.parts.size(), seed, words);
        EXPECT_EQ(after.Bytes() != session, applied) << spec.name << " seed " << seed;
        changed = changed || applied;
      }
    }
    EXPECT_TRUE(changed) << spec.name;
  }
}

TEST_F(MutatorTest, EachIsOfTheLevelThatItsNameShows) {
  std::set<std::string_view> names;
  for (const MutatorSpec& spec : Mutators()) {
    const std::string_view name = spec.name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.substr(0, name.find('.')), Name(spec.level));
  }
  EXPECT_GE(names.size(), 60u);
}

TEST_F(MutatorTest, AMutantIsNeverLargerThanAllowed) {
  for (const std::string& session : SeedSessions()) {
    for (const size_t max_size : {size_t{1}, size_t{100}, session.size(), size_t{2048}}) {
      const Mutator bounded(&words, {.max_size = max_size});
      for (uint64_t seed = 0; seed < kSeeds / 10; ++seed) {
        Input input = ParseInput(session);
        const Ancestry ancestry = bounded.Mutate(&input, seed);
        EXPECT_LE(input.size(), max_size) << AncestryText(ancestry);
      }
    }
  }
}

TEST_F(MutatorTest, EachKeepsToTheRoomThereIs) {
  for (const MutatorSpec& spec : Mutators()) {
    for (const std::string& session : SeedSessions()) {
      for (uint64_t seed = 0; seed < 20; ++seed) {
        const size_t max_size = session.size() + seed * seed;
        Input input = ParseInput(session);
        Apply(spec, &input, seed % input.parts.size(), seed, words, max_size);
        EXPECT_LE(input.size(), max_size) << spec.name;
      }
    }
  }
}

// Bytes that are nothing, and bytes that nearly are something.
std::string Hostile(Random* random) {
  constexpr std::string_view kPieces[] = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          "\"",
                                          "\\",
                                          ":",
                                          ",",
                                          "\n",
                                          "\r\n",
                                          "{\"id\":",
                                          "\"method\"",
                                          "\"seq\":",
                                          "\"type\":",
                                          "1",
                                          "Content-Length: 7\r\n\r\n",
                                          "content-length:",
                                          "-",
                                          "e",
                                          "\xff",
                                          "\xe2\x80",
                                          " ",
                                          "null",
                                          "[[",
                                          "{}",
                                          "{\"id\":1}",
                                          "\"error\":",
                                          "{\"\":",
                                          "tru",
                                          "\ufeff"};
  std::string bytes;
  for (size_t count = random->Below(30); count > 0; --count) {
    if (random->OneIn(6)) {
      bytes += char(random->Next());
    } else {
      bytes += random->Pick(std::span(kPieces));
    }
  }
  return bytes;
}

TEST_F(MutatorTest, TakesAnyBytes) {
  const Mutator bounded(&words, {.max_size = 4096});
  for (uint64_t seed = 0; seed < 5 * kSeeds; ++seed) {
    Random random(seed);
    const std::string bytes = Hostile(&random);
    Input input = ParseInput(bytes);
    const Ancestry ancestry = bounded.Mutate(&input, seed);
    EXPECT_FALSE(ancestry.empty()) << Shown(bytes);
    EXPECT_LE(input.size(), 4096u);
  }
}

TEST_F(MutatorTest, EachTakesAnyBytesAsABody) {
  for (const MutatorSpec& spec : Mutators()) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
      Random random(seed);
      Input input;
      for (int i = 0; i < 2; ++i) {
        input.parts.push_back(
            Framed(Hostile(&random), seed % 2 ? Framing::kLine : Framing::kContentLength));
      }
      const std::string before = input.Bytes();
      const bool applied = Apply(spec, &input, seed % 3 % 2, seed, words, 4096);
      if (!applied) {
        EXPECT_EQ(input.Bytes(), before) << spec.name;
      }
      EXPECT_LE(input.size(), 4096u) << spec.name;
    }
  }
}

// As a fuzzer keeps them: what one has made, the next changes.
TEST_F(MutatorTest, TakesItsOwnMutants) {
  const Mutator bounded(&words, {.max_size = 2048});
  for (const std::string& session : SeedSessions()) {
    std::string bytes = session, other = session;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      Input input = ParseInput(bytes);
      EXPECT_FALSE(bounded.Mutate(&input, seed).empty());
      EXPECT_LE(input.size(), 2048u);
      bytes = input.Bytes();
      const Input crossed = bounded.CrossOver(input, ParseInput(other), seed);
      EXPECT_LE(crossed.size(), 2048u);
      other = crossed.Bytes();
      // Without new blood a session ends as a few bytes.
      if (seed % 20 == 0) bytes = other = session;
    }
  }
}

TEST_F(MutatorTest, NothingBecomesSomething) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Input input;
    EXPECT_FALSE(mutator.Mutate(&input, seed).empty());
    EXPECT_FALSE(input.parts.empty());
  }
}

TEST_F(MutatorTest, ALevelOfWeightZeroIsNeverTaken) {
  for (int level = 0; level < kLevels; ++level) {
    MutatorOptions options{.weights = {}};
    options.weights[level] = 1;
    const Mutator only(&words, options);
    size_t changes = 0;
    for (uint64_t seed = 0; seed < 300; ++seed) {
      Input input = ParseInput(SeedSessions()[seed % 6]);
      for (const Change& change : only.Mutate(&input, seed)) {
        EXPECT_EQ(static_cast<int>(change.mutator->level), level) << change.mutator->name;
        ++changes;
      }
    }
    EXPECT_GT(changes, 200u) << level;
  }
}

size_t WriteX(uint8_t* data, size_t size, size_t max) {
  if (size < max) ++size;
  for (size_t i = 0; i < size; ++i) data[i] = 'x';
  return size;
}

TEST_F(MutatorTest, ATenthIsRawByTheFunctionGiven) {
  const Mutator with_raw(&words, {.raw = WriteX});
  int raw = 0, all = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Input input = ParseInput(SeedSessions()[0]);
    const Ancestry ancestry = with_raw.Mutate(&input, seed);
    for (const Change& change : ancestry) {
      ++all;
      if (std::string_view(change.mutator->name).starts_with("text.raw-")) ++raw;
    }
    if (ancestry.size() == 1 && std::string_view(ancestry[0].mutator->name) == "text.raw-bytes") {
      EXPECT_EQ(input.parts[ancestry[0].part].body().find_first_not_of('x'), std::string::npos);
    }
  }
  EXPECT_GT(raw, all / 20);
  EXPECT_LT(raw, all / 5);
}

TEST(AncestryTest, IsNamesAndParts) {
  EXPECT_EQ(AncestryText({{Named("tree.drop-member"), 3}, {Named("rpc.id-null"), 0}}),
            "tree.drop-member@3 rpc.id-null@0");
  EXPECT_EQ(AncestryText({}), "");
}

}  // namespace
}  // namespace midwire::fuzz
