#include <map>
#include <set>

#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

// Those that make messages of their own, or cut one.
const std::set<std::string_view> kMakers = {
    "session.insert-host",   "session.insert-plugin", "session.cancel",
    "session.answer-twice",  "session.interleave",    "session.cut-off",
    "session.repeat-varied", "session.many-varied",   "session.vary"};

// A fresh id is as good as the old one.
std::string WithoutId(std::string body) {
  const size_t at = body.find("\"id\":");
  if (at == body.npos || body.find("\"method\"") == body.npos) return body;
  return body.erase(at, body.find(',', at) - at);
}

std::string Bodies(const Input& input) {
  std::string all;
  for (const Part& part : input.parts) {
    if (!all.empty()) all += ' ';
    all += part.body();
  }
  return all;
}

// All sessions that one makes of {"n":0} to {"n":N-1}, as their numbers.
std::set<std::string> Orders(std::string_view mutator, size_t count, size_t part) {
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Input input;
    for (size_t i = 0; i < count; ++i) {
      input.parts.push_back(Framed("[" + std::to_string(i) + "]", Framing::kLine));
    }
    if (!Apply(*Named(mutator), &input, part, seed, Vocabulary(), 200)) continue;
    std::string order;
    for (const Part& made : input.parts) order += made.body().substr(1, 1);
    orders.insert(order);
  }
  return orders;
}

// The same message again with a value recorded under that name elsewhere, behind itself or at the
// end.
TEST(MutateSessionTest, ARepetitionHasAnotherValue) {
  const std::string_view a = R"({"id":1,"method":"a","params":{"x":"p"}})",
                         b = R"({"id":2,"method":"b","params":{"x":"q"}})";
  const Vocabulary words = WordsOf({a, b}, wire::Direction::kHostToPlugin);
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Input input = ParseInput(Session(Framing::kLine, {a, b}));
    if (!Apply(*Named("session.repeat-varied"), &input, 0, seed, words)) continue;
    std::string methods;
    for (const Part& part : input.parts) {
      const std::string body(part.body());
      methods += body[body.find("method") + 9];
      methods += body[body.find("\"x\"") + 5];
    }
    made.insert(methods);
  }
  EXPECT_EQ(made, (std::set<std::string>{"apaqbq", "apbqaq"}));
}

// One method with all sequences of three values.
TEST(MutateSessionTest, ManyVariedAreInAnyOrder) {
  const Vocabulary words = WordsOf({R"({"id":1,"method":"a","params":{"x":["p","q","r"]}})"},
                                   wire::Direction::kHostToPlugin);
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Input input = ParseInput(R"({"id":1,"method":"a","params":{"x":"p"}})"
                             "\n");
    if (!Apply(*Named("session.many-varied"), &input, 0, seed, words)) continue;
    ASSERT_GT(input.parts.size(), 1u);
    std::string order;
    for (const Part& part : input.parts) order += part.body()[part.body().find("\"x\"") + 5];
    if (order.size() > 3) orders.insert(order.substr(1, 3));
  }
  EXPECT_EQ(orders.size(), 27u);
}

TEST(MutateSessionTest, AllMessagesMayVaryAtOnce) {
  const Vocabulary words =
      WordsOf({R"({"id":1,"method":"a","params":{"x":"q"}})"}, wire::Direction::kHostToPlugin);
  std::set<std::string> made;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::string session;
    for (int i = 0; i < 2; ++i) session += "{\"method\":\"a\",\"params\":{\"x\":\"p\"}}\n";
    Input input = ParseInput(session);
    if (!Apply(*Named("session.vary"), &input, 0, seed, words)) continue;
    std::string values;
    for (const Part& part : input.parts) values += part.body()[part.body().find("\"x\"") + 5];
    made.insert(values);
  }
  EXPECT_EQ(made, (std::set<std::string>{"pq", "qp", "qq"}));
}

TEST(MutateSessionTest, MessagesComeInAnotherOrder) {
  using Set = std::set<std::string>;
  EXPECT_EQ(Orders("session.drop", 3, 1), Set{"02"});
  EXPECT_EQ(Orders("session.drop-range", 3, 1), (Set{"0", "02"}));
  EXPECT_EQ(Orders("session.duplicate", 3, 1), Set{"0112"});
  EXPECT_EQ(Orders("session.swap", 3, 0), (Set{"102", "210"}));
  EXPECT_EQ(Orders("session.move", 3, 0), (Set{"102", "120"}));
  EXPECT_EQ(Orders("session.truncate", 3, 1), Set{"01"});
  EXPECT_EQ(Orders("session.first-later", 3, 2), (Set{"102", "120"}));
  EXPECT_EQ(Orders("session.first-twice", 3, 2), (Set{"0012", "0102", "0120"}));
  EXPECT_EQ(Orders("session.after-last", 3, 0), (Set{"021", "0120", "120", "201"}));
  EXPECT_EQ(Orders("session.reverse", 3, 0), (Set{"102", "210"}));
  EXPECT_EQ(Orders("session.again", 3, 0), Set{"012012"});
  EXPECT_EQ(Orders("session.only", 3, 1), Set{"1"});
}

