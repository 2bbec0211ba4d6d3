// The shape of SARIF 2.1.0 (OASIS Standard, sections 3.13 to 3.33 and its JSON schema) of what
// `midwire check --sarif` writes: which members its objects may and must have, and of which kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/paths.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::AllOf;
using wire::Json;

// What a member holds: a JSON type or, by its name, an object of the table; [] is a list of them.
struct Member {
  const char* name;
  const char* holds;
  bool required = false;
};

// The schema's objects, as far as midwire uses them: none of them allows other members.
const std::map<std::string, std::vector<Member>, std::less<>>& Objects() {
  static const std::map<std::string, std::vector<Member>, std::less<>> objects = {
      {"log", {{"$schema", "uri"}, {"version", "2.1.0", true}, {"runs", "run[]", true}}},
      {"run",
       {{"tool", "tool", true},
        {"results", "result[]"},
        {"invocations", "invocation[]"},
        {"artifacts", "listed[]"},
        {"properties", "bag"}}},
      {"invocation",
       {{"executionSuccessful", "bool", true}, {"toolExecutionNotifications", "notification[]"}}},
      {"notification",
       {{"level", "level"}, {"message", "message", true}, {"locations", "location[]"}}},
      {"tool", {{"driver", "driver", true}}},
      {"driver", {{"name", "text", true}, {"version", "text"}, {"rules", "rule[]"}}},
      {"rule", {{"id", "text", true}, {"shortDescription", "message"}, {"properties", "bag"}}},
      {"result",
       {{"ruleId", "text"},
        {"level", "level"},
        {"message", "message", true},
        {"locations", "location[]"},
        {"partialFingerprints", "texts"}}},
      {"message", {{"text", "text", true}}},
      {"location", {{"physicalLocation", "physical", true}, {"logicalLocations", "logical[]"}}},
      {"physical", {{"artifactLocation", "artifact", true}, {"region", "region"}}},  // 3.29.2
      {"artifact", {{"uri", "uri", true}, {"index", "count"}}},
      {"region", {{"startLine", "count", true}}},
      {"listed", {{"location", "artifact"}, {"properties", "bag"}}},
      {"logical", {{"name", "text"}, {"fullyQualifiedName", "text"}, {"kind", "text"}}},
  };
  return objects;
}

// RFC 3986: what may stand in a URI reference. Before a path's first slash a colon ends a scheme.
bool IsUri(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size() || !isxdigit(text[i + 1]) || !isxdigit(text[i + 2])) return false;
    } else if (!isalnum(static_cast<unsigned char>(text[i])) &&
               std::string_view("-._~:/?#[]@!$&'()*+,;=").find(text[i]) == text.npos) {
      return false;
    }
  }
  const std::string_view first = text.substr(0, text.find('/'));
  const size_t colon = first.find(':');
  return !text.empty() && (colon == first.npos || text.find("://") == colon);
}

void ExpectShape(const std::string& holds, const Json& json, const std::string& at) {
  if (holds.ends_with("[]")) {
    ASSERT_TRUE(json.is(Json::Type::kArray)) << at;
    for (size_t i = 0; i < json.items.size(); ++i) {
      ExpectShape(holds.substr(0, holds.size() - 2), json.items[i], at + "/" + std::to_string(i));
    }
    return;
  }
  if (holds == "bag" || holds == "texts") {
    ASSERT_TRUE(json.is(Json::Type::kObject)) << at;
    for (const Json::Member& member : json.members) {
      if (holds == "texts") ExpectShape("text", member.second, at + "/" + member.first);
    }
    return;
  }
  if (holds == "bool") {
    EXPECT_TRUE(json.is(Json::Type::kBool)) << at;
    return;
  }
  if (holds == "count") {
    EXPECT_GE(json.Integer().value_or(-1), 0) << at;
    return;
  }
  const auto object = Objects().find(holds);
  if (object == Objects().end()) {
    ASSERT_TRUE(json.is(Json::Type::kString)) << at;
    EXPECT_NE(json.text, "") << at;
    if (holds == "uri") {
      EXPECT_TRUE(IsUri(json.text)) << at << ": " << json.text;
    }
    if (holds == "2.1.0") {
      EXPECT_EQ(json.text, holds) << at;
    }
    if (holds == "level") {
      EXPECT_THAT(json.text, testing::AnyOf("none", "note", "warning", "error")) << at;
    }
    return;
  }
  ASSERT_TRUE(json.is(Json::Type::kObject)) << at;
  std::set<std::string> allowed;
  for (const Member& member : object->second) {
    allowed.insert(member.name);
    const Json* found = json.Find(member.name);
    EXPECT_TRUE(found != nullptr || !member.required) << at << " lacks " << member.name;
    if (found != nullptr) ExpectShape(member.holds, *found, at + "/" + member.name);
  }
  for (const Json::Member& member : json.members) {
    EXPECT_EQ(allowed.erase(member.first), 1u) << at << " has " << member.first;
  }
}

