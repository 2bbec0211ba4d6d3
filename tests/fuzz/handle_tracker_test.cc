#include "fuzz/handle_tracker.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

using wire::Direction;

// A recording, line by line: "-> METHOD BODY" our role says, "<- METHOD BODY" the peer says.
HandleTracker Recorded(std::initializer_list<std::string_view> lines) {
  HandleTracker rebinder(Direction::kHostToPlugin);
  for (std::string_view line : lines) {
    const bool ours = line.starts_with("->");
    line.remove_prefix(3);
    const size_t blank = line.find(' ');
    rebinder.Record(ours ? Direction::kHostToPlugin : Direction::kPluginToHost,
                    line.substr(0, blank), line.substr(blank + 1));
  }
  return rebinder;
}

// What is said in place of `body`.
std::string Said(const HandleTracker& rebinder, const std::string& body) {
  std::string out = "left from before";
  std::vector<HandleTracker::Use> uses;
  rebinder.FindUses(body, &uses);
  return rebinder.Apply(body, uses, &out) ? out : body;
}

TEST(HandleTrackerTest, AHandleThatThePeerMadeIsTheLiveOne) {
  HandleTracker rebinder = Recorded({R"(<- open {"id":1,"result":{"handle":"h-1a2b"}})",
                                     R"(-> read {"id":2,"params":{"from":"h-1a2b"}})"});
  ASSERT_TRUE(rebinder.any());
  const std::string body = R"({"id":2,  "params":{"from":"h-1a2b","x":[ 1 ]}})";
  EXPECT_EQ(Said(rebinder, body), body) << "nothing is known yet";
  rebinder.Learn("open", R"({"id":1,"result":{"handle":"h-ffff"}})");
  EXPECT_EQ(Said(rebinder, body), R"({"id":2,  "params":{"from":"h-ffff","x":[ 1 ]}})");
  rebinder.Forget();
  EXPECT_EQ(Said(rebinder, body), body);
}

TEST(HandleTrackerTest, AUuidIsFoundWhateverItsPlaceIsCalled) {
  HandleTracker rebinder =
      Recorded({R"(<- a {"result":["6f1c1d0e-9a3b-4c5d-8e7f-001122334455"]})",
                R"(-> b {"params":["6f1c1d0e-9a3b-4c5d-8e7f-001122334455"]})"});
  rebinder.Learn("a", R"({"result":["00000000-0000-4000-8000-000000000001"]})");
  EXPECT_EQ(Said(rebinder, R"({"params":{"x":"6f1c1d0e-9a3b-4c5d-8e7f-001122334455"}})"),
            R"({"params":{"x":"00000000-0000-4000-8000-000000000001"}})");
}

TEST(HandleTrackerTest, AValueIsItsMeaningNotItsSpelling) {
  HandleTracker rebinder =
      Recorded({R"(<- a {"result":"x\u002d17"})", R"(-> b {"params":"x-17"})"});
  rebinder.Learn("a", R"({"result":"\u0078-18"})");
  EXPECT_EQ(Said(rebinder, R"({"params":"\u0078-17"})"), R"({"params":"\u0078-18"})");
}

TEST(HandleTrackerTest, ANumberIsAHandleWhereItsNameSaysSo) {
  HandleTracker rebinder = Recorded({R"(<- start {"id":1,"result":{"sessionId":7,"count":9}})",
                                     R"(-> ask {"id":2,"params":{"sessionId":7,"count":9}})"});
  rebinder.Learn("start", R"({"id":1,"result":{"sessionId":31,"count":32}})");
  EXPECT_EQ(Said(rebinder, R"({"id":7,"params":{"sessionId":7,"count":9,"port":7}})"),
            R"({"id":7,"params":{"sessionId":31,"count":9,"port":7}})");
}

TEST(HandleTrackerTest, ANumberMayGoOnUnderAnotherName) {
  HandleTracker rebinder =
      Recorded({R"(<- make {"result":{"id":5}})", R"(-> use {"params":{"handle":5}})",
                R"(-> use {"params":{"handles":[5]}})"});
  rebinder.Learn("make", R"({"result":{"id":6}})");
  EXPECT_EQ(Said(rebinder, R"({"params":{"handle":5,"handles":[1,5]}})"),
            R"({"params":{"handle":6,"handles":[1,6]}})");
}

TEST(HandleTrackerTest, NumbersOfTwoNamesAreTwoThings) {
  HandleTracker rebinder =
      Recorded({R"(<- threads {"body":{"threadId":1}})", R"(<- stack {"body":{"frameId":1}})",
                R"(-> scopes {"arguments":{"threadId":1,"frameId":1}})"});
  rebinder.Learn("threads", R"({"body":{"threadId":10}})");
  rebinder.Learn("stack", R"({"body":{"frameId":20}})");
  EXPECT_EQ(Said(rebinder, R"({"arguments":{"frameId":1,"threadId":1}})"),
            R"({"arguments":{"frameId":20,"threadId":10}})");
}

