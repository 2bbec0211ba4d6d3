#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/lines.h"
#include "tests/paths.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "trace/reader.h"
#include "wire/json/base64.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kSecret[] = "s3cr\xc3\xa9t/tok\"en";
constexpr char kEscaped[] = R"(s3cr\u00e9t\/tok\"en)";
constexpr char kQuoted[] = "s3cr\xc3\xa9t/tok\\\"en";

std::string Base64(std::string_view text) {
  std::string encoded;
  wire::AppendBase64(text, &encoded);
  return encoded;
}

// Everything that a trace holds, one stream at a time, and its times and sizes.
struct Whole {
  std::string streams[4];
  std::vector<std::pair<int64_t, size_t>> segments;
};

Whole ReadWhole(const std::string& path) {
  Whole whole;
  auto reader = trace::OpenTrace(path);
  if (!reader) {
    ADD_FAILURE() << reader.error().Text();
    return whole;
  }
  trace::Record record;
  while (true) {
    const auto step = (*reader)->Next(&record);
    EXPECT_TRUE(step) << step.error().Text();
    if (!step || *step == trace::Step::kWait) return whole;
    if (*step != trace::Step::kRecord) continue;
    (whole.streams[static_cast<int>(record.stream)] += record.head) += record.body;
    whole.segments.emplace_back(record.time_ns, record.head.size() + record.body.size());
  }
}

class RedactCommandTest : public CommandTest {
 protected:
  Ran Redact(const std::string& in, const std::string& out, std::vector<std::string> more) const {
    more.insert(more.begin(), {"redact", in, Path(out)});
    return Run(more);
  }
  // Everything in it, as in the file and decoded.
  std::string All(const std::string& out) const {
    const Whole whole = ReadWhole(Path(out));
    std::string all = ReadFile(Path(out));
    for (const std::string& stream : whole.streams) all += stream;
    return all;
  }
  void ExpectNothingOf(const std::string& all, std::string_view secret) const {
    for (const std::string& form :
         {std::string(secret), std::string(kEscaped), std::string(kQuoted), Base64(secret),
          Base64("u:" + std::string(secret)).substr(4, 16)}) {
      EXPECT_THAT(all, Not(HasSubstr(form)));
    }
    EXPECT_THAT(all, Not(HasSubstr("tok\"en")));
    EXPECT_THAT(all, Not(HasSubstr("tok\\\"en")));
  }

  static std::string Login() {
    return std::string(R"({"jsonrpc":"2.0","id":1,"method":"login","params":{"pass":")") +
           kEscaped + "\"}}\n";
  }
};

// In argv, cut over segments and spellings, in base64, junk, stderr and a message that is not JSON.
Tape LoginSession(const std::string& login) {
  const std::string stderr_text =
      std::string("got ") + kSecret + ", Basic " + Base64(std::string("u:") + kSecret) + "\n";
  return Tape::Of({"plugin", std::string("--token=") + kSecret})
      .Host(login.substr(0, 70))
      .Us(5)
      .Host(login.substr(70))
      .Us(5)
      .Plugin("junk " + std::string(kSecret).substr(0, 8))
      .Us(5)
      .Plugin(std::string(kSecret).substr(8) + "\n")
      .Plugin("{\"id\":1,\"result\":{\"" + std::string(kQuoted) + "\":[\"" + Base64(kSecret) +
              "\"]}}\n")
      .Plugin("{'no json': \"" + std::string(kQuoted) + "\"}\n")
      .Stderr(stderr_text.substr(0, 9))
      .Us(5)
      .Stderr(stderr_text.substr(9))
      .Exit(0);
}

TEST_F(RedactCommandTest, NothingOfASecretIsLeft) {
  const std::string tape = Save("in.pcapng", LoginSession(Login()).bytes());
  const std::string before = ReadFile(tape);
  ASSERT_EQ(Run({"convert", tape, Path("in.jsonl"), "--times"}).code, 0);
  for (const std::string in : {"in.pcapng", "in.jsonl"}) {
    for (const std::string out : {"out.pcapng", "out.jsonl"}) {
      const Ran ran = Redact(Path(in), out, {"--secret", "login:/params/pass", "--no-shapes"});
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.err, "midwire: info: redacted 1 secret\n");
      ExpectNothingOf(All(out), kSecret);
      EXPECT_EQ(ReadWhole(Path(out)).segments, ReadWhole(tape).segments);
      std::filesystem::remove(Path(out));
    }
  }
  EXPECT_EQ(ReadFile(tape), before);
}

