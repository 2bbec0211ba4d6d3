#include "trace/dialect/detect.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/trace/conversation.h"
#include "wire/dialect/built_in.h"

namespace midwire::trace {
namespace {

DialectOutline Candidate(const std::string& text) {
  return OutlineOf(text, [](std::string_view name) -> std::string_view {
    return name == "base" ? R"({"dialect":"base","jsonrpc":"should"})" : "";
  });
}

// Three that open with `initialize`, one of each kind, and one with its own greeting.
std::vector<DialectOutline> Candidates() {
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

Detection DetectionOf(const std::string& conversation) {
  static const std::vector<DialectOutline> candidates = Candidates();
  Opening opening;
  Talk(&opening).Play(conversation, [] {});
  return Detect(opening, candidates);
}

std::string Detected(const std::string& conversation) {
  const Detection found = DetectionOf(conversation);
  return found.dialect == nullptr ? "none" : found.dialect->name;
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

TEST(DetectTest, AMethodInAnotherSpellingIsNotUnknown) {
  const std::string begin = R"(=> {"jsonrpc":"2.0","id":1,"method":"initialize"}
)";
  EXPECT_EQ(Detected(begin + R"(
    => {"jsonrpc":"2.0","method":"Initialized"}
    => {"jsonrpc":"2.0","method":"INITIALIZED"})"),
            "headers");
  EXPECT_EQ(Detected(begin + R"(=> {"jsonrpc":"2.0","method":"initializes"})"), "none");
}

TEST(DetectTest, TheFramingOfAForeignProtocolDoesNotHideTheRightOne) {
  const std::vector<DialectOutline> candidates = {
      Candidate(R"({"dialect":"a","detect":["initialize"],"framing":{"kind":"line"},
          "methods":{"initialize":{"from":"host","kind":"request"},
                     "ping":{"from":"host","kind":"request"}}})"),
      Candidate(R"({"dialect":"b","detect":["initialize"],"framing":{"kind":"content-length"},
          "negotiation":{"capabilities":["initialize:/params/c"]},
          "methods":{"initialize":{"from":"host","kind":"request"}}})")};
  Opening opening;
  Talk(&opening).Play(R"(=> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"c":{}}}
                         => {"jsonrpc":"2.0","id":2,"method":"ping"})",
                      [] {});
  EXPECT_EQ(Detect(opening, candidates).name(), "a");
}

TEST(DetectTest, TheOtherFramingOrPartyIsNoObstacle) {
  EXPECT_EQ(Detected(R"(=> {"method":"own/x"})"), "own");
  EXPECT_EQ(Detected(R"(
    -> {"jsonrpc":"2.0","id":1,"method":"initialize"}
    -> {"jsonrpc":"2.0","method":"initialized"}
    -> {"jsonrpc":"2.0","method":"initialized"}
  )"),
            "headers")
      << "the messages weigh more than the framing";
}

TEST(DetectTest, TheHandshakeDecides) {
  const std::vector<DialectOutline> candidates = {
      Candidate(R"({"dialect":"a","detect":["initialize"],
          "methods":{"initialize":{"from":"host","kind":"request"}}})"),
      Candidate(R"({"dialect":"b","detect":["initialize"],
          "negotiation":{"offered":["initialize:/params/v"]},
          "methods":{"initialize":{"from":"host","kind":"request"}}})")};
  Opening opening;
  Talk(&opening).Play(R"(-> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"v":"1"}})",
                      [] {});
  EXPECT_EQ(Detect(opening, candidates).name(), "b") << "else the first by name";
}

// A proprietary extension, or a client with mistakes, of a protocol that is distinctive.
TEST(DetectTest, AWholeHandshakeWeighsMoreThanUnknownMethods) {
  const auto detected = [](const char* arrow, const std::string& second) {
    Opening opening;
    const std::string call = std::string(arrow) + R"( {"jsonrpc":"2.0","method":")";
    Talk(&opening).Play(std::string(arrow) + R"( {"jsonrpc":"2.0","id":1,"method":"initialize",)" +
                            R"("params":{"protocolVersion":"2025-06-18","capabilities":{}}})" +
                            "\n" + call + second + "\"}\n" + call + "foo\"}\n" + call + "bar\"}\n",
                        [] {});
    return Detect(opening, BuiltInOutlines()).Text();
  };
  EXPECT_EQ(detected("->", "notifications/initialized"),
            "mcp (a guess: 2 of 4 calls, framing, handshake)");
  EXPECT_EQ(detected("=>", "initialized"), "lsp (a guess: 2 of 4 calls, framing, handshake)");
  EXPECT_EQ(detected("->", "initialized"), "json-rpc-2.0 (no other one fits)");
  EXPECT_EQ(detected("=>", "started"), "json-rpc-2.0 (no other one fits)");
}

TEST(DetectTest, MethodsOfARevisionCount) {
  const DialectOutline outline = Candidate(
      R"({"dialect":"a","revisions":{"1":{"methods":{"m*":{"from":"both","kind":"either"}}}}})");
  ASSERT_NE(outline.Find("method"), nullptr);
  EXPECT_TRUE(outline.Find("method")->from[1] && outline.Find("method")->notification);
  EXPECT_EQ(outline.Find("x"), nullptr);
}

