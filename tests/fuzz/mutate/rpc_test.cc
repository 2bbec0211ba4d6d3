#include <set>

#include "fuzz/mutate/message_spans.h"
#include "tests/fuzz/mutate/mutants.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

constexpr std::string_view kRequest = R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})";
constexpr std::string_view kAnswer = R"({"jsonrpc":"2.0","id":7,"result":{"b":2}})";

std::set<std::string> All(std::string_view mutator, std::string_view body) {
  const auto made = Made(mutator, body);
  return {made.begin(), made.end()};
}

MessageSpans Spans(std::string_view body) {
  Random random(1);
  return FindMessage(body, &random).value_or(MessageSpans());
}

TEST(MessageSpansTest, MembersByWhatTheyAreFor) {
  const MessageSpans spans = Spans(kRequest);
  EXPECT_TRUE(spans.request());
  EXPECT_EQ(spans.value(kRequest, Role::kId), "7");
  EXPECT_EQ(spans.value(kRequest, Role::kParams), R"({"a":1})");
  EXPECT_FALSE(spans.has(Role::kResult));
  EXPECT_TRUE(Spans(kAnswer).answer);
  EXPECT_TRUE(Spans(R"({"method":"n"})").notification());
}

TEST(MessageSpansTest, OfDapUnderTheSameRoles) {
  const MessageSpans request = Spans(kDapBodies[0]);
  EXPECT_TRUE(request.request() && request.dap);
  EXPECT_EQ(request.value(kDapBodies[0], Role::kMethod), "\"initialize\"");
  const MessageSpans answer = Spans(kDapBodies[2]);
  EXPECT_TRUE(answer.answer);
  EXPECT_EQ(answer.value(kDapBodies[2], Role::kId), "7");
  const MessageSpans event = Spans(kDapBodies[3]);
  EXPECT_TRUE(event.notification());
  EXPECT_EQ(event.value(kDapBodies[3], Role::kParams), R"({"reason":"step","threadId":1})");
}

TEST(MessageSpansTest, OfABatchOneOfItsObjects) {
  EXPECT_EQ(Spans(R"([1,null,{"id":3}])").size, 8u);
  Random random(1);
  for (const std::string_view none : {"", "[]", "[1]", "3", "\"id\"", "  "}) {
    EXPECT_FALSE(FindMessage(none, &random)) << none;
  }
}

TEST(MessageSpansTest, AFreshIdIsOfTheSameType) {
  Random random(1);
  EXPECT_NE(FreshId("7", &random).front(), '"');
  EXPECT_EQ(FreshId("\"a\"", &random).front(), '"');
  Part part = Framed(kRequest, Framing::kContentLength);
  RenewId(&part, &random);
  EXPECT_GT(Spans(part.body()).of(Role::kId).value_size, 5u);
  EXPECT_EQ(Read(part.bytes).frames.size(), 1u);
  Part answer = Framed(kAnswer, Framing::kLine);
  RenewId(&answer, &random);
  EXPECT_EQ(answer.body(), kAnswer);
}

TEST(MutateRpcTest, OneMemberChangesOrGoes) {
  using Set = std::set<std::string>;
  EXPECT_EQ(All("rpc.id-null", kRequest),
            Set{R"({"jsonrpc":"2.0","id":null,"method":"m","params":{"a":1}})"});
  EXPECT_EQ(All("rpc.id-missing", kRequest),
            Set{R"({"jsonrpc":"2.0","method":"m","params":{"a":1}})"});
  EXPECT_EQ(All("rpc.id-other-type", kRequest),
            Set{R"({"jsonrpc":"2.0","id":"7","method":"m","params":{"a":1}})"});
  EXPECT_EQ(All("rpc.version-missing", kAnswer), Set{R"({"id":7,"result":{"b":2}})"});
  EXPECT_EQ(All("rpc.params-null", kRequest),
            Set{R"({"jsonrpc":"2.0","id":7,"method":"m","params":null})"});
  EXPECT_EQ(All("rpc.params-missing", kRequest), Set{R"({"jsonrpc":"2.0","id":7,"method":"m"})"});
  EXPECT_EQ(All("rpc.params-other-structure", kRequest),
            Set{R"({"jsonrpc":"2.0","id":7,"method":"m","params":[1]})"});
  EXPECT_EQ(All("rpc.neither-result-nor-error", kAnswer), Set{R"({"jsonrpc":"2.0","id":7})"});
  EXPECT_EQ(All("rpc.answer-for-request", kRequest),
            Set{R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})"});
}

TEST(MutateRpcTest, AnAnswersMembersAreOnlyForAnswers) {
  for (const char* name : {"rpc.result-and-error", "rpc.neither-result-nor-error",
                           "rpc.answer-is-error", "rpc.odd-error", "rpc.request-for-answer"}) {
    EXPECT_TRUE(Made(name, kRequest).empty()) << name;
    EXPECT_FALSE(Made(name, kAnswer).empty()) << name;
  }
  for (const char* name : {"rpc.method-empty", "rpc.params-null", "rpc.request-to-notification"}) {
    EXPECT_TRUE(Made(name, kAnswer).empty()) << name;
  }
}

TEST(MutateRpcTest, WhatWasJsonStaysJson) {
  const Vocabulary words = SessionWords();
  for (const MutatorSpec& spec : Mutators()) {
    if (spec.level != Level::kRpc) continue;
    for (const std::string& session : SeedSessions()) {
      for (uint64_t seed = 0; seed < 40; ++seed) {
        Input input = ParseInput(session);
        Apply(spec, &input, seed % input.parts.size(), seed, words);
        ASSERT_FALSE(input.parts.empty()) << spec.name;
        for (const Part& part : input.parts) {
          EXPECT_TRUE(wire::IsJson(part.body())) << spec.name << ": " << part.body();
        }
      }
    }
  }
}

TEST(MutateRpcTest, AReusedIdIsAnothersInTheSession) {
  std::set<std::string> ids;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Input input = ParseInput(Session(Framing::kLine, kHostBodies));
    if (!Apply(*Named("rpc.reused-id"), &input, 0, seed, Vocabulary())) continue;
    ids.insert(std::string(Spans(input.parts[0].body()).value(input.parts[0].body(), Role::kId)));
  }
  EXPECT_EQ(ids, (std::set<std::string>{"2", "\"s\"", "4", "5"}));
}

TEST(MutateRpcTest, ABatchTakesThoseThatFollowIn) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Input input = ParseInput("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
    ASSERT_TRUE(Apply(*Named("rpc.batch-next"), &input, 1, seed, Vocabulary()));
    EXPECT_TRUE(input.Bytes() == "{\"id\":1}\n[{\"id\":2}]\n{\"id\":3}\n" ||
                input.Bytes() == "{\"id\":1}\n[{\"id\":2},{\"id\":3}]\n")
        << input.Bytes();
  }
}

TEST(MutateRpcTest, DapKeepsToDap) {
  for (const char* name :
       {"rpc.version-missing", "rpc.version-other", "rpc.request-to-notification"}) {
    EXPECT_TRUE(Made(name, kDapBodies[0]).empty()) << name;
  }
  const std::vector<std::string> answers = Made("rpc.answer-for-request", kDapBodies[1]);
  EXPECT_FALSE(answers.empty());
  for (const std::string& body : answers) {
    EXPECT_TRUE(body.starts_with(R"({"seq":2,"type":"response","request_seq":2,)")) << body;
  }
}

}  // namespace
}  // namespace midwire::fuzz
