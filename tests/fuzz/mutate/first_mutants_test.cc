// The mutants with which a search begins.
#include "fuzz/mutate/first_mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

using testing::ElementsAre;

// The last messages of the mutants of a session.
std::vector<std::string> Mutants(const std::string& session,
                                 const FirstMutants::Options& options = {}) {
  const std::vector<Input> recorded = {ParseInput(session)};
  FirstMutants first(&recorded, options);
  std::vector<std::string> bodies;
  Input mutant;
  Ancestry ancestry;
  while (first.Next(&mutant, &ancestry)) bodies.emplace_back(mutant.parts.back().body());
  return bodies;
}

TEST(FirstMutantsTest, ANumberBecomesItsLimits) {
  EXPECT_THAT(
      Mutants("{\"id\":1,\"method\":\"a\",\"params\":{\"limit\":5}}\n"),
      ElementsAre("{\"id\":1,\"method\":\"a\",\"params\":{\"limit\":0}}",
                  "{\"id\":1,\"method\":\"a\",\"params\":{\"limit\":-1}}",
                  "{\"id\":1,\"method\":\"a\",\"params\":{\"limit\":9223372036854775807}}",
                  "{\"id\":1,\"method\":\"a\",\"params\":{}}", "{\"id\":1,\"method\":\"a\"}"));
}

TEST(FirstMutantsTest, BooleansAreFlippedAndArraysEmptied) {
  EXPECT_THAT(Mutants("{\"method\":\"a\",\"params\":[true,[1]]}\n", {.most = 3}),
              ElementsAre("{\"method\":\"a\",\"params\":[true,[0]]}",
                          "{\"method\":\"a\",\"params\":[false,[1]]}",
                          "{\"method\":\"a\",\"params\":[true,[-1]]}"));
}

TEST(FirstMutantsTest, EachMethodHasItsTurnAndEachPlaceIsTriedOnce) {
  const std::string a = "{\"method\":\"a\",\"params\":{\"x\":1,\"y\":2}}\n";
  EXPECT_THAT(Mutants(a + a + "{\"method\":\"b\",\"params\":{\"x\":7}}\n", {.most = 4}),
              ElementsAre("{\"method\":\"a\",\"params\":{\"x\":0,\"y\":2}}",
                          "{\"method\":\"b\",\"params\":{\"x\":0}}",
                          "{\"method\":\"a\",\"params\":{\"x\":1,\"y\":0}}",
                          "{\"method\":\"b\",\"params\":{\"x\":-1}}"));
}

TEST(FirstMutantsTest, WhatComesBeforeIsSentAndNotWhatFollows) {
  const std::vector<Input> recorded = {
      ParseInput("{\"method\":\"open\"}\n{\"method\":\"read\",\"params\":{\"at\":3}}\n{\"method\":"
                 "\"end\"}\n")};
  FirstMutants first(&recorded, {});
  Input mutant;
  Ancestry ancestry;
  ASSERT_TRUE(first.Next(&mutant, &ancestry));
  EXPECT_EQ(mutant.Bytes(), "{\"method\":\"open\"}\n{\"method\":\"read\",\"params\":{\"at\":0}}\n");
  EXPECT_EQ(AncestryText(ancestry), "first.zero@1");
}

TEST(FirstMutantsTest, JobsShareThem) {
  const std::string session = "{\"method\":\"a\",\"params\":[5]}\n";
  EXPECT_THAT(Mutants(session, {.job = 0, .jobs = 3}),
              ElementsAre("{\"method\":\"a\",\"params\":[0]}", "{\"method\":\"a\"}"));
  EXPECT_THAT(Mutants(session, {.job = 1, .jobs = 3}),
              ElementsAre("{\"method\":\"a\",\"params\":[-1]}"));
}

TEST(FirstMutantsTest, ASlowPluginGetsOtherMutantsToo) {
  const std::vector<Input> none;
  const FirstMutants first(&none, {.alone_ns = 100});
  EXPECT_TRUE(first.IsDue(99, 1));
  EXPECT_FALSE(first.IsDue(100, 1));
  EXPECT_TRUE(first.IsDue(100, 4));
}

TEST(FirstMutantsTest, WhatIsNoJsonHasNone) {
  EXPECT_THAT(Mutants("}]{\"a\n{\"method\":\"a\",\"params\":[1}\n"),
              testing::SizeIs(testing::Le(6)));
}

}  // namespace
}  // namespace midwire::fuzz
