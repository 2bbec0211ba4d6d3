// Rule type "gate" with "at" and "from": values and parties that need a grant.
#include <gtest/gtest.h>

#include <string>

#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

std::string With(const std::string& rule, const std::string& conversation) {
  return Found(
      R"("jsonrpc": "off", "unknown_methods": "off", "rules": [{"id": "g", "type": "gate",)" +
          rule + "}]",
      conversation);
}

constexpr char kUrl[] = R"("at": ["ask:/params/mode"], "is": ["url"],
  "grant": "hello:/params/can/url", "known": "hello:/params/can")";
constexpr char kHello[] = R"(-> {"id":0,"method":"hello","params":{"can":{"form":{}}}}
<- {"id":0,"result":{}}
)";
std::string AskWithMode(const std::string& mode) {
  return R"(<- {"id":1,"method":"ask","params":{"mode":")" + mode + R"("}}
-> {"id":1,"result":{}}
)";
}

TEST(GateAtTest, OnlyTheValueThatIsNamedNeedsTheGrant) {
  EXPECT_EQ(With(kUrl, kHello + AskWithMode("form")), "");
  EXPECT_EQ(With(kUrl, kHello + AskWithMode("url")),
            "must g 3 ask /params/mode: expected a grant at hello:/params/can/url, got \"url\"\n");
}

TEST(GateAtTest, AGrantedValue) {
  const std::string hello = R"(-> {"id":0,"method":"hello","params":{"can":{"url":{}}}}
<- {"id":0,"result":{}}
)";
  EXPECT_EQ(With(kUrl, hello + AskWithMode("url")), "");
}

TEST(GateAtTest, NothingIsKnownBeforeTheDeclaration) {
  EXPECT_EQ(With(kUrl, AskWithMode("url")), "");
}

TEST(GateAtTest, AnyValueWithoutIs) {
  const std::string rule = R"("at": ["run:/params/task"], "grant": "hello:/params/can/task")";
  const std::string plain = R"(-> {"id":2,"method":"run","params":{}}
<- {"id":2,"result":{}}
)";
  const std::string task = R"(-> {"id":3,"method":"run","params":{"task":{}}}
<- {"id":3,"result":{}}
)";
  EXPECT_EQ(With(rule, kHello + plain), "");
  EXPECT_EQ(With(rule, kHello + task),
            "must g 3 run /params/task: expected a grant at hello:/params/can/task, got {}\n");
}

TEST(GateAtTest, AValueInAnAnswer) {
  const std::string rule = R"("at": ["run:/result/wants/*/method"], "is": ["ask"],
    "grant": "/params/can/ask")";
  const auto run = [](const std::string& can, const std::string& wants) {
    return R"(-> {"id":2,"method":"run","params":{"can":)" + can + R"(}}
<- {"id":2,"result":{"wants":)" +
           wants + "}}\n";
  };
  const std::string both = R"({"a":{"method":"list"},"b":{"method":"ask"}})";
  EXPECT_EQ(With(rule, run("{}", R"({"a":{"method":"list"}})")), "");
  EXPECT_EQ(With(rule, run(R"({"ask":{}})", both)), "");
  EXPECT_EQ(
      With(rule, run("{}", both)),
      "must g 2 run /result/wants/b/method: expected a grant at /params/can/ask, got \"ask\"\n");
}

TEST(GateAtTest, OnlyMessagesOfTheParty) {
  const std::string rule =
      R"("methods": ["ask"], "from": "plugin", "grant": "hello:/params/can/ask")";
  const std::string host = R"(-> {"id":5,"method":"ask"}
<- {"id":5,"result":{}}
)";
  EXPECT_EQ(With(rule, kHello + host), "");
  EXPECT_NE(With(rule, kHello + AskWithMode("form")), "");
}

}  // namespace
}  // namespace midwire::trace
