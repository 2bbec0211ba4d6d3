// The answers to a host's requests, when midwire is its plugin.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"

namespace midwire::fuzz {
namespace {

// A plugin's side of a session, recorded or mutated, and its answers to a host's requests: one line
// per message. In the recording, 1 is `open`, 2 and 3 are `get`.
class Plugin {
 public:
  explicit Plugin(std::string_view session, uint16_t flags = 0) {
    seeds_.framing = wire::Framing::kLine;
    seeds_.usual_flags = flags;
    seeds_.methods = {"open", "get"};
    seeds_.peer_ids = {{"1", {"open"}}, {"2", {"get"}}, {"3", {"get"}}};
    seeds_.answers = {{"get", R"({"jsonrpc":"2.0","id":2,"result":"recorded"})"}};
    input_ = ParseInput(session, seeds_.framing);
    oracle_.set_reactive();
    oracle_.OnPeer();
    oracle_.OnRun(&input_);
  }
  Seeds& seeds() { return seeds_; }
  std::string Receive(const std::string& message) {
    std::string reply;
    oracle_.OnBytes(message + "\n", &reply);
    return reply;
  }
  std::string Ask(const std::string& id, const std::string& method) {
    return Receive(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + "\"}");
  }
  std::string Rest() { return oracle_.Rest(); }
  const std::string& findings() const { return findings_; }

