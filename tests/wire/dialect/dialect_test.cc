#include "wire/dialect/dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/processor_time.h"
#include "tests/sanitized.h"
#include "tests/wire/dialect/bases.h"
#include "wire/dialect/built_in.h"

namespace midwire::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dialect LoadMembers(const std::string& members, bool strict = false) {
  const Result<Dialect> dialect =
      LoadDialect("{\"dialect\":\"test\"," + members + "}", "test.json", strict, Bases);
  EXPECT_TRUE(dialect) << (dialect ? "" : dialect.error().Text());
  return dialect ? *dialect : Dialect();
}

template <typename T>
std::vector<std::string> TextsOf(const std::vector<T>& items) {
  std::vector<std::string> texts;
  for (const T& item : items) texts.push_back(item.text);
  return texts;
}

TEST(DialectTest, ANameIsEnough) {
  const Result<Dialect> dialect = LoadDialect(R"({"dialect":"x"})", "x.json", false, Bases);
  ASSERT_TRUE(dialect);
  EXPECT_EQ(dialect->name, "x");
  EXPECT_EQ(dialect->jsonrpc_missing, Severity::kMust);
  EXPECT_EQ(dialect->batch, Severity::kOff);
  EXPECT_EQ(dialect->unknown_method, Severity::kShould);
  EXPECT_FALSE(dialect->framing || dialect->exit_code);
}

TEST(DialectTest, FramingAndLimits) {
  const Dialect dialect = LoadMembers(
      R"("framing": {"kind": "content-length", "max_header": 10, "max_body": 20, "clause": "2"})");
  EXPECT_EQ(dialect.framing, Framing::kContentLength);
  EXPECT_EQ(dialect.max_header, 10u);
  EXPECT_EQ(dialect.max_body, 20u);
  EXPECT_EQ(dialect.framing_clause, "2");
  EXPECT_EQ(LoadMembers(R"("framing": {"kind": "line"})").framing, Framing::kLine);
  EXPECT_FALSE(LoadMembers(R"("framing": {"kind": "any"})").framing);
}

TEST(DialectTest, SeveritiesOfTheTop) {
  const Dialect dialect =
      LoadMembers(R"("jsonrpc": "off", "batch": "must", "unknown_methods": "note")");
  EXPECT_EQ(dialect.jsonrpc_missing, Severity::kOff);
  EXPECT_EQ(dialect.batch, Severity::kMust);
  EXPECT_EQ(dialect.unknown_method, Severity::kNote);
}

TEST(DialectTest, Ids) {
  const Dialect dialect = LoadMembers(
      R"("ids": {"types": ["integer", "null"], "sender": ["a:/params/id"], "receiver": ["/x"]})");
  EXPECT_THAT(dialect.id_types, ElementsAre(Id::Type::kInteger, Id::Type::kNull));
  EXPECT_THAT(TextsOf(dialect.ids_of_sender), ElementsAre("a:/params/id"));
  EXPECT_THAT(TextsOf(dialect.ids_of_receiver), ElementsAre("/x"));
}

TEST(DialectTest, WhereTheHostsPidIs) {
  EXPECT_THAT(TextsOf(LoadMembers(R"("host": {"pid": ["start:/params/pid"]})").host_pids),
              ElementsAre("start:/params/pid"));
}

TEST(DialectTest, AMethodWithEverything) {
  const Dialect dialect = LoadMembers(R"("methods": {"m": {
      "from": "plugin", "kind": "request", "optional": true, "since": "3", "clause": "4.5",
      "params": {"type": "object"}, "params_required": true, "result": {"type": "string"},
      "errors": [-1, 2], "comment": "of any kind"}})");
  const MethodSpec* spec = dialect.Find("m");
  ASSERT_NE(spec, nullptr);
  EXPECT_FALSE(spec->from[0]);
  EXPECT_TRUE(spec->from[1] && spec->request && spec->optional && spec->params_required);
  EXPECT_FALSE(spec->notification);
  EXPECT_EQ(spec->since + spec->clause, "34.5");
  EXPECT_THAT(spec->errors, ElementsAre(-1, 2));
  ASSERT_TRUE(spec->params && spec->result);
  EXPECT_TRUE(spec->params->Validate("[]"));
  EXPECT_FALSE(spec->result->Validate("\"text\""));
}

