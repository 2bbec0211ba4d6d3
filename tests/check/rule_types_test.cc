// The rule types of dialects. The test language: a rule's JSON without its id, a conversation, and
// what is found, a line each: "#3 p2h /params/url: EXPECTED | GOT".
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "check/rules/types.h"
#include "tests/trace/script.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace {
namespace {

// A conversation: "> {...}" the host says, "< {...}" the plugin says, "+50" so many milliseconds
// pass, "spawn NAME", "exit 1", "killed 9", "signal 15", "part 2", "gap", "---" the next session.
class Conversation : public SessionHandler {
 public:
  // With one rule, as a rule.
  template <typename Rules = std::initializer_list<std::string>>
  explicit Conversation(const Rules& rules) {
    for (const std::string& rule : rules) {
      const Result<wire::Json> json = wire::ParseJson(rule);
      EXPECT_TRUE(json.ok()) << rule;
      wire::RuleSpec& spec = *specs_.emplace_back(std::make_unique<wire::RuleSpec>());
      spec.id = "r";
      spec.type = json->String("type");
      spec.clause = "7";
      if (json->String("severity") == "off") spec.severity = wire::Severity::kOff;
      spec.json = *json;
      Result<std::unique_ptr<check::CheckRule>> made = check::MakeRule(spec, nullptr);
      if (!made) error = made.error().Text();
      if (made) rules_.push_back(std::move(*made));
    }
  }

  void Say(const std::string& line) {
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    const std::string word = line.substr(line.find(' ') + 1);
    if (line[0] == '>') session_.OnRecord(Host(rest + "\n", now_).record());
    if (line[0] == '<') session_.OnRecord(Plugin(rest + "\n", now_).record());
    if (line[0] == '+') now_ += std::stoll(line.substr(1)) * 1'000'000;
    if (line == "untimed") now_ = 0;
    if (line == "---") session_.OnSection();
    if (line.starts_with("spawn")) Event(SpawnEvent{.argv = {word}});
    if (line.starts_with("part")) Event(SpawnEvent{.argv = {"p"}, .part = std::stoi(word)});
    if (line.starts_with("exit")) Event(ExitEvent{.code = std::stoi(word)});
    if (line.starts_with("killed")) Event(ExitEvent{.code = -1, .signal = std::stoi(word)});
    if (line.starts_with("signal")) Event(SignalEvent{std::stoi(word)});
    if (line == "gap") Event(GapEvent{1, "lost"});
  }

  std::string error, found;
  uint64_t findings = 0;

 private:
  void Event(const Event& event) { session_.OnRecord(Happened(event, now_).record()); }

  // As check::Checker shows a message.
  void Show(const RecordedMessage& recorded, std::string_view body) {
    check::Observed seen;
    seen.recorded = &recorded;
    seen.message = recorded.message;
    seen.body = body;
    seen.json = wire::IsLooseJson(body);
    seen.request = recorded.request ? &*recorded.request : nullptr;
    seen.method = seen.request ? std::string_view(seen.request->method) : recorded.message->method;
    if (seen.json && body.front() == '{') {
      wire::JsonParts parts(body);
      for (wire::JsonPart part; parts.Next(&part);) {
        if (part.name == "\"params\"") seen.params = part.value;
        if (part.name == "\"result\"") seen.result = part.value;
        if (part.name == "\"error\"") seen.error = part.value;
      }
    }
    for (const auto& rule : rules_) rule->OnMessage(seen, &report_);
  }
  void OnMessage(const RecordedMessage& recorded) override {
    const std::string_view body = wire::Trimmed(recorded.frame->body());
    elements_.reset();
    if (recorded.message->kind == wire::Kind::kBatch) elements_.emplace(body);
    Show(recorded, body);
  }
  void OnElement(const RecordedMessage& element) override {
    wire::JsonPart part;
    if (elements_ && elements_->Next(&part)) Show(element, part.value);
  }
  void OnEvent(int64_t time_ns, const trace::Event& event) override {
    for (const auto& rule : rules_) rule->OnEvent(time_ns, event, &report_);
  }
  void OnSectionEnd(const wire::Exchanges&) override {
    for (const auto& rule : rules_) rule->OnSessionEnd(true, &report_);
  }

  wire::Dialect dialect_;
  std::vector<std::unique_ptr<wire::RuleSpec>> specs_;  // rules point to theirs
  std::vector<std::unique_ptr<check::CheckRule>> rules_;
  check::CheckReport report_{&dialect_, [this](const check::Violation& finding) {
                               ++findings;
                               EXPECT_EQ(finding.rule + " " + finding.clause, "r 7");
                               if (found.size() > 10'000) return;
                               found += "#" + std::to_string(finding.frame) + " ";
                               found += wire::ShortName(finding.direction);
                               found += " " + finding.pointer + ": " + finding.expected + " | " +
                                        finding.got;
                               if (finding.severity != wire::Severity::kMust) {
                                 found += " (" + std::string(wire::Name(finding.severity)) + ")";
                               }
                               found += "\n";
                             }};
  Session session_{this};
  int64_t now_ = 1'763'722'800'000'000'000;
  std::optional<wire::JsonParts> elements_;
};

std::string Found(const std::string& rule, const std::vector<std::string>& lines) {
  Conversation conversation({rule});
  for (const std::string& line : lines) conversation.Say(line);
  return conversation.error + conversation.found;
}
std::string ErrorOf(const std::string& rule) { return Conversation({rule}).error; }

// Short forms of messages, with ids of their sender.
std::string Ask(char who, int id, const std::string& method, const std::string& params = "{}") {
  return std::string(1, who) + " {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"method\":\"" + method + "\",\"params\":" + params + "}";
}
std::string Tell(char who, const std::string& method, const std::string& params = "{}") {
  return std::string(1, who) + " {\"jsonrpc\":\"2.0\",\"method\":\"" + method +
         "\",\"params\":" + params + "}";
}
std::string Answer(char who, int id, const std::string& result = "null") {
  return std::string(1, who) + " {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"result\":" + result + "}";
}
std::string Refuse(char who, int id, int code) {
  return std::string(1, who) + " {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"error\":{\"code\":" + std::to_string(code) + ",\"message\":\"no\"}}";
}

// gate

const std::string kGate = R"({"type":"gate","methods":["host/network/fetch"],"code":-32001,
  "grant":"plugin/init:/result/manifest/capabilities/network",
  "known":"plugin/init:/result/manifest","value":"/params/url","asking":"should"})";

