// Mistakes in rules of every type, and hostile peers.
#include <gtest/gtest-spi.h>

#include <chrono>
#include <random>

#include "tests/check/rules/rule_conversation.h"
#include "tests/processor_time.h"
#include "tests/sanitized.h"

namespace midwire::trace {
namespace {

TEST(RuleTypes, MistakesNameTheMember) {
  EXPECT_TRUE(ErrorOf(R"({"type":"gates"})")
                  .starts_with("not a dialect: there is no rule type \"gates\": /type (one of "));
  EXPECT_EQ(
      ErrorOf(R"({"type":"gate","grant":"a:/params/b"})"),
      "not a dialect: a list of methods, or \"at\" is expected: /methods (rule r of type gate)");
  EXPECT_EQ(ErrorOf(R"({"type":"gate","grant":"a:/params/b","methods":["m"],"from":"both"})"),
            "not a dialect: host or plugin is expected: /from (rule r of type gate)");
  EXPECT_EQ(ErrorOf(R"({"type":"gate","methods":["m"]})"),
            "not a dialect: METHOD:/pointer or /pointer is expected: /grant (rule r of type gate)");
  EXPECT_EQ(ErrorOf(R"({"type":"gate","methods":[1],"grant":"/a"})"),
            "not a dialect: a string is expected: /methods/0 (rule r of type gate)");
  EXPECT_EQ(ErrorOf(R"({"type":"size","at":"m:/a","max":1,"maximum":2})"),
            "not a dialect: no such member: /maximum (rule r of type size)");
  EXPECT_EQ(ErrorOf(R"({"type":"path","at":"/a","roots":[{"prefix":"/a"},{"prefix":""}]})"),
            "not a dialect: a path is expected: /roots/1/prefix (rule r of type path)");
  EXPECT_EQ(ErrorOf(R"({"type":"path","at":"/a","roots":[{"prefix":"/a","grants":"/b"}]})"),
            "not a dialect: no such member: /roots/0/grants (rule r of type path)");
}
TEST(RuleTypes, ALineThatTheTestLanguageDoesNotHaveFails) {
  EXPECT_FATAL_FAILURE(FoundBy(R"({"type":"same","methods":"m"})", {"spwan p"}),
                       "no such line: spwan p");
}
TEST(RuleTypes, EveryWrongMemberIsAnError) {
  for (const char* rule : {
           R"({"type":"gate","methods":[],"grant":"/a"})",
           R"({"type":"gate","methods":"m","grant":"a"})",
           R"({"type":"gate","methods":"m","grant":["/a","/b"]})",
           R"({"type":"gate","methods":"m","grant":"/a","asking":"loud"})",
           R"({"type":"gate","methods":"m","grant":"/a","code":"x"})",
           R"({"type":"gate","methods":"m","grant":"/a","value":"/b","contains":"c"})",
           R"({"type":"path","at":"/a"})",
           R"({"type":"path","at":"/a","roots":[1]})",
           R"({"type":"same"})",
           R"({"type":"chunks","methods":"m"})",
           R"({"type":"count","add":"/a"})",
           R"({"type":"count","add":"/a","max":-1})",
           R"({"type":"count","add":"/a","max":1000000000000})",
           R"({"type":"count","max":1})",
           R"({"type":"deadline","methods":"m"})",
           R"({"type":"deadline","methods":"m","limit_ms":1.5})",
           R"({"type":"requires"})",
           R"({"type":"requires","methods":"m","without_code":1})",
           R"({"type":"requires","methods":"m","grants":{"m":"n:/result/a"}})",
           R"({"type":"requires","grants":{"m":"a"}})",
           R"({"type":"closed","after":"m"})",
           R"({"type":"closed","code":-1})",
           R"({"type":"equal","at":"/a"})",
           R"({"type":"equal","at":"/a","value":1,"as":"/b"})",
           R"({"type":"among","at":"/a"})",
           R"({"type":"among","of":"/a"})",
           R"({"type":"order","before":"m"})",
           R"({"type":"during","open":"m"})",
           R"({"type":"during","methods":"m","at":"/a","open":"m"})",
           R"({"type":"during","methods":"m","is":"a","open":"m"})",
           R"({"type":"level","at":"/a"})",
           R"({"type":"level","values":["a"]})",
           R"({"type":"either","at":"/a","members":[]})",
           R"({"type":"either","at":"/a","members":["a"],"exactly":"yes"})",
           R"({"type":"respawn","failures":0,"window_ms":1})",
           R"({"type":"respawn","failures":100000,"window_ms":1})",
           R"({"type":"respawn","failures":1,"window_ms":1,"delays_ms":["a"]})",
           R"({"type":"size","at":"/a","max":"x"})",
           R"({"type":"volume","max":1})",
           R"({"type":"volume","from":"both","max":1})",
           R"({"type":"volume","from":"host"})",
           R"({"type":"volume","from":"host","max":-1})",
       }) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

// Hostile peers.

const std::string kAllRules[] = {
    R"({"type":"gate","methods":"*","grant":"m:/result/a/b","value":"/params/a","code":-1})",
    R"({"type":"gate","methods":"*","grant":"m:/params/a","contains":"x","code":-1})",
    R"({"type":"path","at":["/params/a","/params/*"],"roots":[{"prefix":"~/a","grant":"/params/b"}],
        "code":-1})",
    R"({"type":"same","methods":"*"})",
    R"({"type":"chunks","methods":"*","topic":"/params/b","batch":"/params/c","index":"/params/a"})",
    R"({"type":"count","add":"/params/a","remove":"/params/b","max":5})",
    R"({"type":"deadline","methods":"*","limit":"/params/a","code":-1})",
    R"({"type":"requires","methods":"*"})",
    R"({"type":"requires","grants":{"m":"m:/result/a","n":"/params/a"}})",
    R"({"type":"closed","after":"m","code":-1})",
    R"({"type":"equal","at":"/result","request":"/params/a"})",
    R"({"type":"equal","at":"/params/*","as":"/result/a"})",
    R"({"type":"among","at":"/params/a","of":["/params/b","/result/*"]})",
    R"({"type":"order","before":"n","after":"*"})",
    R"({"type":"level","at":"/params/a","values":["x"],"minimum":"/params/b"})",
    R"({"type":"either","at":["/params","/params/*"],"members":["a","b"],"exactly":true})",
    R"({"type":"respawn","failures":3,"window_ms":60000,"delays_ms":[1000]})",
    R"({"type":"size","at":"/params/a","max":5})",
    R"({"type":"volume","from":"plugin","max":5})",
    R"({"type":"during","at":"/params/a","is":"x","open":"m"})",
    R"({"type":"increasing","at":["/params/a","/result/b"],"by":"/params/b","reset":"/error/a"})",
    R"({"type":"valid","made":"/params/a","used":["/params/*","/result/a"],"answered":"m",
        "ended":"n[/params/b=x]:/params/a","ended_by":"n","once":true})",
    R"({"type":"granted","at":"/params/*","grants":{"x":"m:/params/b/c","1":"/result/a/a"}})",
    R"({"type":"fits","at":"/params/b","name":"/params/a","schemas":"/params","key":"/a",
        "schema":"/b","required":true})",
    R"({"type":"fits","at":"/params/b","name":"/params/a","schemas":"/params","key":"/a",
        "schema":"/b","otherwise":{},"refused":"note","unless":"/result/a"})",
    R"({"type":"fits","at":"/result/a","request":"m:/params"})",
    R"({"type":"distinct","at":"/params/*"})",
    R"({"type":"distinct","at":["/params/a","n[/params/b=x]:/params"],"session":true,
        "by":"/params/b","reset":"/result/a"})",
    R"({"type":"distinct","at":"/result/*","page":"/params/a","reset":"/error/a"})",
    R"({"type":"valid","made":"/params/a","used":"/params/b","life":"call","once":true,
        "ended_by":"m","unless":"/params/a"})",
    R"({"type":"followed","after":"m","by":"n"})",
    R"({"type":"length","at":"/result/a","of":["/params/a","/params"],"empty":true})",
    R"({"type":"length","at":"/params/a","multiple":2})",
    R"({"type":"base64","at":["/params/a","/params/*/*"]})",
};

TEST(RuleTypes, WhateverIsSent) {
  std::mt19937 random(4);
  const auto pick = [&](std::initializer_list<const char*> choices) {
    return std::string(choices.begin()[random() % choices.size()]);
  };
  for (const std::string& rule : kAllRules) {
    RuleConversation conversation({rule});
    ASSERT_EQ(conversation.error, "");
    for (int i = 0; i < 2000; ++i) {
      conversation.Add("+20");
      const std::string value =
          pick({"1", "\"\"", "\"x\"", "null", "[]", "{}", "{\"a\":\"b\"}", "[\"\\ud800\",1e999]",
                "-0", "\"\\u0000../..\"", "true", "\"https://@:]\"", "18446744073709551616"});
      const std::string again = random() % 2 ? ",\"a\":[" + value + "]" : "";
      const std::string body = "{\"a\":" + value + again + ",\"b\":" + value + "}";
      const std::string id = pick({"1", "\"1\"", "null", "1.0", "2", "[]"});
      const std::string method = pick({"m", "n", ""});
      const std::string asked = "{\"id\":" + id + ",\"method\":\"" + method +
                                "\",\"params\":" + pick({"7", "null", "[]", "{}"}) + "}";
      const std::string from = pick({"> ", "< "});
      conversation.Add(
          from + pick({("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + body + "}")
                           .c_str(),
                       ("{\"id\":" + id + ",\"result\":" + body + "}").c_str(),
                       ("{\"id\":" + id + ",\"error\":" + body + "}").c_str(),
                       ("{\"id\":" + id + ",\"error\":{\"code\":-32601}}").c_str(), asked.c_str(),
                       ("[" + asked + "," + asked + "]").c_str(), "{", "[", "\xff", "3",
                       ("{\"method\":\"m\",\"params\":" + body).c_str()}));
      if (random() % 20 == 0) {
        conversation.Add(pick({"spawn p", "exit 1", "killed 9", "---", "gap", "part 3", "+70000"}));
      }
    }
    // Some rules report at the end of a session, if all of it was recorded.
    for (const auto& line : {std::string("---"), Notify('>', "m"), std::string("---")}) {
      conversation.Add(line);
    }
    EXPECT_NE(conversation.found, "") << rule;
  }
}

// Time grows linearly with the messages: with every rule at once 60,000 requests that
// are answered late, the last one first, take some seconds.
TEST(RuleTypes, AFloodOfOpenRequests) {
  RuleConversation conversation(kAllRules);
  const auto begin = ProcessorTime();
  const int count = Many(60'000);
  for (int i = 0; i < count; ++i) {
    conversation.Add(Ask('>', i, "m", "{\"a\":\"x" + std::to_string(i) + "\"}"));
  }
  for (int i = count; i-- > 0;) conversation.Add(Answer('<', i, "{\"a\":1}"));
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(60));
  EXPECT_GT(conversation.findings, static_cast<size_t>(count));
}

TEST(RuleTypes, DeepAndWideValues) {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  std::string wide = "[0";
  for (int i = 0; i < 20'000; ++i) wide += ",{\"a\":" + std::to_string(i) + "}";
  wide += "]";
  for (const std::string& rule : kAllRules) {
    RuleConversation conversation({rule});
    for (const std::string& value : {deep, wide, std::string(2000, '[')}) {
      conversation.Add(Ask('>', 1, "m", "{\"a\":" + value + "}"));
      conversation.Add(Answer('<', 1, "{\"a\":" + value + "}"));
      conversation.Add(Ask('>', 1, "m", value));
      conversation.Add(Answer('<', 1, value));
    }
    EXPECT_LT(conversation.findings, 1'000'000u);
  }
}

}  // namespace
}  // namespace midwire::trace