TEST(DialectTest, BothAndEither) {
  const Dialect dialect = LoadMembers(R"("methods": {"m": {"from": "both", "kind": "either"}})");
  const MethodSpec* spec = dialect.Find("m");
  ASSERT_NE(spec, nullptr);
  EXPECT_TRUE(spec->from[0] && spec->from[1] && spec->request && spec->notification);
}

TEST(DialectTest, TheNameCountsThenTheLongestPattern) {
  const Dialect dialect = LoadMembers(R"("methods": {
      "*": {"from": "both", "kind": "either", "since": "any"},
      "x/*": {"from": "both", "kind": "either", "since": "x"},
      "x/y": {"from": "both", "kind": "either", "since": "y"}})");
  EXPECT_EQ(dialect.Find("x/y")->since, "y");
  EXPECT_EQ(dialect.Find("x/z")->since, "x");
  EXPECT_EQ(dialect.Find("z")->since, "any");
  EXPECT_EQ(LoadMembers("\"title\":\"\"").Find("z"), nullptr);
}

TEST(DialectTest, ErrorsLifecycleHandles) {
  const Dialect dialect = LoadMembers(R"(
      "errors": {"codes": {"-32001": "LIMIT"}, "other": "should", "without_code": "note"},
      "lifecycle": {"first": ["a"], "last": ["z", "y"], "before_ready": "must", "grace_ms": 5,
                    "exit": 0, "clause": "7"},
      "handles": [{"name": "h", "made": ["open:/result/h"], "used": ["/params/h"],
                   "ended": ["close:/params/h"], "life": "call", "clause": "8",
                   "severity": "should"}])");
  EXPECT_EQ(dialect.error_codes.at(-32001), "LIMIT");
  EXPECT_EQ(dialect.other_error_code, Severity::kShould);
  EXPECT_EQ(dialect.error_without_code, Severity::kNote);
  EXPECT_THAT(dialect.first, ElementsAre("a"));
  EXPECT_THAT(dialect.last, ElementsAre("z", "y"));
  EXPECT_EQ(dialect.before_ready, Severity::kMust);
  EXPECT_EQ(dialect.grace_ms, 5);
  EXPECT_EQ(dialect.exit_code, 0);
  ASSERT_EQ(dialect.handles.size(), 1u);
  EXPECT_TRUE(dialect.handles[0].of_call);
  EXPECT_THAT(TextsOf(dialect.handles[0].made), ElementsAre("open:/result/h"));
  EXPECT_EQ(dialect.handles[0].severity, Severity::kShould);
}

TEST(DialectTest, ListsOfTheReplayerAndTheRedactor) {
  const Dialect dialect = LoadMembers(R"("volatile": ["tick"], "ignore": ["/result/time"],
      "bind": ["a:/result=b:/params"], "secret": ["login:/params/password"],
      "secret_keys": ["token"], "detect": ["hello"])");
  EXPECT_THAT(TextsOf(dialect.volatile_methods), ElementsAre("tick"));
  EXPECT_THAT(dialect.ignores, ElementsAre("/result/time"));
  EXPECT_THAT(dialect.binds, ElementsAre("a:/result=b:/params"));
  EXPECT_THAT(TextsOf(dialect.secrets), ElementsAre("login:/params/password"));
  EXPECT_THAT(dialect.secret_keys, ElementsAre("token"));
  EXPECT_THAT(dialect.detect_methods, ElementsAre("hello"));
}

TEST(DialectTest, ARuleKeepsWhatItsTypeNeeds) {
  const Dialect dialect = LoadMembers(R"("rules": [{"id": "r", "type": "size", "clause": "9",
      "severity": "should", "text": "small", "at": "/params", "max": 3}])");
  ASSERT_EQ(dialect.rules.size(), 1u);
  EXPECT_EQ(dialect.rules[0].text, "small");
  EXPECT_EQ(dialect.rules[0].severity, Severity::kShould);
  EXPECT_EQ(dialect.rules[0].json.String("at"), "/params");
}

