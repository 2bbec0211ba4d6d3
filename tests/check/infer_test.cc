// What is drafted from sessions, and that it does what it is for: the sessions themselves are clean
// by it, those of a changed plugin are not. The test language is that of the checks.
#include "check/infer/infer.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <set>

#include "tests/paths.h"
#include "tests/trace/conversation.h"
#include "trace/reader.h"
#include "wire/json/format.h"
#include "wire/json/path.h"

namespace midwire::trace {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Drafted(const std::string& conversation, bool closed = false) {
  check::Inference inference;
  Talk(inference.handler()).Play(conversation, [&] { inference.OnGap(); });
  inference.Finish();
  return inference.Draft({.name = "test", .closed = closed});
}

Result<wire::Dialect> Load(const std::string& draft) {
  return wire::LoadDialect(draft, "draft.json", false, wire::BuiltInDialect);
}

// The part of the draft at a pointer, as JSON on one line where it is short.
std::string Part(const std::string& draft, const std::string& pointer) {
  const auto at = wire::ParsePointer(pointer);
  const auto value = at ? wire::ValueAt(draft, *at) : std::nullopt;
  if (!value) return "nothing";
  const Result<wire::Json> json = wire::ParseJson(*value);
  std::string text = json ? wire::IndentedJson(*json) : "no JSON";
  text.pop_back();
  return text;
}

// What of a session is not as the draft says, notes left out: "must params 3 buy /params/n: ...".
std::string Drift(const std::string& draft, const std::string& conversation) {
  const Result<wire::Dialect> dialect = Load(draft);
  if (!dialect) return dialect.error().Text();
  std::string drift;
  for (const std::string& line : LinesOf(FoundWith(*dialect, conversation))) {
    if (!line.starts_with("note ")) drift += line + "\n";
  }
  return drift;
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return at == text.npos ? text : text.replace(at, what.size(), by);
}

// Cuts the whole line away that has `what`.
std::string WithoutLine(std::string text, const std::string& what) {
  const size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  const size_t start = text.rfind('\n', at);
  return text.erase(start, text.find('\n', at) - start);
}

constexpr char kShop[] = R"(
  spawn
  -> {"jsonrpc":"2.0","id":1,"method":"hello","params":{"name":"till","at":"2026-11-21T10:00:00Z"}}
  <- {"jsonrpc":"2.0","id":1,"result":{"version":2,"features":["buy","stock"],"ratio":0.5}}
  <- {"jsonrpc":"2.0","method":"log","params":{"level":"info","text":"ready"}}
  -> {"jsonrpc":"2.0","id":2,"method":"open","params":{"path":"/srv/shop"}}
  <- {"jsonrpc":"2.0","id":2,"result":{"cart_id":"cart-7f31","owner":null}}
  -> {"jsonrpc":"2.0","id":3,"method":"buy","params":{"cart_id":"cart-7f31","n":1}}
  <- {"jsonrpc":"2.0","id":9,"method":"price","params":{"item":{"code":"x","size":4}}}
  -> {"jsonrpc":"2.0","id":9,"result":12.5}
  <- {"jsonrpc":"2.0","id":3,"result":{"ok":true,"note":null}}
  -> {"jsonrpc":"2.0","id":4,"method":"buy","params":{"cart_id":"cart-7f31","n":2,"gift":true}}
  <- {"jsonrpc":"2.0","id":4,"error":{"code":-32001,"message":"sold out: apples"}}
  -> {"jsonrpc":"2.0","id":5,"method":"shutdown"}
  <- {"jsonrpc":"2.0","id":5,"result":null}
  exit 0
  end
)";

TEST(InferTest, ItsOwnSessionIsClean) { EXPECT_EQ(Drift(Drafted(kShop), kShop), ""); }

TEST(InferTest, TheSameTextEachTime) { EXPECT_EQ(Drafted(kShop), Drafted(kShop)); }

struct Change {
  const char* name;
  std::string changed;
  const char* found;  // the beginning of what is found
};

