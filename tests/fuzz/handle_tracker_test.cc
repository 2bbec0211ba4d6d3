#include "fuzz/handle_tracker.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

using wire::Direction;

// A recording, line by line: "-> METHOD BODY" our role sends, "<- METHOD BODY" the peer sends.
HandleTracker Recorded(std::initializer_list<std::string_view> lines) {
  HandleTracker tracker(Direction::kHostToPlugin);
  for (std::string_view line : lines) {
    const bool ours = line.starts_with("-> ");
    if (!ours && !line.starts_with("<- ")) {
      ADD_FAILURE() << "not a line of a recording: " << line;
      continue;
    }
    line.remove_prefix(3);
    const size_t blank = line.find(' ');
    EXPECT_NE(blank, line.npos) << line;
    tracker.Record(ours ? Direction::kHostToPlugin : Direction::kPluginToHost,
                   line.substr(0, blank), line.substr(blank + 1));
  }
  return tracker;
}

// What is sent in place of `body`.
std::string Replaced(const HandleTracker& tracker, const std::string& body) {
  std::string out = "left from before";
  std::vector<HandleTracker::Use> uses;
  tracker.FindUses(body, &uses);
  return tracker.Apply(body, uses, &out) ? out : body;
}

TEST(HandleTrackerTest, ARecordedHandleIsReplacedByTheLiveOne) {
  HandleTracker tracker = Recorded({R"(<- open {"id":1,"result":{"handle":"h-1a2b"}})",
                                    R"(-> read {"id":2,"params":{"from":"h-1a2b"}})"});
  ASSERT_TRUE(tracker.any());
  const std::string body = R"({"id":2,  "params":{"from":"h-1a2b","x":[ 1 ]}})";
  EXPECT_EQ(Replaced(tracker, body), body) << "nothing is known yet";
  tracker.Learn("open", R"({"id":1,"result":{"handle":"h-ffff"}})");
  EXPECT_EQ(Replaced(tracker, body), R"({"id":2,  "params":{"from":"h-ffff","x":[ 1 ]}})");
  tracker.Forget();
  EXPECT_EQ(Replaced(tracker, body), body);
}

TEST(HandleTrackerTest, AUuidIsBoundUnderAnyName) {
  HandleTracker tracker = Recorded({R"(<- a {"result":["6f1c1d0e-9a3b-4c5d-8e7f-001122334455"]})",
                                    R"(-> b {"params":["6f1c1d0e-9a3b-4c5d-8e7f-001122334455"]})"});
  tracker.Learn("a", R"({"result":["00000000-0000-4000-8000-000000000001"]})");
  EXPECT_EQ(Replaced(tracker, R"({"params":{"x":"6f1c1d0e-9a3b-4c5d-8e7f-001122334455"}})"),
            R"({"params":{"x":"00000000-0000-4000-8000-000000000001"}})");
}

TEST(HandleTrackerTest, AValueIsItsMeaningNotItsSpelling) {
  HandleTracker tracker = Recorded({R"(<- a {"result":"x\u002d17"})", R"(-> b {"params":"x-17"})"});
  tracker.Learn("a", R"({"result":"\u0078-18"})");
  EXPECT_EQ(Replaced(tracker, R"({"params":"\u0078-17"})"), R"({"params":"\u0078-18"})");
}

TEST(HandleTrackerTest, ANumberIsAHandleWhereItsNameSaysSo) {
  HandleTracker tracker = Recorded({R"(<- start {"id":1,"result":{"sessionId":7,"count":9}})",
                                    R"(-> ask {"id":2,"params":{"sessionId":7,"count":9}})"});
  tracker.Learn("start", R"({"id":1,"result":{"sessionId":31,"count":32}})");
  EXPECT_EQ(Replaced(tracker, R"({"id":7,"params":{"sessionId":7,"count":9,"port":7}})"),
            R"({"id":7,"params":{"sessionId":31,"count":9,"port":7}})");
}

TEST(HandleTrackerTest, ANumberMayGoOnUnderAnotherName) {
  HandleTracker tracker =
      Recorded({R"(<- make {"result":{"id":5}})", R"(-> use {"params":{"handle":5}})",
                R"(-> use {"params":{"handles":[5]}})"});
  tracker.Learn("make", R"({"result":{"id":6}})");
  EXPECT_EQ(Replaced(tracker, R"({"params":{"handle":5,"handles":[1,5]}})"),
            R"({"params":{"handle":6,"handles":[1,6]}})");
}

TEST(HandleTrackerTest, NumbersOfTwoNamesAreTwoThings) {
  HandleTracker tracker =
      Recorded({R"(<- threads {"body":{"threadId":1}})", R"(<- stack {"body":{"frameId":1}})",
                R"(-> scopes {"arguments":{"threadId":1,"frameId":1}})"});
  tracker.Learn("threads", R"({"body":{"threadId":10}})");
  tracker.Learn("stack", R"({"body":{"frameId":20}})");
  EXPECT_EQ(Replaced(tracker, R"({"arguments":{"frameId":1,"threadId":1}})"),
            R"({"arguments":{"frameId":20,"threadId":10}})");
}

