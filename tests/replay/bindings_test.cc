#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayBindingsTest, AHandleIsReplacedByTheLiveOne) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"id":2,"method":"read","params":{"handle": "h-81", "at":"h-8"}}
    <- {"id":2,"result":{"handle":"h-81","n":1}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"x"}}
    -> {"id":2,"method":"read","params":{"handle": "x", "at":"h-8"}}
    <- {"id":2,"result":{"handle":"x","n":1}}
    closes
    same
    bound b1 "h-81"
  )");
}

TEST(ReplayBindingsTest, AValueOfAnotherFormIsInconsistentButUsed) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"thr_8f3a91"}}
    -> {"id":2,"method":"close","params":{"handle":"thr_8f3a91"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"a b c"}}
    -> {"id":2,"method":"close","params":{"handle":"a b c"}}
    closes
    inconsistent 2 open /result/handle: "thr_8f3a91" | "<b1>"
    bound b1 "thr_8f3a91"
  )");
}

TEST(ReplayBindingsTest, AnEmptyValueIsInconsistent) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"thr_8f3a91"}}
    -> {"id":2,"method":"close","params":{"handle":"thr_8f3a91"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":""}}
    -> {"id":2,"method":"close","params":{"handle":""}}
    closes
    inconsistent 2 open /result/handle: "thr_8f3a91" | ""
    bound b1 "thr_8f3a91"
  )");
}

TEST(ReplayBindingsTest, TheSameValueLiveIsNotListed) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":7}}
    -> {"id":2,"method":"read","params":{"handle":7}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":7}}
    -> {"id":2,"method":"read","params":{"handle":7}}
    closes
    same
  )");
}

TEST(ReplayBindingsTest, AnotherValueWhereItIsRepeatedIsInconsistent) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
    <- {"id":2,"result":{"of":"h-81"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-90"}}
    -> {"id":2,"method":"read","params":{"handle":"h-90"}}
    <- {"id":2,"result":{"of":"h-81"}}
    closes
    inconsistent 4 read /result/of: "h-81" | "h-81"
    bound b1 "h-81"
  )");
}

TEST(ReplayBindingsTest, LiveValuesAreReportedByName) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
    <- {"id":2,"result":"all of h-81"}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-90"}}
    -> {"id":2,"method":"read","params":{"handle":"h-90"}}
    <- {"id":2,"result":"none of h-90"}
    closes
    differs 4 read /result: "all of h-81" | "none of <b1>"
    bound b1 "h-81"
  )");
}

TEST(ReplayBindingsTest, TheTypeIsKept) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":7}}
    -> {"id":2,"method":"read","params":{"handle":7}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"7"}}
    -> {"id":2,"method":"read","params":{"handle":7}}
    closes
    differs 2 open /result/handle: 7 | "7"
  )");
}

TEST(ReplayBindingsTest, AValueThatOurRoleSentFirstIsNotBound) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open","params":{"handle":"h-81"}}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
  )",
                R"(
    -> {"id":1,"method":"open","params":{"handle":"h-81"}}
    <- {"id":1,"result":{"handle":"h-90"}}
    -> {"id":2,"method":"read","params":{"handle":"h-81"}}
    closes
    differs 2 open /result/handle: "h-81" | "h-90"
  )");
}

TEST(ReplayBindingsTest, AVersionADateAndProseAreContent) {
  for (const char* value : {"1.2.3", "2025-06-18", "plain words", "/tmp/x1"}) {
    const auto answer = [](std::string of) { return "<- {\"id\":1,\"result\":\"" + of + "\"}\n"; };
    const std::string ask = "-> {\"id\":1,\"method\":\"a\"}\n";
    const std::string again = std::string("-> {\"method\":\"b\",\"params\":[\"") + value + "\"]}\n";
    ExpectReplays(Host(), ask + answer(value) + again,
                  ask + answer("other") + again + "closes\ndiffers 2 a /result: \"" + value +
                      "\" | \"other\"\n");
  }
}

TEST(ReplayBindingsTest, ShortNumbersNeedANameAtBothEnds) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"count":7}}
    -> {"method":"b","params":{"userId":7}}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"count":8}}
    -> {"method":"b","params":{"userId":7}}
    closes
    differs 2 a /result/count: 7 | 8
  )");
}

TEST(ReplayBindingsTest, ABareResultNamesAHandleOfANamedMember) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"create"}
    <- {"id":1,"result":17}
    -> {"id":2,"method":"drop","params":{"object_id":17}}
  )",
                R"(
    -> {"id":1,"method":"create"}
    <- {"id":1,"result":3}
    -> {"id":2,"method":"drop","params":{"object_id":3}}
    closes
    same
    bound b1 17
  )");
}

