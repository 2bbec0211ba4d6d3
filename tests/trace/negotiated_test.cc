#include "trace/dialect/negotiated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

using testing::ElementsAre;

// Collects what a session declares.
class CapabilityListener : public SessionHandler {
 public:
  explicit CapabilityListener(const wire::Dialect* dialect) : capabilities_(dialect) {}
  void OnMessage(const RecordedMessage& recorded) override {
    const std::string_view method =
        recorded.request ? std::string_view(recorded.request->method) : recorded.message->method;
    capabilities_.OnMessage(recorded.direction, {.message = recorded.message,
                                                 .method = method,
                                                 .body = recorded.frame->body(),
                                                 .number = recorded.number});
  }
  Capabilities capabilities_;
};

std::vector<std::string> Declared(const std::string& conversation, wire::Direction direction) {
  const Result<wire::Dialect> dialect =
      DialectOf(R"("negotiation": {"capabilities": ["hello:/params/can", "hello:/result/can"]})");
  EXPECT_TRUE(dialect);
  CapabilityListener listener(&*dialect);
  Talk(&listener).Play(conversation, [] {});
  return listener.capabilities_.of(direction);
}

TEST(CapabilitiesTest, MembersThatAreNotFalse) {
  const std::string talk = R"(
    -> {"id":1,"method":"hello","params":{"can":{"a":{},"b":false,"c":null,"d":true}}}
    <- {"id":1,"result":{"can":{"x":{}}}}
  )";
  EXPECT_THAT(Declared(talk, wire::Direction::kHostToPlugin), ElementsAre("a", "d"));
  EXPECT_THAT(Declared(talk, wire::Direction::kPluginToHost), ElementsAre("x"));
}

TEST(CapabilitiesTest, AListOfNames) {
  EXPECT_THAT(Declared(R"(-> {"id":1,"method":"hello","params":{"can":["a",7,"b"]}})",
                       wire::Direction::kHostToPlugin),
              ElementsAre("a", "b"));
}

TEST(CapabilitiesTest, TheFirstDeclarationCounts) {
  EXPECT_THAT(Declared(R"(
    -> {"id":1,"method":"hello","params":{"can":["a"]}}
    -> {"id":2,"method":"hello","params":{"can":["b"]}}
  )",
                       wire::Direction::kHostToPlugin),
              ElementsAre("a"));
}

TEST(CapabilitiesTest, NotOfOtherShapesAndNotTooMany) {
  EXPECT_TRUE(Declared(R"(-> {"id":1,"method":"hello","params":{"can":"a"}})",
                       wire::Direction::kHostToPlugin)
                  .empty());
  std::string many = "-> {\"id\":1,\"method\":\"hello\",\"params\":{\"can\":[\"a0\"";
  for (int i = 1; i < 200; ++i) many += ",\"a" + std::to_string(i) + '"';
  EXPECT_EQ(Declared(many + "]}}", wire::Direction::kHostToPlugin).size(), kMaxCapabilities);
}

// Revisions themselves: tests/check/revision_test.cc. Here: a session that changes it all the time.
TEST(NegotiatedTest, ManyChangesAreRememberedUpToALimit) {
  const Result<wire::Dialect> dialect =
      DialectOf(R"("negotiation": {"message": ["/params/v"]}, "revisions": {"1": {}, "2": {}})");
  ASSERT_TRUE(dialect);
  Negotiated negotiated(&*dialect);
  wire::Message call;
  call.kind = wire::Kind::kRequest;
  for (uint64_t number = 1; number <= 20'000; ++number) {
    const std::string body = R"({"params":{"v":)" + std::to_string(number % 2 + 1) + "}}";
    negotiated.OnMessage({.message = &call, .method = "m", .body = body, .number = number});
  }
  wire::Message answer;
  answer.kind = wire::Kind::kResponse;
  const auto revision_of = [&](uint64_t number) {
    wire::OpenRequest request;
    request.number = number;
    return negotiated
        .OnMessage({.message = &answer, .method = "m", .body = "{}", .request = &request})
        ->revision;
  };
  EXPECT_EQ(revision_of(19'999), "2");
  EXPECT_EQ(revision_of(20'000), "1");
  EXPECT_FALSE(negotiated.settled());
}

}  // namespace
}  // namespace midwire::trace
