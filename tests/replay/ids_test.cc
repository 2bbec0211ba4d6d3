#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayIdsTest, OursGoOutAsRecorded) {
  ExpectReplays(Host(), R"(
    -> {"id":0,"method":"a"}
    <- {"id":0,"result":1}
    -> {"id":"7","method":"a"}
    <- {"id":"7","result":1}
  )",
                R"(
    -> {"id":0,"method":"a"}
    <- {"id":0,"result":1}
    -> {"id":"7","method":"a"}
    <- {"id":"7","result":1}
    closes
    same
  )");
}

// The player keeps the place of an id that is near the beginning of its request.
TEST(ReplayIdsTest, OursFarBehindTheBeginning) {
  const std::string request =
      R"(-> {"method":"a","params":{"text":")" + std::string(300, 'x') + R"("},"id":7})" + "\n";
  ExpectReplays(Host(), request + "<- {\"id\":7,\"result\":1}\n",
                request + "<- {\"id\":7,\"result\":1}\ncloses\nsame\n");
}

TEST(ReplayIdsTest, OursWhoseTextComesBeforeIt) {
  ExpectReplays(Host(), R"(
    -> {"jsonrpc":"2.0","params":[22,"2"],"method":"a","id":2}
    <- {"jsonrpc":"2.0","id":2,"result":1}
  )",
                R"(
    -> {"jsonrpc":"2.0","params":[22,"2"],"method":"a","id":2}
    <- {"jsonrpc":"2.0","id":2,"result":1}
    closes
    same
  )");
}

TEST(ReplayIdsTest, OnlyTheIdOfAnAnswerIsReplacedWhereverItIs) {
  ExpectReplays(Mock(), R"(
    -> {"id":2,"method":"a"}
    <- {"jsonrpc":"2.0","id": 2,"result":2}
    -> {"id":3,"method":"b"}
    <- {"result":{"id":3},"id":3}
    -> {"id":4,"method":"c"}
    <- {"text":"\"id\":4","result":4,"id":4}
    -> {"id":5,"method":"d"}
    <- {"list":[{"id":5}],"id":5,"result":5}
  )",
                R"(
    -> {"id":72,"method":"a"}
    <- {"jsonrpc":"2.0","id": 72,"result":2}
    -> {"id":73,"method":"b"}
    <- {"result":{"id":3},"id":73}
    -> {"id":74,"method":"c"}
    <- {"text":"\"id\":4","result":4,"id":74}
    -> {"id":75,"method":"d"}
    <- {"list":[{"id":5}],"id":75,"result":5}
    same
  )");
}

TEST(ReplayIdsTest, OneIdAgainAfterItsAnswerAndTwiceInFlight) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":1,"method":"b"}
    -> {"id":1,"method":"c"}
    <- {"id":1,"result":2}
    <- {"id":1,"result":3}
    -> {"id":2,"method":"d"}
    <- {"id":2,"result":4}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":1,"method":"b"}
    -> {"id":1,"method":"c"}
    <- {"id":1,"result":3}
    <- {"id":1,"result":2}
    -> {"id":2,"method":"d"}
    <- {"id":2,"result":4}
    closes
    same
  )");
}

TEST(ReplayIdsTest, AnAnswersIdKeepsItsType) {
  for (const char* id : {R"("1")", "1.0", "1e0"}) {
    const std::string wrong = std::string("<- {\"id\":") + id + ",\"result\":1}\n";
    ExpectReplays(Host(), R"(
      -> {"id":1,"method":"a"}
      <- {"id":1,"result":1}
    )",
                  "-> {\"id\":1,\"method\":\"a\"}\n" + wrong +
                      "closes\n"
                      "differs 2 a /id: 1 | " +
                      id + "\n");
  }
}

TEST(ReplayIdsTest, AnAnswerThatHasAMemberTwice) {
  for (const auto& [twice, seen] : {std::pair(R"("id":2,"id":1,"result":1)", "/id: - | 2"),
                                    std::pair(R"("id":1,"result":5,"result":1)", "/result: - | 5"),
                                    std::pair(R"("id":1,"i\u0064":1,"result":1)", "/id: - | 1")}) {
    ExpectReplays(Host(), R"(
      -> {"id":1,"method":"a"}
      <- {"id":1,"result":1}
    )",
                  "-> {\"id\":1,\"method\":\"a\"}\n<- {" + std::string(twice) +
                      "}\ncloses\ndiffers 2 a " + seen + "\n");
  }
}

TEST(ReplayIdsTest, AMemberThatWasRecordedTwice) {
  const std::string recorded = R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"id":1,"result":{"x":1,"x":2}}
  )";
  ExpectReplays(Host(), recorded, recorded + "closes\nsame\n");
  ExpectReplays(Host(), recorded, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"x":1,"x":2}}
    closes
    differs 2 a /id: 1 | -
  )");
}

