// Commands that decode a trace: where a language server logs JSON on stdout, they number its
// messages as show does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kSecret[] = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

class ExpectedFramingTest : public CommandTest {
 protected:
  static std::string Framed(const std::string& body) {
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  // Message 3 has a secret. The line before is a log.
  std::string Logging() const {
    return Save("t.pcapng",
                Tape::Of({"ls"})
                    .Plugin("{\"level\":\"info\",\"text\":\"ready\"}\n")
                    .Us(5)
                    .Host(Framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"))
                    .Us(5)
                    .Plugin(Framed(R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})"))
                    .Us(5)
                    .Host(Framed(R"({"jsonrpc":"2.0","method":"initialized","params":{"a":")" +
                                 std::string(kSecret) + "\"}}"))
                    .Us(5)
                    .Exit(0)
                    .bytes());
  }
};

TEST_F(ExpectedFramingTest, ShowCountsNoMessageInTheLog) {
  EXPECT_THAT(Run({"show", Logging(), "--json"}).out, HasSubstr(R"("n":3,)"));
  EXPECT_THAT(Run({"show", Logging(), "--json"}).out, Not(HasSubstr(R"("n":4,)")));
}
TEST_F(ExpectedFramingTest, ListCountsTheSame) {
  Logging();
  EXPECT_THAT(Run({"list", Path(""), "--json"}).out, HasSubstr(R"("messages":3)"));
}
TEST_F(ExpectedFramingTest, InferDraftsFromTheSame) {
  const std::string draft = Run({"infer", Logging()}).out;
  EXPECT_THAT(draft, HasSubstr("Drafted from 3 messages"));
}
TEST_F(ExpectedFramingTest, CorpusTakesNoLineOfTheLogForAMessage) {
  EXPECT_EQ(Run({"corpus", Logging(), "-o", Path("c"), "--role", "plugin"}).code, 0);
  const Ran ran = Run({"corpus", Logging(), "-o", Path("c"), "--role", "plugin"});
  EXPECT_THAT(ran.out + ran.err, HasSubstr("3 messages"));
}
TEST_F(ExpectedFramingTest, AnAuditNamesTheSameMessage) {
  EXPECT_THAT(Run({"redact", Logging(), "--audit", "--json"}).out, HasSubstr(R"("message":3)"));
}
TEST_F(ExpectedFramingTest, ACassetteHasALineForTheSameMessages) {
  // Three lines with a message; the log is a line without one.
  const auto messages = [this](const std::string& name) {
    const std::string text = ReadFile(Path(name));
    size_t count = 0;
    for (size_t at = 0; (at = text.find("\"message\":", at)) != text.npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(Run({"convert", Logging(), Path("t.jsonl")}).code, 0);
  EXPECT_EQ(messages("t.jsonl"), 3u);
  EXPECT_EQ(Run({"redact", Logging(), Path("r.jsonl")}).code, 0);
  EXPECT_EQ(messages("r.jsonl"), 3u);
}

}  // namespace
}  // namespace midwire::tools
