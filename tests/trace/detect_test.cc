#include "trace/dialect/detect.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

wire::Dialect Candidate(const std::string& text) {
  Result<wire::Dialect> dialect =
      wire::LoadDialect(text, "test.json", false, [](std::string_view name) -> std::string_view {
        return name == "base" ? R"({"dialect":"base","jsonrpc":"should"})" : "";
      });
  EXPECT_TRUE(dialect) << dialect.error().Text();
  return *dialect;
}

// Three that open with `initialize`, one of each kind, and one with its own greeting.
std::vector<wire::Dialect> Candidates() {
  return {
      Candidate(R"({"dialect":"lines","extends":"base","detect":["initialize"],
        "framing":{"kind":"line"},
        "methods":{"initialize":{"from":"host","kind":"request"}}})"),
      Candidate(R"({"dialect":"headers","extends":"base","detect":["initialize"],
        "framing":{"kind":"content-length"},
        "methods":{"initialize":{"from":"host","kind":"request"},
                   "initialized":{"from":"host","kind":"notification"}}})"),
      Candidate(R"({"dialect":"debug","detect":["initialize"],"jsonrpc":"off",
        "framing":{"kind":"content-length"},
        "methods":{"initialize":{"from":"host","kind":"request"},
                   "initialized":{"from":"plugin","kind":"notification"}}})"),
      Candidate(R"({"dialect":"own","detect":["own/*"]})"),
  };
}

std::string Detected(const std::string& conversation) {
  static const std::vector<wire::Dialect> candidates = Candidates();
  Opening opening;
  Talk(&opening).Play(conversation, [] {});
  const wire::Dialect* dialect = Detect(opening, candidates);
  return dialect == nullptr ? "none" : dialect->name;
}

TEST(DetectTest, ByTheFraming) {
  const std::string message = R"({"jsonrpc":"2.0","id":1,"method":"initialize"})";
  EXPECT_EQ(Detected("-> " + message), "lines");
  EXPECT_EQ(Detected("=> " + message), "headers");
}

TEST(DetectTest, ByTheShapeOfAMessage) {
  EXPECT_EQ(Detected(R"(=> {"seq":1,"type":"request","command":"initialize"})"), "debug");
}

TEST(DetectTest, ByTheDirectionOfANotification) {
  EXPECT_EQ(Detected(R"(
    => {"id":1,"method":"initialize"}
    => {"method":"initialized"}
  )"),
            "headers");
}

TEST(DetectTest, ByAPattern) { EXPECT_EQ(Detected(R"(<- {"method":"own/hello"})"), "own"); }

TEST(DetectTest, InABatch) { EXPECT_EQ(Detected(R"(-> [{"id":1,"method":"own/x"}])"), "own"); }

TEST(DetectTest, NothingFits) {
  EXPECT_EQ(Detected(""), "none");
  EXPECT_EQ(Detected(R"(-> {"id":1,"method":"hello"})"), "none");
  EXPECT_EQ(Detected("-> initialize\n"), "none");
}

TEST(DetectTest, ACommonOpeningIsNotEnoughIfMostLaterMethodsAreUnknown) {
  const std::string begin = R"(
    => {"jsonrpc":"2.0","id":1,"method":"initialize"}
  )";
  const auto says = [](const std::string& method) {
    return "=> {\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}\n";
  };
  EXPECT_EQ(Detected(begin), "headers");
  EXPECT_EQ(Detected(begin + says("initialized") + says("extra")), "headers");
  EXPECT_EQ(Detected(begin + says("initialized") + says("extra") + says("more")), "none");
  EXPECT_EQ(Detected(begin + says("initialized") + says("extra") + says("extra")), "headers");
}

TEST(DetectTest, OnlyTheFirstMessagesCount) {
  std::string conversation;
  for (size_t i = 0; i < Opening::kMessages; ++i) conversation += "-> {\"method\":\"x\"}\n";
  EXPECT_EQ(Detected(conversation + "-> {\"method\":\"own/x\"}\n"), "none");
}

}  // namespace
}  // namespace midwire::trace