TEST(ReplayBindingsTest, WithBindOffOnlyWhatIsDeclared) {
  ExpectReplays(Host().BindOff().Bound("open:/result/h=read:/params/h"), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"h":"h-81","id":"h-82"}}
    -> {"method":"read","params":{"h":"h-81","id":"h-82"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"h":"h-90","id":"h-82"}}
    -> {"method":"read","params":{"h":"h-90","id":"h-82"}}
    closes
    same
    bound b1 "h-81"
  )");
}

TEST(ReplayBindingsTest, ADeclaredPlaceMayHoldAnything) {
  ExpectReplays(Host().Bound("a:/result/words=b:/params/0"), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"words":"see you"}}
    -> {"method":"b","params":["see you"]}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":{"words":"good bye"}}
    -> {"method":"b","params":["good bye"]}
    closes
    same
    bound b1 "see you"
  )");
}

TEST(ReplayBindingsTest, OneMadeInAnArray) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"list"}
    <- {"id":1,"result":{"ids":["aa11","bb22"]}}
    -> {"id":2,"method":"get","params":["bb22"]}
    -> {"id":3,"method":"get","params":["aa11"]}
  )",
                R"(
    -> {"id":1,"method":"list"}
    <- {"id":1,"result":{"ids":["cc33","dd44"]}}
    -> {"id":2,"method":"get","params":["dd44"]}
    -> {"id":3,"method":"get","params":["cc33"]}
    closes
    same
    bound b1 "bb22"
    bound b2 "aa11"
  )");
}

TEST(ReplayBindingsTest, AReverseCallsParamsMayHoldTheHandle) {
  ExpectReplays(Host(), R"(
    <- {"id":1,"method":"callback","params":{"callbackId":"cb-17","v":1}}
    -> {"id":1,"result":{"callbackId":"cb-17"}}
  )",
                R"(
    <- {"id":1,"method":"callback","params":{"callbackId":"cb-99","v":1}}
    -> {"id":1,"result":{"callbackId":"cb-99"}}
    closes
    same
    bound b1 "cb-17"
  )");
}

TEST(ReplayBindingsTest, TheLiveSpellingGoesOut) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"token":"t\/81"}}
    -> {"method":"read","params":{"token":"t/81"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"token":"\u0074\/9"}}
    -> {"method":"read","params":{"token":"\u0074\/9"}}
    closes
    same
    bound b1 "t/81"
  )");
}

TEST(ReplayBindingsTest, ALostSourceLeavesTheRecordedValue) {
  ExpectReplays(Host(), R"(
    <- {"method":"ready","params":{"token":"t-81"}}
    -> {"method":"go","params":{"token":"t-81"}}
  )",
                R"(
    wait 1s
    -> {"method":"go","params":{"token":"t-81"}}
    closes
    missing 1 ready: {"method":"ready","params":{"token":"t-81"}} | -
  )");
}

TEST(ReplayBindingsTest, ANewHandleAtTheSamePlaceIsAnotherBinding) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-1a"}}
    -> {"id":2,"method":"open"}
    <- {"id":2,"result":{"handle":"h-2b"}}
    -> {"method":"close","params":{"handle":"h-1a"}}
    -> {"method":"close","params":{"handle":"h-2b"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-2b"}}
    -> {"id":2,"method":"open"}
    <- {"id":2,"result":{"handle":"h-3c"}}
    -> {"method":"close","params":{"handle":"h-2b"}}
    -> {"method":"close","params":{"handle":"h-3c"}}
    closes
    same
    bound b1 "h-1a"
    bound b2 "h-2b"
  )");
}

TEST(ReplayBindingsTest, AWorkDoneTokenOfThePlugin) {
  ExpectReplays(Host(), R"(
    <- {"id":1,"method":"window/workDoneProgress/create","params":{"token":"bg"}}
    -> {"id":1,"result":null}
    <- {"method":"$/progress","params":{"token":"bg","value":1}}
    -> {"method":"window/workDoneProgress/cancel","params":{"token":"bg"}}
  )",
                R"(
    <- {"id":1,"method":"window/workDoneProgress/create","params":{"token":"fg"}}
    -> {"id":1,"result":null}
    <- {"method":"$/progress","params":{"token":"fg","value":1}}
    -> {"method":"window/workDoneProgress/cancel","params":{"token":"fg"}}
    closes
    same
    bound b1 "bg"
  )");
}

TEST(ReplayBindingsTest, WhatComesBehindADifferenceIsLearned) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"n":1,"handle":"h-81"}}
    -> {"method":"read","params":{"handle":"h-81"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"n":2,"handle":"h-90"}}
    -> {"method":"read","params":{"handle":"h-90"}}
    closes
    differs 2 open /result/n: 1 | 2
    bound b1 "h-81"
  )");
}

