// TryDispatcher finds each way to break the rules of answers, and nothing in a calm dispatcher.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness/adapt.h"
#include "fuzz/harness/state.h"
#include "tests/files.h"
#include "tests/fuzz/targets/calm_dispatcher.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

std::string IdOf(std::string_view body) {
  std::vector<wire::RawMember> members;
  wire::RawMembers(body, &members);
  for (const auto& member : members) {
    if (member.name == "id") return std::string(member.value);
  }
  return "";
}
std::string Answer(std::string_view id, std::string_view rest = R"("result":{})") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + "," + std::string(rest) + "}";
}

constexpr std::string_view kPing = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
constexpr std::string_view kPong = R"({"jsonrpc":"2.0","method":"pong"})";

uint8_t responses[kResponseCounters];

template <auto function>
void DispatchWith(std::string_view input) {
  TryDispatcher(std::string(input) + "\n", &MakeDispatcher<function>, {}, responses);
}

void Good(std::string_view body, const Emit& emit) {
  if (!IdOf(body).empty()) emit(Answer(IdOf(body)));
}
void Twice(std::string_view body, const Emit& emit) {
  Good(body, emit);
  Good(body, emit);
}
void Never(std::string_view, const Emit&) {}
void OtherType(std::string_view body, const Emit& emit) { emit(Answer("\"" + IdOf(body) + "\"")); }
void OtherId(std::string_view, const Emit& emit) { emit(Answer("8")); }
void Both(std::string_view body, const Emit& emit) {
  emit(Answer(IdOf(body), R"("result":1,"error":{"code":1,"message":""})"));
}
void Neither(std::string_view body, const Emit& emit) { emit(Answer(IdOf(body), R"("x":1)")); }
void AnswersAll(std::string_view body, const Emit& emit) {
  emit(Answer(IdOf(body).empty() ? "null" : IdOf(body)));
}
void Prints(std::string_view body, const Emit& emit) {
  emit("ready");
  Good(body, emit);
}
// Sends requests without end.
void Asks(std::string_view body, const Emit& emit) {
  static int id = 0;
  emit(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id) + R"(,"method":"roots"})");
  if (body.find("method") != body.npos) Good(body, emit);
}
std::string Returns(const std::string& body) {
  return IdOf(body).empty() ? "" : Answer(IdOf(body));
}
std::optional<std::string> Perhaps(std::string_view body) {
  if (IdOf(body).empty()) return std::nullopt;
  return Answer(IdOf(body));
}
std::vector<std::string> Several(std::string_view body) {
  return {R"({"jsonrpc":"2.0","method":"progress"})", Answer(IdOf(body))};
}

// Says all of it when its loop runs.
struct Later {
  std::vector<std::string> waiting;
  void dispatch(std::string_view body, const Emit&) { waiting.push_back(Answer(IdOf(body))); }
  void settle(const Emit& emit) {
    for (const std::string& answer : waiting) emit(answer);
  }
};
Later MakeLater() { return {}; }

TEST(HarnessDispatcher, EveryShapeOfAGoodOnePasses) {
  DispatchWith<Good>(kPing);
  DispatchWith<Good>(kPong);
  DispatchWith<Returns>(kPing);
  DispatchWith<Returns>(kPong);
  DispatchWith<Perhaps>(kPong);
  DispatchWith<Several>(kPing);
  DispatchWith<MakeLater>(kPing);
  DispatchWith<[](std::string_view body, const Emit& emit) { Good(body, emit); }>(kPing);
  TryDispatcher(kPing, &MakeDispatcher<Later>, {}, responses);
  TryDispatcher(kPing, &MakeDispatcher<CalmDispatcher>, {}, responses);
}

TEST(HarnessDispatcher, RequestsWithoutEndAreCutOff) { DispatchWith<Asks>(kPing); }

TEST(HarnessDispatcher, AnswersAreCounted) {
  std::fill(std::begin(responses), std::end(responses), 0);
  TryDispatcher(kPing, &MakeDispatcher<CalmDispatcher>, {}, responses);
  EXPECT_NE(std::count(std::begin(responses), std::end(responses), 0), kResponseCounters);
}

TEST(HarnessDispatcher, NoAnswerIsExpectedToWhatManyParsersRefuse) {
  DispatchWith<Never>(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e5555555}})");
  DispatchWith<Never>(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":["\ud800"]})");
  DispatchWith<Never>(R"({"jsonrpc":"2.0","id":"<b>","method":"ping"})");
  DispatchWith<Never>(R"({"jsonrpc":"2.0","id":1,"method":)");
}

