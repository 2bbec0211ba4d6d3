#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/lines.h"
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
constexpr char kPlain[] = "s3cr\xc3\xa9t/tok\\\"en";

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

Whole Read(const std::string& path) {
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
    const Whole whole = Read(Path(out));
    std::string all = ReadFile(Path(out));
    for (const std::string& stream : whole.streams) all += stream;
    return all;
  }
  void ExpectNothingOf(const std::string& all, std::string_view secret) const {
    for (const std::string& form :
         {std::string(secret), std::string(kEscaped), std::string(kPlain), Base64(secret),
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
Tape Session(const std::string& login) {
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
      .Plugin("{\"id\":1,\"result\":{\"" + std::string(kPlain) + "\":[\"" + Base64(kSecret) +
              "\"]}}\n")
      .Plugin("{'no json': \"" + std::string(kPlain) + "\"}\n")
      .Stderr(stderr_text.substr(0, 9))
      .Us(5)
      .Stderr(stderr_text.substr(9))
      .Exit(0);
}

TEST_F(RedactCommandTest, NothingOfASecretIsLeft) {
  const std::string tape = Save("in.pcapng", Session(Login()).bytes());
  const std::string before = ReadFile(tape);
  ASSERT_EQ(Run({"convert", tape, Path("in.jsonl"), "--times"}).code, 0);
  for (const std::string in : {"in.pcapng", "in.jsonl"}) {
    for (const std::string out : {"out.pcapng", "out.jsonl"}) {
      const Ran ran = Redact(Path(in), out, {"--secret", "login:/params/pass"});
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.err, "midwire: info: redacted 1 secret\n");
      ExpectNothingOf(All(out), kSecret);
      EXPECT_EQ(Read(Path(out)).segments, Read(tape).segments);
      std::filesystem::remove(Path(out));
    }
  }
  EXPECT_EQ(ReadFile(tape), before);
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
  const std::string host = Read(Path("out.pcapng")).streams[0];
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
  const Whole whole = Read(Path("out.pcapng"));
  const auto said = [](const std::string& line, const char* name) {
    return std::string(wire::ParseJson(line)->Find("params")->String(name));
  };
  EXPECT_EQ(said(whole.streams[0], "token"), said(whole.streams[1], "other"));
  EXPECT_NE(said(whole.streams[0], "token"), "hunter2");
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
  const std::string said = Read(Path("out.pcapng")).streams[2];
  EXPECT_EQ(said.size(), text.size());
  EXPECT_THAT(said.find("hunter2"), std::string::npos);
}

TEST_F(RedactCommandTest, MistakesAreReported) {
  const std::string in = Save("in.pcapng", Session(Login()).bytes());
  EXPECT_THAT(Redact(in, "out.pcapng", {}).err, HasSubstr("no secrets are named"));
  EXPECT_THAT(Redact(in, "out.pcapng", {"--dialect", "json-rpc-2.0"}).err,
              HasSubstr("declares no secrets"));
  EXPECT_EQ(Redact(in, "out.pcapng", {"--secret", "params"}).code, 2);
  const Ran deep = Redact(in, "out.pcapng", {"--secret", "/params/**"});
  EXPECT_EQ(deep.code, 2);
  EXPECT_EQ(deep.err,
            "midwire: error: unsupported secret place: '/params/**' (after `**`, a place must end "
            "with a name, as in /params/**/token)\n");
  EXPECT_EQ(Redact(in, "out", {"--secret", "/a"}).code, 2);
  EXPECT_EQ(Redact("-", "out.pcapng", {"--secret", "/a"}).code, 2);
  Save("there.pcapng", "mine");
  EXPECT_EQ(Redact(in, "there.pcapng", {"--secret", "/a"}).code, 2);
  EXPECT_EQ(ReadFile(Path("there.pcapng")), "mine");
  EXPECT_FALSE(std::filesystem::exists(Path("out.pcapng")));
}

TEST_F(RedactCommandTest, DamageIsReportedAndLeftOut) {
  Tape tape = Session(Login());
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
  const std::string in = Save("in.pcapng", Session(long_login).bytes());
  const std::string command = "ulimit -f 4; " MIDWIRE_COMMAND " redact " + in + " " +
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
    const std::string in =
        std::string(MIDWIRE_SOURCE) + "/corpora/" + name + "/sessions/golden" + end;
    const Ran ran = Redact(in, "out" + end, {"--dialect", name, "--secret-key", "title"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(Read(in).segments, Read(Path("out" + end)).segments);
    const Ran check = Run({"check", Path("out" + end), "--dialect", name});
    EXPECT_EQ(check.code, 0) << check.out;
    // Against itself through the mock: everything matches.
    const Ran replay =
        Run({"replay", Path("out" + end), "--", MIDWIRE_COMMAND, "mock", Path("out" + end)});
    EXPECT_EQ(replay.code, 0) << replay.out << replay.err;
  }
}

// What a dialect marks as secret is not generated by the plugin: a redacted trace replays.
TEST_P(GoldenRedactTest, ReplaysAgainstThePlugin) {
  const std::string corpus = std::string(MIDWIRE_SOURCE) + "/corpora/" + GetParam();
  ASSERT_EQ(
      Redact(corpus + "/sessions/golden.pcapng", "out.pcapng", {"--dialect", GetParam()}).code, 0);
  const std::string replay = "cd '" + corpus + "' && '" MIDWIRE_COMMAND "' replay --dialect " +
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
  const std::string in = Save("in.pcapng", Session(Login()).bytes());
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
                                               .Host(Login())
                                               .Plugin("{\"id\":1,\"result\":\"granted\"}\n")
                                               .Exit(0)
                                               .bytes());
  EXPECT_EQ(Redact(in, "out.pcapng", {"--secret", "login:/result"}).err,
            "midwire: info: redacted 1 secret\n");
}

TEST_F(RedactCommandTest, NoSecretAtAllIsAWarning) {
  const std::string in = Save("in.pcapng", Session(Login()).bytes());
  const Ran ran = Redact(in, "out.pcapng", {"--dialect", "rootcause"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(
      ran.err,
      "midwire: warning: no secrets found: the output contains everything that was recorded\n");
}

TEST_F(RedactCommandTest, TheCredentialsOfCodex) {
  const std::string in = std::string(MIDWIRE_SOURCE) + "/corpora/codex/sessions/golden.pcapng";
  ASSERT_THAT(ReadFile(in), HasSubstr("example-access-token"));
  ASSERT_EQ(Redact(in, "out.jsonl", {"--dialect", "codex"}).code, 0);
  EXPECT_THAT(All("out.jsonl"), Not(HasSubstr("example-access-token")));
  EXPECT_THAT(All("out.jsonl"), Not(HasSubstr("example-2")));
}

}  // namespace
}  // namespace midwire::tools
