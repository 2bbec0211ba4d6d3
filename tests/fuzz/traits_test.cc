#include "fuzz/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace midwire::fuzz {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

constexpr char kOpenOfA[] = R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"/a"}})";

std::vector<std::string> TraitsOf(const Part& part, const UsualMembers& usual = {}) {
  std::vector<std::string> traits;
  VisitTraits(part, usual, [&](TraitRank, std::string_view method, std::string_view what) {
    traits.push_back((method.empty() ? "" : std::string(method) + ": ") + std::string(what));
  });
  return traits;
}
std::vector<std::string> TraitsOf(const std::string& body) {
  return TraitsOf(Framed(body, wire::Framing::kLine));
}

TEST(TraitsTest, AValueHasItsTypeAndIsATraitItselfOfItsMethodAndOfAny) {
  EXPECT_THAT(TraitsOf(kOpenOfA),
              IsSupersetOf({"open: /params/path is a string", "/params/path is a string",
                            "open: /params/path = \"/a\"", "open: /params/path contains /"}));
}

TEST(TraitsTest, AMemberThatRecordedMessagesHaveIsMissing) {
  UsualMembers usual;
  usual.Add(ParseInput(std::string(kOpenOfA) + "\n"));
  const Part part = Framed(R"({"id":1,"method":"open"})", wire::Framing::kLine);
  EXPECT_THAT(TraitsOf(part, usual),
              IsSupersetOf({"open: /params/path is missing", "open: /params is missing"}));
  EXPECT_THAT(TraitsOf(part), Not(Contains("open: /params/path is missing")));
}

TEST(TraitsTest, NumbersHaveSizesAndSigns) {
  EXPECT_THAT(TraitsOf(R"({"method":"m","n":-4294967296})"),
              IsSupersetOf({"m: /n is negative", "m: /n is 4294967296 or more"}));
  EXPECT_THAT(TraitsOf(R"({"method":"m","n":1.5})"), Contains("m: /n is not written as integer"));
  EXPECT_THAT(TraitsOf(R"({"method":"m","n":NaN})"), Contains("m: /n is no number of JSON"));
}

TEST(TraitsTest, SizesArePowersOfTwo) {
  const auto traits = TraitsOf(R"({"method":"m","s":")" + std::string(100, 'x') + "\"}");
  EXPECT_THAT(traits, Contains("m: /s has bytes: 64 or more"));
  EXPECT_THAT(traits, Not(Contains("m: /s has bytes: 128 or more")));
}

TEST(TraitsTest, ElementsOfAnArrayHaveOnePointer) {
  EXPECT_THAT(TraitsOf(R"({"method":"m","a":[1,null]})"),
              IsSupersetOf({"m: /a/- is a number", "m: /a/- is null"}));
}

TEST(TraitsTest, DamageOfTheTextIsATraitOfAnyMethod) {
  EXPECT_THAT(TraitsOf(R"({"method":"m","s":"\ud800"})"), Contains("lone surrogate"));
  EXPECT_THAT(TraitsOf("{\"method\":\"m\",\"s\":\"\xff\"}"), Contains("not UTF-8"));
  EXPECT_THAT(TraitsOf(R"({"method":"m",})"), Contains("not JSON"));
  EXPECT_THAT(TraitsOf(R"({"method":"m","a":[[[[[[[]]]]]]]})"), Contains("depth: 8 or more"));
  EXPECT_THAT(TraitsOf(R"({"method":"m","method":"m"})"), Contains("m:  has a name twice"));
}

TEST(TraitsTest, ABatchHasTheTraitsOfItsElements) {
  EXPECT_THAT(TraitsOf(R"([{"method":"m","n":1},2])"),
              IsSupersetOf({"it is an array", "m: /n is a number", "an element is a number"}));
  EXPECT_THAT(TraitsOf("[]"), Contains("an empty batch"));
}

TEST(TraitsTest, AHeaderHasAFormWithoutItsNumber) {
  const Part part = ParseInput("X: y\r\nContent-Length: 2\r\n\r\n{}").parts.at(0);
  EXPECT_THAT(TraitsOf(part), Contains("header: X: y\r\nContent-Length: #\r\n\r\n"));
  const Part junk = {.bytes = "Content-Length: -12\r\n\r\n{}"};
  EXPECT_THAT(TraitsOf(junk), Contains("bytes outside of messages: Content-Length: -#"));
}

TEST(TraitsTest, ALargeMessageHasAsManyTraitsAsASmallOne) {
  std::string body = "{\"method\":\"m\",\"a\":[0";
  for (int i = 0; i < 100'000; ++i) body += ",1";
  EXPECT_LE(TraitsOf(body + "]}").size(), 2000u);
  EXPECT_LE(TraitsOf(std::string(100'000, '[')).size(), 100u);
}

}  // namespace
}  // namespace midwire::fuzz
