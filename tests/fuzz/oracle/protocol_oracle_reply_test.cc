// What a host's requests are answered with, where we are its plugin.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"

namespace midwire::fuzz {
namespace {

// A plugin's side of a session, recorded or mutated, and what is said when a host asks: a line a
// message. The recording: 1 was `open`, 2 and 3 were `get`.
class Plugin {
 public:
  explicit Plugin(std::string_view said, uint16_t flags = 0) {
    seeds_.framing = wire::Framing::kLine;
    seeds_.usual_flags = flags;
    seeds_.methods = {"open", "get"};
    seeds_.peer_ids = {{"1", {"open"}}, {"2", {"get"}}, {"3", {"get"}}};
    seeds_.answers = {{"get", R"({"jsonrpc":"2.0","id":2,"result":"recorded"})"}};
    input_ = ParseInput(said, seeds_.framing);
    oracle_.set_reactive();
    oracle_.OnPeer();
    oracle_.OnRun(&input_);
  }
  Seeds& seeds() { return seeds_; }
  std::string Hear(const std::string& message) {
    std::string reply;
    oracle_.OnBytes(message + "\n", &reply);
    return reply;
  }
  std::string Ask(const std::string& id, const std::string& method) {
    return Hear(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + "\"}");
  }
  std::string Rest() { return oracle_.Rest(); }
  const std::string& told() const { return told_; }

