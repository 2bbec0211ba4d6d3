#include "wire/dialect/member_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace midwire::wire {
namespace {

using testing::ElementsAre;

// What `read` leaves as the error of a text, "" if it leaves none.
std::string MistakeOfReading(std::string_view text, const std::function<void(MemberReader*)>& read,
                             ReadSource source = {.what = "not a test", .file = "a.json"}) {
  const Result<Json> json = ParseJson(text);
  EXPECT_TRUE(json) << text;
  MemberReader reader(*json, &source);
  read(&reader);
  return source.error ? source.error->Text() : "";
}

TEST(MemberReaderTest, MembersInTheirTypes) {
  const std::string mistake = MistakeOfReading(
      R"({"t":"x","f":true,"n":7,"i":[-1,2],"s":["a","b"],"p":["m:/a"],"g":"note","v":{"a":[1.0]}})",
      [](MemberReader* in) {
        EXPECT_EQ(in->Text("t"), "x");
        EXPECT_TRUE(in->Flag("f"));
        EXPECT_EQ(in->Count("n", 1), 7);
        EXPECT_THAT(in->Integers("i"), ElementsAre(-1, 2));
        EXPECT_THAT(in->Texts("s"), ElementsAre("a", "b"));
        EXPECT_EQ(in->Places("p").at(0).scope.method, "m");
        EXPECT_EQ(in->Severity("g", Severity::kOff), Severity::kNote);
        EXPECT_EQ(in->Value("v"), R"({"a":[1.0]})");
        in->Close();
      });
  EXPECT_EQ(mistake, "");
}
TEST(MemberReaderTest, WhatIsMissingHasADefault) {
  EXPECT_EQ(MistakeOfReading("{}",
                             [](MemberReader* in) {
                               EXPECT_EQ(in->Text("t", "x"), "x");
                               EXPECT_FALSE(in->Flag("f"));
                               EXPECT_EQ(in->Count("n", uint8_t{1}), 1);
                               EXPECT_EQ(in->OptionalInteger("i"), std::nullopt);
                               EXPECT_FALSE(in->OptionalPlace("p"));
                               EXPECT_TRUE(in->Texts("s").empty());
                               EXPECT_EQ(in->Severity("g", Severity::kMust), Severity::kMust);
                               EXPECT_EQ(in->Value("v"), "");
                               const auto never = [](MemberReader*) { ADD_FAILURE(); };
                               in->Items("l", never);
                               in->Objects("l", never);
                               in->Object("o", never);
                               in->Members(
                                   "o", [](const std::string&, MemberReader*) { ADD_FAILURE(); });
                               in->Close();
                             }),
            "");
}
TEST(MemberReaderTest, WhatIsNeededIsAMistakeWhenItIsMissing) {
  EXPECT_EQ(MistakeOfReading("{}", [](MemberReader* in) { in->Integer("a"); }),
            "not a test: a whole number is expected: a.json at /a");
  EXPECT_EQ(MistakeOfReading("{}", [](MemberReader* in) { in->Place("a"); }),
            "not a test: METHOD:/pointer or /pointer is expected: a.json at /a");
  EXPECT_EQ(MistakeOfReading("{}", [](MemberReader* in) { in->Methods(); }),
            "not a test: a list of methods is expected: a.json at /methods");
  EXPECT_EQ(MistakeOfReading(R"({"a":[]})", [](MemberReader* in) { in->SomeTexts("a"); }),
            "not a test: a list of strings is expected: a.json at /a");
}

struct WrongType {
  const char* text;
  std::function<void(MemberReader*)> read;
  const char* mistake;
};
TEST(MemberReaderTest, EachWrongTypeHasItsPlace) {
  const WrongType kCases[] = {
      {R"({"a/b":1})", [](auto* in) { in->Text("a/b"); }, "a string is expected: a.json at /a~1b"},
      {R"({"a":1})", [](auto* in) { in->Flag("a"); }, "true or false is expected: a.json at /a"},
      {R"({"a":-1})", [](auto* in) { in->Count("a", 0); },
       "a whole number from 0 on is expected: a.json at /a"},
      {R"({"a":256})", [](auto* in) { in->Count("a", uint8_t{0}); },
       "a whole number from 0 on is expected: a.json at /a"},
      {R"({"a":[1,1.5]})", [](auto* in) { in->Integers("a"); },
       "a whole number is expected: a.json at /a/1"},
      {R"({"a":[1,2]})", [](auto* in) { in->OptionalInteger("a"); },
       "one whole number is expected: a.json at /a"},
      {R"({"a":"x"})", [](auto* in) { in->Texts("a"); }, "a list is expected: a.json at /a"},
      {R"({"a":["x",{}]})", [](auto* in) { in->Texts("a"); },
       "a string is expected: a.json at /a/1"},
      {R"({"a":["x"]})", [](auto* in) { in->Places("a"); },
       "METHOD:/pointer or /pointer is expected: a.json at /a/0"},
      {R"({"a":["/x","/y"]})", [](auto* in) { in->OptionalPlace("a"); },
       "one METHOD:/pointer or /pointer is expected: a.json at /a"},
      {R"({"a":"loud"})", [](auto* in) { in->Severity("a", Severity::kMust); },
       "off, note, should or must is expected: a.json at /a"},
      {R"({"a":[{},7]})", [](auto* in) { in->Objects("a", [](MemberReader*) {}); },
       "an object is expected: a.json at /a/1"},
      {R"({"a":{}})", [](auto* in) { in->Objects("a", [](MemberReader*) {}); },
       "a list is expected: a.json at /a"},
      {R"({"a":[]})", [](auto* in) { in->Object("a", [](MemberReader*) {}); },
       "an object is expected: a.json at /a"},
      {R"({"a":[]})", [](auto* in) { in->Members("a", [](const std::string&, MemberReader*) {}); },
       "an object is expected: a.json at /a"},
      {"[]", [](auto* in) { in->Close(); }, "an object is expected: a.json at the top"},
  };
  for (const WrongType& one : kCases) {
    EXPECT_EQ(MistakeOfReading(one.text, one.read), std::string("not a test: ") + one.mistake)
        << one.text;
  }
}

TEST(MemberReaderTest, MembersThatNothingReadsAreMistakes) {
  const auto read = [](MemberReader* in) {
    in->Text("name");
    in->Object("part", [](MemberReader* part) { part->Flag("on"); });
    in->Objects("list", [](MemberReader* item) { item->Text("id"); });
    in->Close();
  };
  EXPECT_EQ(
      MistakeOfReading(
          R"({"name":"x","comment":[],"part":{"on":true,"comment":1},"list":[{"id":"y"}]})", read),
      "");
  EXPECT_EQ(MistakeOfReading(R"({"nmae":"x"})", read),
            "not a test: no such member: a.json at /nmae");
  EXPECT_EQ(MistakeOfReading(R"({"part":{"of":true}})", read),
            "not a test: no such member: a.json at /part/of");
  EXPECT_EQ(MistakeOfReading(R"({"list":[{},{"di":"y"}]})", read),
            "not a test: no such member: a.json at /list/1/di");
}
TEST(MemberReaderTest, EachMemberOfAMapExceptComments) {
  std::string names;
  EXPECT_EQ(
      MistakeOfReading(R"({"map":{"a":"x","comment":7,"b/c":"y"}})",
                       [&](MemberReader* in) {
                         in->Members("map", [&](const std::string& name, MemberReader* value) {
                           names += name + "=" + value->AsText() + "@" + value->pointer() + " ";
                         });
                       }),
      "");
  EXPECT_EQ(names, "a=x@/map/a b/c=y@/map/b~1c ");
}
TEST(MemberReaderTest, TheFirstMistakeIsKept) {
  EXPECT_EQ(MistakeOfReading(R"({"a":1,"b":2,"l":[1,2]})",
                             [](MemberReader* in) {
                               in->Text("b");
                               EXPECT_TRUE(in->failed());
                               in->Text("a");
                               in->Items("l", [](MemberReader*) { ADD_FAILURE() << "reads on"; });
                               in->Close();
                             }),
            "not a test: a string is expected: a.json at /b");
}
TEST(MemberReaderTest, OneItemInThePlaceOfAList) {
  ReadSource source{.what = "not a test", .one_is_list = true};
  EXPECT_EQ(MistakeOfReading(R"({"a":"x","b":7,"c":"/p"})",
                             [](MemberReader* in) {
                               EXPECT_THAT(in->Methods("a"), ElementsAre("x"));
                               EXPECT_EQ(in->Integer("b"), 7);
                               EXPECT_EQ(in->Place("c").text, "/p");
                               in->Close();
                             },
                             source),
            "");
  EXPECT_EQ(MistakeOfReading(R"({"a":7})", [](MemberReader* in) { in->Methods("a"); }, source),
            "not a test: a string is expected: /a");
}
TEST(MemberReaderTest, ItemsOfAnotherFileDoNotCount) {
  ReadSource source{
      .what = "not a test", .file = "a.json", .remedy = "look", .inherited = {{"/l", 2}}};
  EXPECT_EQ(MistakeOfReading(R"({"l":["x","y","z",4]})", [](MemberReader* in) { in->Texts("l"); },
                             source),
            "not a test: a string is expected: a.json at /l/1 (look)");
}

}  // namespace
}  // namespace midwire::wire