TEST(DialectExtendsTest, ListsAreAddedToAndObjectsMerged) {
  const Dialect dialect = LoadMembers(R"("extends": "base", "volatile": ["tock"], "detect": ["hi"],
      "methods": {"c": {"from": "host", "kind": "request", "params": {"$ref": "#/definitions/name"}}},
      "errors": {"codes": {"-2": "TWO"}}, "lifecycle": {"last": ["c"]},
      "severities": {"json": "note"}, "clauses": {"json": "2"}, "rules": [{"id": "r3", "type": "size"}])");
  EXPECT_EQ(dialect.name, "test");
  EXPECT_THAT(dialect.bases, ElementsAre("base"));
  EXPECT_EQ(dialect.jsonrpc_missing, Severity::kShould);
  EXPECT_THAT(TextsOf(dialect.volatile_methods), ElementsAre("tick", "tock"));
  EXPECT_THAT(dialect.detect_methods, ElementsAre("hi"));
  EXPECT_EQ(dialect.methods.size(), 3u);
  EXPECT_TRUE(dialect.Find("c")->params->Validate("7"));
  EXPECT_EQ(dialect.error_codes.size(), 2u);
  EXPECT_EQ(dialect.other_error_code, Severity::kMust);
  EXPECT_THAT(dialect.first, ElementsAre("a"));
  EXPECT_THAT(dialect.last, ElementsAre("c"));
  EXPECT_EQ(dialect.severities.size(), 2u);
  EXPECT_EQ(dialect.clauses.size(), 2u);
  EXPECT_EQ(dialect.rules.size(), 3u);
}

TEST(DialectExtendsTest, AMethodOrRuleOfItsOwnReplacesTheBases) {
  const Dialect dialect = LoadMembers(
      R"("extends": "base", "methods": {"a": {"from": "plugin", "kind": "notification"}},
              "rules": [{"id": "r1", "type": "gate"}])");
  EXPECT_TRUE(dialect.Find("a")->from[1]);
  EXPECT_EQ(dialect.Find("a")->since, "");
  ASSERT_EQ(dialect.rules.size(), 2u);
  EXPECT_EQ(dialect.rules[0].type, "gate");
}

TEST(DialectStrictTest, AnExtensionThatReplacesADefinitionReplacesItsStrictForm) {
  const auto load = [](const std::string& definitions) {
    return LoadDialect(R"({"dialect":"x","extends":"desktop-sidecar")" + definitions + "}",
                       "x.json",
                       /*strict=*/false, BuiltInDialect);
  };
  const auto same = load(""), other = load(R"(,"definitions":{"empty":{"type":"object"}})");
  ASSERT_TRUE(same.ok() && other.ok());
  EXPECT_TRUE(same->Find("host/ping")->strict_params);
  EXPECT_FALSE(other->Find("host/ping")->strict_params);
  EXPECT_TRUE(other->Find("plugin/health")->strict_result);
}

TEST(DialectStrictTest, MembersTakeThePlaceOfThoseBeside) {
  const std::string members = R"("jsonrpc": "note", "strict": {"jsonrpc": "must"},
      "lifecycle": {"exit": 1, "strict": {"exit": 0}},
      "methods": {"m": {"from": "both", "kind": "request", "strict": {"from": "host"}}},
      "rules": [{"id": "r", "type": "size", "severity": "note", "strict": {"severity": "must"}}])";
  const Dialect tolerant = LoadMembers(members), strict = LoadMembers(members, true);
  EXPECT_EQ(tolerant.jsonrpc_missing, Severity::kNote);
  EXPECT_EQ(strict.jsonrpc_missing, Severity::kMust);
  EXPECT_EQ(tolerant.exit_code, 1);
  EXPECT_EQ(strict.exit_code, 0);
  EXPECT_TRUE(tolerant.Find("m")->from[1]);
  EXPECT_FALSE(strict.Find("m")->from[1]);
  EXPECT_EQ(tolerant.rules[0].severity, Severity::kNote);
  EXPECT_EQ(strict.rules[0].severity, Severity::kMust);
  EXPECT_EQ(strict.rules[0].json.Find("strict"), nullptr);
}