TEST(ReplayIdsTest, ANotificationThatNamesTwoMethods) {
  ExpectReplays(Host(), R"(
    <- {"method":"a"}
  )",
                R"(
    <- {"method":"b","method":"a"}
    closes
    differs 1 a /method: - | "b"
  )");
}

TEST(ReplayIdsTest, NullIsNoSpellingOfANumber) {
  ExpectReplays(Host(), R"(
    -> {"id":0,"method":"a"}
    <- {"id":0,"result":1}
  )",
                R"(
    -> {"id":0,"method":"a"}
    <- {"id":null,"result":1}
    wait 5s
    finishes
    hung 2 a
    missing 2 a: {"id":0,"result":1} | -
    unknown -: - | {"id":null,"result":1}
  )");
}

TEST(ReplayIdsTest, AnIdBeyondADoubleIsNotRounded) {
  ExpectReplays(Host(), R"(
    -> {"id":9007199254740993,"method":"a"}
    <- {"id":9007199254740993,"result":1}
  )",
                R"(
    -> {"id":9007199254740993,"method":"a"}
    <- {"id":9007199254740992,"result":1}
    <- {"id":9007199254740993,"result":1}
    closes
    unknown -: - | {"id":9007199254740992,"result":1}
  )");
}

TEST(ReplayIdsTest, TheSameIdInBothDirections) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":"ours"}
    <- {"id":1,"result":"theirs"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"ask"}
    -> {"id":1,"result":"ours"}
    <- {"id":1,"result":"theirs"}
    closes
    same
  )");
}

TEST(ReplayIdsTest, TheSameIdTwiceInFlightIsAnsweredInEitherOrder) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    -> {"id":1,"method":"b"}
    <- {"id":1,"result":"of a"}
    <- {"id":1,"result":"of b"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    -> {"id":1,"method":"b"}
    <- {"id":1,"result":"of b"}
    <- {"id":1,"result":"of a"}
    closes
    same
  )");
}

TEST(ReplayIdsTest, TheSameIdOneAfterTheOther) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"first"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"second"}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"first"}
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":"third"}
    closes
    differs 4 a /result: "second" | "third"
  )");
}

TEST(ReplayIdsTest, ThePeersIdsMayBeOthers) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":"host-4711-ask","method":"ask","params":[1]}
    -> {"id":"host-4711-ask","result":true}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":"host-22-ask","method":"ask","params":[1]}
    -> {"id":"host-22-ask","result":true}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayIdsTest, ButNotOfAnotherType) {
  for (const char* id : {R"("1")", "null"}) {
    const std::string live = std::string("<- {\"id\":") + id +
                             ",\"method\":\"ask\"}\n-> {\"id\":" + id +
                             ",\"result\":0}\ncloses\ndiffers 1 ask /id: 1 | " + id + "\n";
    ExpectReplays(Host(), R"(
      <- {"id":1,"method":"ask"}
      -> {"id":1,"result":0}
    )",
                  live);
  }
}

TEST(ReplayIdsTest, TheLiveIdIsCopiedAsItIsSpelt) {
  for (const char* id : {"1.50e1", "-0", "12345678901234567890123", R"("\u0041\/é")", "null"}) {
    const std::string ask = std::string("<- {\"method\":\"ask\",\"id\":") + id + "}\n";
    const std::string answer = std::string("-> {\"result\" : 0, \"id\": ") + id + " }\n";
    const std::string transcript = Transcript(Host(), R"(
      <- {"method":"ask","id":10}
      -> {"result" : 0, "id": 10 }
    )",
                                              ask);
    EXPECT_TRUE(transcript.starts_with(ask + answer)) << transcript;
  }
}

TEST(ReplayIdsTest, SameLookingReverseCallsAreTakenFirstInFirstOut) {
  ExpectReplays(Host(), R"(
    <- {"id":1,"method":"ask"}
    <- {"id":2,"method":"ask"}
    -> {"id":2,"result":"second"}
    -> {"id":1,"result":"first"}
  )",
                R"(
    <- {"id":8,"method":"ask"}
    -> {"id":8,"result":"first"}
    <- {"id":9,"method":"ask"}
    -> {"id":9,"result":"second"}
    closes
    same
  )");
}

TEST(ReplayIdsTest, DuplicateIdsOfThePeerBothGetAnswers) {
  ExpectReplays(Host(), R"(
    <- {"id":1,"method":"ask","params":"x"}
    <- {"id":1,"method":"ask","params":"y"}
    -> {"id":1,"result":"x"}
    -> {"id":1,"result":"y"}
  )",
                R"(
    <- {"id":1,"method":"ask","params":"y"}
    -> {"id":1,"result":"y"}
    <- {"id":1,"method":"ask","params":"x"}
    -> {"id":1,"result":"x"}
    closes
    same
  )");
}

}  // namespace
}  // namespace midwire::replay
