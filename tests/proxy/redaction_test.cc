// Secrets do not reach the tape, the peers receive them unchanged, and everything else is verbatim.
#include "proxy/redaction.h"

#include <algorithm>

#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class RedactionTest : public testing::Test, private SegmentHandler {
 protected:
  // What is recorded of a stream that comes in pieces of `step` bytes.
  std::string Recorded(const std::string& stream, size_t step) {
    Redaction redaction(trace::redact::Redactor(
        {*wire::ParsePointer("/params/token"), *wire::ParsePointer("/0")}, {1}));
    Segmenter segmenter(wire::Framing::kAuto, &redaction);
    recorded_.clear();
    for (size_t at = 0; at < stream.size(); at += step) {
      segmenter.Feed(std::string_view(stream).substr(at, step), this);
    }
    return recorded_;
  }

 private:
  void OnSegment(trace::Hint, std::string_view head, std::string_view body) override {
    recorded_ += std::string(head) + std::string(body);
  }
  std::string recorded_;
};

const std::string kSecret = "hunter2hunter2";
const std::string kBody = R"({"method":"login","params":{"token":")" + kSecret + R"(","x":1}})";

TEST_F(RedactionTest, InEveryFramingAndChunking) {
  const std::string streams[] = {
      kBody + "\n" + kBody + "\r\n",
      "Content-Length: " + std::to_string(kBody.size()) + "\r\n\r\n" + kBody,
      "X-Odd: [{\"\r\nContent-Length: " + std::to_string(kBody.size()) + "\r\n\r\n" + kBody,
      "banner {\"\n[INFO] not a batch\n" + kBody + "\n",
      "[" + kBody + "]\n[ " + kBody + "]\n",
      // A length that is too short by the length of the secret, then a valid message.
      "Content-Length: " + std::to_string(kBody.size() - 20) + "\r\n\r\n" + kBody +
          "Content-Length: " + std::to_string(kBody.size()) + "\r\n\r\n" + kBody,
      // Pretty-printed over lines, then a valid message.
      "{\n  \"params\": {\n    \"token\": \"" + kSecret + "\"\n  }\n}\n" + kBody + "\n",
      // Cut off, then a valid message.
      "{\"params\":{\n" + kBody + "\n",
  };
  for (const std::string& stream : streams) {
    const std::string whole = Recorded(stream, stream.size());
    for (size_t step : {1, 2, 3, 7, 64}) EXPECT_EQ(Recorded(stream, step), whole);
    EXPECT_EQ(whole.find(kSecret), std::string::npos) << whole;
    ASSERT_EQ(whole.size(), stream.size());
    // Everything except the secrets is unchanged.
    const size_t token = stream.find(kSecret);
    std::string restored = whole;
    for (size_t at = 0; (at = stream.find(kSecret, at)) != std::string::npos; ++at) {
      EXPECT_EQ(restored.substr(at, kSecret.size()), whole.substr(token, kSecret.size()));
      restored.replace(at, kSecret.size(), kSecret);
    }
    EXPECT_EQ(restored, stream);
  }
}

TEST_F(RedactionTest, SecretThatLooksLikeTheNextHeader) {
  const std::string body = R"({"params":{"token":"hunter2}co345"}})";
  const std::string stream = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (size_t step : {stream.size(), size_t{1}, size_t{3}}) {
    EXPECT_EQ(Recorded(stream, step).find("345"), std::string::npos) << step;
  }
}

TEST_F(RedactionTest, SecretWithARawNewlineInIt) {
  const std::string sent =
      Recorded("{\"params\":{\"token\":\"hunter2\nhunter3\"}}\n" + kBody + "\n", 5);
  EXPECT_EQ(sent.find("hunter"), std::string::npos) << sent;
  EXPECT_NE(sent.find("{\"method\":\"login\""), std::string::npos) << sent;
}

class RedactedRecordingTest : public RecordTest {};