std::vector<std::string> Fetch(const std::string& init, const std::string& answer,
                               const std::string& url = "https://api.example.com/x") {
  return {Ask('>', 1, "plugin/init"), Answer('<', 1, init),
          Ask('<', 1, "host/network/fetch", "{\"url\":\"" + url + "\"}"), answer};
}
std::string Manifest(const std::string& network) {
  return R"({"manifest":{"capabilities":{"network":)" + network + "}}}";
}

TEST(GateRule, GrantedIsFine) {
  EXPECT_EQ(Found(kGate, Fetch(Manifest("true"), Answer('>', 1))), "");
}
TEST(GateRule, DeniedAndAnsweredWithTheCodeIsTheAskersOnly) {
  EXPECT_EQ(Found(kGate, Fetch(Manifest("false"), Refuse('>', 1, -32001))),
            "#3 p2h /method: a grant at plugin/init:/result/manifest/capabilities/network | "
            "host/network/fetch (should)\n");
}
TEST(GateRule, DeniedButAnsweredIsTheHostsToo) {
  EXPECT_EQ(Found(kGate, Fetch(Manifest("false"), Answer('>', 1))),
            "#3 p2h /method: a grant at plugin/init:/result/manifest/capabilities/network | "
            "host/network/fetch (should)\n"
            "#4 h2p /result: error -32001 to host/network/fetch | a result\n");
}
TEST(GateRule, DeniedWithAnotherCode) {
  const std::string found = Found(kGate, Fetch(Manifest("[]"), Refuse('>', 1, -32603)));
  EXPECT_NE(found.find("#4 h2p /error/code: error -32001 to host/network/fetch | -32603\n"),
            found.npos)
      << found;
}
TEST(GateRule, AManifestWithoutTheFlagGrantsNothing) {
  EXPECT_NE(Found(kGate, Fetch(R"({"manifest":{}})", Answer('>', 1))), "");
}
TEST(GateRule, WithoutAManifestNobodyKnows) {
  EXPECT_EQ(Found(kGate, Fetch(R"({"name":"p","version":"1"})", Answer('>', 1))), "");
  EXPECT_EQ(Found(kGate, {Ask('<', 1, "host/network/fetch"), Answer('>', 1)}), "");
  EXPECT_EQ(Found(kGate, {Ask('>', 1, "plugin/init"), Refuse('<', 1, -32003),
                          Ask('<', 1, "host/network/fetch"), Answer('>', 1)}),
            "");
}
TEST(GateRule, AListNamesHosts) {
  const std::string list = Manifest(R"(["api.example.com","other.org"])");
  for (const char* url : {"https://api.example.com", "HTTPS://API.Example.COM:443/a?b@evil.org",
                          "http://user:pw@api.example.com/", "other.org", "https://other.org#x",
                          "https://a@b@other.org"}) {
    EXPECT_EQ(Found(kGate, Fetch(list, Answer('>', 1), url)), "") << url;
  }
  for (const char* url :
       {"https://evil.org/", "https://api.example.com@evil.org/",
        "https://api.example.com.evil.org", R"(https://evil.org\\@api.example.com/)",
        "https://[::1]:80/", "", "https://"}) {
    EXPECT_NE(Found(kGate, Fetch(list, Answer('>', 1), url)), "") << url;
  }
}
TEST(GateRule, WhatIsNotGrantedIsForgottenWithTheSession) {
  std::vector<std::string> lines = Fetch(Manifest("false"), Refuse('>', 1, -32001));
  lines.push_back("---");
  lines.push_back(Ask('<', 1, "host/network/fetch"));
  lines.push_back(Answer('>', 1));
  EXPECT_EQ(Found(kGate, lines), Found(kGate, Fetch(Manifest("false"), Refuse('>', 1, -32001))));
}
TEST(GateRule, OffIsOff) {
  EXPECT_EQ(Found(R"({"type":"gate","methods":"m","grant":"i:/result/a/b","severity":"off"})",
                  {Ask('>', 1, "i"), Answer('<', 1, R"({"a":{}})"), Tell('<', "m")}),
            "");
}

const std::string kNeeds = R"({"type":"gate","methods":["file.analyze"],
  "grant":"plugin.init:/result/capabilities","contains":"analyze"})";

