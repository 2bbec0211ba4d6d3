// What a dialect lets the oracle report.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"
#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

wire::Dialect OpenDialect() {
  auto dialect =
      wire::LoadDialect(R"({"dialect":"test","framing":{"kind":"line","max_body":400},"methods":{
    "open":{"from":"host","kind":"request","params":{"type":"object"},
            "result":{"type":"object","required":["handle"]}},
    "log":{"from":"plugin","kind":"notification","params":{"required":["text"]}}},
    "lifecycle":{"last":["bye"]}})",
                        "test.json", /*strict=*/false, wire::BuiltInDialect);
  EXPECT_TRUE(dialect) << dialect.error().Text();
  return std::move(*dialect);
}

std::string FindingsOf(const wire::Dialect& dialect, std::string_view text) {
  return Talk({.dialect = &dialect}).Run(text);
}

TEST(ProtocolOracleDialectTest, AResultIsValidatedAgainstItsSchema) {
  const wire::Dialect dialect = OpenDialect();
  const std::string sent = "> {\"id\":1,\"method\":\"open\",\"params\":{}}\n";
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"result\":{}}"),
            "dialect result open  required\n");
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"result\":{\"handle\":1}}"), "");
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"),
            "");
}

TEST(ProtocolOracleDialectTest, AResultOfNullMayBeLeftOut) {
  wire::Dialect dialect = OpenDialect();
  dialect.without_result = wire::Severity::kNote;
  EXPECT_EQ(FindingsOf(dialect, R"(
    > {"id":1,"method":"ping"}
    < {"id":1}
    > {"id":2,"method":"open","params":{}}
    < {"id":2}
  )"),
            "shape neither open\n");
  EXPECT_EQ(FindingsOf(dialect, R"(
    > {"id":3,"method":"open","params":{}}
    > {"id":3,"method":"ping"}
    < {"id":3}
    < {"id":3,"result":{"handle":1}}
  )"),
            "");
}

TEST(ProtocolOracleDialectTest, NoResultIsValidatedAfterAnUnfinishedBody) {
  const wire::Dialect dialect = OpenDialect();
  const auto findings = [&](std::string_view behind) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kContentLength;
    Features features({});
    std::string keys;
    ProtocolOracle oracle(&seeds, &features, {.dialect = &dialect},
                          [&](Finding finding) { keys += finding.key + "\n"; });
    const auto framed = [](std::string_view body) {
      return Framed(body, wire::Framing::kContentLength).bytes;
    };
    std::string sent = framed(R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"a"}})");
    const Input input = ParseInput(sent.append(behind), wire::Framing::kContentLength);
    oracle.OnRun(&input);
    for (size_t i = 0; i < input.parts.size(); ++i) oracle.PartToSend(i);
    std::string reply;
    oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":null})"), &reply);
    return keys;
  };
  EXPECT_NE(findings(""), "");
  EXPECT_EQ(findings("Content-Length: 1073741824\r\n\r\n{\"id\":1"), "");
}

TEST(ProtocolOracleDialectTest, AnErrorIsAnObjectWithACode) {
  const wire::Dialect dialect = OpenDialect();
  const std::string sent = "> {\"id\":1,\"method\":\"open\",\"params\":{}}\n";
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"error\":\"no\"}"), "dialect error open\n");
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"error\":{\"code\":\"1\"}}"),
            "dialect error open\n");
}

TEST(ProtocolOracleDialectTest, CallsOfThePluginAreValidated) {
  const wire::Dialect dialect = OpenDialect();
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"log\",\"params\":{}}"),
            "dialect params log  required\n");
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"log\",\"params\":{\"text\":\"x\"}}"), "");
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"open\",\"params\":{}}"),
            "dialect direction open\n");
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"another\",\"params\":{}}"), "");
}

TEST(ProtocolOracleDialectTest, ABodyAboveItsLimitMayBeRefused) {
  const wire::Dialect dialect = OpenDialect();
  EXPECT_EQ(FindingsOf(dialect, "> {\"id\":1,\"method\":\"open\",\"params\":{\"x\":\"" +
                                    std::string(500, 'x') + "\"}}\n due"),
            "");
}

TEST(ProtocolOracleTest, AFrameThatIsNotJsonMayBeTheAnswer) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":NaN1}\n due\n"),
            "bad-message a frame that is no JSON: a number after request open\n");
}

TEST(ProtocolOracleDialectTest, ACancelledRequestNeedsNoAnswerIfTheDialectSaysSo) {
  const auto findings = [](const std::string& answered) {
    auto dialect = wire::LoadDialect(
        R"({"dialect":"test","methods":{"open":{"from":"host","kind":"request"},
            "stop":{"from":"host","kind":"notification"}},
            "cancellation":{"at":["stop:/params/id"],"clause":"c","answered":)" +
            answered + "}}",
        "test.json", /*strict=*/false, wire::BuiltInDialect);
    EXPECT_TRUE(dialect) << dialect.error().Text();
    return FindingsOf(*dialect,
                      "> {\"id\":1,\"method\":\"open\"}\n"
                      "> {\"method\":\"stop\",\"params\":{\"id\":1}}\n due\n");
  };
  EXPECT_EQ(findings("false"), "");
  EXPECT_EQ(findings("true"), "missing open\n");
}

}  // namespace
}  // namespace midwire::fuzz