TEST(DialectMistakeTest, NotAnObjectAndNoName) {
  for (const char* text :
       {"", "[]", "7", "{\"dialect\":", "{}", R"({"dialect":""})", R"({"dialect":7})"}) {
    const Result<Dialect> dialect = LoadDialect(text, "x.json", false, Bases);
    ASSERT_FALSE(dialect) << text;
    EXPECT_THAT(dialect.error().Text(), HasSubstr("x.json")) << text;
    EXPECT_THAT(dialect.error().Text(), HasSubstr("not a dialect")) << text;
  }
}

// Each kind of mistake is reported with the file, the place and what was expected.
TEST(DialectMistakeTest, EachHasItsPlace) {
  constexpr char kMethod[] = R"("from":"host","kind":"request")";
  const std::string method = kMethod;
  const MistakeCase cases[] = {
      {R"("color": 1)", "/color", "no such member"},
      {R"("title": 1)", "/title", "a string"},
      {R"("detect": "x")", "/detect", "a list"},
      {R"("detect": [1])", "/detect/0", "a string"},
      {R"("framing": [])", "/framing", "an object"},
      {R"("framing": {"kind": "lines"})", "/framing/kind", "content-length"},
      {R"("framing": {"kind": "auto"})", "/framing/kind", "content-length"},
      {R"("framing": {"max_body": -1})", "/framing/max_body", "a whole number"},
      {R"("framing": {"max_header": 1.5})", "/framing/max_header", "a whole number"},
      {R"("jsonrpc": "error")", "/jsonrpc", "off, note, should or must"},
      {R"("batch": true)", "/batch", "off, note, should or must"},
      {R"("ids": {"types": ["int"]})", "/ids/types/0", "integer, string"},
      {R"("ids": {"sender": ["params"]})", "/ids/sender/0", "METHOD:/pointer"},
      {R"("host": {"pid": ["pid"]})", "/host/pid/0", "METHOD:/pointer"},
      {R"("host": {"user": []})", "/host/user", "no such member"},
      {R"("methods": [])", "/methods", "an object"},
      {R"("methods": {"m": 1})", "/methods/m", "an object"},
      {R"("methods": {"m": {"kind": "request"}})", "/methods/m/from", "host, plugin or both"},
      {R"("methods": {"m": {"from": "host"}})", "/methods/m/kind", "request, notification"},
      {R"("methods": {"m": {"from":"host","kind":"request","optional":1}})", "/methods/m/optional",
       "true or false"},
      {R"("methods": {"m": {"from":"host","kind":"request","params":7}})", "/methods/m/params", ""},
      {R"("methods": {"m": {"from":"host","kind":"request","result":{"tpye":"string"}}})",
       "/methods/m/result", "tpye"},
      {R"("methods": {"m": {"from":"host","kind":"request","result":{"$ref":"#/definitions/no"}}})",
       "/methods/m/result", "no"},
      {R"("methods": {"m": {"from":"host","kind":"request","errors":["x"]}})",
       "/methods/m/errors/0", "an error code"},
      {R"("methods": {"a/b~c": {}})", "/methods/a~1b~0c/from", "host"},
      {R"("errors": {"codes": {"x": "y"}})", "/errors/codes/x", "an error code"},
      {R"("errors": {"codes": {"1": 2}})", "/errors/codes/1", "a string"},
      {R"("errors": {"other": 1})", "/errors/other", "off, note"},
      {R"("lifecycle": {"first": "a"})", "/lifecycle/first", "a list"},
      {R"("lifecycle": {"exit": "0"})", "/lifecycle/exit", "a whole number"},
      {R"("lifecycle": {"exit": 4294967296})", "/lifecycle/exit", "a whole number"},
      {R"("handles": [{"name": "h"}])", "/handles/0", "\"made\""},
      {R"("handles": [{"name": "h", "made": ["/x"], "life": "day"}])", "/handles/0/life",
       "call or session"},
      {R"("handles": [7])", "/handles/0", "an object"},
      {R"("secret": [7])", "/secret/0", "METHOD:/pointer"},
      {R"("ignore": [[]])", "/ignore/0", "METHOD:/pointer"},
      {R"("ignore": ["x"])", "/ignore/0", "METHOD:/pointer"},
      {R"("bind": ["x"])", "/bind/0", "FROM=TO"},
      {R"("severities": {"utf8": "bad"})", "/severities/utf8", "off, note"},
      {R"("clauses": {"utf8": 4})", "/clauses/utf8", "a string"},
      {R"("rules": {})", "/rules", "a list"},
      {R"("rules": [{"id": "r"}])", "/rules/0", "\"type\""},
      {R"("rules": [{"id": "r", "type": "size", "severity": "x"}])", "/rules/0/severity", "off"},
      {R"("strict": 7)", "/strict", "an object"},
      {R"("lifecycle": {"strict": []})", "/lifecycle/strict", "an object"},
      {R"("extends": 7)", "/extends", "a string"},
      {R"("definitions": 7)", "/definitions", "an object"},
  };
  for (const MistakeCase& one : cases) {
    const std::string mistake = Mistake(one.members);
    EXPECT_THAT(mistake, HasSubstr(std::string("test.json at ") + one.where)) << one.members;
    EXPECT_THAT(mistake, HasSubstr(one.what)) << one.members;
  }
}

