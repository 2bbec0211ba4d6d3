// Arrays of objects that differ, described item by item. Which items are the same ones is tested in
// alignment_test.cc.
#include "replay/diff.h"
#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

// What changed in the array of an answer: "new "x" at 0, ...". Then the verdict's place.
std::string Changes(const std::string& before, const std::string& after, const Role& role = Host(),
                    const std::string& then = "", const std::string& then_after = "") {
  const auto session = [](const std::string& result, const std::string& then) {
    return TapeOf("-> {\"id\":1,\"method\":\"list\"}\n<- {\"id\":1,\"result\":" + result + "}\n" +
                  then);
  };
  const auto loaded = LoadTape(session(before, then), role);
  auto reader = trace::OpenTrace(std::make_unique<trace::StringSource>(session(after, then_after)));
  const auto report = Diff(loaded.get(), reader->get());
  if (!report || report->differences.size() != 1) return "not one difference";
  const trace::ItemChanges& items = report->differences[0].items;
  std::string shown;
  for (const trace::ItemChange& change : items.first) {
    using What = trace::ItemChange::What;
    shown += std::string(Name(change.what)) + " " + change.item;
    if (change.what != What::kNew) shown += " from " + std::to_string(change.from);
    if (change.what != What::kGone) shown += " at " + std::to_string(change.at);
    if (change.what == What::kDiffers) {
      shown += " " + change.pointer + ": " + change.expected + " | " + change.got;
    }
    shown += ", ";
  }
  if (items.count > items.first.size()) shown += std::to_string(items.count) + " in all, ";
  return shown + report->differences[0].pointer;
}

constexpr char kTools[] = R"({"tools":[{"name":"a","x":1},{"name":"b","x":2},{"name":"c","x":3}]})";

TEST(ItemChangesTest, ANewItemInFrontIsOneChange) {
  EXPECT_EQ(Changes(kTools, R"({"tools":[{"name":"n"},{"name":"a","x":1},{"name":"b","x":2},)"
                            R"({"name":"c","x":3}]})"),
            R"(new "n" at 0, /result/tools/0/name)");
}

TEST(ItemChangesTest, WhatDiffersWithinAnItemIsAtItsRecordedPlace) {
  EXPECT_EQ(Changes(kTools, R"({"tools":[{"name":"c","x":3},{"name":"b","x":7}]})"),
            R"(gone "a" from 0, moved "b" from 1 at 1, )"
            R"(differs "b" from 1 at 1 /result/tools/1/x: 2 | 7, /result/tools/0/name)");
}

TEST(ItemChangesTest, WhatIsIgnoredWithinAnItemIsNoChange) {
  EXPECT_EQ(Changes(kTools, R"({"tools":[{"name":"b","x":7},{"name":"c","x":8}]})",
                    Host().Ignore("/result/tools/*/x")),
            R"(gone "a" from 0, /result/tools/0/name)");
}

TEST(ItemChangesTest, AnArrayInItsOrderHasItsPlacesOnly) {
  EXPECT_EQ(Changes(kTools, R"({"tools":[{"name":"a","x":1},{"name":"b","x":7},{"name":"c"}]})"),
            "/result/tools/1/x");
}

TEST(ItemChangesTest, AnUnorderedArrayIsPairedByItsValues) {
  EXPECT_EQ(Changes(kTools, R"({"tools":[{"name":"c","x":3},{"name":"a","x":1}]})",
                    Host().Unordered("/result/tools")),
            "/result/tools/1");
}

TEST(ItemChangesTest, GeneratedIdsDoNotShowWhichItemsAreTheSame) {
  const auto use = [](const std::string& id) {
    return "-> {\"id\":2,\"method\":\"use\",\"params\":{\"id\":" + id + "}}\n";
  };
  const std::string before = R"([{"id":7001,"x":1},{"id":7002,"x":2}])";
  const std::string after = R"([{"id":7002,"x":3},{"id":7003,"x":2}])";
  EXPECT_EQ(Changes(before, after),
            "new 7003 at 1, gone 7001 from 0, "
            "differs 7002 from 1 at 0 /result/1/x: 2 | 3, /result/0/id");
  EXPECT_EQ(Changes(before, after, Host(), use("7001"), use("7002")), "/result/0/x");
}

TEST(ItemChangesTest, ALongListIsCut) {
  std::string before = "[{\"id\":1000}", after = before;
  for (int i = 0; i < 50; ++i) after += ",{\"id\":" + std::to_string(i) + "}";
  const std::string changes = Changes(before + "]", after + "]");
  EXPECT_NE(changes.find("50 in all"), changes.npos) << changes;
}

}  // namespace
}  // namespace midwire::replay
