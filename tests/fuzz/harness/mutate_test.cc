// The mutators behind libFuzzer's interface: within the room, the same for the same seed.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "fuzz/harness/try.h"
#include "fuzz/input.h"

namespace midwire::fuzz {
namespace {

const uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

std::string Mutated(std::string_view text, size_t room, unsigned seed) {
  std::string place(std::max(room, text.size()), '!');
  std::memcpy(place.data(), text.data(), text.size());
  place.resize(
      HarnessMutate(reinterpret_cast<uint8_t*>(place.data()), text.size(), room, seed, nullptr));
  return place;
}

constexpr std::string_view kTwoLines =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"}\n";

TEST(HarnessMutate, StaysInTheRoomAndFollowsTheSeed) {
  int changed = 0, framed = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string mutant = Mutated(kTwoLines, 200, seed);
    ASSERT_LE(mutant.size(), 200u);
    EXPECT_EQ(mutant, Mutated(kTwoLines, 200, seed));
    changed += mutant != kTwoLines;
    for (const Part& part : ParseInput(mutant).parts) framed += !part.junk();
  }
  EXPECT_GT(changed, 280);
  EXPECT_GT(framed, 300);  // most mutants are messages still
}

TEST(HarnessMutate, NothingToStartFrom) { EXPECT_FALSE(Mutated("", 100, 1).empty()); }

TEST(HarnessMutate, CrossoverTakesOfBoth) {
  const std::string_view other = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"zz\"}\n";
  uint8_t out[300];
  int of_both = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const size_t size = HarnessCrossOver(Bytes(kTwoLines), kTwoLines.size(), Bytes(other),
                                         other.size(), out, sizeof out, seed);
    ASSERT_LE(size, sizeof out);
    const std::string_view made(reinterpret_cast<char*>(out), size);
    of_both += made.find("zz") != made.npos && made.find("\"a\"") != made.npos;
  }
  EXPECT_GT(of_both, 5);
}

}  // namespace
}  // namespace midwire::fuzz