TEST(DialectMistakeTest, TheSameMemberTwice) {
  EXPECT_THAT(Mistake(R"("title": "a", "title": "b")"), HasSubstr("test.json at /title"));
}

TEST(DialectMistakeTest, WhatIsExtendedIsMissing) {
  EXPECT_THAT(Mistake(R"("extends": "none")"),
              testing::AllOf(HasSubstr("test.json at /extends"), HasSubstr("no such dialect")));
}

TEST(DialectMistakeTest, ACircle) {
  EXPECT_THAT(Mistake(R"("extends": "a")"), HasSubstr("circle"));
}

TEST(DialectMistakeTest, OfABaseOfAnotherShape) {
  EXPECT_THAT(Mistake(R"("extends": "broken", "methods": {})"), HasSubstr("/methods"));
  EXPECT_THAT(Mistake(R"("extends": "base", "methods": [])"), HasSubstr("/methods"));
  EXPECT_THAT(Mistake(R"("extends": "base", "volatile": {})"), HasSubstr("/volatile"));
  EXPECT_THAT(Mistake(R"("extends": "base", "errors": {"codes": []})"), HasSubstr("/errors"));
}

// The base has two rules: they are not in the file.
TEST(DialectMistakeTest, PlacesAreThoseOfTheFileThatExtends) {
  EXPECT_THAT(Mistake(R"("extends": "base", "rules": [{"id": "r", "type": "size"}, {"id": "s"}])"),
              HasSubstr("test.json at /rules/1"));
}

TEST(DialectMistakeTest, WhereItIsNoJson) {
  const auto place = [](std::string_view text) {
    const Result<Dialect> dialect = LoadDialect(text, "test.json", false, Bases);
    return dialect ? "none" : dialect.error().where;
  };
  EXPECT_EQ(place(""), "test.json at line 1, column 1");
  EXPECT_EQ(place("{\"dialect\": x}"), "test.json at line 1, column 13");
  EXPECT_EQ(place("{\n\n  7}"), "test.json at line 3, column 3");
  EXPECT_EQ(place("{\n"), "test.json at line 2, column 1");
}

TEST(DialectMistakeTest, TwoRulesOfOneId) {
  EXPECT_THAT(Mistake(R"("rules": [{"id":"r","type":"size"}, {"id":"r","type":"order"}])"),
              HasSubstr("another rule has this id: test.json at /rules/1/id"));
  EXPECT_EQ(Mistake(R"("extends": "base", "rules": [{"id":"r1","type":"size"}])"), "none");
}

TEST(DialectMistakeTest, TheStrictFormOfADefinition) {
  EXPECT_THAT(Mistake(R"("definitions": {"a": {"type": "string", "strict": 7}})"),
              HasSubstr("an object is expected: test.json at /definitions/a/strict"));
}

std::string Numbered(size_t count, const std::string& before, const std::string& after) {
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    all += (i == 0 ? "" : ",") + before + std::to_string(i) + after;
  }
  return all;
}