TEST(GateRule, ACapabilityMustBeInTheList) {
  const auto with = [](const std::string& result) {
    return Found(kNeeds, {Ask('>', 1, "plugin.init"), Answer('<', 1, result),
                          Ask('>', 2, "file.analyze"), Answer('<', 2)});
  };
  EXPECT_EQ(with(R"({"capabilities":["rules","analyze"]})"), "");
  EXPECT_EQ(with(R"({"capabilities":{"analyze":{}}})"), "");
  const std::string wrong =
      "#3 h2p /method: analyze at plugin.init:/result/capabilities | file.analyze\n";
  EXPECT_EQ(with(R"({"capabilities":["rules"]})"), wrong);
  EXPECT_EQ(with(R"({"capabilities":[]})"), wrong);
  EXPECT_EQ(with(R"({"capabilities":{"analyze":false}})"), wrong);
  EXPECT_EQ(with("{}"), wrong);
}
TEST(GateRule, AGrantMayBeInARequest) {
  const std::string rule = R"({"type":"gate","methods":["sampling/*"],
    "grant":"initialize:/params/capabilities/sampling"})";
  const std::string ask = Ask('<', 1, "sampling/createMessage");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "initialize", R"({"capabilities":{"sampling":{}}})"), ask}),
            "");
  EXPECT_NE(Found(rule, {Ask('>', 1, "initialize", R"({"capabilities":{}})"), ask}), "");
}
TEST(GateRule, OfABatchEachRequestHasItsOwnAnswer) {
  const std::string rule = R"({"type":"gate","methods":["m"],"grant":"i:/result/a/b","code":-1,
    "asking":"off"})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "i"), Answer('<', 1, R"({"a":{}})"),
                         R"(> [{"id":1,"method":"m"},{"id":2,"method":"k"},{"id":3,"method":"m"}])",
                         Answer('<', 2), Answer('<', 3), Refuse('<', 1, -1)}),
            "#5 p2h /result: error -1 to m | a result\n");
}

// path

const std::string kPath = R"({"type":"path","at":["fs/read:/params/path"],"roots":[
  {"prefix":"~/.claude/projects","grant":"init:/result/manifest/capabilities/claude",
   "known":"init:/result/manifest"},
  {"prefix":"/usr/share/p/"}],"code":-32001,"asking":"off"})";

// Whether a host that answers with a result is found wrong.
bool MustBeDenied(const std::string& path, const std::string& capabilities = R"({"claude":true})") {
  return !Found(kPath, {Ask('>', 1, "init"),
                        Answer('<', 1, "{\"manifest\":{\"capabilities\":" + capabilities + "}}"),
                        Ask('<', 1, "fs/read", "{\"path\":\"" + path + "\"}"), Answer('>', 1)})
              .empty();
}

TEST(PathRule, InAGrantedRoot) {
  for (const char* path :
       {"~/.claude/projects", "~/.claude/projects/", "~/.claude/projects/a/b.jsonl",
        "~/.claude/./projects//a", "/home/ada/.claude/projects/a", "/tmp/x/.claude/projects",
        "/usr/share/p/x", "/usr/share/p", "~/.claude/projects/a..b", "~/.claude/projects/..."}) {
    EXPECT_FALSE(MustBeDenied(path)) << path;
  }
}
TEST(PathRule, OutsideOfEveryRoot) {
  for (const char* path : {"/etc/passwd", "~/.claude", "~/.claude/projectsx", "~", "", "x",
                           "/usr/share/pq", ".claude/projects/a", "/home/ada/claude/projects",
                           "~/a/.claude/projects", "~ada/.claude/projects"}) {
    EXPECT_TRUE(MustBeDenied(path)) << path;
  }
}
TEST(PathRule, StepsUpward) {
  for (const char* path : {"~/.claude/projects/..", "~/.claude/projects/../../.ssh/id", "..",
                           R"(~/.claude/projects/a\\..\\x)", "/usr/share/p/a/../b",
                           R"(~/.claude/projects/\u002e./x)"}) {
    EXPECT_TRUE(MustBeDenied(path)) << path;
  }
}
TEST(PathRule, ARootThatIsNotGranted) {
  EXPECT_TRUE(MustBeDenied("~/.claude/projects/a", "{}"));
  EXPECT_TRUE(MustBeDenied("~/.claude/projects/a", R"({"claude":false})"));
  EXPECT_FALSE(MustBeDenied("/usr/share/p/a", "{}"));
}
TEST(PathRule, WhatNobodyKnowsMayBeGranted) {
  const auto read = [](const std::string& path) {
    return Found(kPath, {Ask('<', 1, "fs/read", "{\"path\":\"" + path + "\"}"), Answer('>', 1)});
  };
  EXPECT_EQ(read("~/.claude/projects/a"), "");
  EXPECT_EQ(read("/etc"), "#2 h2p /result: error -32001 to /etc | a result\n");
}
TEST(PathRule, DeniedAsItMust) {
  EXPECT_EQ(Found(kPath, {Ask('<', 1, "fs/read", R"({"path":"../x"})"), Refuse('>', 1, -32001)}),
            "");
  EXPECT_EQ(Found(kPath, {Ask('<', 1, "fs/read", R"({"path":"../x"})"), Refuse('>', 1, -32602)}),
            "#2 h2p /error/code: error -32001 to ../x | -32602\n");
}
TEST(PathRule, AskingIsGraded) {
  EXPECT_EQ(Found(R"({"type":"path","at":"m:/params/paths/*","roots":[{"prefix":"/a"}]})",
                  {Tell('<', "m", R"({"paths":["/a/b","/b","/c"]})")}),
            "#1 p2h /params/paths/1: a path in one of the roots | /b\n");
}

// same

const std::string kSame =
    R"({"type":"same","methods":["render"],"reset":["handle_*"],"at":"/result/buffer"})";

TEST(SameRule, EqualParamsEqualResults) {
  EXPECT_EQ(Found(kSame, {Ask('>', 1, "render", R"({"w":80,"h":1e1})"),
                          Answer('<', 1, R"({"buffer":[1,{"a":1,"b":2}],"ms":3})"),
                          Ask('>', 2, "render", R"({ "h":10, "w":80.0 })"),
                          Answer('<', 2, R"({"ms":4,"buffer":[1.0,{"b":2,"\u0061":1}]})")}),
            "");
}
TEST(SameRule, EqualParamsOtherResults) {
  EXPECT_EQ(Found(kSame,
                  {Ask('>', 1, "render"), Answer('<', 1, R"({"buffer":1})"), Ask('>', 2, "render"),
                   Answer('<', 2, R"({"buffer":2})"), Ask('>', 3, "render"), Answer('<', 3, "{}")}),
            "#4 p2h /result/buffer: as in #2 | 2\n"
            "#6 p2h /result/buffer: as in #2 | \n");
}
TEST(SameRule, OtherParamsOrAResetBetween) {
  EXPECT_EQ(Found(kSame, {Ask('>', 1, "render"), Answer('<', 1, R"({"buffer":1})"),
                          Ask('>', 2, "render", R"({"x":1})"), Answer('<', 2, R"({"buffer":2})"),
                          Tell('>', "handle_key"), Ask('>', 3, "render"),
                          Answer('<', 3, R"({"buffer":3})")}),
            "");
}
TEST(SameRule, AResetWhileTheRequestIsOpen) {
  EXPECT_EQ(Found(kSame, {Ask('>', 1, "render"), Tell('>', "handle_key"),
                          Answer('<', 1, R"({"buffer":1})"), Ask('>', 2, "render"),
                          Answer('<', 2, R"({"buffer":2})"), Ask('>', 3, "render"),
                          Answer('<', 3, R"({"buffer":2})")}),
            "");
}
TEST(SameRule, ErrorsAndOtherSessionsAreNotCompared) {
  EXPECT_EQ(Found(kSame, {Ask('>', 1, "render"), Refuse('<', 1, -1), Ask('>', 2, "render"),
                          Answer('<', 2, R"({"buffer":1})"), "---", Ask('>', 1, "render"),
                          Answer('<', 1, R"({"buffer":2})")}),
            "");
}

// chunks

const std::string kChunks = R"({"type":"chunks","methods":["publish"],"topic":"/params/topic",
  "batch":"/params/ns","index":"/params/index","final":"/params/final"})";

std::string Chunk(int index, bool last, int ns = 7, const std::string& topic = "usage") {
  return Tell('<', "publish",
              "{\"topic\":\"" + topic + "\",\"ns\":" + std::to_string(ns) + ",\"index\":" +
                  std::to_string(index) + ",\"final\":" + (last ? "true" : "false") + "}");
}

TEST(ChunksRule, InOrder) {
  EXPECT_EQ(Found(kChunks, {Chunk(0, true), Chunk(0, false), Chunk(1, false), Chunk(2, true),
                            Chunk(0, true, 8)}),
            "");
}
TEST(ChunksRule, TopicsHaveTheirOwn) {
  EXPECT_EQ(Found(kChunks, {Chunk(0, false), Chunk(0, false, 9, "b"), Chunk(1, true),
                            Chunk(1, true, 9, "b")}),
            "");
}
TEST(ChunksRule, ZeroBeginsAnew) {
  EXPECT_EQ(
      Found(kChunks, {Chunk(0, false), Chunk(1, false), Chunk(0, false, 8), Chunk(1, true, 8)}),
      "");
}
TEST(ChunksRule, NoFirstChunk) {
  EXPECT_EQ(Found(kChunks, {Chunk(1, false), Chunk(2, true)}),
            "#1 p2h /params/index: 0, as no stream is open | 1\n");
}
TEST(ChunksRule, AGapAndARepeat) {
  EXPECT_EQ(Found(kChunks, {Chunk(0, false), Chunk(2, false), Chunk(2, false), Chunk(3, true)}),
            "#2 p2h /params/index: 1 or 0 | 2\n#3 p2h /params/index: 3 or 0 | 2\n");
}
TEST(ChunksRule, AfterTheLast) {
  EXPECT_EQ(Found(kChunks, {Chunk(0, true), Chunk(1, true)}),
            "#2 p2h /params/index: 0, as no stream is open | 1\n");
}
TEST(ChunksRule, AnotherBatch) {
  EXPECT_EQ(Found(kChunks, {Chunk(0, false), Chunk(1, true, 8)}),
            "#2 p2h /params/ns: the value of the chunk before | 8\n");
}
TEST(ChunksRule, WhatIsNotChunkedIsNotLookedAt) {
  EXPECT_EQ(Found(kChunks, {Tell('<', "publish", R"({"topic":"t"})"),
                            Tell('<', "publish", R"({"index":"1"})"), Tell('<', "other")}),
            "");
}
TEST(ChunksRule, OddNumbers) {
  EXPECT_EQ(Found(kChunks, {Tell('<', "publish", R"({"index":-1})"),
                            Tell('<', "publish", R"({"index":9223372036854775807})"),
                            Tell('<', "publish", R"({"index":1e400})"),
                            Tell('<', "publish", R"({"index":0.0})"),
                            Tell('<', "publish", R"({"index":1.5})")}),
            "#1 p2h /params/index: 0, as no stream is open | -1\n"
            "#2 p2h /params/index: 1 or 0 | 9223372036854775807\n"
            "#3 p2h /params/index: 1 or 0 | 1e400\n"
            "#5 p2h /params/index: 1 or 0 | 1.5\n");
}
TEST(ChunksRule, ARecordingThatBeginsInTheMiddle) {
  EXPECT_EQ(Found(kChunks, {"part 2", Chunk(5, false), Chunk(6, true)}), "");
  EXPECT_EQ(Found(kChunks, {Chunk(0, false), "gap", Chunk(6, true)}), "");
}

// count

const std::string kCount =
    R"({"type":"count","add":"set:/params/key","remove":["delete:/params/key"],
  "clear":["clear"],"max":2})";

std::string Set(int id, const std::string& key) {
  return Ask('<', id, "set", "{\"key\":\"" + key + "\"}");
}

TEST(CountRule, TheSameKeyTwiceIsOne) {
  EXPECT_EQ(Found(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2), Set(3, "a"),
                           Answer('>', 3)}),
            "");
}
TEST(CountRule, OneTooManyWasAccepted) {
  EXPECT_EQ(Found(kCount, {Set(1, "a"), Set(2, "b"), Set(3, "c"), Answer('>', 1), Answer('>', 3),
                           Answer('>', 2)}),
            "#6 h2p : at most 2 at once | number 3\n");
}
TEST(CountRule, OneTooManyWasRefused) {
  EXPECT_EQ(Found(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2), Set(3, "c"),
                           Refuse('>', 3, -1), Set(4, "d")}),
            "");
}
TEST(CountRule, RemovedAndCleared) {
  EXPECT_EQ(Found(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2),
                           Ask('<', 3, "delete", R"({"key":"a"})"), Answer('>', 3), Set(4, "c"),
                           Answer('>', 4), Ask('<', 5, "clear"), Answer('>', 5), Set(6, "d"),
                           Answer('>', 6), Set(7, "e"), Answer('>', 7)}),
            "");
}
TEST(CountRule, ADeleteThatFailedRemovesNothing) {
  EXPECT_NE(Found(kCount, {Set(1, "a"), Answer('>', 1), Set(2, "b"), Answer('>', 2),
                           Ask('<', 3, "delete", R"({"key":"a"})"), Refuse('>', 3, -1), Set(4, "c"),
                           Answer('>', 4)}),
            "");
}
TEST(CountRule, NotificationsCountAtOnce) {
  EXPECT_EQ(Found(R"({"type":"count","add":"set:/params/key","max":0})",
                  {Tell('<', "set", R"({"key":1})")}),
            "#1 p2h : at most 0 at once | number 1\n");
}

// deadline

const std::string kDeadline =
    R"({"type":"deadline","methods":["invoke"],"limit":"/params/timeout_ms","code":-32002})";

std::vector<std::string> Invoke(const std::string& limit, int took_ms, const std::string& answer) {
  return {Ask('<', 1, "invoke", "{\"timeout_ms\":" + limit + "}"), "+" + std::to_string(took_ms),
          answer};
}

TEST(DeadlineRule, InTime) {
  EXPECT_EQ(Found(kDeadline, Invoke("1000", 999, Answer('>', 1))), "");
  EXPECT_EQ(Found(kDeadline, Invoke("1000", 1040, Answer('>', 1))), "");
}
TEST(DeadlineRule, LateWithTheCode) {
  EXPECT_EQ(Found(kDeadline, Invoke("1000", 5000, Refuse('>', 1, -32002))), "");
}
TEST(DeadlineRule, LateWithAResultOrAnotherCode) {
  EXPECT_EQ(Found(kDeadline, Invoke("1000", 2000, Answer('>', 1))),
            "#2 h2p : error -32002 after 1000 ms | a result after 2000 ms\n");
  EXPECT_EQ(Found(kDeadline, Invoke("1e3", 2000, Refuse('>', 1, -1))),
            "#2 h2p : error -32002 after 1000 ms | an error after 2000 ms\n");
}
TEST(DeadlineRule, NoLimitThatMeansAnything) {
  for (const char* limit : {"0", "-5", "null", "1e400", "1e300", "\"1\""}) {
    EXPECT_EQ(Found(kDeadline, Invoke(limit, 1'000'000, Answer('>', 1))), "") << limit;
  }
}
TEST(DeadlineRule, ALimitOfTheProtocol) {
  EXPECT_EQ(Found(R"({"type":"deadline","methods":["stop"],"limit_ms":1000})",
                  {Ask('>', 1, "stop"), "+1500", Refuse('<', 1, -1)}),
            "#2 p2h : an answer after 1000 ms | an error after 1500 ms\n");
}
TEST(DeadlineRule, WithoutTimesNobodyKnows) {
  EXPECT_EQ(Found(kDeadline, {"untimed", Ask('<', 1, "invoke", R"({"timeout_ms":1})"), "+5000",
                              Answer('>', 1)}),
            "");
}

// requires

TEST(RequiresRule, MethodNotFound) {
  const std::string rule = R"({"type":"requires","methods":["health"]})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "health"), Refuse('<', 1, -32601)}),
            "#2 p2h /error/code: an answer to health | -32601\n");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "health"), Refuse('<', 1, -32603), Ask('>', 2, "other"),
                         Refuse('<', 2, -32601), Ask('>', 3, "health"), Answer('<', 3)}),
            "");
}
TEST(RequiresRule, AnErrorWithoutACode) {
  const std::string error = R"(< {"id":1,"error":{"message":"no such method"}})";
  EXPECT_EQ(Found(R"({"type":"requires","methods":["health"]})", {Ask('>', 1, "health"), error}),
            "");
  EXPECT_EQ(Found(R"({"type":"requires","methods":["health"],"without_code":true})",
                  {Ask('>', 1, "health"), error}),
            "#2 p2h /error: an answer to health | {\"message\":\"no such method\"}\n");
}

// equal

TEST(EqualRule, AConstant) {
  const std::string rule = R"({"type":"equal","at":"init:/result/abi","value":2})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "init"), Answer('<', 1, R"({"abi":2.0})")}), "");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "init"), Answer('<', 1, "{}")}), "");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "init"), Answer('<', 1, R"({"abi":"2"})")}),
            "#2 p2h /result/abi: 2 | \"2\"\n");
}
TEST(EqualRule, AConstantOfManyParts) {
  const std::string rule =
      R"({"type":"equal","at":"m:/params/*","value":{"a":[1,null,true],"b":"\u00e9\n"}})";
  EXPECT_EQ(Found(rule, {Tell('>', "m", R"([{"b":"é\u000a","a":[1.0,null,true]}])")}), "");
  EXPECT_EQ(Found(rule, {Tell('>', "m", R"([{"b":"é\n","a":[1,null]},3])")}),
            "#1 h2p /params/0: {\"a\":[1,null,true],\"b\":\"é\\n\"} | "
            "{\"b\":\"é\\n\",\"a\":[1,null]}\n"
            "#1 h2p /params/1: {\"a\":[1,null,true],\"b\":\"é\\n\"} | 3\n");
}
TEST(EqualRule, AtAnIndexAndAtAnEscapedName) {
  EXPECT_EQ(Found(R"({"type":"equal","at":"m:/params/1/a~1b","value":1})",
                  {Tell('>', "m", R"([{"a/b":7},{"a\/b":8},{"a/b":9}])")}),
            "#1 h2p /params/1/a~1b: 1 | 8\n");
}
TEST(EqualRule, WhatTheRequestHad) {
  const std::string rule = R"({"type":"equal","at":"hello:/result/v","request":"/params/v"})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "hello", R"({"v":"1"})"), Ask('>', 2, "hello", R"({"v":"2"})"),
                         Answer('<', 2, R"({"v":"2"})"), Answer('<', 1, R"({"v":"2"})")}),
            "#4 p2h /result/v: \"1\" | \"2\"\n");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "hello", R"({"v":"1"})"), Answer('<', 1, R"({"v":"1"})"),
                         Ask('>', 2, "hello"), Answer('<', 2, R"({"v":"2"})")}),
            "");
}
TEST(EqualRule, TheLatestElsewhere) {
  const std::string rule =
      R"({"type":"equal","at":"event:/params/v","as":"init:/result/versions/event"})";
  EXPECT_EQ(
      Found(rule, {Tell('>', "event", R"({"v":9})"), Ask('>', 1, "init"),
                   Answer('<', 1, R"({"versions":{"event":3}})"), Tell('>', "event", R"({"v":3})"),
                   Tell('>', "event", R"({"v":4})"), "---", Tell('>', "event", R"({"v":4})")}),
      "#5 h2p /params/v: 3 | 4\n");
}

// among

TEST(AmongRule, NamesThatWereTold) {
  const std::string rule = R"({"type":"among","at":"call:/params/name",
    "of":["hello:/result/functions/*/name"],"known":"hello:/result/functions"})";
  const std::string call = Ask('>', 2, "call", R"({"name":"greet"})");
  const auto hello = [](const std::string& functions) {
    return Answer('<', 1, "{\"functions\":" + functions + "}");
  };
  EXPECT_EQ(
      Found(rule, {Ask('>', 1, "hello"), hello(R"([{"name":"a"},{"name":"gr\u0065et"}])"), call}),
      "");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "hello"), hello(R"([{"name":"a"}])"), call}),
            "#3 h2p /params/name: a value sent at hello:/result/functions/*/name | \"greet\"\n");
  EXPECT_NE(Found(rule, {Ask('>', 1, "hello"), hello("[]"), call}), "");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "hello"), Answer('<', 1, "{}"), call}), "");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "hello"), hello("[]"), "---", call}), "");
}
TEST(AmongRule, SeveralPlaces) {
  const std::string rule = R"({"type":"among","at":"event:/params/topic",
    "of":["subscribe:/params/topic","init:/result/subscribes/*"]})";
  EXPECT_EQ(
      Found(rule,
            {Tell('>', "event", R"({"topic":"x"})"), Ask('>', 1, "init"),
             Answer('<', 1, R"({"subscribes":["a"]})"),
             Ask('<', 1, "subscribe", R"({"topic":"b"})"), Tell('>', "event", R"({"topic":"a"})"),
             Tell('>', "event", R"({"topic":"b"})"), Tell('>', "event", R"({"topic":"c"})")}),
      "#7 h2p /params/topic: a value sent at subscribe:/params/topic | \"c\"\n");
}

