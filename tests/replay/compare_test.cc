// What counts as a difference of two values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/comparison.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CompareTest, SpellingDoesNotCount) {
  EXPECT_THAT(Differences(R"({"a":1,"b":[2,"x/y"]})", R"( { "b" : [ 2.0 , "x\/y" ],"a":10e-1 } )"),
              IsEmpty());
  EXPECT_THAT(Differences(R"({"k\u0065y":{"\u0061":null}})", R"({"key":{"a":null}})"), IsEmpty());
  EXPECT_THAT(Differences("[true]\n", "[true]"), IsEmpty());
  EXPECT_THAT(Differences("{}", "{ }"), IsEmpty());
}

TEST(CompareTest, ScalarsOfOneType) {
  EXPECT_THAT(Differences(R"({"a":1,"b":"x","c":true})", R"({"a":2,"b":"y","c":false})"),
              ElementsAre("/a: 1 | 2", "/b: \"x\" | \"y\"", "/c: true | false"));
  EXPECT_THAT(Differences("9007199254740992", "9007199254740993"),
              ElementsAre(": 9007199254740992 | 9007199254740993"));
  EXPECT_THAT(Differences("\"\xef\xbf\xbd\"", "\"\xff\""), SizeIs(1));
}

TEST(CompareTest, OtherTypeIsOneDifference) {
  EXPECT_THAT(Differences(R"([1,"7",null,[],{"a":1},0])", R"([true,7,false,{},[1],null])"),
              ElementsAre("/0: 1 | true", "/1: \"7\" | 7", "/2: null | false", "/3: [] | {}",
                          "/4: {\"a\":1} | [1]", "/5: 0 | null"));
}

TEST(CompareTest, MembersMoreAndLess) {
  EXPECT_THAT(Differences(R"({"a":1,"b":{"c":2},"d":3})", R"({"y":[8],"d":4,"a":1,"x":9})"),
              ElementsAre("/b: {\"c\":2} | ", "/d: 3 | 4", "/y:  | [8]", "/x:  | 9"));
  EXPECT_THAT(Differences(R"({"a":null})", "{}"), ElementsAre("/a: null | "));
}

TEST(CompareTest, ElementsMoreAndLess) {
  EXPECT_THAT(Differences(R"({"a":[1,2,3]})", R"({"a":[1]})"),
              ElementsAre("/a/1: 2 | ", "/a/2: 3 | "));
  EXPECT_THAT(Differences(R"([])", R"([1,[2]])"), ElementsAre("/0:  | 1", "/1:  | [2]"));
  EXPECT_THAT(Differences("[1,2]", "[2,1]"), ElementsAre("/0: 1 | 2", "/1: 2 | 1"));
}

TEST(CompareTest, StopsWhenTheReceiverHasEnough) {
  EXPECT_THAT(Comparison().AtMost(2).Of("[1,2,3,4]", "[5,6,7,8]"), SizeIs(2));
  EXPECT_THAT(Comparison().AtMost(1).Of(R"({"a":[1,{"b":2}],"c":3})", R"({"a":[2,{"b":3}],"d":4})"),
              ElementsAre("/a/0: 1 | 2"));
  EXPECT_THAT(Comparison().AtMost(3).Of("[" + std::string(1 << 20, '[') + "]", "[]"), SizeIs(1));
}

TEST(CompareTest, ARepeatedNameThatOnlyOneTextHas) {
  EXPECT_THAT(Differences(R"({"a":[1,2]})", R"({"a":5,"a":[1,2]})"), ElementsAre("/a:  | 5"));
  EXPECT_THAT(Differences(R"({"a":3})", R"({"a":1,"\u0061":2,"a":3})"),
              ElementsAre("/a:  | 1", "/a:  | 2"));
  EXPECT_THAT(Differences(R"({"a":1,"b":2,"a":3})", R"({"b":2,"a":3})"), ElementsAre("/a: 1 | "));
  EXPECT_THAT(Differences(R"([{"b":{"c":0}}])", R"([{"b":{"c":0,"c":0}}])"),
              ElementsAre("/0/b/c:  | 0"));
  EXPECT_THAT(Differences("{}", R"({"a":1,"a":2})"), ElementsAre("/a:  | 1", "/a:  | 2"));
}

TEST(CompareTest, RepeatedNamesInTheirOrder) {
  EXPECT_THAT(Differences(R"({"a":1,"b":2,"a":3})", R"({"a":1,"a":3,"\u0062":2})"), IsEmpty());
  EXPECT_THAT(Differences(R"({"a":1,"a":2})", R"({"a":2,"a":1})"),
              ElementsAre("/a: 1 | 2", "/a: 2 | 1"));
  EXPECT_THAT(Differences(R"({"a":1,"a":2})", R"({"a":9,"a":2})"), ElementsAre("/a: 1 | 9"));
}