TEST(InferTest, AChangedPluginIsFlagged) {
  const std::string shop = kShop;
  const Change changes[] = {
      {"a member is gone", Replaced(shop, ",\"note\":null", ""), "must result 9 buy /result:"},
      {"a deep one is gone", Replaced(shop, ",\"size\":4", ""),
       "must params 7 price /params/item:"},
      {"an integer is a text", Replaced(shop, "\"version\":2", "\"version\":\"2\""),
       "must result 2 hello /result/version: expected an integer, got \"2\""},
      {"a boolean is null", Replaced(shop, "\"ok\":true", "\"ok\":null"),
       "must result 9 buy /result/ok: expected true or false, got null"},
      {"an element of another type", Replaced(shop, "[\"buy\"", "[1,\"buy\""),
       "must result 2 hello /result/features/0: expected a string, got 1"},
      {"null is an object", Replaced(shop, "\"id\":5,\"result\":null", "\"id\":5,\"result\":{}"),
       "must result 13 shutdown /result: expected null, got {}"},
      {"another error code", Replaced(shop, "-32001", "-32007"),
       "must error.code 11 buy /error/code: got -32007"},
      {"an error without a code", Replaced(shop, "\"code\":-32001,", ""),
       "must error.without-code 11 buy"},
      {"a new notification", Replaced(shop, "\"method\":\"log\"", "\"method\":\"logged\""),
       "must method.unknown 3 logged /method"},
      {"a call from the other side",
       Replaced(shop, R"(<- {"jsonrpc":"2.0","method":"log")",
                R"(-> {"jsonrpc":"2.0","method":"log")"),
       "must method.direction 3 log /method: expected the plugin, got the host"},
      {"a request instead of a notification",
       Replaced(shop, R"({"jsonrpc":"2.0","method":"log")",
                R"({"jsonrpc":"2.0","id":8,"method":"log")"),
       "must method.kind 3 log"},
      {"no version", Replaced(shop, R"({"jsonrpc":"2.0","id":1,"result")", R"({"id":1,"result")"),
       "must jsonrpc 2 hello /jsonrpc"},
      {"an id of another type", Replaced(shop, "\"id\":9,\"method\"", "\"id\":\"9\",\"method\""),
       "must id.type 7 price /id: expected an integer"},
      {"an answer that never comes", WithoutLine(shop, "\"id\":3,\"result\""),
       "must answer.missing 6 buy"},
      {"a second answer",
       Replaced(shop, "  -> {\"jsonrpc\":\"2.0\",\"id\":4",
                "  <- {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"ok\":true,\"note\":null}}\n"
                "  -> {\"jsonrpc\":\"2.0\",\"id\":4"),
       "must answer.once 10 /id: got 3"},
      {"a print on stdout",
       Replaced(shop, "  <- {\"jsonrpc\":\"2.0\",\"method\":\"log\"",
                "  <- debug!\n  <- {\"jsonrpc\":\"2.0\",\"method\":\"log\""),
       "must stdout.junk -: got debug!"},
      {"the other framing",
       Replaced(shop, "<- {\"jsonrpc\":\"2.0\",\"id\":1,", "<= {\"jsonrpc\":\"2.0\",\"id\":1,"),
       "must framing.kind 2 hello: expected line, got content-length"},
      {"another exit code", Replaced(shop, "exit 0", "exit 1"),
       "must lifecycle.exit -: expected exit 0, got exit 1"},
      {"a slow end", Replaced(shop, "exit 0", "at 9000\n exit 0"),
       "should lifecycle.grace -: expected at most 1000 ms"},
      {"no first message",
       WithoutLine(WithoutLine(shop, "\"id\":1,\"method\""), "\"id\":1,\"result\""),
       "must lifecycle.first 2 open /method: expected hello, got open"},
      {"something after the end",
       Replaced(shop, "  exit 0",
                "  -> {\"jsonrpc\":\"2.0\",\"method\":\"shutdown\"}\n"
                "  -> {\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"open\","
                "\"params\":{\"path\":\"/\"}}\n"
                "  <- {\"jsonrpc\":\"2.0\",\"id\":6,\"result\":"
                "{\"cart_id\":\"c1x2\",\"owner\":null}}\n  exit 0"),
       "must method.kind 14 shutdown /id: expected a request, got a notification\n"
       "must lifecycle.last 15 open /method: got open\n"},
      {"a handle that no answer has",
       Replaced(shop, "\"cart-7f31\",\"n\":2", "\"cart-0000\",\"n\":2"),
       "should handle.cart-id 10 buy /params/cart_id: got \"cart-0000\""},
  };
  const std::string draft = Drafted(kShop);
  for (const Change& change : changes) {
    const std::string drift = Drift(draft, change.changed);
    EXPECT_TRUE(drift.starts_with(change.found)) << change.name << " found:\n" << drift;
  }
}

