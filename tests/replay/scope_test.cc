// Declarations of some calls of a method, distinguished by members of the request. How a scope is
// spelled is in method_scope_test.cc.
#include <gmock/gmock.h>

#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

constexpr char kTools[] = R"(
  -> {"id":1,"method":"call","params":{"name":"rand"}}
  <- {"id":1,"result":[4,1]}
  -> {"id":2,"method":"call","params":{"name":"add"}}
  <- {"id":2,"result":[3,1]}
)";

// The peer answers rand with `rand` and add with `add`; the report says what differs.
void ExpectTools(const Role& role, const std::string& rand, const std::string& add,
                 const std::string& report, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  ExpectReplays(role, kTools,
                "-> {\"id\":1,\"method\":\"call\",\"params\":{\"name\":\"rand\"}}\n"
                "<- {\"id\":1,\"result\":" +
                    rand +
                    "}\n"
                    "-> {\"id\":2,\"method\":\"call\",\"params\":{\"name\":\"add\"}}\n"
                    "<- {\"id\":2,\"result\":" +
                    add + "}\ncloses\n" + report + "\n",
                file, line);
}

TEST(ScopeTest, AShapeOfOneToolLeavesTheOtherStrict) {
  const Role role = Host().Shaped("call[/params/name=rand]:/result/0=integer");
  ExpectTools(role, "[7,1]", "[3,1]", "same");
  ExpectTools(role, "[7,1]", "[4,1]", "differs 4 call /result/0: 3 | 4");
  ExpectTools(role, "[\"x\",1]", "[3,1]", "differs 2 call /result/0: 4 | \"x\"");
}

TEST(ScopeTest, AToolMayBeNamedLikeAShape) {
  const auto shape = ParseShapedPlace("call[/params/name=integer]:/result=uuid");
  ASSERT_TRUE(shape) << shape.error().Text();
  EXPECT_EQ(shape->at.scope.text, "call[/params/name=integer]");
}

TEST(ScopeTest, AnIgnoreAndAnUnorderedArray) {
  ExpectTools(Host().Ignore("call[/params/name=add]:/result"), "[4,1]", "{}", "same");
  ExpectTools(Host().Ignore("call[/params/name=add]:/result"), "{}", "[3,1]",
              "differs 2 call /result: [4,1] | {}");
  ExpectTools(Host().Unordered("[/params/name=r*]:/result"), "[1,4]", "[3,1]", "same");
  ExpectTools(Host().Unordered("[/params/name=r*]:/result"), "[4,1]", "[1,3]",
              "differs 4 call /result/0: 3 | 1");
}

TEST(ScopeTest, AHeaderMayHaveScopes) {
  ExpectReplays(Host(), R"(
    header {"event":"header","ignore":["call[/params/name=rand]:/result"]}
    -> {"id":1,"method":"call","params":{"name":"rand"}}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"call","params":{"name":"add"}}
    <- {"id":2,"result":3}
  )",
                R"(
    -> {"id":1,"method":"call","params":{"name":"rand"}}
    <- {"id":1,"result":2}
    -> {"id":2,"method":"call","params":{"name":"add"}}
    <- {"id":2,"result":4}
    closes
    differs 4 call /result: 3 | 4
  )");
}

// What a message with these members is, after others.
TEST(ScopeTest, TheSameValueOfAnotherTypeIsAnotherClass) {
  Declarations declared;
  for (const char* text : {"a[/x=1]", R"(a[/x="1"])", "a[/y=2]", "b*[/x=1]"}) {
    declared.volatile_methods.push_back(*wire::ParseMethodScope(text));
  }
  Scopes scopes(declared);
  using testing::ElementsAre;
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(scopes.Of("a", R"({"x":1})").scopes, ElementsAre("a[/x=1]"));
    EXPECT_THAT(scopes.Of("a", R"({"x":"1"})").scopes, ElementsAre("a[/x=\"1\"]", "a[/x=1]"));
    EXPECT_THAT(scopes.Of("a", R"({"x":[1]})").scopes, ElementsAre());
    EXPECT_THAT(scopes.Of("a", R"({"y":2,"x":1})").scopes, ElementsAre("a[/x=1]", "a[/y=2]"));
    EXPECT_THAT(scopes.Of("bc", R"({"x":1})").scopes, ElementsAre("b*[/x=1]"));
    EXPECT_THAT(scopes.Of("c", R"({"x":1})").scopes, ElementsAre());
    EXPECT_THAT(scopes.Of("a", "no JSON").scopes, ElementsAre());
  }
}

TEST(ScopeTest, AReverseCallHasItsOwnMembers) {
  ExpectReplays(Host().Ignore("ask[/params/of=time]:/params/at"), R"(
    -> {"id":1,"method":"a"}
    <- {"id":7,"method":"ask","params":{"of":"time","at":1}}
    -> {"id":7,"result":1}
    <- {"id":8,"method":"ask","params":{"of":"place","at":1}}
    -> {"id":8,"result":2}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":7,"method":"ask","params":{"of":"time","at":2}}
    -> {"id":7,"result":1}
    <- {"id":8,"method":"ask","params":{"of":"place","at":2}}
    -> {"id":8,"result":2}
    <- {"id":1,"result":1}
    closes
    differs 4 ask /params/at: 1 | 2
  )");
}

