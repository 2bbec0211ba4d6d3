#include "replay/in_process.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

#include "tests/replay/conversation.h"
#include "wire/json/path.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string IdIn(std::string_view body) {
  return std::string(wire::ValueAt(body, {{"id"}}).value_or("null"));
}
std::string MethodIn(std::string_view body) {
  return std::string(wire::ValueAt(body, {{"method"}}).value_or("null"));
}
std::string Answer(std::string_view id, std::string_view result) {
  return R"({"id":)" + std::string(id) + R"(,"result":)" + std::string(result) + "}";
}

// Plays a recorded session into a function and returns the report as lines.
std::string Play(std::string_view recorded, const Dispatcher& dispatcher, Role role = Host()) {
  const auto loaded = LoadTape(TapeOf(recorded), role);
  return Reported(PlayInProcess(loaded.get(), dispatcher, role.options), role.shows_text);
}

TEST(InProcess, AFunctionThatAnswersAsRecordedIsTheSame) {
  std::vector<std::string> received;
  const auto echo = [&](std::string_view body, const Emit& emit) {
    received.emplace_back(body);
    emit(Answer(IdIn(body), IdIn(body)));
  };
  EXPECT_EQ(Play(kTwoCalls, echo), "same\n");
  EXPECT_THAT(received, ElementsAre(R"({"id":1,"method":"a"})", R"({"id":2,"method":"b"})"));
}

TEST(InProcess, AnotherValueIsReportedWithItsPlace) {
  const auto three = [](std::string_view body, const Emit& emit) {
    emit(Answer(IdIn(body), IdIn(body) == "2" ? "3" : "1"));
  };
  EXPECT_EQ(Play(kTwoCalls, three), "differs 4 b /result: 2 | 3\n");
}

TEST(InProcess, SilenceEndsTheRunAtOnce) {
  const auto silent = [](std::string_view, const Emit&) {};
  EXPECT_THAT(Play(kTwoCalls, silent), HasSubstr("missing 2 a: {\"id\":1,\"result\":1} | -\n"));
}

TEST(InProcess, BodiesComeAndGoWithoutTheirContentLength) {
  std::string received;
  const auto framed = [&](std::string_view body, const Emit& emit) {
    received = body;
    emit("{\"id\":1,\n\"result\":1}");
  };
  EXPECT_EQ(Play(R"(
    => {"id":1,"method":"a"}
    <= {"id":1,"result":1}
  )",
                 framed),
            "same\n");
  EXPECT_EQ(received, R"({"id":1,"method":"a"})");
}

TEST(InProcess, JsonOverSeveralLinesIsOneMessageInATraceOfLines) {
  const auto pretty = [](std::string_view body, const Emit& emit) {
    emit("{\n  \"id\": " + IdIn(body) + ",\r\n  \"result\": " + IdIn(body) + "\n}\n");
  };
  EXPECT_EQ(Play(kTwoCalls, pretty), "same\n");
}

TEST(InProcess, WhatIsNoJsonIsJunk) {
  const auto prints = [](std::string_view body, const Emit& emit) {
    emit("debug: here");
    emit(Answer(IdIn(body), IdIn(body)));
  };
  EXPECT_EQ(Play(kTwoCalls, prints), "junk -: - | debug: here\njunk -: - | debug: here\n");
}

constexpr char kReverse[] = R"(
  -> {"id":1,"method":"run"}
  <- {"id":"h1","method":"ask"}
  <- {"method":"progress","params":1}
  -> {"id":"h1","result":"yes"}
  <- {"id":1,"result":"done"}
)";

TEST(InProcess, AnAnswerToAReverseCallComesAfterTheCallThatMadeIt) {
  bool inside = false;
  std::vector<std::string> received;
  const auto asks = [&](std::string_view body, const Emit& emit) {
    EXPECT_FALSE(inside) << "called from within itself";
    inside = true;
    received.emplace_back(body);
    if (MethodIn(body) == R"("run")") {
      emit(R"({"id":"x9","method":"ask"})");
      emit(R"({"method":"progress","params":1})");
      EXPECT_EQ(received.size(), 1u);
    } else {
      emit(Answer("1", R"("done")"));
    }
    inside = false;
  };
  EXPECT_EQ(Play(kReverse, asks), "same\n");
  EXPECT_EQ(received.at(1), R"({"id":"x9","result":"yes"})");
}