TEST(HandleTrackerTest, ARequestsNumberIsNeverBound) {
  HandleTracker tracker =
      Recorded({R"(<- call {"id":3,"method":"call"})", R"(-> call {"id":3,"result":{}})",
                R"(-> next {"id":4,"method":"next"})", R"(<- next {"id":4,"result":{}})",
                R"(-> next [{"id":4}])"});
  EXPECT_FALSE(tracker.any());
}

TEST(HandleTrackerTest, TheIdInACancellationIsNotBound) {
  HandleTracker tracker = Recorded(
      {R"(<- make {"id":1,"result":{"id":2}})", R"(-> $/cancelRequest {"params":{"id":2}})"});
  EXPECT_FALSE(tracker.any());
}

TEST(HandleTrackerTest, AnAnswerHasTheLiveIdOfThePeersRequest) {
  HandleTracker tracker =
      Recorded({R"(<- ask {"id":"q-17","method":"ask"})", R"(-> ask {"id":"q-17","result":null})"});
  tracker.Learn("ask", R"({"id":"q-99","method":"ask"})");
  EXPECT_EQ(Replaced(tracker, R"({"id":"q-17","result":null})"), R"({"id":"q-99","result":null})");
}

TEST(HandleTrackerTest, ValuesThatOurRoleSentFirstAreNotBound) {
  HandleTracker tracker = Recorded({R"(-> open {"id":"r-1001","params":{"token":"t-55"}})",
                                    R"(<- open {"id":"r-1001","result":{"token":"t-55"}})",
                                    R"(-> next {"id":"r-1001","params":{"token":"t-55"}})"});
  EXPECT_FALSE(tracker.any());
}

TEST(HandleTrackerTest, ValuesThatAreEqualByChanceAreNotBound) {
  HandleTracker tracker =
      Recorded({R"(<- a {"result":{"name":"main","ok":true,"n":5,"at":"2026-01-01"}})",
                R"(-> b {"params":{"name":"main","ok":true,"n":5,"at":"2026-01-01"}})"});
  EXPECT_FALSE(tracker.any());
}

TEST(HandleTrackerTest, TheSecondOfAPlaceIsTheSecondLiveOne) {
  HandleTracker tracker = Recorded(
      {R"(<- open {"result":{"handle":"h-01"}})", R"(<- open {"result":{"handle":"h-02"}})",
       R"(<- open {"result":{"handle":"h-03"}})", R"(-> use {"params":["h-01","h-03"]})"});
  const std::string body = R"({"params":["h-01","h-02","h-03"]})";
  tracker.Learn("open", R"({"result":{"handle":"live-1"}})");
  EXPECT_EQ(Replaced(tracker, body), R"({"params":["live-1","h-02","live-1"]})")
      << "the latest, while there is no third";
  tracker.Learn("open", R"({"result":{"handle":"live-2"}})");
  tracker.Learn("open", R"({"result":{"handle":"live-3"}})");
  EXPECT_EQ(Replaced(tracker, body), R"({"params":["live-1","h-02","live-3"]})");
  tracker.Learn("open", R"({"result":{"handle":"live-4"}})");
  EXPECT_EQ(Replaced(tracker, body), R"({"params":["live-4","h-02","live-3"]})");
}

TEST(HandleTrackerTest, EachRunHasItsOwnHandles) {
  HandleTracker tracker =
      Recorded({R"(<- open {"result":{"handle":"h-01"}})", R"(-> read {"params":["h-01"]})",
                R"(<- open {"result":{"handle":"h-02"}})", R"(-> read {"params":["h-02"]})"});
  const auto learn = [&](const std::string& handle) {
    tracker.Learn("open", R"({"result":{"handle":")" + handle + "\"}}");
  };
  const std::string both = R"({"params":["h-01","h-02"]})";
  learn("h-11"), learn("h-12");
  EXPECT_EQ(Replaced(tracker, both), R"({"params":["h-11","h-12"]})");
  tracker.OnRun();
  EXPECT_EQ(Replaced(tracker, both), R"({"params":["h-11","h-12"]})") << "as of an opening";
  learn("h-21");
  EXPECT_EQ(Replaced(tracker, both), R"({"params":["h-21","h-21"]})")
      << "not one that may be closed";
  learn("h-22");
  EXPECT_EQ(Replaced(tracker, both), R"({"params":["h-21","h-22"]})");
  // Several sessions in one run, as in a case that is replayed.
  learn("h-31"), learn("h-32");
  EXPECT_EQ(Replaced(tracker, both), R"({"params":["h-31","h-32"]})");
}

