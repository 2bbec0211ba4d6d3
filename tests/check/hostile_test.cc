// Sessions that are made to be expensive to check.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "check/checker.h"
#include "tests/check/plain.h"
#include "tests/processor_time.h"

namespace midwire::trace {
namespace {

// Each answer once looked at all that was lent.
TEST(CheckHostileTest, ManyLentHandlesAndManyAnswers) {
  const std::string members = std::string(kPlain) + R"(, "handles": [{"name": "callback",
    "life": "call", "made": ["call:/params/c"], "used": ["use:/params/c"]}])";
  std::string talk;
  for (int i = 0; i < 40'000; ++i) {
    talk += "-> {\"id\":" + std::to_string(i) + R"(,"method":"call","params":{"c":")" +
            std::to_string(i) + "\"}}\n";
  }
  for (int i = 0; i < 40'000; ++i) {
    const std::string number = std::to_string(i);
    if (i % 1000 == 0) talk += R"(<- {"method":"use","params":{"c":")" + number + "\"}}\n";
    talk += "<- {\"id\":" + number + R"(,"result":1}
)";
    if (i == 7000)
      talk += R"(<- {"method":"use","params":{"c":"7000"}}
)";
  }
  const auto begin = ProcessorTime();
  EXPECT_EQ(Found(members, talk), "must handle.callback 47010 use /params/c: got \"7000\"\n");
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(20));
}

// It says the same handle again and again: the bytes of one are those of one.
TEST(CheckHostileTest, OneHandleMadeOverAndOver) {
  const std::string members =
      std::string(kPlain) +
      R"(, "severities": {"params.kind": "off"}, "handles": [{"name": "thread",
    "made": ["m:/params"], "used": ["use:/params"]}])";
  const std::string sent = R"(<- {"method":"m","params":")" + std::string(1'000'000, 'h') + "\"}\n";
  std::string talk;
  for (int i = 0; i < 70; ++i) talk += sent;
  EXPECT_EQ(Found(members, talk + R"(-> {"method":"use","params":"x"})"),
            "must handle.thread 71 use /params: got \"x\"\n");
}

TEST(CheckHostileTest, LongValuesAreCut) {
  const std::string found = Plain("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":\"" +
                                  std::string(3000, 'x') + "\",\"result\":1}\n");
  EXPECT_LT(found.size(), 400u);
  EXPECT_NE(found.find("xxx..."), std::string::npos);
}

TEST(CheckHostileTest, ManyRequestsWithoutAnswersAreNoReasonToReportTheRest) {
  std::string conversation;
  for (size_t i = 0; i < wire::kMaxOpenRequests + 5; ++i) {
    conversation += "-> {\"id\":" + std::to_string(i) + ",\"method\":\"a\"}\n";
  }
  conversation +=
      "<- {\"id\":" + std::to_string(wire::kMaxOpenRequests + 2) + ",\"result\":1}\nspawn\n";
  EXPECT_EQ(Plain(conversation), "");
}

}  // namespace
}  // namespace midwire::trace