TEST(HarnessDispatcher, ARefusalMayRepeatAnId) {
  DispatchWith<AnswersAll>(R"({"jsonrpc":"2.0","id":7,"method":"ping"}
{"jsonrpc":"2.0","id":7,"method":null}
{"jsonrpc":"2.0","id":7})");
}

TEST(HarnessDispatcherDeathTest, EachBrokenRule) {
  EXPECT_DEATH(DispatchWith<Twice>(kPing), "broken: double: a second answer to the request 7");
  EXPECT_DEATH(DispatchWith<Never>(kPing), "broken: missing: no answer to the request 7");
  EXPECT_DEATH(DispatchWith<OtherType>(kPing), "broken: id-type");
  EXPECT_DEATH(DispatchWith<OtherId>(kPing),
               "broken: unknown: the answer to the request 7 .* has the id 8");
  EXPECT_DEATH(DispatchWith<Both>(kPing), "broken: shape");
  EXPECT_DEATH(DispatchWith<Neither>(kPing), "broken: shape");
  EXPECT_DEATH(DispatchWith<AnswersAll>(kPong), "broken: notification");
  EXPECT_DEATH(DispatchWith<Prints>(kPing), "broken: bad-message");
}

TEST(HarnessDispatcherDeathTest, TheReportShowsTheMessagesAndWhatWasExpected) {
  EXPECT_DEATH(DispatchWith<Never>(kPing),
               "expected +an answer with the request's id"
               "[^\n]*\n +sent +.\"jsonrpc\":\"2.0\",\"id\":7");
}

void SayNothing(std::string_view, const Emit& emit) { emit(""); }

TEST(HarnessDispatcherDeathTest, AnEmptyMessageIsTheDispatchersOwn) {
  EXPECT_DEATH(DispatchWith<SayNothing>(kPing), "emitted *\n");
}

void GoOnDispatching(const std::string& artifacts) {
  setenv("MIDWIRE_KEEP_GOING", "1", 1);
  StateOfHarness().artifacts = artifacts;
  DispatchWith<Never>(kPing);
  std::exit(0);
}

TEST(HarnessDispatcherDeathTest, AFindingBecomesACassette) {
  const TemporaryFolder folder;
  EXPECT_EXIT(GoOnDispatching(folder.path() + "/midwire"), testing::ExitedWithCode(0), "cassette");
  std::string cassettes;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().extension() == ".jsonl") cassettes += ReadFile(entry.path().string());
  }
  EXPECT_NE(cassettes.find(R"("oracle":"missing")"), std::string::npos) << cassettes;
  EXPECT_NE(cassettes.find(R"("method":"ping")"), std::string::npos) << cassettes;
}

// Knows the handles that it made itself.
struct Handles {
  std::string live = "h-5e0c41d97ab2";
  void dispatch(std::string_view body, const Emit& emit) {
    if (body.find("open") != body.npos) {
      emit(Answer(IdOf(body), R"("result":{"handle":")" + live + R"("})"));
    } else if (body.find(live) != body.npos) {
      emit(Answer(IdOf(body)));
    }
  }
};
constexpr char kOpenAndRead[] = R"({"midwire":"cassette","version":1}
{"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"open"}}
{"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":{"handle":"h-90b1f3c27e44"}}}
{"from":"host","message":{"jsonrpc":"2.0","id":2,"method":"read","params":{"handle":"h-90b1f3c27e44"}}}
{"from":"plugin","message":{"jsonrpc":"2.0","id":2,"result":{}}}
)";
constexpr char kOpenAndReadInput[] = R"({"jsonrpc":"2.0","id":1,"method":"open"}
{"jsonrpc":"2.0","id":2,"method":"read","params":{"handle":"h-90b1f3c27e44"}}
)";
void UseHandles(const char* from) {
  TryDispatcher(kOpenAndReadInput, &MakeDispatcher<Handles>, {.from = from}, responses);
  std::exit(0);
}

TEST(HarnessDispatcherDeathTest, AHandleOfTheRecordingIsReplacedByTheLiveOne) {
  // A process of its own each: the options of the first input are those of a process. It runs this
  // again from its beginning, so the file has always the same name.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string trace = TemporaryRoot() + "midwire-handles.jsonl";
  std::ofstream(trace) << kOpenAndRead;
  EXPECT_EXIT(UseHandles(trace.c_str()), testing::ExitedWithCode(0), "");
  EXPECT_DEATH(UseHandles(""), "broken: missing");
  EXPECT_EXIT(UseHandles("none.jsonl"), testing::ExitedWithCode(2), "none.jsonl");
  GTEST_FLAG_SET(death_test_style, "fast");
}

}  // namespace
}  // namespace midwire::fuzz
