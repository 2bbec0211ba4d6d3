#include "wire/message.h"

#include <gtest/gtest.h>

#include "wire/message_scanner.h"

namespace midwire::wire {
namespace {

// Scans whole and byte by byte; both must agree.
Message Scan(std::string_view text) {
  MessageScanner whole, bytes;
  whole.Start(false);
  EXPECT_EQ(whole.Feed(text), text.size());
  const Message message = whole.Finish();
  bytes.Start(false);
  for (const char& c : text) bytes.Feed({&c, 1});
  const Message& same = bytes.Finish();
  EXPECT_EQ(message.kind, same.kind);
  EXPECT_EQ(message.method, same.method);
  EXPECT_EQ(message.id, same.id);
  EXPECT_EQ(message.flags, same.flags);
  EXPECT_EQ(message.elements.size(), same.elements.size());
  return message;
}

TEST(MessageTest, Request) {
  const Message m =
      Scan(R"({"jsonrpc":"2.0","id":7,"method":"a/b","params":{"id":9,"method":"no"}})");
  EXPECT_EQ(m.kind, Kind::kRequest);
  EXPECT_EQ(m.method, "a/b");
  EXPECT_EQ(m.id.token, "7");
  EXPECT_EQ(m.flags, 0);
}

TEST(MessageTest, IdsKeepTypeAndSpelling) {
  const struct {
    const char* spelt;
    Id::Type type;
  } cases[] = {{"1", Id::Type::kInteger},
               {"1.0", Id::Type::kFraction},
               {"1e0", Id::Type::kFraction},
               {"\"1\"", Id::Type::kString},
               {"null", Id::Type::kNull},
               {"-5", Id::Type::kInteger},
               {"9007199254740993", Id::Type::kInteger},
               {"\"\\u0031\"", Id::Type::kString},
               {"true", Id::Type::kOther},
               {"\"\"", Id::Type::kString}};
  for (const auto& c : cases) {
    const Message m = Scan(std::string("{\"method\":\"m\",\"id\":") + c.spelt + "}");
    EXPECT_EQ(m.id.type, c.type) << c.spelt;
    EXPECT_EQ(m.id.token, c.spelt);
  }
}

TEST(MessageTest, NotificationHasNoId) {
  EXPECT_EQ(Scan(R"({"jsonrpc":"2.0","method":"n"})").kind, Kind::kNotification);
}

TEST(MessageTest, Answers) {
  EXPECT_EQ(Scan(R"({"jsonrpc":"2.0","id":1,"result":null})").kind, Kind::kResponse);
  EXPECT_EQ(Scan(R"({"jsonrpc":"2.0","id":1,"error":{}})").kind, Kind::kError);
  EXPECT_EQ(Scan(R"({"id":1,"result":3,"error":null})").kind, Kind::kResponse);
  EXPECT_EQ(Scan(R"({"id":1,"result":null,"error":{"message":"x"}})").kind, Kind::kError);
}

TEST(MessageTest, ErrorObject) {
  const Message m =
      Scan(R"({"error":{"data":{"code":5},"code":-32601,"message":"n\u006f"},"id":"a"})");
  EXPECT_EQ(m.error_code, -32601);
  EXPECT_EQ(m.error_message, "no");
  EXPECT_EQ(m.id.token, "\"a\"");
}

TEST(MessageTest, ErrorWithoutCodeOrWithAnOddOne) {
  EXPECT_EQ(Scan(R"({"id":1,"error":{"message":"m"}})").error_code, std::nullopt);
  EXPECT_EQ(Scan(R"({"id":1,"error":{"code":1.5}})").error_code, std::nullopt);
  EXPECT_EQ(Scan(R"({"id":1,"error":{"code":"-1x"}})").error_code, std::nullopt);
  EXPECT_EQ(Scan(R"({"id":1,"error":{"code":"-32602","message":"m"}})").error_code, std::nullopt);
  EXPECT_EQ(Scan(R"({"id":1,"error":{"code": "-3\u0032602"}})").error_code, std::nullopt);
  EXPECT_EQ(Scan(R"({"id":1,"error":"just text"})").kind, Kind::kError);
}

TEST(MessageTest, Flags) {
  EXPECT_EQ(Scan(R"({"method":"m"})").flags, kNoVersion);
  EXPECT_EQ(Scan(R"({"jsonrpc":2.0,"method":"m"})").flags, kOtherVersion);
  EXPECT_EQ(Scan(R"({"jsonrpc":"1.0","method":"m"})").flags, kOtherVersion);
  EXPECT_EQ(Scan(R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})").flags, kResultAndError);
  EXPECT_EQ(Scan(R"({"jsonrpc":"2.0","id":1})").flags, kNeither);
}

TEST(MessageTest, TheLastOfTwoMembersCounts) {
  const Message m = Scan(R"({"jsonrpc":"2.0","method":"first","id":1,"method":"second"})");
  EXPECT_EQ(m.method, "second");
  EXPECT_EQ(m.flags, kDuplicateMember);
}

TEST(MessageTest, EscapedNamesAndMethods) {
  EXPECT_EQ(Scan(R"({"\u006dethod":"tools\/call"})").method, "tools/call");
  EXPECT_EQ(Scan(R"({"method":"\ud83d\ude00\ud800"})").method, "\xf0\x9f\x98\x80\xef\xbf\xbd");
}

TEST(MessageTest, MethodThatIsNoStringIsInvalid) {
  EXPECT_EQ(Scan(R"({"jsonrpc":"2.0","id":1,"method":5})").kind, Kind::kInvalid);
}

TEST(MessageTest, DebugAdapterProtocol) {
  const Message request = Scan(R"({"seq":1,"type":"request","command":"launch"})");
  EXPECT_EQ(request.kind, Kind::kRequest);
  EXPECT_EQ(request.method, "launch");
  EXPECT_EQ(request.id.token, "1");
  const Message answer =
      Scan(R"({"seq":9,"type":"response","request_seq":1,"success":true,"command":"launch"})");
  EXPECT_EQ(answer.kind, Kind::kResponse);
  EXPECT_EQ(answer.id.token, "1");
  EXPECT_EQ(answer.flags, kDap | kNoVersion);
  const Message failed =
      Scan(R"({"seq":9,"type":"response","request_seq":1,"success":false,"message":"no"})");
  EXPECT_EQ(failed.kind, Kind::kError);
  EXPECT_EQ(failed.error_message, "no");
  EXPECT_EQ(Scan(R"({"seq":2,"type":"event","event":"output"})").method, "output");
}

TEST(MessageTest, DebugAdapterProtocolWithTextsForNumbersAndTruth) {
  EXPECT_EQ(Scan(R"({"type":"event","event":"output"})").method, "output");
  EXPECT_EQ(Scan(R"({"type":"response","request_seq":1})").kind, Kind::kInvalid);
  EXPECT_EQ(Scan(R"({"type":"event","event":"x","id":1})").flags & kDap, 0);
  const Message request = Scan(R"({"seq":"4","type":"request","command":"launch"})");
  EXPECT_EQ(request.id.type, Id::Type::kString);
  EXPECT_EQ(request.id.token, "\"4\"");
  const Message answer = Scan(R"({"seq":9,"type":"response","request_seq":"4","success":"false"})");
  EXPECT_EQ(answer.id.type, Id::Type::kString);
  EXPECT_EQ(answer.id.token, "\"4\"");
  EXPECT_EQ(answer.kind, Kind::kResponse);
}

TEST(MessageTest, BatchElementsAreClassifiedOneByOne) {
  const Message m = Scan(R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},)"
                         R"({"jsonrpc":"2.0","id":2,"result":[{}]}])");
  EXPECT_EQ(m.kind, Kind::kBatch);
  ASSERT_EQ(m.elements.size(), 3u);
  EXPECT_EQ(m.elements[0].method, "a");
  EXPECT_EQ(m.elements[1].kind, Kind::kNotification);
  EXPECT_EQ(m.elements[2].id.token, "2");
  EXPECT_EQ(m.flags, 0);
}