TEST(MutateSessionTest, ARepeatIsBoundedByTheRoom) {
  const auto orders = Orders("session.repeat", 2, 0);
  EXPECT_TRUE(orders.contains("001"));
  for (const std::string& order : orders) EXPECT_LE(order.size(), 50u);
}

TEST(MutateSessionTest, EachMessageIsOneOfTheParent) {
  for (const MutatorSpec& spec : Mutators()) {
    if (spec.level != Level::kSession || kMakers.contains(spec.name)) continue;
    size_t compared = 0;
    for (const std::string& session : SeedSessions()) {
      std::set<std::string> parent;
      for (const Part& part : ParseInput(session).parts) {
        parent.insert(WithoutId(std::string(part.body())));
        parent.insert(std::string(part.body()));
      }
      for (uint64_t seed = 0; seed < 30; ++seed) {
        Input input = ParseInput(session);
        Apply(spec, &input, seed % input.parts.size(), seed, Vocabulary());
        for (const Part& part : input.parts) {
          const std::string body(part.body());
          if (body.find("\"seq\":") != body.npos) continue;  // DAP's id
          EXPECT_TRUE(parent.contains(WithoutId(body))) << spec.name << ": " << body;
          ++compared;
        }
      }
    }
    EXPECT_GT(compared, 0u) << spec.name;
  }
}

TEST(MutateSessionTest, ACopyOfARequestMostlyHasAnIdOfItsOwn) {
  int fresh = 0, same = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Input input = ParseInput("{\"id\":7,\"method\":\"m\"}\n");
    ASSERT_TRUE(Apply(*Named("session.duplicate"), &input, 0, seed, Vocabulary()));
    ++(input.parts[1].body() == input.parts[0].body() ? same : fresh);
  }
  EXPECT_GT(fresh, 120);
  EXPECT_GT(same, 10);
}

TEST(MutateSessionTest, ACancelNamesTheRequest) {
  std::set<std::string> methods;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Input input = ParseInput("{\"id\":\"r\",\"method\":\"m\"}\n{\"method\":\"n\"}\n");
    ASSERT_TRUE(Apply(*Named("session.cancel"), &input, 0, seed, Vocabulary()));
    ASSERT_EQ(input.parts.size(), 3u);
    EXPECT_NE(Bodies(input).find("d\":\"r\"}}"), std::string::npos) << Bodies(input);
    for (const auto& frame : Read(input.Bytes()).frames) methods.insert(frame.message.method);
  }
  EXPECT_TRUE(methods.contains("$/cancelRequest") && methods.contains("notifications/cancelled"));
}

TEST(MutateSessionTest, AnAnswerComesOnceMoreAsItWas) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Input input = ParseInput("{\"id\":7,\"result\":1}\n{\"method\":\"n\"}\n");
    ASSERT_TRUE(Apply(*Named("session.answer-twice"), &input, 0, seed, Vocabulary()));
    ASSERT_EQ(input.parts.size(), 3u);
    EXPECT_EQ(input.Bytes().find("{\"id\":7,\"result\":1}"), 0u);
    EXPECT_NE(input.Bytes().rfind("{\"id\":7,\"result\":1}"), 0u);
  }
}

TEST(MutateSessionTest, OneWriteIsInTheMiddleOfAnother) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Input input = ParseInput("[0]\n[1]\n[2]\n");
    ASSERT_TRUE(Apply(*Named("session.interleave"), &input, 0, seed, Vocabulary()));
    EXPECT_EQ(input.Bytes().size(), 12u);
    EXPECT_EQ(input.parts.size(), 2u);
    EXPECT_NE(input.parts[0].bytes.find("[1]\n"), std::string::npos);
  }
}

TEST(MutateSessionTest, WhatATraceHasIsSentInTheSessionsFraming) {
  const Vocabulary words = SessionWords();
  for (const Framing framing : {Framing::kLine, Framing::kContentLength}) {
    Input input;
    input.parts.push_back(Framed("[]", framing));
    ASSERT_TRUE(Apply(*Named("session.insert-plugin"), &input, 0, 3, words));
    const Read read(input.Bytes(), framing);
    EXPECT_EQ(read.frames.size(), 2u);
    EXPECT_TRUE(read.junk.empty());
  }
}

}  // namespace
}  // namespace midwire::fuzz
