#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/wire/dialect/bases.h"
#include "wire/dialect/built_in.h"
#include "wire/dialect/dialect.h"

namespace midwire::wire {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Dialect LoadText(std::string_view text) {
  const Result<Dialect> dialect = LoadDialect(text, "test.json", false, Bases);
  EXPECT_TRUE(dialect) << (dialect ? "" : dialect.error().Text());
  return dialect ? *dialect : Dialect();
}

std::vector<std::string> NamesOf(const Dialect& dialect) {
  std::vector<std::string> names;
  for (const auto& one : dialect.revisions) names.push_back(one->revision);
  return names;
}

bool Takes(const Dialect& dialect, std::string_view method, std::string_view params) {
  const MethodSpec* spec = dialect.Find(method);
  return spec != nullptr && spec->params != nullptr && !spec->params->Validate(params);
}

TEST(RevisionTest, EachChangesWhatItIsBasedOn) {
  const Dialect dialect = LoadText(kTimed);
  EXPECT_THAT(NamesOf(dialect), ElementsAre("1", "2"));
  EXPECT_EQ(dialect.revision, "1") << "the default";
  EXPECT_EQ(dialect.Find("b"), nullptr);
  const Dialect& second = *dialect.Revision("2");
  EXPECT_NE(second.Find("b"), nullptr);
  EXPECT_EQ(second.batch, Severity::kNote) << "of revision 1";
  EXPECT_TRUE(second.rules.empty());
  EXPECT_EQ(dialect.rules.size(), 1u);
}

TEST(RevisionTest, AnotherDefinitionChangesTheMethodsThatReferToIt) {
  const Dialect dialect = LoadText(kTimed);
  EXPECT_TRUE(Takes(*dialect.Revision("1"), "a", "\"x\""));
  EXPECT_FALSE(Takes(*dialect.Revision("2"), "a", "\"x\""));
  EXPECT_TRUE(Takes(*dialect.Revision("2"), "a", "7"));
}

TEST(RevisionTest, TheLastOneIsTheDefaultUnlessOneIsNamed) {
  EXPECT_EQ(LoadText(R"({"dialect":"x","revisions":{"2":{},"1":{"batch":"must"}}})").revision, "1");
}

TEST(RevisionTest, TheFilesOrderIsKeptWhateverIsBasedOnWhat) {
  const Dialect dialect = LoadText(
      R"({"dialect":"x","revisions":{"c":{"since":"a"},"b":{"since":"c","batch":"must"},"a":{"title":"t"}}})");
  EXPECT_THAT(NamesOf(dialect), ElementsAre("c", "b", "a"));
  EXPECT_EQ(dialect.Revision("b")->title, "t");
}

TEST(RevisionTest, TheNearestOfAnUnknownVersion) {
  const Dialect dialect = LoadText(
      R"({"dialect":"x","revisions":{"1.10":{},"1.9":{},"2025-06-18":{},"2024-11-05":{}}})");
  EXPECT_EQ(dialect.Revision("1.9")->revision, "1.9");
  EXPECT_EQ(dialect.Revision("1.11")->revision, "1.10");
  EXPECT_EQ(dialect.Revision("2025-03-26")->revision, "2024-11-05");
  EXPECT_EQ(dialect.Revision("0.1")->revision, "1.9") << "the lowest";
  EXPECT_EQ(dialect.Revision("9999")->revision, "2025-06-18");
  EXPECT_EQ(Dialect().Revision("1"), nullptr);
}

TEST(RevisionTest, NumbersAreComparedAsNumbers) {
  EXPECT_LT(CompareVersions("1.9", "1.10"), 0);
  EXPECT_EQ(CompareVersions("1.0", "1.00"), 0);
  EXPECT_LT(CompareVersions("1", "1.0"), 0);
  EXPECT_GT(CompareVersions("18446744073709551617", "18446744073709551616"), 0);
  EXPECT_LT(CompareVersions("1.0", "1.x"), 0);
}

TEST(RevisionTest, AFileThatExtendsAltersAllRevisions) {
  const Dialect dialect = LoadText(R"({"dialect":"mine","extends":"timed",
      "methods":{"own":{"from":"host","kind":"request"}},
      "remove":["/methods/a"], "severities":{"utf8":"note"}})");
  EXPECT_THAT(NamesOf(dialect), ElementsAre("1", "2"));
  for (const auto& revision : dialect.revisions) {
    EXPECT_NE(revision->Find("own"), nullptr) << revision->revision;
    EXPECT_EQ(revision->Find("a"), nullptr) << revision->revision;
    EXPECT_EQ(revision->severities.size(), 1u) << revision->revision;
  }
  EXPECT_NE(dialect.Revision("2")->Find("b"), nullptr);
}

