// midwire export: files and selections. The formats are tested in
// tests/view/export_test.cc.
#include <gmock/gmock.h>

#include "tests/tools/command.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ExportTest : public CommandTest {
 protected:
  static std::string Golden(const std::string& protocol) {
    return SourceFolder() + "/corpora/" + protocol + "/sessions/golden.pcapng";
  }
};

TEST_F(ExportTest, EachFormatOfAGoldenSession) {
  for (const char* protocol : {"mcp", "lsp", "dap"}) {
    for (const char* format : {"perfetto", "otlp"}) {
      const Ran ran = Run({"export", "--to", format, Golden(protocol)});
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_TRUE(wire::ParseJson(ran.out).ok()) << format;
      EXPECT_THAT(ran.out, HasSubstr("initialize"));
    }
    EXPECT_THAT(Run({"export", "--to", "mermaid", Golden(protocol)}).out,
                StartsWith("sequenceDiagram\n"));
    EXPECT_THAT(Run({"export", "--to", "markdown", Golden(protocol)}).out,
                HasSubstr("`initialize`"));
  }
}

TEST_F(ExportTest, CallsHaveLabelsAndReverseCallsAFlow) {
  const Ran ran = Run({"export", "--to", "perfetto", Golden("mcp")});
  EXPECT_THAT(ran.out, HasSubstr("\"name\":\"tools/call "));
  EXPECT_THAT(ran.out, HasSubstr("\"flow_in\":true"));
}

TEST_F(ExportTest, AFilterKeepsBothEndsOfACall) {
  const Ran ran =
      Run({"export", "--to", "mermaid", Golden("mcp"), "--where", "kind=response id=0 dir=p2h"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("host->>plugin: 1 initialize\n  plugin-->>host: 2 initialize\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("tools/call")));
}

TEST_F(ExportTest, AFilterThatMatchesNothingIsNoted) {
  const auto err_of = [this](const char* filter) {
    return Run({"export", "--to", "mermaid", Golden("mcp"), "--where", filter}).err;
  };
  EXPECT_THAT(err_of("method=none"), HasSubstr("info: nothing matches --where"));
  EXPECT_THAT(err_of("kind=error"), Not(HasSubstr("nothing matches")));
}

TEST_F(ExportTest, ATraceWithoutTimesIsSpacedOutWhereTimesMatter) {
  const std::string cassette =
      Save("c.jsonl", R"({"midwire":"cassette","version":1})"
                      "\n"
                      R"({"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"x"}})"
                      "\n"
                      R"({"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":1}})"
                      "\n");
  const Ran ran = Run({"export", "--to", "otlp", cassette});
  EXPECT_THAT(ran.out, HasSubstr(R"("startTimeUnixNano":"1000000","endTimeUnixNano":"2000000")"));
  EXPECT_THAT(ran.err, HasSubstr("c.jsonl has no times: its messages are 1 ms apart"));
  EXPECT_THAT(Run({"export", "--to", "markdown", cassette}).err, Not(HasSubstr("times")));
}

TEST_F(ExportTest, SaysWhichDialectWasDetected) {
  const Ran ran = Run({"export", "--to", "markdown", Golden("mcp")});
  EXPECT_THAT(ran.err, HasSubstr("dialect mcp, revision 2025-06-18, detected (certain: "));
  const Ran named = Run({"export", "--to", "markdown", Golden("mcp"), "--dialect", "mcp"});
  EXPECT_EQ(named.err, "");
}

TEST_F(ExportTest, AnExistingFileIsNotReplaced) {
  const std::string out = Save("out.json", "old");
  const Ran ran = Run({"export", "--to", "otlp", Golden("mcp"), "-o", out});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ReadFile(out), "old");
}

}  // namespace
}  // namespace midwire::tools