TEST(ReplayBindingsTest, WhatIsIgnoredIsStillLearned) {
  ExpectReplays(Host().Ignore("open:/result/token"), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"token":"t-81"}}
    -> {"method":"read","params":{"token":"t-81"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"token":"t-90"}}
    -> {"method":"read","params":{"token":"t-90"}}
    closes
    same
    bound b1 "t-81"
  )");
}

TEST(ReplayBindingsTest, AnotherSpellingOfTheLiveValueIsConsistent) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"token":"t-81"}}
    -> {"id":2,"method":"read","params":{"token":"t-81"}}
    <- {"id":2,"result":{"token":"t-81"}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"token":"t-90"}}
    -> {"id":2,"method":"read","params":{"token":"t-90"}}
    <- {"id":2,"result":{"token":"\u0074-90"}}
    closes
    same
    bound b1 "t-81"
  )");
}

TEST(ReplayBindingsTest, ALongLiveValueIsNotKept) {
  const std::string big(100'000, 'x');
  const std::string transcript =
      Transcript(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"method":"read","params":{"handle":"h-81"}}
  )",
                 "<- {\"id\":1,\"result\":{\"handle\":\"" + big + "\"}}");
  EXPECT_NE(transcript.find("differs 2 open /result/handle: \"h-81\" | \"xxx"), std::string::npos);
  EXPECT_NE(transcript.find("-> {\"method\":\"read\",\"params\":{\"handle\":\"h-81\"}}\n"),
            std::string::npos);
}

// ---- values that are distinct stay so

std::string TwoHandles(const std::string& a, const std::string& b) {
  std::string text;
  for (int i = 0; i < 2; ++i) {
    const std::string id = std::to_string(i + 1), handle = i == 0 ? a : b;
    text += "-> {\"id\":" + id + ",\"method\":\"open\"}\n<- {\"id\":" + id +
            ",\"result\":{\"handle\":" + handle +
            "}}\n-> {\"method\":\"use\",\"params\":{\"handle\":" + handle + "}}\n";
  }
  return text;
}

TEST(ReplayBindingsTest, TwoValuesDoNotBecomeOne) {
  ExpectReplays(Host().ShowText(), TwoHandles(R"("h-81")", R"("h-82")"),
                TwoHandles(R"("h-1")", R"("h-1")") + R"(
    closes
    inconsistent 5 open /result/handle: "h-82" | "<b1>" (two values that differ in the trace are one now)
    bound b1 "h-81"
    bound b2 "h-82"
  )");
  ExpectReplays(Host(), TwoHandles("81", "82"),
                TwoHandles("82", "81") + "closes\nsame\nbound b1 81\nbound b2 82\n");
  ExpectReplays(Host(), TwoHandles("81", "82"), TwoHandles("7", "7") + R"(
    closes
    inconsistent 5 open /result/handle: 82 | 7
    bound b1 81
    bound b2 82
  )");
}

TEST(ReplayBindingsTest, NorInOneMessage) {
  const auto session = [](const std::string& a, const std::string& b) {
    return "-> {\"id\":1,\"method\":\"open\"}\n<- {\"id\":1,\"result\":{\"handles\":[" + a + "," +
           b + "]}}\n-> {\"method\":\"use\",\"params\":{\"handle\":" + a +
           "}}\n-> {\"method\":\"use\",\"params\":{\"handle\":" + b + "}}\n";
  };
  ExpectReplays(Host(), session(R"("thr_8f3a")", R"("thr_9b2c")"),
                session(R"("thr_0001")", R"("thr_0001")") + R"(
    closes
    inconsistent 2 open /result/handles/1: "thr_9b2c" | "<b1>"
    bound b1 "thr_8f3a"
    bound b2 "thr_9b2c"
  )");
}

TEST(ReplayBindingsTest, AWordForNothingInATextIsNoHandle) {
  const auto session = [](const std::string& uuid) {
    return "-> {\"id\":1,\"method\":\"open\"}\n<- {\"id\":1,\"result\":{\"uri\":\"task://" + uuid +
           "/log\"}}\n-> {\"method\":\"use\",\"params\":{\"task\":\"" + uuid + "\"}}\n";
  };
  const Role role = Host();
  const std::string recorded = session("123e4567-e89b-42d3-a456-426614174000");
  EXPECT_NE(
      Transcript(role, recorded, session("undefined")).find("inconsistent 2 open /result/uri"),
      std::string::npos);
  EXPECT_NE(
      Transcript(role, recorded, session("00112233-4455-4677-8899-aabbccddeeff")).find("same"),
      std::string::npos);
}

}  // namespace
}  // namespace midwire::replay