TEST(RevisionTest, AFileThatExtendsAddsAndAltersRevisions) {
  const Dialect dialect = LoadText(R"({"dialect":"mine","extends":"timed","revisions":{
      "2":{"batch":"must"}, "3":{"since":"2","title":"three"}},
      "negotiation":{"default":"3"}})");
  EXPECT_THAT(NamesOf(dialect), ElementsAre("1", "2", "3"));
  EXPECT_EQ(dialect.revision, "3");
  EXPECT_EQ(dialect.batch, Severity::kMust);
  EXPECT_EQ(dialect.Revision("1")->batch, Severity::kNote);
  EXPECT_EQ(dialect.negotiation.agreed.size(), 1u) << "merged member by member";
}

TEST(RevisionTest, InTheStrictFormToo) {
  constexpr char kText[] =
      R"({"dialect":"x","revisions":{"1":{"batch":"off","strict":{"batch":"must"},
      "methods":{"m":{"from":"host","kind":"request","strict":{"from":"plugin"}}}}}})";
  const Result<Dialect> strict = LoadDialect(kText, "x.json", true, Bases);
  ASSERT_TRUE(strict);
  EXPECT_EQ(strict->batch, Severity::kMust);
  EXPECT_TRUE(strict->Find("m")->from[1]);
  EXPECT_EQ(LoadText(kText).batch, Severity::kOff);
}

TEST(RevisionTest, LabelsAndFailures) {
  const Dialect dialect =
      LoadText(R"({"dialect":"x","labels":["tools/call:/params/name","/params/uri"],
      "failures":["/result/Err",{"at":"run:/result/status","is":["failed",2,false]},
                  {"at":"/result/ok","is":false}]})");
  EXPECT_EQ(dialect.labels.size(), 2u);
  ASSERT_EQ(dialect.failures.size(), 3u);
  EXPECT_TRUE(dialect.failures[0].is.empty());
  EXPECT_EQ(dialect.failures[1].is.size(), 3u);
  EXPECT_EQ(dialect.failures[2].is.size(), 1u);
}

