// Values that differ in each run, wherever they stand: inside longer strings, as members' names,
// as ids that are mentioned elsewhere, and unique ids that only the peer repeats.
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

TEST(ReplayLiveValuesTest, AHandleInsideAUriIsReplacedAndCompared) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"start"}
    <- {"id":1,"result":{"task":"thr_8f3a"}}
    -> {"id":2,"method":"read","params":{"uri":"task://thr_8f3a/log?of=thr_8f3a"}}
    <- {"id":2,"result":{"uri":"task://thr_8f3a/log"}}
  )",
                R"(
    -> {"id":1,"method":"start"}
    <- {"id":1,"result":{"task":"thr_0001"}}
    -> {"id":2,"method":"read","params":{"uri":"task://thr_0001/log?of=thr_0001"}}
    <- {"id":2,"result":{"uri":"task://thr_0001/log"}}
    closes
    same
    bound b1 "thr_8f3a"
  )");
}

TEST(ReplayLiveValuesTest, TheRestOfSuchAStringIsStillCompared) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"start"}
    <- {"id":1,"result":{"task":"thr_8f3a"}}
    -> {"id":2,"method":"read","params":{"uri":"task://thr_8f3a"}}
    <- {"id":2,"result":{"uri":"task://thr_8f3a/log"}}
  )",
                R"(
    -> {"id":1,"method":"start"}
    <- {"id":1,"result":{"task":"thr_0001"}}
    -> {"id":2,"method":"read","params":{"uri":"task://thr_0001"}}
    <- {"id":2,"result":{"uri":"task://thr_0001/other"}}
    closes
    differs 4 read /result/uri: "task://thr_8f3a/log" | "task://<b1>/other"
    bound b1 "thr_8f3a"
  )");
}

TEST(ReplayLiveValuesTest, ALongTextIsCutWhereItDiffersNotAtItsHandle) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  const std::string begin =
      "-> {\"id\":1,\"method\":\"start\"}\n<- {\"id\":1,\"result\":{\"task\":\"";
  const auto read = [&](const std::string& task, const std::string& last) {
    return begin + task + "\"}}\n-> {\"id\":2,\"method\":\"read\",\"params\":{\"task\":\"" + task +
           "\"}}\n<- {\"id\":2,\"result\":\"of " + task + " " + words + last + "\"}\n";
  };
  std::string context;
  for (int i = 0; i < 11; ++i) context += "word ";
  ExpectReplays(Host(), read("thr_8f3a", "one"),
                read("thr_0001", "two") + "closes\ndiffers 4 read /result: ..." + context +
                    "one\" | ..." + context + "two\"\nbound b1 \"thr_8f3a\"\n");
}

TEST(ReplayLiveValuesTest, AHandleAsAMembersName) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-8f3a1b2c"}}
    -> {"id":2,"method":"edit","params":{"changes":{"h-8f3a1b2c":1}}}
    <- {"id":2,"result":{"applied":{"h-8f3a1b2c":1,"other":2}}}
  )",
                R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-00000x00"}}
    -> {"id":2,"method":"edit","params":{"changes":{"h-00000x00":1}}}
    <- {"id":2,"result":{"applied":{"other":2,"h-00000x00":1}}}
    closes
    same
    bound b1 "h-8f3a1b2c"
  )");
}

TEST(ReplayLiveValuesTest, AUniqueIdThatThePeerRepeatsIsRenamed) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"begin","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"end","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"begin","params":{"token":"00000000-0000-4000-8000-000000000001"}}
    <- {"method":"end","params":{"token":"00000000-0000-4000-8000-000000000001"}}
    <- {"id":1,"result":1}
    closes
    same
    bound b1 "550e8400-e29b-41d4-a716-446655440000"
  )");
}

TEST(ReplayLiveValuesTest, ARenamingThatContradictsAnEarlierOneDiffers) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"begin","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"end","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"begin","params":{"token":"00000000-0000-4000-8000-000000000001"}}
    <- {"method":"end","params":{"token":"00000000-0000-4000-8000-000000000002"}}
    <- {"id":1,"result":1}
    closes
    inconsistent 3 end /params/token: "550e8400-e29b-41d4-a716-446655440000" | <other>
    bound b1 "550e8400-e29b-41d4-a716-446655440000"
  )");
}

TEST(ReplayLiveValuesTest, TwoRecordedUniqueIdsAreNeverOneLiveOne) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"x","params":["550e8400-e29b-41d4-a716-446655440000","6ba7b810-9dad-41d1-80b4-00c04fd430c8"]}
    <- {"method":"y","params":["550e8400-e29b-41d4-a716-446655440000","6ba7b810-9dad-41d1-80b4-00c04fd430c8"]}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"x","params":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000001"]}
    <- {"method":"y","params":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000001"]}
    <- {"id":1,"result":1}
    closes
    inconsistent 2 x /params/1: "6ba7b810-9dad-41d1-80b4-00c04fd430c8" | <other>
    inconsistent 3 y /params/1: "6ba7b810-9dad-41d1-80b4-00c04fd430c8" | <other>
    bound b1 "550e8400-e29b-41d4-a716-446655440000"
  )");
}

