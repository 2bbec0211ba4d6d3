// Which parts of an input are sent, and which of them answer the peer.
#include "fuzz/oracle/input_script.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

constexpr char kScriptOpen[] = "{\"id\":1,\"method\":\"open\"}\n",
               kScriptYes[] = "{\"id\":4,\"result\":\"yes\"}\n",
               kScriptNo[] = "{\"id\":5,\"result\":\"no\"}\n",
               kScriptNote[] = "{\"method\":\"note\"}\n";

class InputScriptTest : public testing::Test {
 protected:
  void Begin(const std::string& bytes) {
    seeds_.framing = wire::Framing::kLine;
    input_ = ParseInput(bytes, wire::Framing::kLine);
    script_.OnRun(&input_);
  }
  std::string Replies(const std::string& id, const std::string& method) {
    std::string all;
    for (const std::string& reply : script_.Replies(id, method)) all += reply;
    return all;
  }

  Seeds seeds_{wire::Direction::kHostToPlugin};
  Input input_;
  InputScript script_{&seeds_};
};

TEST_F(InputScriptTest, APartIsTakenOnce) {
  Begin(std::string(kScriptOpen) + kScriptNote);
  EXPECT_EQ(script_.Take(0), kScriptOpen);
  EXPECT_EQ(script_.Take(0), "");
  EXPECT_EQ(script_.last(), 0u);
  EXPECT_EQ(script_.Take(1), kScriptNote);
  EXPECT_TRUE(script_.at_end());
}

TEST_F(InputScriptTest, ThePeerGetsTheNextAnswerOfTheInput) {
  seeds_.peer_ids = {{"4", {}}};
  Begin(std::string(kScriptOpen) + kScriptYes);
  script_.Take(0);
  EXPECT_EQ(Replies("\"p\"", "ask"), "{\"id\":\"p\",\"result\":\"yes\"}\n");
  EXPECT_EQ(script_.Take(1), "") << "it is sent once";
  EXPECT_EQ(Replies("7", "ask"), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}\n");
}

TEST_F(InputScriptTest, AnAnswerBehindARequestIsNotNext) {
  Begin(std::string(kScriptOpen) + kScriptYes);
  EXPECT_EQ(Replies("7", "ask"), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}\n");
}

TEST_F(InputScriptTest, AHostGetsTheAnswerToItsMethodAfterThePartsBeforeIt) {
  seeds_.peer_ids = {{"4", {"ask"}}, {"5", {"tell"}}};
  script_.set_reactive();
  Begin(std::string(kScriptNote) + kScriptYes + kScriptNote + kScriptNo);
  EXPECT_EQ(Replies("1", "tell"),
            std::string(kScriptNote) + kScriptNote + "{\"id\":1,\"result\":\"no\"}\n");
  EXPECT_EQ(Replies("2", "ask"), "{\"id\":2,\"result\":\"yes\"}\n");
}

TEST_F(InputScriptTest, APartThatLooksLikeAnAnswerDependsOnThePeer) {
  Begin(std::string(kScriptOpen) + kScriptYes);
  EXPECT_FALSE(script_.Depends(0));
  EXPECT_TRUE(script_.Depends(1));
  script_.Take(1);
  EXPECT_FALSE(script_.Depends(1));
}

}  // namespace
}  // namespace midwire::fuzz