TEST(DetectTest, AMemberOfItsOwnCountsWhereverItIs) {
  const DialectOutline own = Candidate(
      R"({"jsonrpc":"must","lifecycle":{"last":["z"],"first":["a"]},"extends":"base",
          "methods":{"m":{"params":{"kind":"request"},"from":"host","kind":"notification"},
                     "n":{"from":"plugin","kind":"request","result":[{"from":"host"}]}}})");
  EXPECT_EQ(own.name, "base");
  EXPECT_FALSE(own.lenient);
  EXPECT_EQ(own.first, std::vector<std::string>{"a"});
  EXPECT_FALSE(own.Find("m")->request);
  EXPECT_TRUE(own.Find("n")->from[1] && !own.Find("n")->from[0]);
  EXPECT_TRUE(Candidate(R"({"dialect":"a","extends":"base"})").lenient);
}

TEST(DetectTest, SaysHowSureItIs) {
  const std::string begin = R"(=> {"jsonrpc":"2.0","id":1,"method":"initialize"}
)";
  EXPECT_EQ(DetectionOf(begin + R"(=> {"jsonrpc":"2.0","method":"initialized"})").Text(),
            "headers (likely: 2 of 2 calls, framing; next: debug)");
  EXPECT_EQ(DetectionOf("").Text(), "json-rpc-2.0 (no calls to detect another from)");
  EXPECT_EQ(DetectionOf(R"(-> {"method":"x"})").Text(), "json-rpc-2.0 (no other one fits)");
  EXPECT_EQ(DetectionOf(R"(<- {"method":"own/hello"})").Text(),
            "own (a guess: 0 of 1 call, framing)");
}

TEST(DetectTest, WhatFitsTwoAlikeIsAGuess) {
  const std::vector<DialectOutline> candidates = {
      Candidate(R"({"dialect":"a","detect":["initialize"],"methods":{"initialize":{}}})"),
      Candidate(R"({"dialect":"b","detect":["initialize"],"methods":{"initialize":{}}})"),
  };
  Opening opening;
  Talk(&opening).Play(R"(-> {"id":1,"method":"initialize"})", [] {});
  EXPECT_EQ(Detect(opening, candidates).Text(), "a (a guess: 1 of 1 call, framing; next: b)");
}

TEST(DetectTest, TextsThatAreNoDialectFitNothing) {
  for (const char* text :
       {"", "7", "[]", "{", "{\"methods\":7}", "{\"detect\":[7]}", "{:}", "{\"a"}) {
    EXPECT_EQ(Candidate(text).detect.size(), 0u) << text;
  }
}

TEST(DetectTest, EachBuiltInDialectHasAnOutline) {
  ASSERT_EQ(BuiltInOutlines().size(), wire::BuiltInDialects().size());
  for (const DialectOutline& outline : BuiltInOutlines()) {
    const Result<wire::Dialect> dialect =
        wire::LoadDialect(wire::BuiltInDialect(outline.name), outline.name, false,
                          wire::BuiltInDialect, wire::SchemaTime::kAtUse);
    ASSERT_TRUE(dialect) << outline.name;
    EXPECT_EQ(outline.title, dialect->title);
    EXPECT_EQ(outline.bases, dialect->bases);
    EXPECT_EQ(outline.detect, dialect->detect_methods);
    EXPECT_EQ(outline.framing, dialect->framing);
    for (const auto& [name, spec] : dialect->methods) {
      const DialectOutline::Method* method = outline.Find(name);
      ASSERT_NE(method, nullptr) << name;
      EXPECT_TRUE(method->from[0] >= spec.from[0] && method->from[1] >= spec.from[1]) << name;
    }
  }
}

// Outlines are made when midwire is built, from the same files.
TEST(DetectTest, TheOutlineOfABuiltInDialectIsThatOfItsWholeText) {
  for (const DialectOutline& outline : BuiltInOutlines()) {
    const std::string_view text = wire::BuiltInDialect(outline.name);
    const DialectOutline whole = OutlineOf(text, wire::BuiltInDialect);
    EXPECT_LT(wire::BuiltInOutline(outline.name).size(), text.size() / 2) << outline.name;
    EXPECT_EQ(outline.title, whole.title);
    EXPECT_EQ(outline.first.size(), whole.first.size()) << outline.name;
    EXPECT_EQ(outline.versioned, whole.versioned);
    EXPECT_EQ(outline.lenient, whole.lenient);
    EXPECT_EQ(outline.handshake.size(), whole.handshake.size()) << outline.name;
    ASSERT_EQ(outline.methods.size(), whole.methods.size()) << outline.name;
    for (const auto& [name, method] : whole.methods) {
      const DialectOutline::Method* const same = outline.Find(name);
      ASSERT_NE(same, nullptr) << name;
      EXPECT_TRUE(same->from[0] == method.from[0] && same->from[1] == method.from[1]) << name;
      EXPECT_TRUE(same->request == method.request && same->notification == method.notification)
          << name;
    }
  }
}

TEST(DetectTest, OnlyTheFirstMessagesCount) {
  std::string conversation;
  for (size_t i = 0; i < Opening::kMessages; ++i) conversation += "-> {\"method\":\"x\"}\n";
  EXPECT_EQ(Detected(conversation + "-> {\"method\":\"own/x\"}\n"), "none");
}

}  // namespace
}  // namespace midwire::trace
