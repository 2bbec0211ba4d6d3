// What rules of the built-in dialects need beyond the rest: chunks that stand in a payload, an
// order that is reported once, definitions with a strict form.
#include <string>

#include "tests/trace/conversation.h"
#include "wire/json/base64.h"

namespace midwire::trace {
namespace {

// Only the rule at hand has something to say.
const std::string kQuiet = R"("jsonrpc":"off","unknown_methods":"off",)";
const std::string kInside = kQuiet + R"("rules":[{"id":"r","type":"chunks","methods":["publish"],
  "topic":"/params/topic","inside":"/params/payload","batch":"/ns","index":"/chunk",
  "final":"/last"}])";

std::string Publish(std::string_view payload) {
  std::string line = R"(<- {"method":"publish","params":{"topic":"t","payload":")";
  wire::AppendBase64(payload, &line);
  return line + "\"}}\n";
}

TEST(CheckInside, ChunksOfJson) {
  const std::string first = Publish(R"({"ns":7,"chunk":0,"last":false})");
  const std::string second = Publish(R"({"ns":7,"chunk":1,"last":false})");
  const std::string third = Publish(R"({"ns":7,"chunk":2,"last":true})");
  EXPECT_EQ(Found(kInside, first + second + third), "");
  EXPECT_EQ(Found(kInside, first + third),
            "must r 2 publish /params/payload/chunk: expected 1 or 0, got 2\n");
  const std::string other = Publish(R"({"ns":8,"chunk":1,"last":true})");
  EXPECT_EQ(Found(kInside, first + other),
            "must r 2 publish /params/payload/ns: expected the value of the chunk before, got 8\n");
}

TEST(CheckInside, ChunksOfMessagePack) {
  const std::string first =
      Publish(std::string("\x82\xa2ns\x07\xa5"
                          "chunk\x00",
                          12));
  const std::string third = Publish(
      "\x83\xa2ns\x07\xa5"
      "chunk\x02\xa4last\xc3");
  EXPECT_EQ(Found(kInside, first), "");
  EXPECT_EQ(Found(kInside, first + third),
            "must r 2 publish /params/payload/chunk: expected 1 or 0, got 2\n");
}

TEST(CheckInside, OtherPayloadsAreNoChunks) {
  EXPECT_EQ(Found(kInside, Publish("plain text") + Publish(R"(["chunk",5])") +
                               "<- {\"method\":\"publish\",\"params\":{\"payload\":[1,2]}}\n" +
                               "<- {\"method\":\"publish\",\"params\":{}}\n"),
            "");
}

TEST(CheckInside, AnOrderReportedOnce) {
  const std::string rule =
      kQuiet + R"("rules":[{"id":"r","type":"order","before":"open","after":["*"])";
  const std::string sent = "-> {\"method\":\"call\"}\n-> {\"method\":\"cast\"}\n";
  const std::string finding = "must r 1 call /method: expected open first, got call\n";
  EXPECT_EQ(Found(rule + "}]", sent),
            finding + "must r 2 cast /method: expected open first, got cast\n");
  EXPECT_EQ(Found(rule + R"(,"once":true}])", sent), finding);
}

TEST(CheckInside, OnlyDuringACall) {
  const std::string rule = kQuiet + R"("rules":[{"id":"r","type":"during","methods":["log"],
    "open":["call"]}])";
  const std::string call = "-> {\"id\":1,\"method\":\"call\"}\n";
  const std::string answer = "<- {\"id\":1,\"result\":0}\n";
  const std::string log = "<- {\"method\":\"log\"}\n";
  const std::string finding = " log /method: expected an open call, got log\n";
  EXPECT_EQ(Found(rule, call + log + answer), "");
  EXPECT_EQ(Found(rule, log + call + log + answer + log),
            "must r 1" + finding + "must r 5" + finding);
  // One's own open call does not count.
  EXPECT_EQ(
      Found(rule, "<- {\"id\":1,\"method\":\"call\"}\n" + log + "-> {\"id\":1,\"result\":0}\n"),
      "must r 2" + finding);
  // Two calls: one is still open.
  EXPECT_EQ(Found(rule, call + "-> {\"id\":2,\"method\":\"call\"}\n" + answer + log +
                            "<- {\"id\":2,\"result\":0}\n"),
            "");
  EXPECT_EQ(Found(rule, "part 2\n" + log), "");
  EXPECT_EQ(Found(rule, "gap\n" + log), "");
}

