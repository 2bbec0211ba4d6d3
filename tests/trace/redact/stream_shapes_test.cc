#include "trace/redact/stream_shapes.h"

#include <gtest/gtest.h>

#include "tests/lines.h"
#include "tests/trace/redact/key.h"
#include "wire/json/valid.h"

namespace midwire::trace::redact {
namespace {

// Made of parts for scanners of source code.
const std::string kGit = std::string("gh") + "p_0123456789abcdefGHIJKLMNOPQRSTUVWXYZ";
const std::string kBegin =
    "-----BEGIN RSA PRIVATE "
    "KEY-----";

class StreamShapesTest : public testing::Test {
 protected:
  StreamShapesTest() { patterns_.AddShapes(); }

  // What is recorded of a stream that comes in reads of `step` bytes.
  std::string Recorded(const std::string& stream, size_t step) {
    StreamShapes shapes(&patterns_, kKey);
    std::string out;
    for (size_t at = 0; at < stream.size(); at += step) {
      shapes.Feed(std::string_view(stream).substr(at, step), &out);
      EXPECT_LE(shapes.held(), StreamShapes::kMaxHeld);
      EXPECT_EQ(out.size() + shapes.held(), std::min(stream.size(), at + step));
    }
    shapes.Finish(&out);
    EXPECT_EQ(out.size(), stream.size());
    return out;
  }
  // In any reads the same, and without the secret.
  std::string Clean(const std::string& stream, const std::string& secret) {
    const std::string whole = Recorded(stream, stream.size());
    for (const size_t step : {1, 2, 7, 64, 1000}) EXPECT_EQ(Recorded(stream, step), whole) << step;
    EXPECT_EQ(whole.find(secret), whole.npos) << whole;
    return whole;
  }

  Patterns patterns_;
};

TEST_F(StreamShapesTest, ASecretInAnyReads) {
  const std::string token = TokenOf(kGit, kKey);
  EXPECT_EQ(Clean("{\"a\":\"" + kGit + "\"}\n", kGit), "{\"a\":\"" + token + "\"}\n");
  EXPECT_EQ(Clean("use " + kGit, kGit), "use " + token);
  EXPECT_EQ(Clean(R"({"a":"\n)" + kGit + R"(\n"})", kGit), R"({"a":"\n)" + token + R"(\n"})");
}

TEST_F(StreamShapesTest, WhatShowsItComesEarlier) {
  const std::string secret = "a1b2c3d4e5f6g7h8i9j0";
  Clean("Authorization: Bearer " + secret + "\r\n", secret);
  Clean(R"({"client_secret" : ")" + secret + R"("})", secret);
  Clean(R"({"text":"{\"apiKey\":\")" + secret + R"(\"}"})", secret);
  Clean("postgres://ada:" + secret + "@localhost/db ", secret);
}

TEST_F(StreamShapesTest, OtherBytesStay) {
  for (const std::string& text :
       {std::string("{\"id\":1,\"method\":\"a/b\"}\nlog line\n\xff\x00\x01 x"),
        "{\"data\":\"" + Repeated("QUJD/+", 5000) + "\"}", Repeated("\\n\\u0041", 3000)}) {
    EXPECT_EQ(Recorded(text, text.size()), text);
    EXPECT_EQ(Recorded(text, 100), text);
  }
}

TEST_F(StreamShapesTest, NothingOfACompleteMessageIsHeld) {
  StreamShapes shapes(&patterns_, kKey);
  std::string out;
  shapes.Feed("Content-Length: 9\r\n\r\n{\"a\":\"b\"}", &out);
  EXPECT_EQ(shapes.held(), 0u);
  shapes.Feed("{\"id\":1}\n", &out);
  EXPECT_EQ(shapes.held(), 0u);
}

TEST_F(StreamShapesTest, APrivateKeyOfAnyLength) {
  const std::string line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
  for (const std::string end : {"\n", "\\n", "\\u000a"}) {
    std::string body;
    for (int i = 0; i < 200; ++i) body += line + end;
    const std::string text =
        "{\"key\":\"" + kBegin + end + body + "-----END RSA PRIVATE KEY-----" + end + "\",\"b\":1}";
    const std::string clean = Clean(text, line.substr(0, 12));
    EXPECT_TRUE(clean.ends_with("-----END RSA PRIVATE KEY-----" + end + "\",\"b\":1}"));
    EXPECT_TRUE(end == "\n" || wire::IsJson(clean)) << clean;
  }
}

TEST_F(StreamShapesTest, AKeyThatIsCutOff) {
  const std::string clean =
      Clean("{\"key\":\"" + kBegin + "\\nMIIEvQIBADAN\",\"b\":\"MIIx\"}", "MIIEvQIBADAN");
  EXPECT_TRUE(clean.ends_with(R"(","b":"MIIx"})")) << clean;
}

TEST_F(StreamShapesTest, ATokenLongerThanWhatIsHeld) {
  const std::string part = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo";
  const std::string jwt =
      std::string("ey") + "JhbGciOiJIUzI1NiJ9.eyJ" + Repeated(part, 400) + "." + part;
  for (const size_t step : {1000, 5000, 100'000}) {
    const std::string clean = Recorded("{\"t\":\"" + jwt + "\",\"b\":1}", step);
    EXPECT_EQ(clean.find(part), clean.npos) << step;
    EXPECT_TRUE(clean.ends_with("\",\"b\":1}"));
  }
}

}  // namespace
}  // namespace midwire::trace::redact