TEST(HandleTrackerTest, ARequestsNumberIsNeverBound) {
  HandleTracker rebinder =
      Recorded({R"(<- call {"id":3,"method":"call"})", R"(-> call {"id":3,"result":{}})",
                R"(-> next {"id":4,"method":"next"})", R"(<- next {"id":4,"result":{}})",
                R"(-> next [{"id":4}])"});
  EXPECT_FALSE(rebinder.any());
}

TEST(HandleTrackerTest, ACancelNamesARequestOfOurs) {
  HandleTracker rebinder = Recorded(
      {R"(<- make {"id":1,"result":{"id":2}})", R"(-> $/cancelRequest {"params":{"id":2}})"});
  EXPECT_FALSE(rebinder.any());
}

TEST(HandleTrackerTest, AnIdThatThePeerMadeIsAnsweredWithTheLiveOne) {
  HandleTracker rebinder =
      Recorded({R"(<- ask {"id":"q-17","method":"ask"})", R"(-> ask {"id":"q-17","result":null})"});
  rebinder.Learn("ask", R"({"id":"q-99","method":"ask"})");
  EXPECT_EQ(Said(rebinder, R"({"id":"q-17","result":null})"), R"({"id":"q-99","result":null})");
}

TEST(HandleTrackerTest, WhatOurRoleSaidFirstIsOurs) {
  HandleTracker rebinder = Recorded({R"(-> open {"id":"r-1001","params":{"token":"t-55"}})",
                                     R"(<- open {"id":"r-1001","result":{"token":"t-55"}})",
                                     R"(-> next {"id":"r-1001","params":{"token":"t-55"}})"});
  EXPECT_FALSE(rebinder.any());
}

TEST(HandleTrackerTest, WhatOccursByChanceIsNotBound) {
  HandleTracker rebinder =
      Recorded({R"(<- a {"result":{"name":"main","ok":true,"n":5,"at":"2026-01-01"}})",
                R"(-> b {"params":{"name":"main","ok":true,"n":5,"at":"2026-01-01"}})"});
  EXPECT_FALSE(rebinder.any());
}

TEST(HandleTrackerTest, TheSecondOfAPlaceIsTheSecondLiveOne) {
  HandleTracker rebinder = Recorded(
      {R"(<- open {"result":{"handle":"h-01"}})", R"(<- open {"result":{"handle":"h-02"}})",
       R"(<- open {"result":{"handle":"h-03"}})", R"(-> use {"params":["h-01","h-03"]})"});
  const std::string body = R"({"params":["h-01","h-02","h-03"]})";
  rebinder.Learn("open", R"({"result":{"handle":"live-1"}})");
  EXPECT_EQ(Said(rebinder, body), R"({"params":["live-1","h-02","live-1"]})")
      << "the latest, while there is no third";
  rebinder.Learn("open", R"({"result":{"handle":"live-2"}})");
  rebinder.Learn("open", R"({"result":{"handle":"live-3"}})");
  EXPECT_EQ(Said(rebinder, body), R"({"params":["live-1","h-02","live-3"]})");
  rebinder.Learn("open", R"({"result":{"handle":"live-4"}})");
  EXPECT_EQ(Said(rebinder, body), R"({"params":["live-4","h-02","live-3"]})");
}

TEST(HandleTrackerTest, EachRunHasItsOwnHandles) {
  HandleTracker rebinder =
      Recorded({R"(<- open {"result":{"handle":"h-01"}})", R"(-> read {"params":["h-01"]})",
                R"(<- open {"result":{"handle":"h-02"}})", R"(-> read {"params":["h-02"]})"});
  const auto learn = [&](const std::string& handle) {
    rebinder.Learn("open", R"({"result":{"handle":")" + handle + "\"}}");
  };
  const std::string both = R"({"params":["h-01","h-02"]})";
  learn("h-11"), learn("h-12");
  EXPECT_EQ(Said(rebinder, both), R"({"params":["h-11","h-12"]})");
  rebinder.OnRun();
  EXPECT_EQ(Said(rebinder, both), R"({"params":["h-11","h-12"]})") << "as of an opening";
  learn("h-21");
  EXPECT_EQ(Said(rebinder, both), R"({"params":["h-21","h-21"]})") << "not one that may be closed";
  learn("h-22");
  EXPECT_EQ(Said(rebinder, both), R"({"params":["h-21","h-22"]})");
  // Sessions one behind the other in one run, as a life is played.
  learn("h-31"), learn("h-32");
  EXPECT_EQ(Said(rebinder, both), R"({"params":["h-31","h-32"]})");
}