 private:
  Seeds seeds_{wire::Direction::kPluginToHost};
  Features features_{{}};
  Input input_;
  std::string findings_;
  ProtocolOracle oracle_{
      &seeds_, &features_, {}, [this](const Finding& f) { findings_ += f.key + "\n"; }};
};

constexpr char kOpened[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"opened\"}\n";
constexpr char kGot[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"got\"}\n";
constexpr char kAgain[] = "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"again\"}\n";
constexpr char kNote[] = "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n";
const std::string kPluginSession = std::string(kOpened) + kNote + kGot + kAgain;

std::string Under(const std::string& id, const char* result) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":")" + result + "\"}\n";
}

TEST(ProtocolOracleReplyTest, InTheRecordedOrderEachRequestGetsItsAnswer) {
  Plugin plugin(kPluginSession);
  EXPECT_EQ(plugin.Ask("11", "open"), Under("11", "opened"));
  EXPECT_EQ(plugin.Ask("12", "get"), kNote + Under("12", "got"));
  EXPECT_EQ(plugin.Ask("13", "get"), Under("13", "again"));
}

TEST(ProtocolOracleReplyTest, InAnotherOrderEachRequestGetsTheNextOfItsMethod) {
  Plugin plugin(kPluginSession);
  EXPECT_EQ(plugin.Ask("11", "get"), kNote + Under("11", "got"));
  EXPECT_EQ(plugin.Ask("12", "open"), Under("12", "opened"));
  EXPECT_EQ(plugin.Ask("13", "get"), Under("13", "again"));
  EXPECT_EQ(plugin.Rest(), "");
}

TEST(ProtocolOracleReplyTest, FurtherRequestsGetTheRecordedAnswer) {
  Plugin plugin(kGot);
  EXPECT_EQ(plugin.Ask("11", "get"), Under("11", "got"));
  EXPECT_EQ(plugin.Ask("12", "get"), Under("12", "recorded"));
}

TEST(ProtocolOracleReplyTest, AMethodWithoutARecordingUsesNoOtherAnswer) {
  Plugin plugin(kPluginSession);
  EXPECT_EQ(plugin.Ask("11", "close"), "{\"jsonrpc\":\"2.0\",\"id\":11,\"result\":null}\n");
  EXPECT_EQ(plugin.Ask("12", "open"), Under("12", "opened"));
}

// A mutant with a damaged id may answer any request, and is sent unchanged.
TEST(ProtocolOracleReplyTest, AnAnswerWithAnUnknownIdIsSentInOrder) {
  const std::string damaged = Under("\"x\"", "opened");
  Plugin plugin(damaged + kGot);
  EXPECT_EQ(plugin.Ask("11", "get"), damaged);
  EXPECT_EQ(plugin.Ask("12", "get"), Under("12", "got"));
}

TEST(ProtocolOracleReplyTest, AnAnswerThatWasSentIsNotUsedAgain) {
  Plugin plugin(kGot);
  EXPECT_EQ(plugin.Rest(), kGot);
  EXPECT_EQ(plugin.Ask("11", "get"), Under("11", "recorded"));
}

TEST(ProtocolOracleReplyTest, ABatchSentBeforeAnAnswerMayBeAnswered) {
  const std::string batch = "[{\"jsonrpc\":\"2.0\",\"id\":50,\"method\":\"get\"}]\n";
  Plugin plugin(batch + kOpened);
  EXPECT_EQ(plugin.Ask("11", "open"), batch + Under("11", "opened"));
  plugin.Receive(R"([{"jsonrpc":"2.0","id":50,"result":1}])");
  EXPECT_EQ(plugin.findings(), "");
}

// ---- the Debug Adapter Protocol

constexpr char kDapOpened[] =
    R"({"seq":5,"type":"response","request_seq":1,"success":true,"command":"open"})"
    "\n";
constexpr char kDapGot[] =
    R"({"seq":6,"type":"response","request_seq":2,"success":true,"command":"get"})"
    "\n";

TEST(ProtocolOracleReplyTest, ADapAnswerHasTheLiveNumber) {
  Plugin plugin(std::string(kDapOpened) + kDapGot, wire::kDap | wire::kNoVersion);
  EXPECT_EQ(plugin.Receive(R"({"seq":21,"type":"request","command":"get"})"),
            R"({"seq":6,"type":"response","request_seq":21,"success":true,"command":"get"})"
            "\n");
  EXPECT_EQ(plugin.Receive(R"({"seq":22,"type":"request","command":"open"})"),
            R"({"seq":5,"type":"response","request_seq":22,"success":true,"command":"open"})"
            "\n");
}

TEST(ProtocolOracleReplyTest, ADapRequestWithoutARecordingGetsADapAnswer) {
  Plugin plugin("", wire::kDap | wire::kNoVersion);
  EXPECT_EQ(plugin.Receive(R"({"seq":3,"type":"request","command":"launch"})"),
            R"({"seq":0,"type":"response","request_seq":3,"command":"launch","success":true})"
            "\n");
}

// The peer may wait for each of them before it answers.
TEST(ProtocolOracleReplyTest, NoAnswerIsExpectedAfterTooManyRequestsOfThePeer) {
  for (const int count : {10, 1500, 3000}) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kLine;
    seeds.answers["ask"] = R"({"jsonrpc":"2.0","id":0,"result":")" + std::string(1000, 'x') + "\"}";
    Features features({});
    ProtocolOracle oracle(&seeds, &features, {}, [](const Finding&) {});
    const Input input = ParseInput("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n");
    oracle.OnRun(&input);
    oracle.PartToSend(0);
    EXPECT_EQ(oracle.state().due, 1u);
    std::string requests, reply;
    for (int i = 0; i < count; ++i) {
      requests += R"({"jsonrpc":"2.0","method":"ask","id":)" + std::to_string(i) + "}\n";
    }
    oracle.OnBytes(requests, &reply);
    EXPECT_EQ(oracle.state().due, count == 10 ? 1u : 0u);
    EXPECT_EQ(oracle.state().sync == SyncState::kInSync, count == 10);
  }
}

// A peer that repeats an id gets an answer to each request.
TEST(ProtocolOracleReplyTest, OneValidAnswerAnswersOneRequest) {
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
  EXPECT_TRUE(oracle.state().asks);
  EXPECT_EQ(oracle.AnswerPeerRequests(), "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":null}\n");
}

}  // namespace
}  // namespace midwire::fuzz