TEST(CheckInside, HandlesAtAnyDepth) {
  const std::string handles = kQuiet + R"("handles":[{"name":"cb","life":"call",
    "made":["call:/params/**/callback/id"],"used":["back:/params/id"]}])";
  const auto found = [&](const std::string& params, const std::string& id) {
    return Found(handles, "-> {\"id\":1,\"method\":\"call\",\"params\":" + params + "}\n" +
                              "<- {\"method\":\"back\",\"params\":{\"id\":\"" + id + "\"}}\n" +
                              "<- {\"id\":1,\"result\":0}\n");
  };
  EXPECT_EQ(found(R"({"callback":{"id":"a"}})", "a"), "");
  EXPECT_EQ(found(R"({"args":[{"callback":{"id":"a"}}]})", "a"), "");
  EXPECT_EQ(found(R"({"args":[{"items":[{"entries":{"on":{"callback":{"id":"a"}}}}]}]})", "a"), "");
  const std::string finding = "must handle.cb 2 back /params/id: got \"a\"\n";
  EXPECT_EQ(found(R"({"args":[{"callback":{"id":"b"}}]})", "a"), finding);
  EXPECT_EQ(found(R"({"args":[{"callback":{"id":{"id":"a"}}}]})", "a"), finding);
  EXPECT_EQ(found(R"({"id":"a"})", "a"), finding);
}

TEST(CheckInside, ADefinitionHasAStrictForm) {
  const std::string members = kQuiet + R"("definitions":{"Name":{"type":["string","null"],
    "strict":{"type":"string"}},"Names":{"items":{"$ref":"#/definitions/Name"}}},
    "methods":{"m":{"from":"host","kind":"notification","params":{"$ref":"#/definitions/Names"}}})";
  const std::string sent =
      "-> {\"method\":\"m\",\"params\":[null]}\n-> {\"method\":\"m\",\"params\":[3]}\n";
  const Result<wire::Dialect> tolerant = DialectOf(members), strict = DialectOf(members, true);
  ASSERT_TRUE(tolerant.ok() && strict.ok());
  EXPECT_EQ(FoundWith(*tolerant, sent),
            "note tolerated 1 m /params/0: expected a string, got null\n"
            "must params 2 m /params/0: expected a string or null, got 3\n");
  EXPECT_EQ(FoundWith(*strict, sent),
            "must params 1 m /params/0: expected a string, got null\n"
            "must params 2 m /params/0: expected a string, got 3\n");
}

TEST(CheckInside, AMethodThatOnlyProgramsHaveIsANote) {
  const std::string members = R"("jsonrpc":"off","methods":{"m":{"from":"host",
    "kind":"notification","params":{"type":"object"},"strict":false}})";
  const std::string sent = "-> {\"method\":\"m\",\"params\":{}}\n";
  const Result<wire::Dialect> tolerant = DialectOf(members), strict = DialectOf(members, true);
  ASSERT_TRUE(tolerant.ok() && strict.ok());
  EXPECT_EQ(FoundWith(*tolerant, sent), "note tolerated 1 m /method\n");
  EXPECT_EQ(FoundWith(*strict, sent), "should method.unknown 1 m /method\n");
  EXPECT_FALSE(DialectOf(R"("methods":{"m":{"from":"host","kind":"request","strict":true}})").ok());
}

TEST(CheckInside, WhatOnlyTheStrictSchemaRefusesIsANote) {
  const std::string members = kQuiet + R"("methods":{"m":{"from":"host","kind":"request",
    "params":{"type":["object","null"]}, "result":{"type":["string","null"]},
    "strict":{"params":{"type":"object"}, "result":{"type":"string"}, "params_required":true}}})";
  const std::string sent =
      "-> {\"id\":1,\"method\":\"m\",\"params\":null}\n<- {\"id\":1,\"result\":null}\n"
      "-> {\"id\":2,\"method\":\"m\",\"params\":{}}\n<- {\"id\":2,\"result\":\"\"}\n"
      "-> {\"id\":3,\"method\":\"m\",\"params\":3}\n<- {\"id\":3,\"result\":3}\n";
  const Result<wire::Dialect> tolerant = DialectOf(members), strict = DialectOf(members, true);
  ASSERT_TRUE(tolerant.ok() && strict.ok());
  const std::string broken =
      "must params 5 m /params: expected an object or null, got 3\n"
      "must result 6 m /result: expected a string or null, got 3\n";
  EXPECT_EQ(FoundWith(*tolerant, sent),
            "note tolerated 1 m /params: expected an object, got null\n"
            "note tolerated 2 m /result: expected a string, got null\n" +
                broken);
  EXPECT_EQ(FoundWith(*strict, sent),
            "must params 1 m /params: expected an object, got null\n"
            "must result 2 m /result: expected a string, got null\n"
            "must params 5 m /params: expected an object, got 3\n"
            "must result 6 m /result: expected a string, got 3\n");
}

}  // namespace
}  // namespace midwire::trace