// Each was hours or gigabytes once; together they take some seconds.
class HostileDialectTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_LT(ProcessorTime() - begin_, std::chrono::seconds(60)); }
  const std::chrono::nanoseconds begin_ = ProcessorTime();
};

TEST_F(HostileDialectTest, ALongNameAboveManyValues) {
  const std::string name(500'000, 'n');
  EXPECT_THAT(Mistake("\"definitions\":{\"" + name + "\":{\"properties\":{" +
                      Numbered(100'000, "\"p", "\":{\"type\":\"string\"}") + "}}}"),
              HasSubstr("the names on the path to it exceed 4096 bytes"));
}
TEST_F(HostileDialectTest, ManyMethodsThatAllReferToMany) {
  const std::string many = "\"definitions\":{\"d\":{\"properties\":{" +
                           Numbered(Many(10'000), "\"p", "\":{\"type\":\"string\"}") + "}}},";
  const std::string use =
      R"(":{"from":"host","kind":"request","params":{"$ref":"#/definitions/d"}})";
  EXPECT_EQ(Mistake(many + "\"methods\":{" + Numbered(15, "\"m", use) + "}"), "none");
  EXPECT_THAT(Mistake(many + "\"methods\":{" + Numbered(1000, "\"m", use) + "}"),
              HasSubstr("more than 200000 schemas in all"));
}
TEST_F(HostileDialectTest, ManyReferencesToManyDefinitions) {
  EXPECT_EQ(Mistake("\"definitions\":{" + Numbered(50'000, "\"d", "\":{}") +
                    R"(},"methods":{"m":{"from":"host","kind":"request","params":{"properties":{)" +
                    Numbered(50'000, "\"p", R"(":{"$ref":"#/definitions/d9"})") + "}}}}"),
            "none");
}
TEST_F(HostileDialectTest, ManyMembersBesideThoseOfTheBase) {
  EXPECT_EQ(
      Mistake(R"("extends":"base","definitions":{)" + Numbered(100'000, "\"d", "\":{}") + "}"),
      "none");
}
TEST_F(HostileDialectTest, ManyPatternsAndManyMethods) {
  const Dialect dialect = LoadMembers(
      "\"methods\":{" + Numbered(20'000, "\"z", R"(*":{"from":"host","kind":"request"})") + "}");
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_EQ(dialect.Find("y" + std::to_string(i)), nullptr);
    EXPECT_NE(dialect.Find("z" + std::to_string(i) + "/x"), nullptr);
  }
  EXPECT_EQ(dialect.Find("z19999/x")->name, "z19999*") << "the longest";
}
TEST_F(HostileDialectTest, ManyRules) {
  EXPECT_THAT(
      Mistake("\"rules\":[" + Numbered(Many(100'000), R"({"type":"size","id":")", "\"}") + "]"),
      HasSubstr("a list of at most 1000 rules is expected: test.json at /rules/1000"));
}

TEST(DialectMistakeTest, HostileTexts) {
  std::string deep = R"("definitions": )" + std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_NE(Mistake(deep), "none");
  EXPECT_NE(Mistake("\"title\": \"\xff\""), "none");
  EXPECT_NE(Mistake(R"("methods": {"": {"from": "nobody", "kind": "request"}})"), "none");
  std::string many = R"("methods": {)";
  for (int i = 0; i < 20'000; ++i) {
    many += (i ? ",\"m" : "\"m") + std::to_string(i) + R"(":{"from":"host","kind":"request"})";
  }
  EXPECT_EQ(LoadMembers(many + "}").methods.size(), 20'000u);
}

TEST(BuiltInTest, EachLoadsBothWays) {
  ASSERT_FALSE(BuiltInDialects().empty());
  for (const std::string_view name : BuiltInDialects()) {
    for (const bool strict : {false, true}) {
      const Result<Dialect> dialect =
          LoadDialect(BuiltInDialect(name), name, strict, BuiltInDialect);
      ASSERT_TRUE(dialect) << dialect.error().Text();
      EXPECT_EQ(dialect->name, name);
      EXPECT_NE(dialect->title, "");
    }
  }
}

}  // namespace
}  // namespace midwire::wire