 private:
  Seeds seeds_{wire::Direction::kPluginToHost};
  Features features_{{}};
  Input input_;
  std::string told_;
  ProtocolOracle oracle_{
      &seeds_, &features_, {}, [this](const Finding& f) { told_ += f.key + "\n"; }};
};

constexpr char kOpened[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"opened\"}\n";
constexpr char kGot[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"got\"}\n";
constexpr char kAgain[] = "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"again\"}\n";
constexpr char kNote[] = "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n";
const std::string kSession = std::string(kOpened) + kNote + kGot + kAgain;

std::string Under(const std::string& id, const char* result) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":")" + result + "\"}\n";
}

TEST(ProtocolOracleReplyTest, InTheRecordedOrderEachHasItsOwn) {
  Plugin plugin(kSession);
  EXPECT_EQ(plugin.Ask("11", "open"), Under("11", "opened"));
  EXPECT_EQ(plugin.Ask("12", "get"), kNote + Under("12", "got"));
  EXPECT_EQ(plugin.Ask("13", "get"), Under("13", "again"));
}

TEST(ProtocolOracleReplyTest, InAnotherOrderEachHasTheNextOfItsMethod) {
  Plugin plugin(kSession);
  EXPECT_EQ(plugin.Ask("11", "get"), kNote + Under("11", "got"));
  EXPECT_EQ(plugin.Ask("12", "open"), Under("12", "opened"));
  EXPECT_EQ(plugin.Ask("13", "get"), Under("13", "again"));
  EXPECT_EQ(plugin.Rest(), "");
}

TEST(ProtocolOracleReplyTest, WhoAsksMoreOftenHasTheRecordedOneAgain) {
  Plugin plugin(kGot);
  EXPECT_EQ(plugin.Ask("11", "get"), Under("11", "got"));
  EXPECT_EQ(plugin.Ask("12", "get"), Under("12", "recorded"));
}

TEST(ProtocolOracleReplyTest, WhatNobodyHasRecordedTakesNothingFromOthers) {
  Plugin plugin(kSession);
  EXPECT_EQ(plugin.Ask("11", "close"), "{\"jsonrpc\":\"2.0\",\"id\":11,\"result\":null}\n");
  EXPECT_EQ(plugin.Ask("12", "open"), Under("12", "opened"));
}

// A mutant whose id is damaged may be the answer to anything, and is said as it is.
TEST(ProtocolOracleReplyTest, AnAnswerOfAnIdThatNobodyHadIsGivenInItsTurn) {
  const std::string damaged = Under("\"x\"", "opened");
  Plugin plugin(damaged + kGot);
  EXPECT_EQ(plugin.Ask("11", "get"), damaged);
  EXPECT_EQ(plugin.Ask("12", "get"), Under("12", "got"));
}

TEST(ProtocolOracleReplyTest, WhatWasSaidUnaskedIsNoAnswerAnyMore) {
  Plugin plugin(kGot);
  EXPECT_EQ(plugin.Rest(), kGot);
  EXPECT_EQ(plugin.Ask("11", "get"), Under("11", "recorded"));
}

TEST(ProtocolOracleReplyTest, ABatchThatGoesBeforeAnAnswerMayBeAnsweredItself) {
  const std::string batch = "[{\"jsonrpc\":\"2.0\",\"id\":50,\"method\":\"get\"}]\n";
  Plugin plugin(batch + kOpened);
  EXPECT_EQ(plugin.Ask("11", "open"), batch + Under("11", "opened"));
  plugin.Hear(R"([{"jsonrpc":"2.0","id":50,"result":1}])");
  EXPECT_EQ(plugin.told(), "");
}

// ---- the Debug Adapter Protocol

constexpr char kDapOpened[] =
    R"({"seq":5,"type":"response","request_seq":1,"success":true,"command":"open"})"
    "\n";
constexpr char kDapGot[] =
    R"({"seq":6,"type":"response","request_seq":2,"success":true,"command":"get"})"
    "\n";

TEST(ProtocolOracleReplyTest, AnAnswerOfDapIsOneAndHasTheLiveNumber) {
  Plugin plugin(std::string(kDapOpened) + kDapGot, wire::kDap | wire::kNoVersion);
  EXPECT_EQ(plugin.Hear(R"({"seq":21,"type":"request","command":"get"})"),
            R"({"seq":6,"type":"response","request_seq":21,"success":true,"command":"get"})"
            "\n");
  EXPECT_EQ(plugin.Hear(R"({"seq":22,"type":"request","command":"open"})"),
            R"({"seq":5,"type":"response","request_seq":22,"success":true,"command":"open"})"
            "\n");
}

TEST(ProtocolOracleReplyTest, WhatIsNotRecordedOfDapIsAnsweredInItsWords) {
  Plugin plugin("", wire::kDap | wire::kNoVersion);
  EXPECT_EQ(plugin.Hear(R"({"seq":3,"type":"request","command":"launch"})"),
            R"({"seq":0,"type":"response","request_seq":3,"command":"launch","success":true})"
            "\n");
}

// It may wait for each of them before it answers us.
TEST(ProtocolOracleReplyTest, WhoseQuestionsAreTooManyToBeAnsweredOwesNothing) {
  for (const int count : {10, 1500, 3000}) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kLine;
    seeds.answers["ask"] = R"({"jsonrpc":"2.0","id":0,"result":")" + std::string(1000, 'x') + "\"}";
    Features features({});
    ProtocolOracle oracle(&seeds, &features, {}, [](const Finding&) {});
    const Input input = ParseInput("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n");
    oracle.OnRun(&input);
    oracle.Say(0);
    EXPECT_EQ(oracle.owed(), 1u);
    std::string asked, reply;
    for (int i = 0; i < count; ++i) {
      asked += R"({"jsonrpc":"2.0","method":"ask","id":)" + std::to_string(i) + "}\n";
    }
    oracle.OnBytes(asked, &reply);
    EXPECT_EQ(oracle.owed(), count == 10 ? 1u : 0u);
    EXPECT_EQ(oracle.in_sync(), count == 10);
  }
}

// Who says one id again and again has an answer to each, in whatever words.
TEST(ProtocolOracleReplyTest, OneGoodAnswerIsToOneQuestion) {
  Seeds seeds(wire::Direction::kHostToPlugin);
  seeds.framing = wire::Framing::kLine;
  Features features({});
  ProtocolOracle oracle(&seeds, &features, {}, [](const Finding&) {});
  const Input input = ParseInput(Under("\"w\"", "damaged") + Under("\"q\"", "good"));
  oracle.OnRun(&input);
  std::string reply;
  const std::string ask = "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ask\"}\n";
  oracle.OnBytes(ask + ask, &reply);
  EXPECT_EQ(reply, input.Bytes());
  EXPECT_TRUE(oracle.asked());
  EXPECT_EQ(oracle.AnswerOpen(), "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":null}\n");
}

}  // namespace
}  // namespace midwire::fuzz
