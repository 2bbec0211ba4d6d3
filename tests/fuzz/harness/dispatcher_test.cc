// TryDispatcher finds each way to break the rules of answers, and nothing in a calm dispatcher.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness/adapt.h"
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
  EXPECT_DEATH(DispatchWith<OtherId>(kPing), "broken: unknown: an answer with the id 8");
  EXPECT_DEATH(DispatchWith<Both>(kPing), "broken: shape");
  EXPECT_DEATH(DispatchWith<Neither>(kPing), "broken: shape");
  EXPECT_DEATH(DispatchWith<AnswersAll>(kPong), "broken: notification");
  EXPECT_DEATH(DispatchWith<Prints>(kPing), "broken: bad-message");
}

TEST(HarnessDispatcherDeathTest, TheReportShowsTheMessages) {
  EXPECT_DEATH(DispatchWith<Never>(kPing), "sent +.\"jsonrpc\":\"2.0\",\"id\":7");
}

}  // namespace
}  // namespace midwire::fuzz