TEST(RevisionMistakeTest, EachHasItsPlace) {
  const MistakeCase cases[] = {
      {R"("revisions": [])", "/revisions", "an object"},
      {R"("revisions": {"1": 7})", "/revisions/1", "an object"},
      {R"("revisions": {"1": {"color": 7}})", "/revisions/1/color", "no such member"},
      {R"("revisions": {"1": {"since": 7}})", "/revisions/1/since", "a string"},
      {R"("revisions": {"1": {"detect": []}})", "/revisions/1/detect", "cannot have"},
      {R"("revisions": {"1": {"since": "1"}})", "/revisions/1/since", "circle"},
      {R"("revisions": {"1": {"since": "2"}, "2": {"since": "1"}})", "/revisions/1/since",
       "circle"},
      {R"("revisions": {"2025-06-18": {}, "x": {"since": "2025-06-17"}})", "/revisions/x/since",
       "did you mean \"2025-06-18\"?"},
      {R"("revisions": {"1": {"methods": {"m": {"kind": "request"}}}})",
       "/revisions/1/methods/m/from", "host, plugin or both"},
      {R"("rules": [{"id":"a","type":"size"}], "revisions": {"1": {"rules": [{"id": "r"}]}})",
       "/revisions/1/rules/0", "\"type\""},
      {R"("methods": {"m": {"from": "host", "kind": "request", "params": {"$ref": "#/definitions/d"}}},
          "definitions": {"d": {}}, "revisions": {"1": {"remove": ["/definitions/d"]}})",
       "/methods/m/params, as of /revisions/1", "refers to nothing"},
      {R"("revisions": {"1": {"remove": ["x"]}})", "/revisions/1/remove/0", "a pointer"},
      {R"("revisions": {"1": {"remove": "/x"}})", "/revisions/1/remove", "a list"},
      {R"("methods": {"start": {"from": "host", "kind": "request"}},
          "revisions": {"1": {"remove": ["/methods/strat"]}})",
       "/revisions/1/remove/0", "did you mean \"start\"?"},
      {R"("remove": ["/methods/a"])", "/remove", "extends none"},
      {R"("extends": "timed", "remove": ["/rules/qq"])", "/remove/0", "one of r"},
      {R"("extends": "timed", "revisions": {"2": {"since": "1"}})", "/revisions/2/since",
       "without \"since\""},
      {R"("revisions": {"1": {}}, "negotiation": {"default": "2"})", "/negotiation/default",
       "no revision \"2\""},
      {R"("negotiation": {"agreed": ["x"]})", "/negotiation/agreed/0", "METHOD:/pointer"},
      {R"("negotiation": {"color": 1})", "/negotiation/color", "no such member"},
      {R"("labels": ["x"])", "/labels/0", "METHOD:/pointer"},
      {R"("failures": ["x"])", "/failures/0", "METHOD:/pointer"},
      {R"("failures": [{"is": 1}])", "/failures/0/at", "METHOD:/pointer"},
      {R"("failures": [{"at": "/x", "is": [[]]}])", "/failures/0/is/0", "a string, a number"},
  };
  for (const MistakeCase& one : cases) {
    EXPECT_THAT(Mistake(one.members),
                AllOf(HasSubstr(std::string("test.json at ") + one.where), HasSubstr(one.what)))
        << one.members;
  }
}

TEST(RevisionMistakeTest, ANearNameOfADialectToExtend) {
  const Result<Dialect> dialect =
      LoadDialect(R"({"dialect":"x","extends":"mpc"})", "x.json", false, BuiltInDialect);
  ASSERT_FALSE(dialect);
  EXPECT_THAT(dialect.error().Text(), AllOf(HasSubstr("x.json at /extends"), HasSubstr("mcp")));
}

TEST(RevisionMistakeTest, TooManyAndTooLarge) {
  std::string many = "\"revisions\":{\"r\":{}";
  for (int i = 0; i < 32; ++i) many += ",\"r" + std::to_string(i) + "\":{}";
  EXPECT_THAT(Mistake(many + "}"), HasSubstr("at most 32 revisions"));
  const std::string large = "\"title\":\"" + std::string(8u << 20, 'x') + "\",";
  EXPECT_THAT(Mistake(large + R"("revisions":{"1":{},"2":{},"3":{},"4":{},"5":{},"6":{},"7":{}})"),
              HasSubstr("exceed 64 MiB"));
}

TEST(BuiltInTest, SchemasThatAreCompiledAtUseValidateToo) {
  const Result<Dialect> dialect =
      LoadDialect(BuiltInDialect("mcp"), "mcp", false, BuiltInDialect, SchemaTime::kAtUse);
  ASSERT_TRUE(dialect);
  EXPECT_TRUE(dialect->Find("tools/call")->params->Validate("[]"));
  EXPECT_FALSE(dialect->Find("tools/call")->params->Validate(R"({"name":"x"})"));
}

}  // namespace
}  // namespace midwire::wire