TEST(HandleTrackerTest, WhatThisRunHasMadeIsNotWaitedFor) {
  HandleTracker rebinder = Recorded(
      {R"(<- open {"result":{"handle":"h-01"}})", R"(<- open {"result":{"handle":"h-02"}})",
       R"(-> read {"params":["h-01"]})", R"(-> read {"params":["h-02"]})"});
  std::vector<HandleTracker::Use> first, second;
  rebinder.FindUses(R"({"params":["h-01"]})", &first);
  rebinder.FindUses(R"({"params":["h-02"]})", &second);
  EXPECT_TRUE(rebinder.AreMade({}));
  EXPECT_FALSE(rebinder.AreMade(first));
  rebinder.Learn("open", R"({"result":{"handle":"h-11"}})");
  EXPECT_TRUE(rebinder.AreMade(first));
  EXPECT_FALSE(rebinder.AreMade(second));
  rebinder.OnRun();
  EXPECT_FALSE(rebinder.AreMade(first)) << "it is of the run before";
}

TEST(HandleTrackerTest, APeerThatMakesNoMoreIsDry) {
  HandleTracker rebinder =
      Recorded({R"(<- open {"result":{"handle":"h-01"}})", R"(-> read {"params":["h-01"]})"});
  const auto runs = [&](size_t count, const char* answer) {
    for (size_t i = 0; i < count; ++i) {
      rebinder.Learn("open", answer);
      rebinder.OnRun();
    }
  };
  const char* full = R"({"error":{"code":1}})";
  const char* made = R"({"result":{"handle":"h-11"}})";
  rebinder.OnRun();
  runs(1, made);
  runs(2 * kDryRuns, full);
  EXPECT_FALSE(rebinder.dry()) << "only the opening makes one";
  runs(1, made);
  runs(kDryRuns - 1, full);
  runs(1, made);
  runs(kDryRuns - 1, full);
  for (size_t i = 0; i < kDryRuns; ++i) rebinder.OnRun();  // which asked for none
  EXPECT_FALSE(rebinder.dry());
  runs(1, full);
  EXPECT_TRUE(rebinder.dry());
  rebinder.Forget();
  EXPECT_FALSE(rebinder.dry());
}

TEST(HandleTrackerTest, TheSamePlaceOfAnotherMethodIsAnotherPlace) {
  HandleTracker rebinder =
      Recorded({R"(<- open {"result":{"handle":"h-01"}})", R"(-> use {"params":"h-01"})"});
  rebinder.Learn("shut", R"({"result":{"handle":"h-77"}})");
  rebinder.Learn("open", R"({"error":{"code":1}})");
  rebinder.Learn("open", R"({"result":{"handle":null}})");
  EXPECT_EQ(Said(rebinder, R"({"params":"h-01"})"), R"({"params":"h-01"})");
}

TEST(HandleTrackerTest, WhatIsNoJsonIsPassedOver) {
  HandleTracker rebinder =
      Recorded({R"(<- open {"result":{"handle":"h-01"})", R"(<- open {"result":"h-02"})",
                R"(-> use {"params":["h-01","h-02"]})"});
  rebinder.Learn("open", R"({"result":"h-9)");
  rebinder.Learn("open", R"({"result":"live-9"})");
  EXPECT_EQ(Said(rebinder, R"({"params":["h-02")"), R"({"params":["h-02")");
  EXPECT_EQ(Said(rebinder, R"({"params":["h-02"]})"), R"({"params":["live-9"]})");
}

TEST(HandleTrackerTest, WhatIsBoundHasItsCap) {
  HandleTracker rebinder(Direction::kHostToPlugin);
  for (size_t i = 0; i < kMaxBound + 10; ++i) {
    const std::string handle = "\"h-" + std::to_string(100'000 + i) + "\"";
    rebinder.Record(Direction::kPluginToHost, "open", "{\"result\":" + handle + "}");
    rebinder.Record(Direction::kHostToPlugin, "use", "{\"params\":" + handle + "}");
  }
  for (size_t i = 0; i < kMaxBound + 10; ++i) rebinder.Learn("open", R"({"result":"live-1"})");
  EXPECT_EQ(Said(rebinder, R"(["h-100000"])"), R"(["live-1"])");
  EXPECT_EQ(Said(rebinder, R"(["h-104100"])"), R"(["h-104100"])");
}

TEST(HandleTrackerTest, ALiveValueThatIsTooLongIsNotTaken) {
  HandleTracker rebinder =
      Recorded({R"(<- open {"result":"h-01"})", R"(-> use {"params":"h-01"})"});
  rebinder.Learn("open", "{\"result\":\"" + std::string(kMaxBoundValue, '1') + "\"}");
  EXPECT_EQ(Said(rebinder, R"({"params":"h-01"})"), R"({"params":"h-01"})");
}

}  // namespace
}  // namespace midwire::fuzz