TEST_F(RedactCommandTest, AnOptionBeforeTheFilesTakesOneValue) {
  const std::string in = Save("a.jsonl",
                              "{\"midwire\":\"cassette\",\"version\":1}\n"
                              "{\"from\":\"host\",\"message\":{\"city\":\"Rome\"}}\n");
  const Ran ran = Run({"redact", "--secret-key", "city", in, Path("b.jsonl")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ReadFile(Path("b.jsonl")).find("Rome"), std::string::npos);
}

TEST_F(RedactCommandTest, HeadersStayRight) {
  std::string body = Login();
  body.pop_back();
  const Tape tape = Tape::Of({"p"})
                        .Host(
                            "X-Auth: abcdef123\r\nContent-Length: 33\r\n\r\n"
                            R"({"method":"a","token":"abcdef123"})")
                        .Host(WithLength(R"({"id":1,"method":"b","token":"Length"})"))
                        .Exit(0);
  ASSERT_EQ(Redact(Save("in.pcapng", tape.bytes()), "out.pcapng", {"--secret-key", "TOKEN"}).code,
            0);
  const std::string host = ReadWhole(Path("out.pcapng")).streams[0];
  EXPECT_THAT(host, Not(HasSubstr("abcdef123")));
  EXPECT_THAT(host, testing::StartsWith("X-Auth: "));
  EXPECT_THAT(host, HasSubstr("\r\nContent-Length: 33\r\n"));
  EXPECT_THAT(host, HasSubstr("Content-Length: 38\r\n"));
}

TEST_F(RedactCommandTest, EqualSecretsStayEqual) {
  const Tape tape = Tape::Of({"p"})
                        .Host("{\"method\":\"a\",\"params\":{\"token\":\"hunter2\"}}\n")
                        .Plugin("{\"method\":\"b\",\"params\":{\"other\":\"h\\u0075nter2\"}}\n")
                        .Exit(0);
  ASSERT_EQ(Redact(Save("in.pcapng", tape.bytes()), "out.pcapng", {"--secret-key", "token"}).code,
            0);
  const Whole whole = ReadWhole(Path("out.pcapng"));
  const auto sent = [](const std::string& line, const char* name) {
    return std::string(wire::ParseJson(line)->Find("params")->String(name));
  };
  EXPECT_EQ(sent(whole.streams[0], "token"), sent(whole.streams[1], "other"));
  EXPECT_NE(sent(whole.streams[0], "token"), "hunter2");
}

TEST_F(RedactCommandTest, APrintedMessageAndOneThatIsCutShort) {
  const Tape tape =
      Tape::Of({"p"})
          .Plugin("{\n  \"a\": {},\n  \"token\": \"onlyhere1\"\n}\n")
          .Host("Content-Length: 20\r\n\r\n{\"method\":\"a\",\"token\":\"onlyhere2\"}\n")
          .Stderr("log {\"token\": \"onlyhere3\"}\n")
          .Exit(0);
  ASSERT_EQ(Redact(Save("in.pcapng", tape.bytes()), "out.pcapng", {"--secret-key", "token"}).code,
            0);
  EXPECT_THAT(All("out.pcapng"), Not(HasSubstr("onlyhere")));
  EXPECT_THAT(All("out.pcapng"), HasSubstr("  \"a\": {},\n  \"token\": \""));
}

TEST_F(RedactCommandTest, LongStderrInPieces) {
  Tape tape = Tape::Of({"p"});
  tape.Host("{\"method\":\"a\",\"params\":{\"token\":\"hunter2hunter2\"}}\n");
  std::string text;
  while (text.size() < (9u << 20)) text += "x hunter2hunter2 " + std::string(text.size() % 7, '.');
  const std::string in = Save("in.pcapng", tape.Stderr(text).Exit(0).bytes());
  ASSERT_EQ(Redact(in, "out.pcapng", {"--secret-key", "token"}).code, 0);
  const std::string sent = ReadWhole(Path("out.pcapng")).streams[2];
  EXPECT_EQ(sent.size(), text.size());
  EXPECT_THAT(sent.find("hunter2"), std::string::npos);
}

// Shells put them around what has no width in a prompt.
TEST_F(RedactCommandTest, ControlCharactersOnStderrAreNoSecrets) {
  const std::string prompt = "\x01\x1b[1m\x02ready>\x01\x1b[m\x02 \n";
  const std::string in = Save("in.pcapng", Tape::Of({"p"}).Stderr(prompt).Exit(0).bytes());
  const Ran ran = Redact(in, "out.pcapng", {});
  EXPECT_THAT(ran.err, HasSubstr("nothing was redacted"));
  EXPECT_EQ(ReadWhole(Path("out.pcapng")).streams[2], prompt);
}

TEST_F(RedactCommandTest, MistakesAreReported) {
  const std::string in = Save("in.pcapng", LoginSession(Login()).bytes());
  EXPECT_THAT(Redact(in, "out.pcapng", {"--no-shapes"}).err, HasSubstr("no secrets are named"));
  EXPECT_THAT(Redact(in, "out.pcapng", {"--dialect", "json-rpc-2.0", "--no-shapes"}).err,
              HasSubstr("declares no secrets"));
  EXPECT_EQ(
      Redact(in, "out.pcapng", {"--secret", "params"}).err,
      "midwire: error: --secret: not a place in messages: \"params\" (write /params/password or "
      "METHOD:/params/password)\n");
  EXPECT_EQ(Redact(in, "out.pcapng", {"--secret", "params"}).code, 2);
  EXPECT_THAT(Redact(in, "out.pcapng", {"--secret-regex", "(a"}).err,
              HasSubstr("--secret-regex: not a regular expression: missing ): (a: \"(a\""));
  EXPECT_THAT(Redact(in, "out.pcapng", {"--secret-regex", "a*"}).err, HasSubstr("the empty text"));
  EXPECT_EQ(Redact(in, "out.pcapng", {"--audit"}).code, 2);
  EXPECT_EQ(Run({"redact", in}).code, 2);
  EXPECT_EQ(Redact(in, "out", {"--secret", "/a"}).code, 2);
  EXPECT_EQ(Redact("-", "out.pcapng", {"--secret", "/a"}).code, 2);
  Save("there.pcapng", "mine");
  EXPECT_EQ(Redact(in, "there.pcapng", {"--secret", "/a"}).code, 2);
  EXPECT_EQ(ReadFile(Path("there.pcapng")), "mine");
  EXPECT_FALSE(std::filesystem::exists(Path("out.pcapng")));
}

TEST_F(RedactCommandTest, AllThatIsBelowAPlace) {
  const std::string in = Save("in.pcapng", LoginSession(Login()).bytes());
  ASSERT_EQ(Redact(in, "out.pcapng", {"--no-shapes", "--secret", "/params/**"}).code, 0);
  ExpectNothingOf(All("out.pcapng"), kSecret);
}

TEST_F(RedactCommandTest, DamageIsReportedAndLeftOut) {
  Tape tape = LoginSession(Login());
  std::string bytes = tape.bytes();
  bytes[bytes.find("no json")] ^= 1;
  const Ran ran = Redact(Save("in.pcapng", bytes), "out.pcapng", {"--secret", "/params/pass"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("lost"));
  ExpectNothingOf(All("out.pcapng"), kSecret);
}

// SIGXFSZ formerly ended the command in the middle, and a part of its output stayed.
TEST_F(RedactCommandTest, ALimitOnFileSizesIsAFullDisk) {
  std::string long_login;
  for (int i = 0; i < 200; ++i) long_login += Login();
  const std::string in = Save("in.pcapng", LoginSession(long_login).bytes());
  const std::string command = "ulimit -f 4; '" + MidwirePath() + "' redact " + in + " " +
                              Path("out.pcapng") + " --secret /params/pass";
  EXPECT_EQ(WEXITSTATUS(system((command + " 2>" + Path("err")).c_str())), 3)
      << ReadFile(Path("err"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("part")));
  }
  EXPECT_FALSE(std::filesystem::exists(Path("out.pcapng")));
}

class GoldenRedactTest : public RedactCommandTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override { RedactCommandTest::SetUp(); }
};