TEST_F(RedactedRecordingTest, ThePeersGetTheSecretAndTheTapeDoesNot) {
  Host host({.command = Recorded({"echoes"}, {"--redact", "/params/token", "--redact", "/id"})});
  host.Say(kBody + "\n");
  EXPECT_EQ(host.ReceiveLine(), kBody + "\n");
  host.CloseIn();
  host.Wait();
  EXPECT_EQ(ReadFile(tape()).find(kSecret), std::string::npos);
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.from_host(), taped.from_plugin());  // the same token in both directions
  EXPECT_EQ(taped.from_host().size(), kBody.size() + 1);
}

// A key of a git provider, made of parts for scanners of source code.
const std::string kKey = std::string("gh") + "p_0123456789abcdefGHIJKLMNOPQRSTUVWXYZ";

TEST_F(RedactedRecordingTest, AKeyInTwoReadsIsNeverWritten) {
  Host host({.command = Recorded({"echoes"}, {"--redact", "shapes"})});
  const std::string sent = "{\"a\":\"" + kKey + "\"}\n";
  host.Say(sent.substr(0, 20));
  EXPECT_EQ(host.Receive(20), sent.substr(0, 20));  // forwarded at once
  EXPECT_EQ(ReadFile(tape()).find(kKey.substr(0, 8)), std::string::npos);
  host.Say(sent.substr(20));
  EXPECT_EQ(host.ReceiveLine(), sent.substr(20));
  host.CloseIn();
  host.Wait();
  EXPECT_EQ(ReadFile(tape()).find(kKey.substr(8)), std::string::npos);
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.from_host(), taped.from_plugin());
  EXPECT_EQ(taped.from_host().size(), sent.size());
}

TEST_F(RedactedRecordingTest, APrivateKeyInArgumentsIsNotTaped) {
  const std::string line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
  const std::string key =
      "-----BEGIN PRIVATE "
      "KEY-----\\r\\n" +
      line + "\\r\\n" + line + "\\r\\n-----END PRIVATE KEY-----";
  Host host({.command = Recorded({"echoes", "/dev/null", "--config={\"key\":\"" + key + "\"}"},
                                 {"--redact", "shapes"})});
  host.CloseIn();
  host.Wait();
  EXPECT_EQ(ReadFile(tape()).find(line.substr(0, 12)), std::string::npos);
  const auto spawned = ReadTape(tape()).All<trace::SpawnEvent>();
  ASSERT_EQ(spawned.size(), 1u);
  EXPECT_TRUE(spawned[0].argv.back().ends_with("\\r\\n-----END PRIVATE KEY-----\"}"));
}

TEST_F(RedactedRecordingTest, ShapesCanBeTurnedOff) {
  Host host({.command = Recorded({"echoes"}, {"--redact", "/a", "--no-shapes"})});
  host.Say("{\"b\":\"" + kKey + "\"}\n");
  host.ReceiveLine();
  host.CloseIn();
  host.Wait();
  EXPECT_NE(ReadTape(tape()).from_host().find(kKey), std::string::npos);
}

// The places and names of a dialect, before the method of a message is known.
TEST_F(RedactedRecordingTest, SecretsOfTheDialect) {
  const std::string sent =
      R"({"id":1,"params":{"credentials":{"k":"hunter2"},"a":[{"API_key":"hunter3"}]},)"
      R"("method":"initialize"})"
      "\n";
  Host host({.command = Recorded({"echoes"}, {"--dialect", "codex", "--redact", "dialect"})});
  host.Say(sent);
  EXPECT_EQ(host.ReceiveLine(), sent);
  host.CloseIn();
  host.Wait();
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.from_host().find("hunter"), std::string::npos) << taped.from_host();
  EXPECT_EQ(taped.from_host().size(), sent.size());
  ASSERT_EQ(taped.All<trace::NoteEvent>().size(), 1u);
}

}  // namespace
}  // namespace midwire::proxy