TEST(CompareTest, TextsThatAreNoJsonAreBytes) {
  EXPECT_THAT(Differences("{oops", "{oops"), IsEmpty());
  EXPECT_THAT(Differences("{oops", "{ oops"), ElementsAre(": {oops | { oops"));
  EXPECT_THAT(Differences("{}", "{},"), ElementsAre(": {} | {},"));
  EXPECT_THAT(Differences("", "{}"), ElementsAre(":  | {}"));
}

TEST(CompareTest, PointersOfOddNames) {
  EXPECT_THAT(Differences(R"({"a/b":{"":1},"~":2,"\"":3})", R"({"a/b":{"":2},"~":3,"\"":4})"),
              ElementsAre("/a~1b/: 1 | 2", "/~0: 2 | 3", "/\": 3 | 4"));
}

TEST(CompareTest, LongValuesAreCut) {
  const auto shown = [](const std::string& content) {
    const auto differences = Comparison().Differences("\"" + content + "\"", "0");
    return differences.at(0).expected;
  };
  EXPECT_EQ(shown(std::string(kMaxShownValue - 2, 'x')).size(), kMaxShownValue);
  for (const std::string character : {"x", "\u00e9", "\u20ac", "\U0001f600"}) {
    for (size_t pad = 0; pad < 5; ++pad) {
      std::string content(pad, 'y');
      while (content.size() < 2 * kMaxShownValue) content += character;
      const std::string text = shown(content);
      ASSERT_TRUE(text.ends_with("...")) << text;
      EXPECT_LE(text.size(), kMaxShownValue);
      EXPECT_GT(text.size(), kMaxShownValue - 4);
      EXPECT_EQ((text.size() - 3 - 1 - pad) % character.size(), 0u) << text;
    }
  }
  EXPECT_EQ(shown(std::string(1000, '\xbf')).size(), kMaxShownValue);
}

TEST(CompareIgnoreTest, NeitherDifferentNorAbsentCounts) {
  const Comparison comparison = Comparison().Ignore("/result/time");
  EXPECT_THAT(comparison.Of(R"({"result":{"time":1}})", R"({"result":{"time":[2]}})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"result":{}})", R"({"result":{"time":2}})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"result":{"time":2}})", R"({"result":{}})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"result":{"time":2}})", R"({})"),
              ElementsAre("/result: {\"time\":2} | "));
  EXPECT_THAT(comparison.Of(R"({"time":2})", R"({"time":3})"), ElementsAre("/time: 2 | 3"));
}

TEST(CompareIgnoreTest, ARepeatedNameDoesNotCount) {
  const Comparison comparison = Comparison().Ignore("/a");
  EXPECT_THAT(comparison.Of(R"({"a":1})", R"({"a":5,"a":1})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"a":1,"b":1})", R"({"b":5,"b":1})"), ElementsAre("/b:  | 5"));
}

TEST(CompareIgnoreTest, AnyStepAndIndices) {
  const Comparison comparison = Comparison().Ignore("/items/*/id").Ignore("/list/1");
  EXPECT_THAT(comparison.Of(R"({"items":[{"id":1,"x":1},{"id":2}]})",
                            R"({"items":[{"id":5,"x":2},{"i\u0064":7}]})"),
              ElementsAre("/items/0/x: 1 | 2"));
  EXPECT_THAT(comparison.Of(R"({"list":[1,2]})", R"({"list":[1]})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"list":[1]})", R"({"list":[1,2,3]})"),
              ElementsAre("/list/2:  | 3"));
}

TEST(CompareIgnoreTest, TheWholeMessage) {
  EXPECT_THAT(Comparison().Ignore("").Of("1", "{nonsense"), IsEmpty());
}

std::vector<std::string> asked;
Judge Answering(Judgement judgement) {
  asked.clear();
  return [judgement](const wire::Path& path, std::string_view expected, std::string_view got) {
    asked.push_back(wire::PointerText(path) + ": " + std::string(expected) + " | " +
                    std::string(got));
    return judgement;
  };
}