// Each still checks as before, is as long, and works as the other side of a replay as before.
TEST_P(GoldenRedactTest, ChecksAndPlaysAsBefore) {
  const std::string name = GetParam();
  for (const std::string end : {".jsonl", ".pcapng"}) {
    const std::string in = SourceFolder() + "/corpora/" + name + "/sessions/golden" + end;
    const Ran ran = Redact(in, "out" + end, {"--dialect", name, "--secret-key", "title"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ReadWhole(in).segments, ReadWhole(Path("out" + end)).segments);
    const Ran check = Run({"check", Path("out" + end), "--dialect", name});
    EXPECT_EQ(check.code, 0) << check.out;
    // Against itself through the mock: everything matches.
    const Ran replay =
        Run({"replay", Path("out" + end), "--", MidwirePath(), "mock", Path("out" + end)});
    EXPECT_EQ(replay.code, 0) << replay.out << replay.err;
  }
}

// What a dialect marks as secret is not generated by the plugin: a redacted trace replays.
TEST_P(GoldenRedactTest, ReplaysAgainstThePlugin) {
  const std::string corpus = SourceFolder() + "/corpora/" + GetParam();
  ASSERT_EQ(
      Redact(corpus + "/sessions/golden.pcapng", "out.pcapng", {"--dialect", GetParam()}).code, 0);
  const std::string replay = "cd '" + corpus + "' && '" + MidwirePath() + "' replay --dialect " +
                             GetParam() + " '" + Path("out.pcapng") + "' -- python3 plugin.py > '" +
                             Path("replay") + "' 2>&1";
  EXPECT_EQ(system(replay.c_str()), 0) << ReadFile(Path("replay"));
}

INSTANTIATE_TEST_SUITE_P(Corpora, GoldenRedactTest,
                         testing::Values("ainb-v2", "codex", "dap", "desktop-sidecar", "lsp", "mcp",
                                         "rootcause", "scriptling"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = isalnum(c) ? c : '_';
                           return name;
                         });

TEST_F(RedactCommandTest, ASecretThatNoMessageHas) {
  const std::string in = Save("in.pcapng", LoginSession(Login()).bytes());
  const Ran ran = Redact(in, "out.pcapng",
                         {"--secret", "login:/params/pass", "--secret", "logn:/params/pass",
                          "--secret-key", "PASS", "--secret-key", "word"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(
      ran.err,
      HasSubstr("no message has a value at this secret place: --secret logn:/params/pass\n"));
  EXPECT_THAT(ran.err,
              HasSubstr("no message has a value at this secret place: --secret-key word\n"));
  EXPECT_THAT(ran.err, Not(HasSubstr("--secret login")));
  EXPECT_THAT(ran.err, Not(HasSubstr("PASS")));
}

TEST_F(RedactCommandTest, ASecretOfAnAnswer) {
  const std::string in = Save("in.pcapng", Tape::Of({"plugin"})
                                               .Host("{\"id\":1,\"method\":\"login\"}\n")
                                               .Plugin("{\"id\":1,\"result\":\"granted\"}\n")
                                               .Exit(0)
                                               .bytes());
  EXPECT_EQ(Redact(in, "out.pcapng", {"--secret", "login:/result"}).err,
            "midwire: info: redacted 1 secret\n");
}

TEST_F(RedactCommandTest, NoSecretAtAllIsAWarning) {
  const std::string in = Save("in.pcapng", LoginSession(Login()).bytes());
  const Ran ran = Redact(in, "out.pcapng", {"--dialect", "rootcause", "--no-shapes"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(
      ran.err,
      "midwire: warning: nothing was redacted, no secrets found: the output contains everything "
      "that was recorded\n");
}

// A key of a git provider, made of parts for scanners of source code.
const std::string kKey = std::string("gh") + "p_" + "0123456789abcdefGHIJKLMNOPQRSTUVWXYZ";

// In a message, in JSON text within a string, a header, argv, junk and stderr, in pieces.
Tape WithKeys() {
  return Tape::Of({"plugin", "--key", kKey})
      .Host(WithLength(R"({"id":1,"method":"a","params":{"text":"use )" + kKey + R"("}})"))
      .Plugin(
          WithLength(R"({"id":1,"result":{"text":"{\"apiKey\":\"k\u0065y1234567890abcdef\"}"}})"))
      .Stderr("key " + kKey.substr(0, 10))
      .Us(5)
      .Stderr(kKey.substr(10) + " sent\n")
      .Exit(0);
}

TEST_F(RedactCommandTest, ShapesAreFoundWithoutAName) {
  const std::string in = Save("in.pcapng", WithKeys().bytes());
  const Ran ran = Redact(in, "out.pcapng", {});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "midwire: info: redacted 2 secrets\n");
  EXPECT_THAT(All("out.pcapng"), Not(HasSubstr(kKey)));
  EXPECT_THAT(All("out.pcapng"), Not(HasSubstr("y1234567890abcdef")));
  EXPECT_EQ(ReadWhole(Path("out.pcapng")).segments, ReadWhole(in).segments);
}

TEST_F(RedactCommandTest, ShapesCanBeTurnedOff) {
  const std::string in = Save("in.pcapng", WithKeys().bytes());
  ASSERT_EQ(Redact(in, "out.pcapng", {"--no-shapes", "--secret-key", "other"}).code, 0);
  EXPECT_THAT(All("out.pcapng"), HasSubstr(kKey));
}

TEST_F(RedactCommandTest, ExpressionsHideTheirGroupOrAll) {
  // Long numbers: those that replace them are random, and are none of these.
  const std::string in =
      Save("in.pcapng", Tape::Of({"p", "c-77"})
                            .Host(R"({"method":"a","x":"c-12345678 12 \u0063-34567812"})"
                                  "\n")
                            .Plugin(R"({"method":"b","x":"id 99999999 c-1"})"
                                    "\n")
                            .Stderr("log c-56781234\n")
                            .Exit(0)
                            .bytes());
  ASSERT_EQ(
      Redact(in, "out.pcapng", {"--secret-regex", "c-([0-9]+)", "--secret-regex", "\\d{8}"}).code,
      0);
  const Whole whole = ReadWhole(Path("out.pcapng"));
  EXPECT_THAT(whole.streams[0], testing::MatchesRegex(".*\"c-........ 12 .u0063-........\".*\n"));
  EXPECT_THAT(whole.streams[0], Not(HasSubstr("c-12345678")));
  EXPECT_THAT(whole.streams[0], Not(HasSubstr("-34567812")));
  EXPECT_THAT(whole.streams[1], Not(HasSubstr("99999999")));
  EXPECT_THAT(whole.streams[2], Not(HasSubstr("c-56781234")));
}

TEST_F(RedactCommandTest, AnAuditListsAndWritesNothing) {
  const std::string in = Save("in.pcapng", WithKeys().bytes());
  const Ran ran = Run({"redact", in, "--audit", "--secret-key", "id"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(ran.out,
            "secret  event /argv/2: github, 40 bytes\n"
            "secret  message 1 /id: name \"id\", 1 byte\n"
            "secret  message 2 /result/text: beside a telling name, 19 bytes\n"
            "3 secrets in 6 places\n");
  EXPECT_THAT(ran.out, Not(HasSubstr(kKey)));
}

TEST_F(RedactCommandTest, AnAuditOfWhatOnlyLooksLikeASecret) {
  const std::string in = Save("in.pcapng", Tape::Of({"p"})
                                               .Host(R"({"method":"a","token":"hunter2","c":1})"
                                                     "\n")
                                               .Exit(0)
                                               .bytes());
  const Ran ran = Run({"redact", in, "--audit"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "maybe   message 1 /token: beside a telling name, stays, 7 bytes\n"
            "no secrets found; 1 value only looks like one\n");
  const auto json = wire::ParseJson(Run({"redact", in, "--audit", "--json"}).out);
  ASSERT_TRUE(json);
  const wire::Json& found = json->Find("found")->items[0];
  EXPECT_EQ(found.String("pointer"), "/token");
  EXPECT_EQ(found.String("rule"), "telling-name");
}

TEST_F(RedactCommandTest, ALongTextInBase64IsCountedAndNotSearched) {
  std::string image;
  uint32_t random = 1;
  while (image.size() < 2000) {
    random = random * 1664525 + 1013904223;
    image += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random >> 26];
  }
  const auto audit = [&](const std::string& value) {
    const std::string in = Save("in.jsonl",
                                "{\"midwire\":\"cassette\",\"version\":1}\n"
                                R"({"from":"host","message":{"method":"a","params":{"data":")" +
                                    value + "\"}}}\n");
    return Run({"redact", in, "--audit"}).out;
  };
  EXPECT_EQ(audit(image), "no secrets found; 1 long text in base64 not searched\n");
  EXPECT_EQ(audit(image + " " + image), audit(image));
  EXPECT_NE(audit(image.substr(0, 1000)).find("random-word"), std::string::npos);
  EXPECT_NE(audit(image + " ghp_abcdefghijklmnopqrstuvwxyz0123456789").find("secret"),
            std::string::npos);
}

TEST_F(RedactCommandTest, OneValueIsListedOnce) {
  const std::string in =
      Save("in.pcapng", Tape::Of({"p"})
                            .Host(R"({"method":"a","token":"abc","password":"hunter2"})"
                                  "\n")
                            .Host(R"({"method":"b","token":"abc","text":"C:\\a password=hunter2"})"
                                  "\n")
                            .Exit(0)
                            .bytes());
  EXPECT_EQ(Run({"redact", in, "--audit"}).out,
            "maybe   message 1 /token: beside a telling name, stays, 3 bytes\n"
            "secret  message 1 /password: beside a telling name, 7 bytes\n"
            "1 secret in 2 places; 1 value only looks like one\n");
}

TEST_F(RedactCommandTest, WhatStaysBesideTellingNamesIsReported) {
  const std::string in =
      Save("in.pcapng", Tape::Of({"p", "--token", "abc"})
                            .Host(R"({"method":"a","token":"abc","myToken":"ab3","t":"hunter2"})"
                                  "\n")
                            .Host(R"({"method":"b","token":"hunter2","password":"hunter2"})"
                                  "\n")
                            .Exit(0)
                            .bytes());
  EXPECT_EQ(Redact(in, "out.pcapng", {}).err,
            "midwire: info: redacted 1 secret\n"
            "midwire: info: 2 values beside telling names stay; see --audit\n");
}

TEST_F(RedactCommandTest, TheSchemaOfASecretStays) {
  const std::string sent =
      R"({"id":1,"result":{"inputSchema":{"type":"object","properties":{"password":{"type":"string"}}},)"
      R"("note":"a string"}})"
      "\n";
  const std::string in = Save("in.pcapng", Tape::Of({"p"}).Plugin(sent).Exit(0).bytes());
  ASSERT_EQ(Redact(in, "out.pcapng", {"--secret-key", "password"}).code, 0);
  EXPECT_EQ(ReadWhole(Path("out.pcapng")).streams[1], sent);
}

TEST_F(RedactCommandTest, ASecretLikeAWordOfSchemasChangesNoSchema) {
  const std::string schema =
      R"({"id":1,"result":{"inputSchema":{"type":"object","required":["password"],)"
      R"("properties":{"password":{"type":"string","default":"a"},"passwd":{"format":"password"}}}}})"
      "\n";
  const std::string in = Save("in.pcapng", Tape::Of({"p", "--password", "object"})
                                               .Plugin(schema)
                                               .Host(R"({"password":"string","pwd":"password1"})"
                                                     "\n")
                                               .Exit(0)
                                               .bytes());
  ASSERT_EQ(Redact(in, "out.pcapng", {}).code, 0);
  const Whole whole = ReadWhole(Path("out.pcapng"));
  EXPECT_EQ(whole.streams[1], schema);
  EXPECT_THAT(whole.streams[0], Not(HasSubstr("string")));
  EXPECT_THAT(whole.streams[3], Not(HasSubstr("object")));
}

TEST_F(RedactCommandTest, ShortSecretsWhereverTheyStand) {
  const std::string in =
      Save("in.pcapng", Tape::Of({"mysql", "-pab1", "--password", "cd", "--x={\"pin\":\"1357\"}"})
                            .Host(WithLength(R"({"method":"a","password":"ab1"})"))
                            .Plugin("X-Api-Key: k9\r\nContent-Length: 2\r\n\r\n{}")
                            .Host(WithLength(R"({"t":"{\"a\":{\"password\":\"q\\\"7\"}}"})"))
                            .Stderr("password: zz9\nab1 stays here\n")
                            .Exit(0)
                            .bytes());
  const Ran ran = Redact(in, "out.pcapng", {});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Whole whole = ReadWhole(Path("out.pcapng"));
  EXPECT_THAT(whole.streams[0], Not(HasSubstr("ab1")));
  EXPECT_THAT(whole.streams[0], Not(HasSubstr(R"(q\\\"7)")));
  EXPECT_THAT(whole.streams[1], Not(HasSubstr("k9")));
  EXPECT_THAT(whole.streams[2], Not(HasSubstr("zz9")));
  for (const char* secret : {"-pab1", "\"cd\"", "1357"}) {
    EXPECT_THAT(whole.streams[3], Not(HasSubstr(secret)));
  }
  EXPECT_EQ(ReadWhole(in).segments.size(), whole.segments.size());
}

TEST_F(RedactCommandTest, ANamedMemberOfJsonInAString) {
  const std::string in = Save("in.pcapng", Tape::Of({"p"})
                                               .Host(R"({"t":"{\"custom\":\"ab1\",\"a\":\"ab1\"}"})"
                                                     "\n")
                                               .Exit(0)
                                               .bytes());
  const Ran ran = Redact(in, "out.pcapng", {"--secret-key", "CUSTOM", "--no-shapes"});
  EXPECT_THAT(ran.err, Not(HasSubstr("no message has")));
  const std::string sent = ReadWhole(Path("out.pcapng")).streams[0];
  EXPECT_THAT(sent, Not(HasSubstr(R"(custom\":\"ab1)")));
  EXPECT_THAT(sent, HasSubstr(R"(\"a\":\"ab1\")"));
}

TEST_F(RedactCommandTest, ARedactedMessageFulfilsItsSchema) {
  const std::string dialect = Save("d.json", R"({
    "dialect": "d", "title": "D", "secret_keys": ["pin", "key", "mode", "at"],
    "methods": {"login": {"from": "host", "kind": "request", "params": {
      "type": "object", "properties": {
        "pin": {"type": "integer", "minimum": 1000, "maximum": 4999},
        "key": {"type": "string", "pattern": "^sk-[a-f0-9]+$"},
        "mode": {"enum": ["public", "private"]},
        "at": {"type": "string", "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}$"}}}}}})");
  std::string sent;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    sent += R"({"jsonrpc":"2.0","id":)" + n + R"(,"method":"login","params":{"pin":10)" +
            std::to_string(10 + i) + R"(,"key":"sk-ab)" + n +
            R"(c0ffee42","mode":"public","at":"2026-11-)" + std::to_string(10 + i) + "\"}}\n";
  }
  const std::string in = Save("in.pcapng", Tape::Of({"p"}).Host(sent).Exit(0).bytes());
  ASSERT_EQ(Run({"check", in, "--dialect", dialect, "--json"}).out.find("\"schema"),
            std::string::npos);
  const Ran ran = Redact(in, "out.pcapng", {"--dialect", dialect});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("1 secret stayed"));
  EXPECT_THAT(ran.err, Not(HasSubstr("no longer")));
  const auto messages = LinesOf(ReadWhole(Path("out.pcapng")).streams[0]);
  ASSERT_EQ(messages.size(), 20u);
  for (int i = 0; i < 20; ++i) {
    const auto message = wire::ParseJson(messages[i]);
    ASSERT_TRUE(message) << messages[i];
    const wire::Json& params = *message->Find("params");
    EXPECT_EQ(params.String("mode"), "public");
    // Each with its own value: a token may, by chance, begin like the value of another message.
    const std::string n = std::to_string(i);
    EXPECT_NE(params.String("key"), "sk-ab" + n + "c0ffee42");
    EXPECT_NE(params.String("at"), "2026-11-" + std::to_string(10 + i));
  }
  const Ran before = Run({"check", in, "--dialect", dialect});
  EXPECT_EQ(Run({"check", Path("out.pcapng"), "--dialect", dialect}).out, before.out);
}

TEST_F(RedactCommandTest, TheCredentialsOfCodex) {
  const std::string in = SourceFolder() + "/corpora/codex/sessions/golden.pcapng";
  ASSERT_THAT(ReadFile(in), HasSubstr("example-access-token"));
  ASSERT_EQ(Redact(in, "out.jsonl", {"--dialect", "codex"}).code, 0);
  EXPECT_THAT(All("out.jsonl"), Not(HasSubstr("example-access-token")));
  EXPECT_THAT(All("out.jsonl"), Not(HasSubstr("example-2")));
}

}  // namespace
}  // namespace midwire::tools
