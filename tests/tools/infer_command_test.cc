#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

class InferCommandTest : public CommandTest {
 protected:
  // A till that answers a purchase with this result.
  std::string Till(const std::string& name, const std::string& result) const {
    const std::string answer = R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}\n";
    return Save(name, Tape::Of({"till"})
                          .Host("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"buy\"}\n")
                          .Us(5)
                          .Plugin(answer)
                          .Exit(0)
                          .bytes());
  }
  static wire::Json Json(const std::string& text) {
    Result<wire::Json> json = wire::ParseJson(text);
    EXPECT_TRUE(json) << text;
    return json ? *json : wire::Json();
  }
};

TEST_F(InferCommandTest, ADraftOnStandardOutput) {
  const Ran ran = Run({"infer", Till("a.pcapng", R"({"n":1})")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  const wire::Json draft = Json(ran.out);
  EXPECT_EQ(draft.String("dialect"), "inferred");
  EXPECT_EQ(draft.String("title"), "Drafted from 2 messages in 1 session");
}

TEST_F(InferCommandTest, TheDraftFindsWhatChanged) {
  const std::string draft = Path("till.json");
  EXPECT_EQ(Run({"infer", Till("a.pcapng", R"({"n":1,"s":"x"})"), "-o", draft}).code, 0);
  const Ran same = Run({"check", Till("b.pcapng", R"({"n":2,"s":"y"})"), "--dialect", draft});
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.out, "fine: 0 must, 0 should, 0 notes in 2 messages, checked against till\n");
  const Ran other = Run({"check", Till("c.pcapng", R"({"n":"2"})"), "--dialect", draft});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("must    result"));
}

TEST_F(InferCommandTest, SeveralTracesMakeOneDraft) {
  const Ran ran = Run({"infer", Till("a.pcapng", R"({"n":1,"s":"x"})"),
                       Till("b.pcapng", R"({"n":null})"), "--name", "tills"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("\"dialect\": \"tills\""));
  EXPECT_THAT(ran.out, HasSubstr("4 messages in 2 sessions"));
  EXPECT_THAT(ran.out, HasSubstr(R"("required": ["n"])"));
  EXPECT_THAT(ran.out, HasSubstr(R"({"type": ["null", "integer"]})"));
}

TEST_F(InferCommandTest, ClosedRefusesNewMembers) {
  const std::string draft = Path("till.json");
  EXPECT_EQ(Run({"infer", "--closed", Till("a.pcapng", R"({"n":1})"), "-o", draft}).code, 0);
  const std::string more = Till("b.pcapng", R"({"n":1,"m":1})");
  EXPECT_EQ(Run({"check", more, "--dialect", draft}).code, 1);
}

TEST_F(InferCommandTest, AnOutputThatExistsStaysAsItIs) {
  const std::string kept = Save("till.json", "mine");
  const Ran ran = Run({"infer", Till("a.pcapng", "1"), "-o", kept});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("till.json"));
  EXPECT_EQ(ReadFile(kept), "mine");
}

TEST_F(InferCommandTest, AMissingTraceLeavesNothingBehind) {
  const std::string draft = Path("till.json");
  EXPECT_EQ(Run({"infer", Till("a.pcapng", "1"), Path("none.pcapng"), "-o", draft}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(draft));
}

TEST_F(InferCommandTest, ATraceWithoutMessagesIsRefused) {
  const Ran ran = Run({"infer", Save("t.pcapng", Tape::Of({"till"}).Exit(0).bytes())});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("no messages in the trace"));
}

TEST_F(InferCommandTest, OfADamagedTapeWhatCanBeRead) {
  std::string bytes = ReadFile(Till("a.pcapng", R"({"n":1})"));
  const size_t at = bytes.find("\"result\"");
  ASSERT_NE(at, bytes.npos);
  bytes[at] ^= 1;
  const Ran ran = Run({"infer", Save("damaged.pcapng", bytes)});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.out, HasSubstr("\"buy\""));
  EXPECT_THAT(ran.out, Not(HasSubstr("\"result\"")));
  EXPECT_THAT(ran.err, HasSubstr("damaged"));
}

TEST_F(InferCommandTest, HelpHasAnExample) {
  EXPECT_THAT(Run({"infer", "--help"}).out, HasSubstr("midwire infer session.pcapng"));
}

}  // namespace
}  // namespace midwire::tools