TEST(InferTest, MembersThatCameSometimesMayBeMissing) {
  const std::string draft = Drafted(kShop);
  EXPECT_EQ(Part(draft, "/methods/buy/params/required"), R"(["cart_id", "n"])");
  EXPECT_EQ(Part(draft, "/methods/buy/params/properties/gift"), R"({"type": "boolean"})");
  EXPECT_EQ(Drift(draft, Replaced(kShop, ",\"gift\":true", "")), "");
}

TEST(InferTest, ANewMemberIsFineUnlessClosed) {
  const std::string more = Replaced(kShop, "\"ok\":true", "\"ok\":true,\"new\":1");
  EXPECT_EQ(Drift(Drafted(kShop), more), "");
  EXPECT_EQ(Drift(Drafted(kShop, /*closed=*/true), kShop), "");
  EXPECT_THAT(Drift(Drafted(kShop, /*closed=*/true), more), HasSubstr("must result 9 buy"));
}

TEST(InferTest, ARefusedCallDoesNotTeach) {
  const std::string draft = Drafted(R"(
    -> {"jsonrpc":"2.0","id":1,"method":"get","params":{"key":"a"}}
    -> {"jsonrpc":"2.0","id":2,"method":"nope","params":{"x":1}}
    <- {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no such method"}}
    <- {"jsonrpc":"2.0","id":1,"result":1}
    -> {"jsonrpc":"2.0","id":3,"method":"get","params":{"kye":7}}
    <- {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no key"}}
    -> {"jsonrpc":"2.0","id":4,"method":"set","params":{}}
    <- {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no key"}}
    -> {"jsonrpc":"2.0","id":5,"method":"open"}
  )");
  EXPECT_EQ(Part(draft, "/methods/nope"), "nothing");
  EXPECT_EQ(Part(draft, "/methods/get/params/required/0"), "\"key\"");
  EXPECT_EQ(Part(draft, "/methods/get/params/properties/kye"), "nothing");
  EXPECT_EQ(Part(draft, "/methods/set/kind"), "\"request\"") << "it is known";
  EXPECT_EQ(Part(draft, "/methods/set/params"), "nothing");
  EXPECT_EQ(Part(draft, "/methods/open/kind"), "\"request\"") << "nobody refused it";
}

TEST(InferTest, Lifecycle) {
  EXPECT_EQ(Part(Drafted(kShop), "/lifecycle"),
            "{\"first\": [\"hello\"], \"before_ready\": \"must\", \"last\": [\"shutdown\"], "
            "\"grace_ms\": 1000, \"exit\": 0}");
}

TEST(InferTest, ErrorsAreNamedByWhatTheirTextsShare) {
  const std::string draft = Drafted(R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"error":{"code":7,"message":"denied: network"}}
    -> {"id":2,"method":"a"}
    <- {"id":2,"error":{"code":7,"message":"denied: files"}}
    -> {"id":3,"method":"a"}
    <- {"id":3,"error":{"code":-32601,"message":"what?"}}
  )");
  EXPECT_EQ(Part(draft, "/errors/codes"), R"({"-32601": "Method not found", "7": "denied"})");
}

// -> a call of "a" with each of these as its params.
std::string Calls(const std::vector<std::string>& params) {
  std::string conversation;
  for (const std::string& one : params) {
    conversation += "-> {\"method\":\"a\",\"params\":" + one + "}\n";
  }
  return conversation;
}

std::string SchemaOf(const std::vector<std::string>& params) {
  const std::string draft = Drafted(Calls(params));
  EXPECT_EQ(Drift(draft, Calls(params)), "");
  return Part(draft, "/methods/a/params");
}

TEST(InferSchemaTest, TypesAreMerged) {
  EXPECT_EQ(SchemaOf({"[1]", "[2,null]"}),
            R"({"type": "array", "items": {"type": ["null", "integer"]}})");
  EXPECT_EQ(SchemaOf({"[1]", "[0.5]"}), R"({"type": "array", "items": {"type": "number"}})");
  EXPECT_EQ(SchemaOf({"[1.0]"}), R"({"type": "array", "items": {"type": "number"}})");
  EXPECT_EQ(SchemaOf({"[]"}), R"({"type": "array"})");
  EXPECT_EQ(SchemaOf({"{}", "[]", "null"}), R"({"type": ["null", "array", "object"]})");
}

TEST(InferSchemaTest, FewWordsInManySamplesAreAnEnum) {
  std::vector<std::string> params(8, R"(["info"])");
  EXPECT_EQ(SchemaOf(params),
            R"({"type": "array", "items": {"type": "string", "enum": ["info"]}})");
  params.push_back(R"(["warn"])");
  EXPECT_THAT(SchemaOf(params), HasSubstr(R"("enum": ["info", "warn"])"));
  params.push_back(R"([null])");
  EXPECT_THAT(SchemaOf(params), HasSubstr(R"("enum": ["info", "warn", null])"));
  params.push_back(R"(["as said before"])");
  EXPECT_THAT(SchemaOf(params), Not(HasSubstr("enum")));
  EXPECT_THAT(SchemaOf(std::vector<std::string>(8, R"(["cb-17"])")), Not(HasSubstr("enum")));
}

TEST(InferSchemaTest, Formats) {
  const std::pair<const char*, const char*> kFormats[] = {
      {"7f1c5a9e-3f57-4a3f-9a0a-0c1ed0a4b7d2", "uuid"},
      {"2026-11-21", "date"},
      {"2026-11-21T10:00:00.5+01:00", "date-time"},
      {"https://example.org/x", "uri"},
      {"file:///tmp/x", "uri"},
      {"/srv/shop", "path"},
      {"C:\\\\shop", "path"}};
  for (const auto& [text, format] : kFormats) {
    EXPECT_EQ(SchemaOf({"[\"" + std::string(text) + "\"]"}),
              "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"format\": \"" +
                  std::string(format) + "\"}}");
  }
  EXPECT_THAT(SchemaOf({R"(["/srv/shop", "other"])"}), Not(HasSubstr("format")));
}

TEST(InferSchemaTest, NamesThatAreDataMakeAMap) {
  EXPECT_EQ(SchemaOf({R"({"src/a.py":{"n":1}})", R"({"src/b.py":{"n":2,"m":"x"}})"}),
            "{\n  \"type\": \"object\",\n  \"additionalProperties\": {\n    \"type\": \"object\",\n"
            "    \"required\": [\"n\"],\n"
            "    \"properties\": {\"m\": {\"type\": \"string\"}, \"n\": {\"type\": \"integer\"}}\n"
            "  }\n}");
  EXPECT_EQ(SchemaOf({R"({"a":1})", R"({"b c":"x"})", "[true]"}),
            R"({"type": ["array", "object"]})");
}

TEST(InferSchemaTest, ManyNamesMakeAMap) {
  std::string object = "{";
  for (int i = 0; i < 300; ++i)
    object += "\"n" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  object.back() = '}';
  EXPECT_EQ(SchemaOf({object}),
            R"({"type": "object", "additionalProperties": {"type": "integer"}})");
}

TEST(InferSchemaTest, TheSameNameTwiceDoesNotMakeUpForAMissingOne) {
  EXPECT_THAT(SchemaOf({R"({"a":1,"a":2})", R"({"b":1})"}), Not(HasSubstr("required")));
}

TEST(InferSchemaTest, DeepValuesAreAnything) {
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  EXPECT_THAT(SchemaOf({deep}), HasSubstr("{}"));
}

TEST(InferSchemaTest, WhatHasNoUtf8IsLeftOut) {
  SchemaOf({"{\"\\ud800\":1}", "{\"a\":\"\xFF\"}"});
  const std::string odd = "-> {\"method\":\"\xFF\"}\n-> {\"method\":\"strict\"}\n";
  EXPECT_EQ(Drift(Drafted(odd), odd), "");
}

TEST(InferSchemaTest, ParamsThatAreMissingSometimes) {
  const std::string draft = Drafted("-> {\"method\":\"a\"}\n" + Calls({"[1]"}));
  EXPECT_EQ(Part(draft, "/methods/a"),
            "{\"from\": \"host\", \"kind\": \"notification\", "
            "\"params\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}}}");
}

TEST(InferTest, DapHasOtherNamesForTheSameParts) {
  const std::string dap = R"(
    => {"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}
    <= {"seq":1,"type":"response","request_seq":1,"command":"initialize","success":true,"body":{"a":1}}
    <= {"seq":2,"type":"event","event":"initialized"}
  )";
  const std::string draft = Drafted(dap);
  EXPECT_EQ(Drift(draft, dap), "");
  EXPECT_EQ(Part(draft, "/jsonrpc"), "\"off\"");
  EXPECT_EQ(Part(draft, "/methods/initialize/result/required"), "[\"a\"]");
}

TEST(InferTest, ALastRequestThatTheExitCutOffMayStayOpen) {
  const char kSession[] = R"(spawn
    -> {"jsonrpc":"2.0","id":1,"method":"hello"}
    <- {"jsonrpc":"2.0","id":1,"result":1}
    -> {"jsonrpc":"2.0","id":2,"method":"exit"}
    exit 0
    end
  )";
  EXPECT_EQ(Drift(Drafted(kSession), kSession).find("must"), std::string::npos);
}

TEST(InferTest, WhatTheSessionsBreakIsNoted) {
  const std::string odd = R"(
    <- hello, I am a banner
    -> [{"id":1,"method":"a"},{"method":"b"}]
    <- {"id":1,"result":1}
    <- {"id":1,"result":1}
  )";
  const std::string draft = Drafted(odd);
  EXPECT_EQ(Drift(draft, odd), "");
  EXPECT_EQ(Part(draft, "/batch"), "\"off\"");
  EXPECT_EQ(Part(draft, "/severities"), R"({"answer.once": "note", "stdout.junk": "note"})");
}

