#include "replay/diff.h"

#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

std::string Between(std::string_view a, std::string_view b) {
  const auto loaded = LoadTape(TapeOf(a), Host());
  auto reader = trace::OpenTrace(std::make_unique<trace::StringSource>(TapeOf(b)));
  if (!loaded || !reader) return "cannot load";
  const Result<ReplayReport> report = Diff(loaded.get(), reader->get());
  return report ? Reported(*report) : report.error().Text();
}

constexpr const char* kA = R"(
    -> {"id":1,"method":"a","params":[1]}
    <- {"method":"log"}
    <- {"id":9,"method":"ask"}
    -> {"id":9,"result":true}
    <- {"id":1,"result":1}
    exit 0
)";

TEST(DiffTest, TheSame) { EXPECT_EQ(Between(kA, kA), "same\n"); }

TEST(DiffTest, OtherIdsInBothDirections) {
  EXPECT_EQ(Between(kA, R"(
    -> {"id":71,"method":"a","params":[1]}
    <- {"method":"log"}
    <- {"id":72,"method":"ask"}
    -> {"id":72,"result":true}
    <- {"id":71,"result":1}
    exit 0
  )"),
            "same\n");
}

TEST(DiffTest, AnAnswerThatSpellsItsIdOtherwiseIsThatOfItsRequest) {
  constexpr const char* kOdd = R"(
    -> {"id":1,"method":"a"}
    <- {"id":"1","result":1}
  )";
  EXPECT_EQ(Between(kOdd, kOdd), "same\n");
  EXPECT_EQ(Between(kOdd, R"(
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":1}
  )"),
            "differs 2 a /id: \"1\" | 2\n");
}

TEST(DiffTest, BothDirectionsCount) {
  EXPECT_EQ(Between(kA, R"(
    -> {"id":1,"method":"a","params":[2]}
    <- {"method":"log"}
    <- {"id":9,"method":"ask"}
    -> {"id":9,"result":false}
    <- {"id":1,"result":2}
    exit 1
  )"),
            "differs 1 a /params/0: 1 | 2\n"
            "differs 4 ask /result: true | false\n"
            "differs 5 a /result: 1 | 2\n"
            "ended -: exit 0 | exit 1\n");
}

TEST(DiffTest, MoreAndLess) {
  EXPECT_EQ(Between(kA, R"(
    -> {"id":1,"method":"a","params":[1]}
    -> {"method":"more"}
    <- {"id":9,"method":"ask"}
    -> {"id":9,"result":true}
    exit 0
  )"),
            "missing 2 log: {\"method\":\"log\"} | -\n"
            "missing 5 a: {\"id\":1,\"result\":1} | -\n"
            "extra - more: - | {\"method\":\"more\"}\n");
}

// None was awaited, and none is "the trace".
TEST(DiffTest, TheWordsAreThoseOfTwoTraces) {
  const auto a = LoadTape(TapeOf(R"(<- {"method":"log"})"), Host());
  auto b =
      trace::OpenTrace(std::make_unique<trace::StringSource>(TapeOf("<= {\"method\":\"more\"}")));
  ASSERT_TRUE(a && b);
  const Result<ReplayReport> report = Diff(a.get(), b->get());
  EXPECT_EQ(Reported(*report, /*shows_text=*/true),
            "missing 1 log: {\"method\":\"log\"} | -\n"
            "framing 1 log: line | content-length (framed otherwise than in A (reported once))\n"
            "extra - more: - | {\"method\":\"more\"} (A has no message of this method)\n");
}

// Also of a changed notification, which is decided on at the end.
TEST(DiffTest, EachDifferenceNamesTheMessageOfTheSecond) {
  const auto a = LoadTape(TapeOf(kA), Host());
  auto b = trace::OpenTrace(std::make_unique<trace::StringSource>(TapeOf(R"(
    -> {"method":"more"}
    -> {"id":1,"method":"a","params":[2]}
    <- {"method":"log","params":[1]}
  )")));
  ASSERT_TRUE(a && b);
  const Result<ReplayReport> report = Diff(a.get(), b->get());
  std::string numbers;
  for (const Difference& item : report->differences) {
    numbers += std::to_string(item.frame) + "=" + std::to_string(item.other) + " ";
  }
  EXPECT_EQ(numbers, "1=2 2=3 3=0 5=0 0=1 ");
}

TEST(DiffTest, ValuesThatThePluginMadeMayBeOthers) {
  EXPECT_EQ(Between(R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"method":"close","params":{"handle":"h-81"}}
  )",
                    R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-90"}}
    -> {"method":"close","params":{"handle":"h-90"}}
  )"),
            "same\nbound b1 \"h-81\"\n");
}

TEST(DiffTest, UsedInconsistently) {
  EXPECT_EQ(Between(R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-81"}}
    -> {"method":"close","params":{"handle":"h-81"}}
  )",
                    R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"handle":"h-90"}}
    -> {"method":"close","params":{"handle":"h-81"}}
  )"),
            "inconsistent 3 close /params/handle: \"h-81\" | \"h-81\"\nbound b1 \"h-81\"\n");
}

TEST(DiffTest, IgnoresInTheHeaderOfTheFirstHold) {
  const std::string header = "header {\"event\":\"header\",\"ignore\":[\"/result\"]}\n";
  const std::string a = "-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}\n";
  const std::string b = "-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":2}\n";
  EXPECT_EQ(Between(header + a, b), "same\n");
  EXPECT_EQ(Between(a, header + b), "differs 2 a /result: 1 | 2\n");
}

TEST(DiffTest, BatchesByTheirElements) {
  EXPECT_EQ(Between(R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":1,"result":1},{"id":2,"result":2}]
  )",
                    R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":2,"result":3},{"id":1,"result":1}]
  )"),
            "differs 2 b /result: 2 | 3\n");
}

TEST(DiffTest, ABatchOnOneSideAndOddHeaders) {
  const std::string one = "-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}\n";
  const std::string batch = "-> {\"id\":1,\"method\":\"a\"}\n<- [{\"id\":1,\"result\":1}]\n";
  const std::string marked =
      "-> {\"id\":1,\"method\":\"a\"}\n<- \xef\xbb\xbf{\"id\":1,\"result\":1}\n";
  EXPECT_EQ(Between(one, batch), "framing 2 a: single message | batch\n");
  EXPECT_EQ(Between(batch, one), "framing 2 a: batch | single message\n");
  EXPECT_EQ(Between(batch, batch), "same\n");
  EXPECT_EQ(Between(one, marked), "framing 2 a: - | byte-order-mark\n");
  EXPECT_EQ(Between(marked, marked), "same\n");
}

TEST(DiffTest, JunkAndFraming) {
  EXPECT_EQ(Between(R"(
    <- banner 1
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                    R"(
    <- banner 22
    <- other
    -> {"id":1,"method":"a"}
    <= {"id":1,"result":1}
  )"),
            "framing 2 a: line | content-length\njunk -: - | other\n");
}

TEST(DiffTest, AnAnswerToARequestThatTheFirstHasNot) {
  EXPECT_EQ(Between("-> {\"method\":\"x\"}", R"(
    -> {"method":"x"}
    -> {"id":1,"method":"new"}
    <- {"id":1,"result":1}
  )"),
            "extra - new: - | {\"id\":<id>,\"method\":\"new\"}\n");
}

}  // namespace
}  // namespace midwire::replay
