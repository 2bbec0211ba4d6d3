#include "fuzz/oracle/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/fuzz/oracle/talk.h"

namespace midwire::fuzz {
namespace {

// The counters after the oracle received answers: one line "METHOD ANSWER" each, "run" between
// runs.
class Counted {
 public:
  explicit Counted(std::initializer_list<std::string_view> lines) {
    Features features(counters);
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kLine;
    seeds.usual_flags = wire::kNoVersion;
    seeds.methods = {"open", "ping"};
    ProtocolOracle oracle(&seeds, &features, {}, [](const Finding&) {});
    const Input none;
    oracle.OnPeer();
    oracle.OnRun(&none);
    std::string reply;
    int id = 0;
    for (const std::string_view line : lines) {
      if (line == "run") {
        oracle.OnRun(&none);
        continue;
      }
      const size_t blank = line.find(' ');
      if (blank == line.npos) {
        ADD_FAILURE() << "not METHOD ANSWER: " << line;
        continue;
      }
      const std::string start = "{\"id\":" + std::to_string(++id) + ",";
      oracle.OnSent(start + "\"method\":\"" + std::string(line.substr(0, blank)) + "\"}\n");
      oracle.OnBytes(start + std::string(line.substr(blank + 1)) + "}\n", &reply);
    }
    states = features.states();
  }
  size_t hit() const {
    return static_cast<size_t>(
        std::count_if(counters.begin(), counters.end(), [](uint8_t count) { return count != 0; }));
  }

  std::vector<uint8_t> counters = std::vector<uint8_t>(8192);
  size_t states = 0;
};

TEST(FeaturesTest, ACounterStopsAtItsLimit) {
  std::vector<uint8_t> counters(8);
  Features features(counters, 1);
  for (int i = 0; i < 3; ++i) features.OnMessage({.kind = wire::Kind::kResponse}, "open", 0);
  EXPECT_EQ(*std::max_element(counters.begin(), counters.end()), 1);
}

TEST(FeaturesTest, AMethodThatRepeatsItsParamsDoesNotUseUpTheCounters) {
  std::vector<uint8_t> counters(1024);
  Features features(counters, 1, 8);
  for (uint64_t shape = 1; shape < 1000; ++shape) {
    features.OnMessage({.kind = wire::Kind::kResponse}, "echo", shape);
  }
  EXPECT_LE(std::count(counters.begin(), counters.end(), 1), 2 * 8 + 1);
  EXPECT_EQ(features.states(), 999u);
}

TEST(FeaturesTest, EachAnswerIsAStateAndAStep) {
  const Counted one({"open \"result\":{}"});
  EXPECT_EQ(one.states, 1u);
  EXPECT_EQ(one.hit(), 2u);
}

TEST(FeaturesTest, AnswersThatDifferOnlyInValuesAreOneState) {
  EXPECT_EQ(Counted({"open \"result\":{\"a\":1}", "open \"result\":{\"a\":2}"}).states, 1u);
  EXPECT_EQ(Counted({"open \"result\":\"x\"", "open \"result\":\"a longer one\""}).states, 1u);
}

TEST(FeaturesTest, MethodKindCodeAndShapeDistinguishStates) {
  EXPECT_EQ(Counted({"open \"result\":{}", "ping \"result\":{}"}).states, 2u);
  EXPECT_EQ(Counted({"open \"result\":{}", "open \"error\":{\"code\":1}"}).states, 2u);
  EXPECT_EQ(Counted({"open \"error\":{\"code\":1}", "open \"error\":{\"code\":2}"}).states, 2u);
  EXPECT_EQ(Counted({"open \"result\":{\"a\":1}", "open \"result\":{\"b\":1}"}).states, 2u);
  EXPECT_EQ(Counted({"open \"result\":{\"a\":1}", "open \"result\":{\"a\":\"1\"}"}).states, 2u);
}

TEST(FeaturesTest, TheOrderOfAnswersCounts) {
  const Counted there({"open \"result\":{}", "ping \"result\":1"});
  const Counted back({"ping \"result\":1", "open \"result\":{}"});
  EXPECT_EQ(there.states, back.states);
  EXPECT_NE(there.counters, back.counters);
}

TEST(FeaturesTest, ARunHasNoPreviousState) {
  const Counted apart({"open \"result\":{}", "run", "open \"result\":{}"});
  EXPECT_EQ(apart.hit(), 2u) << "the same state, the same first step, twice";
}

TEST(FeaturesTest, TheSameSessionMakesTheSameCounters) {
  const auto counted = [] {
    return Counted({"open \"result\":{\"a\":[1]}", "ping \"error\":{\"code\":-32601}"}).counters;
  };
  EXPECT_EQ(counted(), counted());
}

TEST(FeaturesTest, CountersStopAtTheirTop) {
  std::vector<uint8_t> counters(16);
  Features features(counters);
  wire::Message message;
  message.kind = wire::Kind::kResponse;
  for (int i = 0; i < 1000; ++i) features.OnMessage(message, "open", ShapeOf("{}"));
  EXPECT_EQ(*std::max_element(counters.begin(), counters.end()), 255);
}

TEST(FeaturesTest, WithoutCountersNothingIsCounted) {
  Features features({});
  features.OnMessage({}, "open", ShapeOf("{}"));
  EXPECT_EQ(features.states(), 0u);
}

}  // namespace
}  // namespace midwire::fuzz
