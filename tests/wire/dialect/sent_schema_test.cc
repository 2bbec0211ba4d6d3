// Schemas that name their draft. Drafts 6 and 7: later_suites_test.cc.
#include <gtest/gtest.h>

#include "tests/wire/dialect/schemas.h"

namespace midwire::wire {
namespace {

// Of draft 2020-12 unless it names another.
Result<Schema> CompileSent(std::string_view schema) {
  Json json = *ParseJson(schema);
  if (json.Find("$schema") == nullptr) {
    json.members.push_back(
        {"$schema", *ParseJson(R"("https://json-schema.org/draft/2020-12/schema")")});
  }
  return Schema::Compile(json, nullptr);
}
// As Check, "where: remedy" of a schema that is refused.
std::string CheckSent(std::string_view schema, std::string_view value) {
  Result<Schema> compiled = CompileSent(schema);
  if (!compiled) return compiled.error().where + ": " + compiled.error().remedy;
  return Check(*compiled, value);
}
std::string ExpectedSent(std::string_view schema, std::string_view value) {
  Result<Schema> compiled = CompileSent(schema);
  const auto found = compiled->Validate(value);
  return found ? compiled->Expectation(*found) : "fine";
}

TEST(SentSchemaTest, TheDraftDecidesWhatAnIntegerIs) {
  EXPECT_EQ(CheckSent(R"({"type":"integer"})", "1.0"), "fine");
  EXPECT_EQ(CheckSent(R"({"type":"integer"})", "1.5"), " type ");
  const char* const draft4 =
      R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"})";
  EXPECT_EQ(CheckSent(draft4, "1.0"), " type ");
}
TEST(SentSchemaTest, ADraftThatIsNotKnown) {
  EXPECT_EQ(CheckSent(R"({"$schema":"http://json-schema.org/draft-03/schema#"})", "1"),
            "/$schema: a draft from 4 to 2020-12 is supported");
}
TEST(SentSchemaTest, KeywordsBesideAReference) {
  constexpr char kBeside[] = R"("$defs":{"n":{"type":"number"}},"$ref":"#/$defs/n","maximum":3})";
  EXPECT_EQ(CheckSent(std::string("{") + kBeside, "2"), "fine");
  EXPECT_EQ(CheckSent(std::string("{") + kBeside, "4"), " maximum ");
  EXPECT_EQ(CheckSent(std::string("{") + kBeside, "\"x\""), " type /$defs/n");
  const std::string draft7 = R"({"$schema":"http://json-schema.org/draft-07/schema#",)";
  EXPECT_EQ(CheckSent(draft7 + kBeside, "4"), "fine");
}
TEST(SentSchemaTest, AReferenceToItselfInPlaceIsRefused) {
  EXPECT_NE(CheckSent(R"({"$ref":"#","maximum":3})", "4").find("lead in a circle"),
            std::string::npos);
}
TEST(SentSchemaTest, PrefixItemsAndTheRest) {
  constexpr char kPair[] = R"({"prefixItems":[{"type":"string"},true],"items":false})";
  EXPECT_EQ(CheckSent(kPair, R"(["a",1])"), "fine");
  EXPECT_EQ(CheckSent(kPair, R"([1])"), "/0 type /prefixItems/0");
  EXPECT_EQ(CheckSent(kPair, R"(["a",1,2])"), "/2 items ");
  EXPECT_EQ(ExpectedSent(kPair, R"(["a",1,2])"), "an array of at most 2 elements");
}
TEST(SentSchemaTest, NumberOfContained) {
  constexpr char kTwo[] = R"({"contains":{"type":"string"},"minContains":2,"maxContains":3})";
  EXPECT_EQ(CheckSent(kTwo, R"(["a",1,"b"])"), "fine");
  EXPECT_EQ(CheckSent(kTwo, R"(["a",1])"), " contains ");
  EXPECT_EQ(CheckSent(kTwo, R"(["a","b","c","d"])"), " maxContains ");
  EXPECT_EQ(ExpectedSent(kTwo, R"(["a"])"), "an array with 2 to 3 elements that are each a string");
}
TEST(SentSchemaTest, MembersThatNeedOthers) {
  constexpr char kCard[] = R"({"dependentRequired":{"card":["name"]},
      "dependentSchemas":{"tip":{"required":["card"]}}})";
  EXPECT_EQ(CheckSent(kCard, R"({"card":1})"), " dependencies  name");
  EXPECT_EQ(CheckSent(kCard, R"({"tip":1})"), " required /dependentSchemas/tip card");
  EXPECT_EQ(CheckSent(kCard, R"({"tip":1,"card":1,"name":1})"), "fine");
}
TEST(SentSchemaTest, ConstBesideEnum) {
  for (const char* schema : {R"({"const":"a","enum":["a"]})", R"({"enum":["a"],"const":"a"})"}) {
    EXPECT_EQ(CheckSent(schema, R"("a")"), "fine");
    EXPECT_EQ(ExpectedSent(schema, R"("b")"), R"("a")");
  }
}
TEST(SentSchemaTest, OfTwoLimitsTheStricterOneCounts) {
  EXPECT_EQ(CheckSent(R"({"exclusiveMinimum":3,"minimum":1})", "3"), " minimum ");
  EXPECT_EQ(CheckSent(R"({"minimum":4,"exclusiveMinimum":3})", "4"), "fine");
  EXPECT_EQ(ExpectedSent(R"({"type":"number","exclusiveMaximum":10})", "10"), "a number below 10");
}
TEST(SentSchemaTest, UnevaluatedAloneIsAdditional) {
  constexpr char kClosed[] = R"({"properties":{"a":{}},"unevaluatedProperties":false})";
  EXPECT_EQ(CheckSent(kClosed, R"({"a":1})"), "fine");
  EXPECT_EQ(CheckSent(kClosed, R"({"b":1})"), "/b additionalProperties ");
  EXPECT_EQ(CheckSent(R"({"allOf":[{}],"unevaluatedProperties":false})", "{}"),
            "/unevaluatedProperties: not supported beside allOf");
  EXPECT_EQ(CheckSent(R"({"allOf":[{}],"unevaluatedProperties":true})", "{}"), "fine");
}
TEST(SentSchemaTest, WhatIsNotSupported) {
  EXPECT_EQ(CheckSent(R"({"items":{"$dynamicRef":"#x"}})", "[]"),
            "/items/$dynamicRef: dynamic references are not supported");
  EXPECT_EQ(CheckSent(R"({"properties":{"a":{"$id":"b"}}})", "{}"),
            "/properties/a/$id: references within another schema are not supported");
}
TEST(SentSchemaTest, WhatIsNotSupportedIsNoMistake) {
  for (const char* schema :
       {R"({"$ref":"other.json#/a"})", R"({"$ref":"#anchor"})", R"({"minLength":2.0})",
        R"({"maxItems":99999999999999999999})", R"({"pattern":"(?<=a)b"})",
        R"({"$schema":"http://json-schema.org/draft-03/schema#"})",
        R"({"allOf":[{}],"unevaluatedProperties":false})"}) {
    EXPECT_EQ(CompileSent(schema).error().what, "unsupported schema") << schema;
  }
}
TEST(SentSchemaTest, AMistakeIsOne) {
  for (const char* schema : {R"({"$ref":"#/$defs/a"})", R"({"minLength":-1})", R"({"type":7})",
                             R"({"required":"a"})", "7"}) {
    EXPECT_EQ(CompileSent(schema).error().what, "wrong schema") << schema;
  }
}
TEST(SentSchemaTest, AReferenceToNothing) {
  EXPECT_EQ(CheckSent(R"({"$ref":"#/$defs/a"})", "1"), "/$ref: refers to nothing");
}
TEST(SentSchemaTest, UnknownKeywordsAreIgnored) {
  EXPECT_EQ(CheckSent(R"({"nullable":true,"type":"string","$id":"https://a/b"})", "1"), " type ");
}
TEST(SentSchemaTest, NothingFits) {
  EXPECT_EQ(CheckSent(R"({"properties":{"a":false}})", R"({"a":1})"), "/a type /properties/a");
  EXPECT_EQ(ExpectedSent("{\"not\":{}}", "1"), "anything but what /not requires");
  EXPECT_EQ(ExpectedSent(R"({"properties":{"a":false}})", R"({"a":1})"), "nothing");
}

}  // namespace
}  // namespace midwire::wire
