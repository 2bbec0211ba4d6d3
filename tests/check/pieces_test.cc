// Streams of bytes whose framing is wrong: one mistake, one violation.
#include <gtest/gtest.h>

#include <string>

#include "check/checker.h"
#include "tests/check/plain.h"
#include "tests/trace/script.h"

namespace midwire::trace {
namespace {

// What is found in these bytes of the plugin, after a request 1 of the host.
std::string FoundInBytes(const std::string& bytes, const std::string& dialect = kPlain,
                         bool from_host = false) {
  const Result<wire::Dialect> loaded = DialectOf(dialect);
  std::string found;
  auto checker = check::Checker::Create(
      &*loaded, [&found](const check::Violation& finding) { found += TextOf(finding); });
  Session session(checker->get());
  session.OnRecord(Host("{\"id\":1,\"method\":\"a\"}\n").record());
  session.OnRecord((from_host ? Host(bytes) : Plugin(bytes)).record());
  session.OnEnd();
  (*checker)->Finish();
  return found;
}

std::string WithHeader(size_t length, const std::string& body) {
  return "Content-Length: " + std::to_string(length) + "\r\n\r\n" + body;
}

TEST(CheckPiecesTest, AMessageThatIsSpreadOverLines) {
  EXPECT_EQ(FoundInBytes("{\n  \"id\": 1,\n  \"result\": [\n    {}\n,\n    {\n    }\n  ]\n}\n"),
            "must framing.several-lines 2\n");
}

// A bracket in one of its texts ends it for the reader, which does not know single quotes.
TEST(CheckPiecesTest, APythonDictIsOneMistake) {
  const std::string unclear = "note answer.unclear 1 a\n";  // of the host's request
  EXPECT_EQ(FoundInBytes("{'a':1}\n{'text':'a } b'}\n"),
            "must json 2: got {'a':1}\nmust json 3: got {'text':'a }\n" + unclear);
  EXPECT_EQ(FoundInBytes("{'a':1} done\nlog\n"),
            "must json 2: got {'a':1}\nmust stdout.junk -: got log\n\n" + unclear);
}

TEST(CheckPiecesTest, LinesThatAreNotOneText) {
  EXPECT_EQ(FoundInBytes("{\noops\n{\"id\":1,\"result\":1}\n"),
            "must json 2: got {\nmust stdout.junk -: got oops\n\n");
  EXPECT_EQ(FoundInBytes("{\"id\":1,\"result\":1}\n{\"id\":1,\n"), "must json 3: got {\"id\":1,\n");
}

TEST(CheckPiecesTest, ALengthThatIsTooShort) {
  const std::string answer = R"({"id":1,"result":"éé"})";
  const std::string next = WithHeader(14, R"({"method":"b"})");
  EXPECT_EQ(FoundInBytes(WithHeader(answer.size() - 2, answer) + next),
            "must framing.length 2: expected 24, got 22\n");
  EXPECT_EQ(FoundInBytes(WithHeader(answer.size() - 1, answer) + "\n" + next),
            "must framing.length 2: expected 24, got 23\n");
}

TEST(CheckPiecesTest, ALengthThatIsTooLong) {
  EXPECT_EQ(
      FoundInBytes(WithHeader(25, R"({"id":1,"result":1})") + WithHeader(14, R"({"method":"b"})")),
      "must framing.long-length 2 a: expected 19, got 25\n");
}

TEST(CheckPiecesTest, ABodyThatIsBrokenWithoutARest) {
  EXPECT_EQ(FoundInBytes(WithHeader(5, "{\"id\"") + WithHeader(19, R"({"id":1,"result":1})")),
            "must json 2: got {\"id\"\n");
}

TEST(CheckPiecesTest, AnHttpAnswerAmongLines) {
  const std::string lines = std::string(kPlain) + R"(,"framing":{"kind":"line"})";
  const std::string http = "Content-Type: x\r\nContent-Length: 8\r\n\r\n{\"ok\":1}\n";
  EXPECT_EQ(FoundInBytes(http + R"({"jsonrpc":"2.0","id":1,"result":1})" + "\n", lines),
            "must framing.kind 2: expected line, got content-length\n");
}

TEST(CheckPiecesTest, HeaderLinesThatEndInCrCrLf) {
  EXPECT_EQ(FoundInBytes("Content-Length: 19\r\r\n\r\r\n{\"id\":1,\"result\":1}"),
            "must framing.doubled-cr 2 a\n");
}

TEST(CheckPiecesTest, LineEndsAfterABody) {
  const std::string answer = R"({"id":1,"result":1})";
  EXPECT_EQ(FoundInBytes(WithHeader(21, answer + "\r\n")), "note framing.blanks-around 2 a\n");
  EXPECT_EQ(FoundInBytes(WithHeader(19, answer) + "\n"), "must stdout.junk -: got \n\n");
}

TEST(CheckPiecesTest, AByteOrderMarkAndALineSeparator) {
  EXPECT_EQ(FoundInBytes("\xef\xbb\xbf{\"id\":1,\"result\":1}\n"),
            "should framing.byte-order-mark 2 a\n");
  EXPECT_EQ(FoundInBytes("{\"id\":1,\"result\":\"\u2028\"}\n"),
            "should framing.line-separator 2 a: got {\"id\":1,\"result\":\"\\u2028\"}\n");
  EXPECT_EQ(FoundInBytes(WithHeader(23, "{\"id\":1,\"result\":\"\u2028\"}")), "");
}

TEST(CheckPiecesTest, BlankLines) {
  const std::string off = std::string(kPlain) + R"(,"severities":{"answer.missing":"off"})";
  EXPECT_EQ(FoundInBytes("\n", off), "");
  EXPECT_EQ(FoundInBytes("\n", off, /*from_host=*/true), "note stdin.blank -\n");
}

// Nothing is known of a party whose bytes are not in the trace.
TEST(CheckSilentTest, ATraceOfOneDirection) {
  EXPECT_EQ(FoundInBytes(R"({"id":2,"method":"b"})", kPlain, /*from_host=*/true),
            "note framing.unterminated 2 b\n");
  const std::string order =
      std::string(kPlain) + R"(,"rules":[{"id":"r","type":"order","before":"a","after":["b"]}])";
  EXPECT_EQ(Found(order, R"(-> {"id":1,"method":"a"}
    -> {"method":"b"})"),
            "");
  EXPECT_EQ(Found(order, R"(spawn
    -> {"id":1,"method":"a"}
    -> {"method":"b"}
    end)"),
            "must r 2 b /method: expected a first, got b\nmust answer.missing 1 a\n");
  EXPECT_EQ(Plain(R"(<- {"id":1,"result":1})"), "");
  EXPECT_EQ(Plain(R"(<- {"id":1,"result":1}
    -> {"method":"a"})"),
            "must answer.known 1 /id: got 1\n");
}

}  // namespace
}  // namespace midwire::trace