TEST(ReplayLiveValuesTest, AUniqueIdThatIsNoLongerOneDiffers) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"x","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"y","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"x","params":{"token":""}}
    <- {"method":"y","params":{"token":""}}
    <- {"id":1,"result":1}
    closes
    inconsistent 2 x /params/token: "550e8400-e29b-41d4-a716-446655440000" | <other>
    inconsistent 3 y /params/token: "550e8400-e29b-41d4-a716-446655440000" | <other>
  )");
}

TEST(ReplayLiveValuesTest, ADigestIsNeverRenamed) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"x","params":{"contentHash":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"y","params":{"contentHash":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"x","params":{"contentHash":"00000000-0000-4000-8000-000000000001"}}
    <- {"method":"y","params":{"contentHash":"00000000-0000-4000-8000-000000000001"}}
    <- {"id":1,"result":1}
    closes
    differs 2 x /params/contentHash: "550e8400-e29b-41d4-a716-446655440000" | "00000000-0000-4000-8000-000000000001"
    differs 3 y /params/contentHash: "550e8400-e29b-41d4-a716-446655440000" | "00000000-0000-4000-8000-000000000001"
  )");
}

TEST(ReplayLiveValuesTest, AnIdOfThePeersRequestThatItMentionsElsewhere) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":"server-77","method":"ask"}
    -> {"id":"server-77","result":true}
    <- {"method":"log","params":{"about":"server-77"}}
    -> {"method":"note","params":{"why":"ask server-77 was odd"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":"server-12","method":"ask"}
    -> {"id":"server-12","result":true}
    <- {"method":"log","params":{"about":"server-12"}}
    -> {"method":"note","params":{"why":"ask server-12 was odd"}}
    <- {"id":1,"result":1}
    closes
    same
    bound b1 "server-77"
  )");
}

TEST(ReplayLiveValuesTest, ANumberUnderAnotherNameOfAnIdentity) {
  ExpectReplays(Host(), R"(
    <- {"method":"stopped","params":{"threadId":9110}}
    -> {"id":1,"method":"stack","params":{"threadId":9110}}
    <- {"id":1,"result":{"threads":[{"id":9110,"name":"main"}]}}
  )",
                R"(
    <- {"method":"stopped","params":{"threadId":4242}}
    -> {"id":1,"method":"stack","params":{"threadId":4242}}
    <- {"id":1,"result":{"threads":[{"id":4242,"name":"main"}]}}
    closes
    same
    bound b1 9110
  )");
}

TEST(ReplayLiveValuesTest, ANumberThatCameBeforeUnderAnotherName) {
  ExpectReplays(Host(), R"(
    <- {"method":"process","params":{"systemProcessId":9110}}
    <- {"method":"stopped","params":{"threadId":9110}}
    -> {"id":1,"method":"stack","params":{"threadId":9110}}
    <- {"id":1,"result":1}
  )",
                R"(
    <- {"method":"process","params":{"systemProcessId":4242}}
    <- {"method":"stopped","params":{"threadId":4242}}
    -> {"id":1,"method":"stack","params":{"threadId":4242}}
    <- {"id":1,"result":1}
    closes
    same
    bound b1 9110
  )");
}

TEST(ReplayLiveValuesTest, ADeclaredValueThatANotificationHadBefore) {
  ExpectReplays(Host().Bound("call:/result/taskId=get:/params/taskId"), R"(
    -> {"id":1,"method":"call"}
    <- {"method":"status","params":{"taskId":"13f3e767baf667b3b7390f4b97b8be57"}}
    <- {"id":1,"result":{"taskId":"13f3e767baf667b3b7390f4b97b8be57"}}
    -> {"id":2,"method":"get","params":{"taskId":"13f3e767baf667b3b7390f4b97b8be57"}}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"call"}
    <- {"method":"status","params":{"taskId":"77f3e767baf667b3b7390f4b97b8be00"}}
    <- {"id":1,"result":{"taskId":"77f3e767baf667b3b7390f4b97b8be00"}}
    -> {"id":2,"method":"get","params":{"taskId":"77f3e767baf667b3b7390f4b97b8be00"}}
    <- {"id":2,"result":1}
    closes
    same
    bound b1 "13f3e767baf667b3b7390f4b97b8be57"
  )");
}

TEST(ReplayLiveValuesTest, WhatTheHostMadeMustComeBackAsItIs) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"x","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"y","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"method":"x","params":{"token":"00000000-0000-4000-8000-000000000001"}}
    <- {"method":"y","params":{"token":"550e8400-e29b-41d4-a716-446655440000"}}
    <- {"id":1,"result":1}
    closes
    differs 2 x /params/token: "550e8400-e29b-41d4-a716-446655440000" | "00000000-0000-4000-8000-000000000001"
  )");
}

}  // namespace
}  // namespace midwire::replay