constexpr char kBuyCassette[] =
    "{\"midwire\":\"cassette\",\"version\":1}\n"
    "{\"from\":\"host\",\"message\":{\"jsonrpc\":\"2.0\",\"method\":\"buy\"}}\n";
constexpr char kAskLine[] =
    "{\"from\":\"host\",\"message\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ask\"}}\n";
constexpr char kJunk[] = "{\"from\":\"plugin\",\"junk\":\"oops\\n\"}\n";
constexpr char kOdd[] =
    "{\"from\":\"plugin\",\"message\":{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":0}}\n";

class CheckSarifTest : public CommandTest {
 protected:
  // Of every severity, with and without a message, an oddity, a clause, text that is no ASCII.
  static std::string Broken() {
    const std::string body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sell \xc3\xa4\"}";
    return Tape::Of({"shop"})
        .Host("X-Odd: 1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body)
        .Us(5)
        .Plugin("junk \xff\n")
        .Plugin("Content-Length: 27\r\n\r\n{\"id\":\"1\",\"result\":\"\\ud800\"}")
        .Exit(3)
        .bytes();
  }
  Json Sarif(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all = {"check", "--sarif", Path("r.sarif")};
    all.insert(all.end(), arguments.begin(), arguments.end());
    (void)Run(all);
    const std::string text = ReadFile(Path("r.sarif"));
    EXPECT_TRUE(wire::IsUtf8(text));
    const Result<Json> json = wire::ParseJson(text);
    EXPECT_TRUE(json) << text;
    if (!json) return Json();
    ExpectShape("log", *json, "");
    return *json;
  }
  static const Json& RunOf(const Json& json) { return json.Find("runs")->items.at(0); }
  static const Json& PlaceOf(const Json& result) {
    return *result.Find("locations")->items.at(0).Find("physicalLocation");
  }
  static std::string Uri(const Json& json) {
    const Json& result = RunOf(json).Find("results")->items.at(0);
    return std::string(PlaceOf(result).Find("artifactLocation")->String("uri"));
  }
  // The last part of each artifact's name, and of that which each result names.
  static std::string Artifacts(const Json& json) {
    const auto name = [](const Json& location) {
      const std::string uri(location.String("uri"));
      return uri.substr(uri.rfind('/') + 1) + " ";
    };
    std::string text;
    const std::vector<Json>& artifacts = RunOf(json).Find("artifacts")->items;
    for (const Json& artifact : artifacts) text += name(*artifact.Find("location"));
    for (const Json& result : RunOf(json).Find("results")->items) {
      const Json& location = *PlaceOf(result).Find("artifactLocation");
      const auto index = static_cast<size_t>(location.Find("index")->Integer().value_or(99));
      EXPECT_EQ(location.String("uri"), artifacts.at(index).Find("location")->String("uri"));
      text += "<" + name(location);
    }
    return text;
  }
};

TEST_F(CheckSarifTest, FindingsOfEveryKind) {
  const Json json = Sarif({Save("t.pcapng", Broken()), "--dialect", "ainb-v2"});
  std::set<std::string> levels;
  for (const Json& result : RunOf(json).Find("results")->items) {
    levels.insert(std::string(result.String("level")));
  }
  EXPECT_THAT(levels, testing::UnorderedElementsAre("error", "note"));
}

TEST_F(CheckSarifTest, EveryResultsRuleIsDescribedOnce) {
  const Json json = Sarif({Save("t.pcapng", Broken()), "--dialect", "json-rpc-2.0"});
  std::multiset<std::string> rules;
  for (const Json& rule : RunOf(json).Find("tool")->Find("driver")->Find("rules")->items) {
    rules.insert(std::string(rule.String("id")));
  }
  EXPECT_EQ(rules.count("framing.extra-header"), 1u);
  EXPECT_FALSE(RunOf(json).Find("results")->items.empty());
  for (const Json& result : RunOf(json).Find("results")->items) {
    EXPECT_EQ(rules.count(std::string(result.String("ruleId"))), 1u) << result.String("ruleId");
  }
  for (const std::string& rule : rules) EXPECT_EQ(rules.count(rule), 1u) << rule;
}

TEST_F(CheckSarifTest, NothingFound) {
  const Json json = Sarif({SourceFolder() + "/corpora/mcp/sessions/golden.jsonl"});
  ASSERT_NE(RunOf(json).Find("results"), nullptr);  // 3.14.23: empty means checked
  EXPECT_TRUE(RunOf(json).Find("results")->items.empty());
}

TEST_F(CheckSarifTest, NamesThatAreNoUri) {
  EXPECT_THAT(
      Uri(Sarif({Save("a b%\xc3\xa4:#?.pcapng", Broken())})),
      AllOf(testing::StartsWith("file:///"), testing::EndsWith("/a%20b%25%C3%A4%3A%23%3F.pcapng")));
}

TEST_F(CheckSarifTest, ATraceThatCannotBeReadMakesTheRunFail) {
  const std::string fine = Save("fine.jsonl", kBuyCassette);
  const Json json = Sarif({fine, Path("none.pcapng")});
  EXPECT_EQ(Artifacts(json), "fine.jsonl none.pcapng ");
  const Json* const invocations = RunOf(json).Find("invocations");
  ASSERT_NE(invocations, nullptr);
  const Json& notes = *invocations->items.at(0).Find("toolExecutionNotifications");
  EXPECT_EQ(notes.items.at(0).String("level"), "error");
  EXPECT_THAT(std::string(notes.items.at(0).Find("message")->String("text")),
              testing::HasSubstr("none.pcapng"));
  EXPECT_EQ(PlaceOf(notes.items.at(0)).Find("artifactLocation")->Find("index")->Integer(), 1);
  EXPECT_EQ(RunOf(Sarif({fine})).Find("invocations"), nullptr);
}

TEST_F(CheckSarifTest, EachTraceIsAnArtifact) {
  const std::string one = Save("one.jsonl", std::string(kBuyCassette) + kJunk);
  const std::string fine = Save("fine.jsonl", kBuyCassette);
  const std::string two = Save("two.pcapng", Tape().Plugin("oops\n").bytes());
  const Json json = Sarif({one, fine, two, "--dialect", "json-rpc-2.0"});
  EXPECT_EQ(Artifacts(json), "one.jsonl fine.jsonl two.pcapng <one.jsonl <two.pcapng ");
  EXPECT_EQ(RunOf(json).Find("properties")->String("dialect"), "json-rpc-2.0");
}

TEST_F(CheckSarifTest, TracesOfSeveralDialects) {
  const std::string sessions = SourceFolder() + "/corpora/";
  const Json json =
      Sarif({sessions + "mcp/sessions/golden.jsonl", sessions + "lsp/sessions/golden.jsonl"});
  EXPECT_EQ(RunOf(json).Find("properties")->Find("dialect"), nullptr);
  const std::vector<Json>& artifacts = RunOf(json).Find("artifacts")->items;
  EXPECT_EQ(artifacts.at(0).Find("properties")->String("dialect"), "mcp");
  EXPECT_EQ(artifacts.at(1).Find("properties")->String("dialect"), "lsp");
}

TEST_F(CheckSarifTest, AResultInACassetteHasItsLine) {
  const std::string log = "{\"stderr\":\"log\\n\"}\n";
  const Json json =
      Sarif({Save("t.jsonl", std::string(kBuyCassette) + log + kAskLine + kJunk + kOdd),
             "--dialect", "json-rpc-2.0"});
  std::map<std::string, int64_t> lines;
  for (const Json& result : RunOf(json).Find("results")->items) {
    const Json* const region = PlaceOf(result).Find("region");
    ASSERT_NE(region, nullptr);
    lines[std::string(result.String("ruleId"))] = *region->Find("startLine")->Integer();
  }
  EXPECT_EQ(lines["stdout.junk"], 5);
  EXPECT_EQ(lines["answer.known"], 6);
  EXPECT_EQ(lines["answer.unclear"], 4) << "found at the end, of a message before";
}

TEST_F(CheckSarifTest, AResultInATapeHasNoLine) {
  const Json json = Sarif({Save("t.pcapng", Broken())});
  const std::vector<Json>& results = RunOf(json).Find("results")->items;
  EXPECT_FALSE(results.empty());
  for (const Json& result : results) EXPECT_EQ(PlaceOf(result).Find("region"), nullptr);
}

TEST_F(CheckSarifTest, ALiveSessionsPlugin) {
  const Json json = Sarif({"--dialect", "json-rpc-2.0", "--", "sh", "-c", "echo junk"});
  EXPECT_EQ(Uri(json), "sh");
}

}  // namespace
}  // namespace midwire::tools