TEST(InProcess, AnAnswerBeforeItsReverseCallIsAnsweredIsEarly) {
  const auto hasty = [](std::string_view body, const Emit& emit) {
    if (MethodIn(body) != R"("run")") return;
    emit(R"({"id":"x9","method":"ask"})");
    emit(R"({"method":"progress","params":1})");
    emit(Answer("1", R"("done")"));
  };
  EXPECT_EQ(Play(kReverse, hasty), "early 5 run\n");
}

TEST(InProcess, AnAnswerMayWaitForALaterCall) {
  Emit kept;
  const auto late = [&](std::string_view body, const Emit& emit) {
    if (IdIn(body) == "1") {
      kept = emit;
      return;
    }
    emit(Answer("2", "2"));
    kept(Answer("1", "1"));
  };
  EXPECT_EQ(Play(R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    <- {"id":1,"result":1}
  )",
                 late),
            "same\n");
}

TEST(InProcess, EmittingAfterTheRunDoesNothing) {
  Emit kept;
  const auto keeps = [&](std::string_view body, const Emit& emit) {
    kept = emit;
    emit(Answer(IdIn(body), IdIn(body)));
  };
  EXPECT_EQ(Play(kTwoCalls, keeps), "same\n");
  kept(Answer("1", "1"));
}

TEST(InProcess, AValueOfANotificationIsBoundBeforeTheNextMessage) {
  const auto makes = [](std::string_view body, const Emit& emit) {
    if (MethodIn(body) == R"("start")") {
      emit(R"({"method":"made","params":{"handle":"live-0f3a"}})");
    } else {
      EXPECT_THAT(std::string(body), HasSubstr("live-0f3a"));
      emit(Answer("1", "1"));
    }
  };
  EXPECT_EQ(Play(R"(
    -> {"method":"start"}
    <- {"method":"made","params":{"handle":"then-77b2"}}
    -> {"id":1,"method":"use","params":{"handle":"then-77b2"}}
    <- {"id":1,"result":1}
  )",
                 makes),
            "same\nbound b1 \"then-77b2\"\n");
}

TEST(InProcess, RecordedPausesTakeNoTime) {
  const auto echo = [](std::string_view body, const Emit& emit) {
    emit(Answer(IdIn(body), IdIn(body)));
  };
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Play(R"(
    at 1s
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    at 3000s
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
  )",
                 echo, Host().Speed(1)),
            "same\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(InProcess, AnExceptionIsAFinding) {
  const auto throws = [](std::string_view body, const Emit& emit) {
    if (IdIn(body) == "2") throw std::out_of_range("no such note");
    emit(Answer("1", "1"));
  };
  EXPECT_EQ(Play(kTwoCalls, throws, Host().ShowText()),
            "ended - b (the dispatcher threw: no such note)\n"
            "missing 4 b: {\"id\":2,\"result\":2} | - (this request was not answered)\n");
}

TEST(InProcess, WhatWasSentBeforeAnExceptionCounts) {
  const auto throws = [](std::string_view body, const Emit& emit) {
    emit(Answer(IdIn(body), IdIn(body)));
    if (IdIn(body) == "2") throw 7;
  };
  EXPECT_EQ(Play(kTwoCalls, throws, Host().ShowText()),
            "ended - b (the dispatcher threw something that is not a std::exception)\n");
}

TEST(InProcess, RequestsWithoutEndAreEnded) {
  size_t calls = 0;
  const auto insists = [&](std::string_view, const Emit& emit) {
    ++calls;
    emit(R"({"id":1,"method":"please"})");
  };
  EXPECT_THAT(Play(kTwoCalls, insists), HasSubstr("hung -"));
  EXPECT_LE(calls, kMaxMadeUp + 4);
}

TEST(InProcess, ARunDoesNotRememberTheOneBefore) {
  const auto loaded = LoadTape(TapeOf(kTwoCalls), Host());
  const auto echo = [](std::string_view body, const Emit& emit) {
    emit(Answer(IdIn(body), IdIn(body)));
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(PlayInProcess(loaded.get(), echo).same());
}

}  // namespace
}  // namespace midwire::replay