TEST(CompareJudgeTest, AskedForScalarsAndOtherTypesThatAreNotEqualBytes) {
  const Comparison comparison = Comparison().Ask(Answering(Judgement::kByValue));
  EXPECT_THAT(comparison.Of(R"({"a":1,"b":[2,"x"],"c":{},"d":7,"e":4})",
                            R"({"a":1.0,"b":[2,"y"],"c":[],"d":7})"),
              ElementsAre("/b/1: \"x\" | \"y\"", "/c: {} | []", "/e: 4 | "));
  EXPECT_THAT(asked, ElementsAre("/a: 1 | 1.0", "/b/1: \"x\" | \"y\"", "/c: {} | []"));
}

TEST(CompareJudgeTest, SaysSame) {
  const Comparison comparison = Comparison().Ask(Answering(Judgement::kSame));
  EXPECT_THAT(comparison.Of(R"({"a":1,"b":[2]})", R"({"a":"x","b":{}})"), IsEmpty());
}

TEST(CompareJudgeTest, SaysDifferent) {
  EXPECT_THAT(Comparison().Ask(Answering(Judgement::kDifferent)).Of("[1,2]", "[1.0,2]"),
              ElementsAre("/0: 1 | 1.0"));
}

TEST(CompareJudgeTest, AskedForEqualBytesToo) {
  const Comparison comparison = Comparison().Ask(Answering(Judgement::kDifferent), true);
  EXPECT_THAT(comparison.Of(R"({"a":[1,{}],"b":"x"})", R"({"a":[1,{}],"b":"x"})"),
              ElementsAre("/a/0: 1 | 1", "/b: \"x\" | \"x\""));
}

TEST(CompareJudgeTest, NotAskedForWhatIsIgnored) {
  Comparison comparison = Comparison().Ignore("/a").Ask(Answering(Judgement::kDifferent), true);
  EXPECT_THAT(comparison.Of(R"({"a":1})", R"({"a":2})"), IsEmpty());
  EXPECT_THAT(asked, IsEmpty());
}

TEST(CompareShapeTest, AnyValueOfTheShapeIsEqual) {
  const Comparison timed = Comparison().Shaped("/t", "timestamp");
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", R"({"t":1763882387})"), IsEmpty());
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", R"({"t":12})"), ElementsAre("/t: 1763882386 | 12"));
  // Another type, no value, another place.
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", R"({"t":"2026-11-23"})"), SizeIs(1));
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", "{}"), SizeIs(1));
  EXPECT_THAT(timed.Of(R"({"u":1763882386})", R"({"u":1763882387})"), SizeIs(1));
  EXPECT_THAT(timed.Of(R"({"t":"soon"})", R"({"t":"soon"})"), IsEmpty());
}

TEST(CompareShapeTest, OneOfSeveralShapesIsEnough) {
  const Comparison either = Comparison().Shaped("/*", "uuid").Shaped("/a", "integer");
  EXPECT_THAT(either.Of(R"({"a":1,"b":1})", R"({"a":2,"b":2})"), ElementsAre("/b: 1 | 2"));
}

TEST(CompareUnorderedTest, ItemsMayComeInAnyOrder) {
  const Comparison any = Comparison().Unordered("/a");
  EXPECT_THAT(any.Of(R"({"a":[1,{"x":1,"y":2},"z"]})", R"({"a":["z",1,{"y":2,"x":1}]})"),
              IsEmpty());
  EXPECT_THAT(any.Of(R"({"a":[1,1,2]})", R"({"a":[2,1,2]})"), ElementsAre("/a/1: 1 | 2"));
  EXPECT_THAT(any.Of(R"({"a":[1,2]})", R"({"a":[3,2,1]})"), ElementsAre("/a/0:  | 3"));
  EXPECT_THAT(any.Of(R"({"a":[1,2,3]})", R"({"a":[3,1]})"), ElementsAre("/a/1: 2 | "));
  EXPECT_THAT(any.Of(R"({"a":[[1,2]],"b":[1,2]})", R"({"a":[[2,1]],"b":[2,1]})"), SizeIs(4));
}

TEST(CompareUnorderedTest, AnItemIsComparedWithTheMostSimilar) {
  const Comparison any = Comparison().Unordered("/a").Shaped("/a/*/t", "timestamp");
  EXPECT_THAT(any.Of(R"({"a":[{"n":"x","t":1763882386},{"n":"y","t":1763882386}]})",
                     R"({"a":[{"n":"y","t":1763882387},{"n":"x","t":1763882388}]})"),
              IsEmpty());
  EXPECT_THAT(any.Of(R"({"a":[{"n":"x","v":1},{"n":"y","v":1}]})",
                     R"({"a":[{"n":"y","v":2},{"n":"x","v":1}]})"),
              ElementsAre("/a/1/v: 1 | 2"));
}

}  // namespace
}  // namespace midwire::replay
