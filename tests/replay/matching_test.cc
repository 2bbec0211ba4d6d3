#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayMatchingTest, SpellingDoesNotCount) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"jsonrpc":"2.0","id":1,"result":{"a":"x/y","b":[100,true]}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- { "result": {"b":[1e2, true],"a":"\u0078\/y"}, "id":1, "jsonrpc":"2.0" }
    closes
    same
  )");
}

TEST(ReplayMatchingTest, AMemberMoreOrLessDoes) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    -> {"id":3,"method":"c"}
    <- {"jsonrpc":"2.0","id":1,"result":{}}
    <- {"id":2,"result":{"x":null}}
    <- {"id":3,"result":{}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    -> {"id":3,"method":"c"}
    <- {"id":1,"result":{}}
    <- {"id":2,"result":{}}
    <- {"id":3,"result":{"more":1}}
    closes
    differs 4 a /jsonrpc: "2.0" | -
    differs 5 b /result/x: null | -
    differs 6 c /result/more: - | 1
  )");
}

TEST(ReplayMatchingTest, TypesAndNeighboursOfADoubleDiffer) {
  for (const auto& [recorded, live] :
       {std::pair("1", "true"), std::pair("\"7\"", "7"), std::pair("null", "0"),
        std::pair("9007199254740992", "9007199254740993"),
        std::pair("\"\xEF\xBF\xBD\"", "\"\xFF\"")}) {
    const std::string ask = "-> {\"id\":1,\"method\":\"a\"}\n";
    const auto answer = [](const char* value) {
      return std::string("<- {\"id\":1,\"result\":") + value + "}\n";
    };
    ExpectReplays(Host(), ask + answer(recorded),
                  ask + answer(live) + "closes\ndiffers 2 a /result: " + recorded + " | " + live);
  }
}

TEST(ReplayMatchingTest, AnErrorInPlaceOfAResult) {
  ExpectReplays(Host().ShowText(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"error":{"code":-1,"message":"no"}}
    closes
    differs 2 a /result: 1 | - (a recorded response came as error: {"code":-1,"message":"no"})
  )");
}

TEST(ReplayMatchingTest, ARequestFindsTheRecordingThatIsEqual) {
  ExpectReplays(Host(), R"(
    <- {"id":1,"method":"read","params":"x"}
    -> {"id":1,"result":"of x"}
    <- {"id":2,"method":"read","params":"y"}
    -> {"id":2,"result":"of y"}
  )",
                R"(
    <- {"id":1,"method":"read","params":"y"}
    -> {"id":1,"result":"of y"}
    <- {"id":2,"method":"read","params":"x"}
    -> {"id":2,"result":"of x"}
    closes
    same
  )");
}

TEST(ReplayMatchingTest, ARequestWithOtherParamsIsComparedWithTheMostSimilar) {
  ExpectReplays(Host(), R"(
    <- {"id":1,"method":"read","params":{"path":"x","size":1,"mode":0}}
    -> {"id":1,"result":"of x"}
    <- {"id":2,"method":"read","params":{"path":"y","size":2,"mode":1}}
    -> {"id":2,"result":"of y"}
  )",
                R"(
    <- {"id":1,"method":"read","params":{"path":"y","size":2,"mode":7}}
    -> {"id":1,"result":"of y"}
    <- {"id":2,"method":"read","params":{"path":"x","size":1,"mode":0}}
    -> {"id":2,"result":"of x"}
    closes
    differs 3 read /params/mode: 1 | 7
  )");
}

TEST(ReplayMatchingTest, ANotificationWithAnotherContent) {
  ExpectReplays(Host(), R"(
    <- {"method":"log","params":{"text":"one"}}
  )",
                R"(
    <- {"method":"log","params":{"text":"two"}}
    closes
    differs 1 log /params/text: "one" | "two"
  )");
}

TEST(ReplayMatchingTest, IgnoredPlacesDoNotCountNorWhetherTheyAreThere) {
  ExpectReplays(Host().Ignore("a:/result/items/*/time").Ignore("/result/pid"), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"items":[{"n":1,"time":5},{"n":2}],"pid":3}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"items":[{"n":1},{"n":2,"time":{"s":1}}],"pid":"x"}}
    closes
    same
  )");
}

TEST(ReplayMatchingTest, AnIgnoreOfOneMethodHoldsForNoOther) {
  ExpectReplays(Host().Ignore("text/*:/result"), R"(
    -> {"id":1,"method":"text/a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"text/a"}
    <- {"id":1,"result":2}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":2}
    closes
    differs 4 a /result: 1 | 2
  )");
}

TEST(ReplayMatchingTest, AnIgnoreInTheHeaderHolds) {
  ExpectReplays(Host(), R"(
    header {"event":"header","ignore":["/result/t"],"volatile":["log/*"]}
    -> {"id":1,"method":"a"}
    <- {"method":"log/x"}
    <- {"id":1,"result":{"t":1}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"t":2}}
    closes
    same
  )");
}

TEST(ReplayMatchingTest, PlainlyBrokenJsonIsComparedByteByByte) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":[1,]}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":[1,]}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":[1,]}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":[2,]}
    closes
    differs 4 a: {"id":2,"result":[1,]} | {"id":2,"result":[2,]}
  )");
}

TEST(ReplayMatchingTest, LongValuesAreCut) {
  const std::string many(300, 'x');
  const std::string transcript = Transcript(Host(), "<- {\"method\":\"log\",\"params\":1}",
                                            "<- {\"method\":\"log\",\"params\":\"" + many + "\"}");
  EXPECT_NE(transcript.find("/params: 1 | \"" + many.substr(0, 236) + "...\n"), std::string::npos)
      << transcript;
}

}  // namespace
}  // namespace midwire::replay