TEST(ScopeTest, ARequestToAMockHasItsOwnMembers) {
  ExpectReplays(Mock().Ignore("call[/params/name=rand]:/params/at"), R"(
    -> {"id":1,"method":"call","params":{"name":"rand","at":1}}
    <- {"id":1,"result":"r"}
    -> {"id":2,"method":"call","params":{"name":"add","at":1}}
    <- {"id":2,"result":"a"}
  )",
                R"(
    -> {"id":2,"method":"call","params":{"name":"add","at":1}}
    <- {"id":2,"result":"a"}
    -> {"id":1,"method":"call","params":{"name":"rand","at":5}}
    <- {"id":1,"result":"r"}
    same
  )");
}

constexpr char kLevels[] = R"(
  -> {"id":1,"method":"a"}
  <- {"method":"log","params":{"level":"debug","text":"x"}}
  <- {"method":"log","params":{"level":"error","text":"y"}}
  <- {"id":1,"result":1}
)";

TEST(ScopeTest, AVolatileLevelMayComeInAnyNumber) {
  const Role role = Host().Volatile("log[/params/level=debug]");
  ExpectReplays(role, kLevels, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":{"level":"debug","text":"z"}}
    <- {"method":"log","params":{"level":"debug","text":"x"}}
    <- {"method":"log","params":{"level":"error","text":"y"}}
    <- {"id":1,"result":1}
    closes
    same
  )");
  ExpectReplays(role, kLevels, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":{"level":"error","text":"y"}}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ScopeTest, AnotherLevelIsNotVolatile) {
  ExpectReplays(Host().Volatile("log[/params/level=debug]"), kLevels, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":{"level":"debug","text":"x"}}
    <- {"method":"log","params":{"level":"error","text":"z"}}
    <- {"method":"log","params":{"level":"error","text":"y"}}
    <- {"id":1,"result":1}
    closes
    extra - log /params/text: "y" | "z" closest 3
  )");
}

TEST(ScopeTest, AVolatileMessageIsNeverTakenForARecordingThatIsNot) {
  ExpectReplays(Host().Volatile("log[/params/level=debug]").Timeout("1s"), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":{"level":"error","text":"y"}}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":{"level":"debug","text":"y"}}
    <- {"id":1,"result":1}
    closes
    missing 2 log: {"method":"log","params":{"level":"error","text":"y"}} | -
  )");
}

TEST(ScopeTest, OnlyOneLevelFloats) {
  ExpectReplays(Host().Floating("log[/params=x]"), R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log","params":"x"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"method":"log","params":"y"}
    <- {"id":2,"result":2}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"b"}
    <- {"id":2,"result":2}
    closes
    missing 2 log: {"method":"log","params":"x"} | -
    missing 5 log: {"method":"log","params":"y"} | -
  )");
}

TEST(ScopeTest, OneStreamComesInPieces) {
  const Role role = Host().Chunked("out[/params/to=1]:/params/text");
  constexpr char kStreams[] = R"(
    -> {"id":1,"method":"a"}
    <- {"method":"out","params":{"to":1,"text":"one two"}}
    <- {"method":"out","params":{"to":2,"text":"three"}}
    <- {"id":1,"result":1}
  )";
  ExpectReplays(role, kStreams, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"out","params":{"to":1,"text":"one"}}
    <- {"method":"out","params":{"to":2,"text":"three"}}
    <- {"method":"out","params":{"to":1,"text":" two"}}
    <- {"id":1,"result":1}
    closes
    same
  )");
  ExpectReplays(role, kStreams, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"out","params":{"to":1,"text":"one two"}}
    <- {"method":"out","params":{"to":2,"text":"th"}}
    <- {"method":"out","params":{"to":2,"text":"ree"}}
    <- {"id":1,"result":1}
    closes
    differs 3 out /params/text: "three" | "ree"
    extra - out /params/text: "three" | "th" closest 3
  )");
}

TEST(ScopeTest, ABindingOfOneTool) {
  const char* bind = "call[/params/name=open]:/result/n=call[/params/name=read]:/params/n";
  ExpectReplays(Host().BindOff().Bound(bind), R"(
    -> {"id":1,"method":"call","params":{"name":"open"}}
    <- {"id":1,"result":{"n":5}}
    -> {"id":2,"method":"call","params":{"name":"read","n":5}}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"call","params":{"name":"add","n":5}}
    <- {"id":3,"result":6}
  )",
                R"(
    -> {"id":1,"method":"call","params":{"name":"open"}}
    <- {"id":1,"result":{"n":8}}
    -> {"id":2,"method":"call","params":{"name":"read","n":8}}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"call","params":{"name":"add","n":5}}
    <- {"id":3,"result":6}
    closes
    same
    bound b1 5
  )");
}

TEST(ScopeTest, AnswersThatOvertakeEachOther) {
  ExpectReplays(Host().Ignore("call[/params/name=rand]:/result"), R"(
    -> {"id":1,"method":"call","params":{"name":"rand"}}
    -> {"id":2,"method":"call","params":{"name":"add"}}
    <- {"id":1,"result":1}
    <- {"id":2,"result":3}
  )",
                R"(
    -> {"id":1,"method":"call","params":{"name":"rand"}}
    -> {"id":2,"method":"call","params":{"name":"add"}}
    <- {"id":2,"result":4}
    <- {"id":1,"result":2}
    closes
    differs 4 call /result: 3 | 4
  )");
}

}  // namespace
}  // namespace midwire::replay