TEST(InferHandlesTest, MadeByTheHostForTheTimeOfACall) {
  const std::string calls = R"(
    -> {"id":1,"method":"each","params":{"callback":{"id":"cb-1"}}}
    <- {"id":1,"method":"back","params":{"id":"cb-1"}}
    -> {"id":1,"result":1}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"each","params":{"callback":{"id":"cb-2"}}}
    <- {"id":2,"method":"back","params":{"id":"cb-2"}}
    -> {"id":2,"result":1}
    <- {"id":2,"result":1}
  )";
  const std::string draft = Drafted(calls);
  EXPECT_EQ(Part(draft, "/handles/0/life"), "\"call\"");
  EXPECT_EQ(Part(draft, "/handles/0/made"), R"(["each:/params/callback/id"])");
  EXPECT_EQ(Part(draft, "/handles/0/used"), R"(["back:/params/id"])");
  EXPECT_EQ(Drift(draft, Replaced(calls, "\"back\",\"params\":{\"id\":\"cb-2",
                                  "\"back\",\"params\":{\"id\":\"cb-1")),
            "should handle.callback-id 6 back /params/id: got \"cb-1\"\n");
}

TEST(InferHandlesTest, AValueOfUnknownOriginMakesAPlaceNone) {
  const std::string draft = Drafted(R"(
    -> {"id":1,"method":"list"}
    <- {"id":1,"result":[{"id":"a1b2"},{"id":"c3d4"}]}
    -> {"method":"get","params":{"id":"a1b2"}}
    -> {"method":"get","params":{"id":"guess-1"}}
    -> {"method":"put","params":{"ids":["c3d4","a1b2"]}}
  )");
  EXPECT_EQ(Part(draft, "/handles/0/used"), R"(["put:/params/ids/*"])");
  EXPECT_EQ(Part(draft, "/handles/1"), "nothing");
}

TEST(InferHandlesTest, ASmallNumberOnceIsChance) {
  const std::string once = R"(
    -> {"id":1,"method":"new"}
    <- {"id":1,"result":{"object_id":1}}
    -> {"method":"use","params":{"object_id":1}}
  )";
  EXPECT_EQ(Part(Drafted(once), "/handles"), "nothing");
  EXPECT_EQ(Part(Drafted(once + "-> {\"method\":\"use\",\"params\":{\"object_id\":1}}\n"),
                 "/handles/0/name"),
            "\"object id\"");
}

constexpr char kDay[] = R"(
  -> {"id":1,"method":"open","params":{"run":"r-1a"}}
  <- {"method":"tick"}
  <- {"id":1,"result":{"thread_id":"t-11","took":[1,5],"name":"x"}}
  -> {"method":"go","params":{"thread_id":"t-11"}}
)";

TEST(InferVolatileTest, WhatDiffersBetweenSessions) {
  std::string other = Replaced(kDay, "[1,5]", "[1,6]");
  for (int i = 0; i < 2; ++i) other = Replaced(other, "t-11", "t-22");
  other = Replaced(Replaced(other, "r-1a", "r-2b"), "<- {\"method\":\"tick\"}", "");
  const std::string draft = Drafted(std::string(kDay) + "session\n" + other);
  EXPECT_EQ(Part(draft, "/volatile"), R"(["tick"])");
  // The handle is replay's to bind.
  EXPECT_EQ(Part(draft, "/ignore"), R"(["open:/result/took/*"])");
  EXPECT_EQ(Part(draft, "/handles/0/made"), R"(["open:/result/thread_id"])");
}

TEST(InferVolatileTest, AMethodWithABracketCannotBeNamed) {
  const std::string day = Replaced(kDay, "\"open\"", "\"open[1]\"");
  const std::string other = Replaced(day, "[1,5]", "[1,6]");
  EXPECT_EQ(Part(Drafted(day + "session\n" + other), "/ignore"), "nothing");
}

TEST(InferVolatileTest, EqualSessionsHaveNothingVolatile) {
  const std::string draft = Drafted(std::string(kDay) + "session\n" + kDay);
  EXPECT_EQ(Part(draft, "/volatile"), "nothing");
  EXPECT_EQ(Part(draft, "/ignore"), "nothing");
}

TEST(InferVolatileTest, AnotherRequestMayHaveAnotherAnswer) {
  const std::string other =
      Replaced(Replaced(kDay, "[1,5]", "[1,6]"), "\"run\":\"r-1a\"", "\"run\":2");
  EXPECT_EQ(Part(Drafted(std::string(kDay) + "session\n" + other), "/ignore"), "nothing");
}

TEST(InferTest, AfterAGapNothingIsKnown) {
  const std::string gap = R"(
    spawn
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"id":"x1y2"}}
    gap
    -> {"method":"b","params":{"id":"never-5een"}}
    <- {"id":7,"result":1}
    exit 3
    end
  )";
  EXPECT_EQ(Drift(Drafted(gap), gap), "");
}

TEST(InferTest, MoreMethodsThanAreKeptAreNotRefused) {
  std::string many;
  for (int i = 0; i < 1500; ++i) many += "-> {\"method\":\"m" + std::to_string(i) + "\"}\n";
  const std::string draft = Drafted(many);
  EXPECT_EQ(Part(draft, "/unknown_methods"), "\"off\"");
  EXPECT_EQ(Drift(draft, many), "");
}

// Each golden session of a protocol: as if it were not known.
std::set<std::string> GoldenSessions() {
  std::set<std::string> paths;
  for (const auto& folder : std::filesystem::directory_iterator(SourceFolder() + "/corpora")) {
    const std::filesystem::path path = folder.path() / "sessions/golden.jsonl";
    if (std::filesystem::exists(path)) paths.insert(path.string());
  }
  return paths;
}

void PlayFile(const std::string& path, SessionHandler* handler) {
  const auto reader = OpenTrace(path);
  ASSERT_TRUE(reader) << path;
  Session session(handler);
  EXPECT_TRUE(Play(reader->get(), &session)) << path;
}

// What the golden sessions ask for and their plugins do not know (-32601).
const std::set<std::string> kRefusedMethods = {"_example/unknown", "host/workspace_list",
                                               "textDocument/codeLens"};

TEST(InferGoldenTest, EachIsCleanByItsOwnDraft) {
  EXPECT_GE(GoldenSessions().size(), 6u);
  for (const std::string& path : GoldenSessions()) {
    for (const bool closed : {false, true}) {
      check::Inference inference;
      PlayFile(path, inference.handler());
      inference.Finish();
      EXPECT_GT(inference.messages(), 20u);
      const std::string draft = inference.Draft({.name = "golden", .closed = closed});
      const Result<wire::Dialect> dialect = Load(draft);
      ASSERT_TRUE(dialect) << path << dialect.error().Text();
      std::string found;
      auto checker = check::Checker::Create(&*dialect, [&](const trace::Violation& finding) {
        // The draft has no calls that were refused.
        if (finding.rule == "method.unknown" && kRefusedMethods.contains(finding.method)) return;
        if (finding.severity != wire::Severity::kNote) found += TextOf(finding);
      });
      ASSERT_TRUE(checker);
      PlayFile(path, checker->get());
      (*checker)->Finish();
      EXPECT_EQ(found, "") << path;
    }
  }
}

TEST(InferGoldenTest, ScriptlingsHandlesAreFound) {
  check::Inference inference;
  PlayFile(SourceFolder() + "/corpora/scriptling/sessions/golden.jsonl", inference.handler());
  inference.Finish();
  const std::string draft = inference.Draft({.name = "golden"});
  EXPECT_EQ(Part(draft, "/handles/0/name"), "\"callback id\"");
  EXPECT_EQ(Part(draft, "/handles/0/used"), R"(["callback.call:/params/id"])");
  EXPECT_EQ(Part(draft, "/handles/0/life"), "\"call\"");
  EXPECT_EQ(Part(draft, "/handles/1/name"), "\"object id\"");
}

}  // namespace
}  // namespace midwire::trace