TEST(HandleTrackerTest, AreMadeIfThisRunHasTheirValues) {
  HandleTracker tracker = Recorded(
      {R"(<- open {"result":{"handle":"h-01"}})", R"(<- open {"result":{"handle":"h-02"}})",
       R"(-> read {"params":["h-01"]})", R"(-> read {"params":["h-02"]})"});
  std::vector<HandleTracker::Use> first, second;
  tracker.FindUses(R"({"params":["h-01"]})", &first);
  tracker.FindUses(R"({"params":["h-02"]})", &second);
  EXPECT_TRUE(tracker.AreMade({}));
  EXPECT_FALSE(tracker.AreMade(first));
  tracker.Learn("open", R"({"result":{"handle":"h-11"}})");
  EXPECT_TRUE(tracker.AreMade(first));
  EXPECT_FALSE(tracker.AreMade(second));
  tracker.OnRun();
  EXPECT_FALSE(tracker.AreMade(first)) << "it is of the run before";
}

TEST(HandleTrackerTest, APeerThatMakesNoMoreValuesIsDry) {
  HandleTracker tracker =
      Recorded({R"(<- open {"result":{"handle":"h-01"}})", R"(-> read {"params":["h-01"]})"});
  const auto runs = [&](size_t count, const char* answer) {
    for (size_t i = 0; i < count; ++i) {
      tracker.Learn("open", answer);
      tracker.OnRun();
    }
  };
  const char* full = R"({"error":{"code":1}})";
  const char* made = R"({"result":{"handle":"h-11"}})";
  tracker.OnRun();
  runs(1, made);
  runs(2 * kDryRuns, full);
  EXPECT_FALSE(tracker.dry()) << "only the opening makes one";
  runs(1, made);
  runs(kDryRuns - 1, full);
  runs(1, made);
  runs(kDryRuns - 1, full);
  for (size_t i = 0; i < kDryRuns; ++i) tracker.OnRun();  // which asked for none
  EXPECT_FALSE(tracker.dry());
  runs(1, full);
  EXPECT_TRUE(tracker.dry());
  tracker.Forget();
  EXPECT_FALSE(tracker.dry());
}

TEST(HandleTrackerTest, TheSamePlaceOfAnotherMethodIsAnotherPlace) {
  HandleTracker tracker =
      Recorded({R"(<- open {"result":{"handle":"h-01"}})", R"(-> use {"params":"h-01"})"});
  tracker.Learn("shut", R"({"result":{"handle":"h-77"}})");
  tracker.Learn("open", R"({"error":{"code":1}})");
  tracker.Learn("open", R"({"result":{"handle":null}})");
  EXPECT_EQ(Replaced(tracker, R"({"params":"h-01"})"), R"({"params":"h-01"})");
}

TEST(HandleTrackerTest, ABodyThatIsNotJsonIsSkipped) {
  HandleTracker tracker =
      Recorded({R"(<- open {"result":{"handle":"h-01"})", R"(<- open {"result":"h-02"})",
                R"(-> use {"params":["h-01","h-02"]})"});
  tracker.Learn("open", R"({"result":"h-9)");
  tracker.Learn("open", R"({"result":"live-9"})");
  EXPECT_EQ(Replaced(tracker, R"({"params":["h-02")"), R"({"params":["h-02")");
  EXPECT_EQ(Replaced(tracker, R"({"params":["h-02"]})"), R"({"params":["live-9"]})");
}

TEST(HandleTrackerTest, TheNumberOfBoundValuesIsLimited) {
  HandleTracker tracker(Direction::kHostToPlugin);
  for (size_t i = 0; i < kMaxBound + 10; ++i) {
    const std::string handle = "\"h-" + std::to_string(100'000 + i) + "\"";
    tracker.Record(Direction::kPluginToHost, "open", "{\"result\":" + handle + "}");
    tracker.Record(Direction::kHostToPlugin, "use", "{\"params\":" + handle + "}");
  }
  for (size_t i = 0; i < kMaxBound + 10; ++i) tracker.Learn("open", R"({"result":"live-1"})");
  EXPECT_EQ(Replaced(tracker, R"(["h-100000"])"), R"(["live-1"])");
  EXPECT_EQ(Replaced(tracker, R"(["h-104100"])"), R"(["h-104100"])");
}

TEST(HandleTrackerTest, ALiveValueThatIsTooLongIsNotTaken) {
  HandleTracker tracker = Recorded({R"(<- open {"result":"h-01"})", R"(-> use {"params":"h-01"})"});
  tracker.Learn("open", "{\"result\":\"" + std::string(kMaxBoundValue, '1') + "\"}");
  EXPECT_EQ(Replaced(tracker, R"({"params":"h-01"})"), R"({"params":"h-01"})");
}

}  // namespace
}  // namespace midwire::fuzz