// order

TEST(OrderRule, BeforeItWasAnswered) {
  const std::string rule = R"({"type":"order","before":"initialize","after":["storage/*"]})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "initialize"), Ask('<', 1, "storage/get"), Answer('<', 1),
                         Ask('<', 2, "storage/get")}),
            "#2 p2h /method: initialize first | storage/get\n");
  EXPECT_EQ(Found(rule, {Ask('>', 1, "initialize"), Refuse('<', 1, -1), Tell('<', "storage/x")}),
            "#3 p2h /method: initialize first | storage/x\n");
  EXPECT_EQ(Found(rule, {Tell('>', "ping"), "part 2", Ask('<', 1, "storage/get")}), "");
}
TEST(OrderRule, ANotificationIsDoneAsSaid) {
  EXPECT_EQ(Found(R"({"type":"order","before":"initialized","after":["*"]})",
                  {Tell('>', "initialized"), Tell('>', "b"), "---", Tell('>', "b")}),
            "#3 h2p /method: initialized first | b\n");
}

// level

const std::string kLevel = R"({"type":"level","at":"log:/params/level",
  "values":["debug","info","warn"],"minimum":"init:/params/log"})";

std::string Log(const std::string& level) {
  return Tell('<', "log", "{\"level\":\"" + level + "\"}");
}

TEST(LevelRule, ALevelThatIsNone) {
  EXPECT_EQ(
      Found(kLevel, {Log("debug"), Log("INFO"), Log("loud"), Tell('<', "log", R"({"level":3})")}),
      "#3 p2h /params/level: one of debug, info, warn | \"loud\"\n"
      "#4 p2h /params/level: one of debug, info, warn | 3\n");
}
TEST(LevelRule, BelowWhatWasAskedFor) {
  EXPECT_EQ(Found(kLevel, {Ask('>', 1, "init", R"({"log":"info"})"), Log("debug"), Answer('<', 1),
                           Log("info"), Log("debug")}),
            "#5 p2h /params/level: info or above | \"debug\"\n");
}
TEST(LevelRule, ALowerOneHoldsAtOnceAHigherOneFromTheAnswer) {
  EXPECT_EQ(Found(kLevel, {Ask('>', 1, "init", R"({"log":"info"})"), Answer('<', 1),
                           Ask('>', 2, "init", R"({"log":"debug"})"), Log("debug"), Answer('<', 2),
                           Ask('>', 3, "init", R"({"log":"warn"})"), Log("info"), Answer('<', 3),
                           Log("info"), "---", Log("debug")}),
            "#9 p2h /params/level: warn or above | \"info\"\n");
}

// either

TEST(EitherRule, AtLeastOne) {
  const std::string rule = R"({"type":"either","at":"search:/params","members":["isbn","query"]})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "search", R"({"isbn":"1","query":"x"})"),
                         Ask('>', 2, "search", R"({"\u0069sbn":"1"})"), Ask('>', 3, "other")}),
            "");
  const std::string none = " h2p /params: at least one of isbn, query | none\n";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "search", R"({"isbn":null,"limit":5})"),
                         R"(> {"id":2,"method":"search"})", Ask('>', 3, "search", "null"),
                         Ask('>', 4, "search", "[]"), Answer('<', 1)}),
            "#1" + none + "#2" + none + "#3" + none);
}
TEST(EitherRule, ExactlyOne) {
  const std::string rule = R"({"type":"either","at":"call:/params/args/*","exactly":true,
    "members":["value","items","entries"]})";
  EXPECT_EQ(Found(rule, {Ask('>', 1, "call", R"({"args":[{"value":1},{"value":1,"items":[]},{}]})"),
                         Ask('>', 2, "call")}),
            "#1 h2p /params/args/1: exactly one of value, items, entries | value, items\n"
            "#1 h2p /params/args/2: exactly one of value, items, entries | none\n");
}

// respawn

const std::string kRespawn = R"({"type":"respawn","failures":3,"window_ms":60000,
  "closed_by":["stop"],"delays_ms":[1000,4000,16000]})";

TEST(RespawnRule, QuarantineAfterThreeFailures) {
  EXPECT_EQ(Found(kRespawn, {"spawn p", "+100", "killed 11", "---", "+1000", "spawn p", "+100",
                             "exit 1", "---", "+4000", "spawn p", "exit 1", "---", "+16000",
                             "spawn p", "exit 0", "---", "+100", "spawn p"}),
            "#0 h2p : no session after 3 failures in 60000 ms | "
            "one that began 16000 ms after the last of them\n");
}
TEST(RespawnRule, FailuresThatAreFarBetween) {
  EXPECT_EQ(Found(kRespawn, {"spawn p", "exit 1", "---", "+40000", "spawn p", "exit 1", "---",
                             "+40000", "spawn p", "exit 1", "---", "+40000", "spawn p"}),
            "");
}
TEST(RespawnRule, TooSoonIsGradedForItself) {
  EXPECT_EQ(Found(kRespawn, {"spawn p", "exit 1", "---", "+950", "spawn p", "exit 2", "---",
                             "+1000", "spawn p"}),
            "#0 h2p : 4000 ms after failure 2 in a row | 1000 ms (should)\n");
}
TEST(RespawnRule, WhatTheHostEndedDidNotFail) {
  EXPECT_EQ(
      Found(kRespawn, {"spawn p", "signal 15", "killed 15", "---", "spawn p", Ask('>', 1, "stop"),
                       "exit 1", "---", "spawn p", "exit 0", "---", "spawn p", "exit 1", "---",
                       "+1000", "spawn q", "exit 1", "---", "spawn r"}),
      "");
}
TEST(RespawnRule, WithoutTimesNobodyKnows) {
  EXPECT_EQ(Found(kRespawn, {"untimed", "spawn p", "exit 1", "---", "spawn p", "exit 1", "---",
                             "spawn p", "exit 1", "---", "spawn p"}),
            "");
}

// size

TEST(SizeRule, AsItStandsOnTheWire) {
  const std::string rule = R"({"type":"size","at":"set:/params/data","max":5})";
  EXPECT_EQ(
      Found(rule, {Tell('<', "set", R"({"data":"abc"})"), Tell('<', "set", R"({"data":"abcd"})")}),
      "#2 p2h /params/data: at most 5 bytes | 6 bytes\n");
}

// volume

TEST(VolumeRule, AllThatThePluginSays) {
  // A call makes 57 bytes of a message without its end of line.
  const std::string rule = R"({"type":"volume","from":"plugin","max":MAX})";
  const auto limited = [&](size_t most) {
    std::string text = rule;
    return text.replace(text.find("MAX"), 3, std::to_string(most));
  };
  const std::string said = Tell('<', "log", R"({"data":"abc"})");
  const size_t size = said.substr(said.find('{')).size() + 1;
  EXPECT_EQ(Found(limited(3 * size), {said, said, Tell('>', "a", "{}"), said}), "");
  EXPECT_EQ(Found(limited(3 * size - 1), {said, said, Tell('>', "a", "{}"), said, said}),
            "#4 p2h : at most " + std::to_string(3 * size - 1) + " bytes in all | " +
                std::to_string(3 * size) + " bytes\n");
  EXPECT_EQ(Found(limited(2 * size), {said, said, "---", said, said}), "") << "a session each";
}

// Mistakes in rules.

TEST(RuleTypes, MistakesNameTheMember) {
  EXPECT_TRUE(ErrorOf(R"({"type":"gates"})")
                  .starts_with("not a dialect: there is no rule type \"gates\": /type (one of "));
  EXPECT_EQ(ErrorOf(R"({"type":"gate","methods":["m"]})"),
            "not a dialect: METHOD:/pointer or /pointer is expected: /grant (rule r of type gate)");
  EXPECT_EQ(ErrorOf(R"({"type":"gate","methods":[1],"grant":"/a"})"),
            "not a dialect: a string is expected: /methods/0 (rule r of type gate)");
  EXPECT_EQ(ErrorOf(R"({"type":"size","at":"m:/a","max":1,"maximum":2})"),
            "not a dialect: no such member: /maximum (rule r of type size)");
  EXPECT_EQ(ErrorOf(R"({"type":"path","at":"/a","roots":[{"prefix":"/a"},{"prefix":""}]})"),
            "not a dialect: a path is expected: /roots/1/prefix (rule r of type path)");
  EXPECT_EQ(ErrorOf(R"({"type":"path","at":"/a","roots":[{"prefix":"/a","grants":"/b"}]})"),
            "not a dialect: no such member: /roots/0/grants (rule r of type path)");
}
TEST(RuleTypes, EveryWrongMemberIsAnError) {
  for (const char* rule : {
           R"({"type":"gate","methods":[],"grant":"/a"})",
           R"({"type":"gate","methods":"m","grant":"a"})",
           R"({"type":"gate","methods":"m","grant":["/a","/b"]})",
           R"({"type":"gate","methods":"m","grant":"/a","asking":"loud"})",
           R"({"type":"gate","methods":"m","grant":"/a","code":"x"})",
           R"({"type":"gate","methods":"m","grant":"/a","value":"/b","contains":"c"})",
           R"({"type":"path","at":"/a"})",
           R"({"type":"path","at":"/a","roots":[1]})",
           R"({"type":"same"})",
           R"({"type":"chunks","methods":"m"})",
           R"({"type":"count","add":"/a"})",
           R"({"type":"count","add":"/a","max":-1})",
           R"({"type":"count","add":"/a","max":1000000000000})",
           R"({"type":"count","max":1})",
           R"({"type":"deadline","methods":"m"})",
           R"({"type":"deadline","methods":"m","limit_ms":1.5})",
           R"({"type":"requires"})",
           R"({"type":"requires","methods":"m","without_code":1})",
           R"({"type":"equal","at":"/a"})",
           R"({"type":"equal","at":"/a","value":1,"as":"/b"})",
           R"({"type":"among","at":"/a"})",
           R"({"type":"among","of":"/a"})",
           R"({"type":"order","before":"m"})",
           R"({"type":"level","at":"/a"})",
           R"({"type":"level","values":["a"]})",
           R"({"type":"either","at":"/a","members":[]})",
           R"({"type":"either","at":"/a","members":["a"],"exactly":"yes"})",
           R"({"type":"respawn","failures":0,"window_ms":1})",
           R"({"type":"respawn","failures":100000,"window_ms":1})",
           R"({"type":"respawn","failures":1,"window_ms":1,"delays_ms":["a"]})",
           R"({"type":"size","at":"/a","max":"x"})",
           R"({"type":"volume","max":1})",
           R"({"type":"volume","from":"both","max":1})",
           R"({"type":"volume","from":"host"})",
           R"({"type":"volume","from":"host","max":-1})",
       }) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

// Hostile peers.

const std::string kAllRules[] = {
    R"({"type":"gate","methods":"*","grant":"m:/result/a/b","value":"/params/a","code":-1})",
    R"({"type":"gate","methods":"*","grant":"m:/params/a","contains":"x","code":-1})",
    R"({"type":"path","at":["/params/a","/params/*"],"roots":[{"prefix":"~/a","grant":"/params/b"}],
        "code":-1})",
    R"({"type":"same","methods":"*"})",
    R"({"type":"chunks","methods":"*","topic":"/params/b","batch":"/params/c","index":"/params/a"})",
    R"({"type":"count","add":"/params/a","remove":"/params/b","max":5})",
    R"({"type":"deadline","methods":"*","limit":"/params/a","code":-1})",
    R"({"type":"requires","methods":"*"})",
    R"({"type":"equal","at":"/result","request":"/params/a"})",
    R"({"type":"equal","at":"/params/*","as":"/result/a"})",
    R"({"type":"among","at":"/params/a","of":["/params/b","/result/*"]})",
    R"({"type":"order","before":"n","after":"*"})",
    R"({"type":"level","at":"/params/a","values":["x"],"minimum":"/params/b"})",
    R"({"type":"either","at":["/params","/params/*"],"members":["a","b"],"exactly":true})",
    R"({"type":"respawn","failures":3,"window_ms":60000,"delays_ms":[1000]})",
    R"({"type":"size","at":"/params/a","max":5})",
    R"({"type":"volume","from":"plugin","max":5})",
};

TEST(RuleTypes, WhateverIsSaid) {
  std::mt19937 random(4);
  const auto pick = [&](std::initializer_list<const char*> choices) {
    return std::string(choices.begin()[random() % choices.size()]);
  };
  for (const std::string& rule : kAllRules) {
    Conversation conversation({rule});
    ASSERT_EQ(conversation.error, "");
    for (int i = 0; i < 2000; ++i) {
      conversation.Say("+20");
      const std::string value =
          pick({"1", "\"\"", "\"x\"", "null", "[]", "{}", "{\"a\":\"b\"}", "[\"\\ud800\",1e999]",
                "-0", "\"\\u0000../..\"", "true", "\"https://@:]\"", "18446744073709551616"});
      const std::string again = random() % 2 ? ",\"a\":[" + value + "]" : "";
      const std::string body = "{\"a\":" + value + again + ",\"b\":" + value + "}";
      const std::string id = pick({"1", "\"1\"", "null", "1.0", "2", "[]"});
      const std::string method = pick({"m", "n", ""});
      const std::string asked = "{\"id\":" + id + ",\"method\":\"" + method +
                                "\",\"params\":" + pick({"7", "null", "[]", "{}"}) + "}";
      const std::string who = pick({"> ", "< "});
      conversation.Say(
          who + pick({("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + body + "}")
                          .c_str(),
                      ("{\"id\":" + id + ",\"result\":" + body + "}").c_str(),
                      ("{\"id\":" + id + ",\"error\":" + body + "}").c_str(),
                      ("{\"id\":" + id + ",\"error\":{\"code\":-32601}}").c_str(), asked.c_str(),
                      ("[" + asked + "," + asked + "]").c_str(), "{", "[", "\xff", "3",
                      ("{\"method\":\"m\",\"params\":" + body).c_str()}));
      if (random() % 20 == 0) {
        conversation.Say(pick({"spawn p", "exit 1", "killed 9", "---", "gap", "part 3", "+70000"}));
      }
    }
    EXPECT_NE(conversation.found, "") << rule;
  }
}

// Time grows linearly with the messages: with every rule at once 60,000 requests that
// are answered late, the last one first, take some seconds.
TEST(RuleTypes, AFloodOfOpenRequests) {
  Conversation conversation(kAllRules);
  const auto start = std::chrono::steady_clock::now();
  const int count = 60'000;
  for (int i = 0; i < count; ++i) {
    conversation.Say(Ask('>', i, "m", "{\"a\":\"x" + std::to_string(i) + "\"}"));
  }
  for (int i = count; i-- > 0;) conversation.Say(Answer('<', i, "{\"a\":1}"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 60);
  EXPECT_GT(conversation.findings, 60'000u);
}

TEST(RuleTypes, DeepAndWideValues) {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  std::string wide = "[0";
  for (int i = 0; i < 20'000; ++i) wide += ",{\"a\":" + std::to_string(i) + "}";
  wide += "]";
  for (const std::string& rule : kAllRules) {
    Conversation conversation({rule});
    for (const std::string& value : {deep, wide, std::string(2000, '[')}) {
      conversation.Say(Ask('>', 1, "m", "{\"a\":" + value + "}"));
      conversation.Say(Answer('<', 1, "{\"a\":" + value + "}"));
      conversation.Say(Ask('>', 1, "m", value));
      conversation.Say(Answer('<', 1, value));
    }
    EXPECT_LT(conversation.findings, 1'000'000u);
  }
}

}  // namespace
}  // namespace midwire::trace