TEST(MessageTest, BatchWithElementsThatAreNoObjects) {
  const Message m = Scan(R"([1,null,"x",[2],{"method":"a"}])");
  EXPECT_EQ(m.kind, Kind::kBatch);
  EXPECT_EQ(m.elements.size(), 1u);
  EXPECT_EQ(m.flags, kMalformed);
}

TEST(MessageTest, WhatIsCutOffOrNoObjectIsInvalid) {
  for (const char* text :
       {"", "3", "\"x\"", "null", "{\"method\":\"m\"", "[{}", "{\"a\":\"", "}"}) {
    EXPECT_EQ(Scan(text).kind, Kind::kInvalid) << text;
  }
}

TEST(MessageTest, DeepNestingCostsNothing) {
  const std::string deep =
      "{\"method\":\"m\",\"params\":" + std::string(1 << 20, '[') + std::string(1 << 20, ']') + "}";
  EXPECT_EQ(Scan(deep).method, "m");
}

TEST(MessageTest, ALongTokenIsCut) {
  const Message m = Scan("{\"jsonrpc\":\"2.0\",\"method\":\"" + std::string(10'000, 'm') + "\"}");
  EXPECT_EQ(m.method.size(), kMaxToken);
  EXPECT_EQ(m.flags, kTokenCut);
}

TEST(MessageTest, ALongNameIsNoToken) {
  const Message m = Scan("{\"id\":2,\"" + std::string(10'000, 'n') + "\":1,\"method\":\"m\"}");
  EXPECT_EQ(m.method, "m");
  EXPECT_EQ(m.flags, kNoVersion);
}

}  // namespace
}  // namespace midwire::wire
