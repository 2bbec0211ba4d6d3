// Scopes and places as users write them: what they mean, and which are refused.
#include "wire/dialect/method_scope.h"

#include <gtest/gtest.h>

#include "wire/dialect/method_place.h"

namespace midwire::wire {
namespace {

constexpr char kRand[] = R"({"params":{"name":"rand","arguments":{"n":3,"deep":true}}})";

bool Holds(std::string_view scope, std::string_view body = kRand) {
  const Result<MethodScope> parsed = ParseMethodScope(scope);
  if (!parsed) ADD_FAILURE() << parsed.error().Text();
  return parsed && parsed->HasMembers(body);
}

TEST(MethodScopeTest, AMemberIsSpelledBareOrAsAJsonString) {
  for (const char* holds :
       {"m", "m[/params/name=rand]", R"(m[/params/name="rand"])", R"(m[/params/name="r\u0061nd"])",
        "m[/params/arguments/n=3]", "m[/params/arguments/deep=true]", "[/params/name=rand]"}) {
    EXPECT_TRUE(Holds(holds)) << holds;
  }
  for (const char* fails :
       {"m[/params/name=add]", "m[/params/name=ran]", R"(m[/params/arguments/n="3"])",
        "m[/params/arguments/n=4]", "m[/params/arguments={}]", "m[/params/other=rand]"}) {
    EXPECT_FALSE(Holds(fails)) << fails;
  }
}

TEST(MethodScopeTest, AStarEndsAValue) {
  EXPECT_TRUE(Holds("m[/params/name=ra*]"));
  EXPECT_TRUE(Holds("m[/params/name=*]"));
  EXPECT_TRUE(Holds(R"(m[/params/name="ra"*])"));
  EXPECT_FALSE(Holds("m[/params/name=ad*]"));
  EXPECT_FALSE(Holds(R"(m[/params/name="ra*"])"));
  EXPECT_FALSE(Holds("m[/params/arguments=*]"));
}

TEST(MethodScopeTest, AllMembersMustMatch) {
  EXPECT_TRUE(Holds("m[/params/name=rand][/params/arguments/n=3]"));
  EXPECT_FALSE(Holds("m[/params/name=rand][/params/arguments/n=4]"));
}

TEST(MethodScopeTest, AQuotedValueMayHoldWhatEndsABareOne) {
  EXPECT_TRUE(Holds(R"(m[/a="x]y*"])", R"({"a":"x]y*"})"));
  EXPECT_TRUE(Holds(R"(m[/a="say \"x\""])", R"({"a":"say \"x\""})"));
  EXPECT_TRUE(Holds(R"(m[/a=""])", R"({"a":""})"));
}

TEST(MethodScopeTest, BadScopesAreOneClearLine) {
  for (const auto& [text, why] :
       {std::pair("m[]", "names no member"), std::pair("m[rand]", "names no member"),
        std::pair("m[name=rand]", "names no member"), std::pair("m[=rand]", "names no member"),
        std::pair("m[/a~2=rand]", "not a JSON pointer"), std::pair("m[/a=]", "has no value"),
        std::pair("m[/a=rand", "a ] is missing"), std::pair(R"(m[/a="x"y])", "a ] is missing"),
        std::pair(R"(m[/a="x])", "not a JSON string"),
        std::pair("m[/a=x]y", "something follows")}) {
    const Result<MethodScope> scope = ParseMethodScope(text);
    ASSERT_FALSE(scope) << text;
    EXPECT_NE(scope.error().Text().find(why), std::string::npos) << scope.error().Text();
  }
}

TEST(MethodScopeTest, APlaceMayHaveAScope) {
  struct Case {
    const char *text, *method, *pointer;
    size_t members;
  };
  for (const Case& is :
       {Case{"t[/a=x]:/b", "t", "/b", 1}, Case{"[/a=x]:/b", "*", "/b", 1},
        Case{"t*[/a=x][/b=y]:/c", "t*", "/c", 2}, Case{"t[/a=file:///x]:/b", "t", "/b", 1},
        Case{R"(t[/a="]:/b"]:/c)", "t", "/c", 1}, Case{"t:/a[0]/b", "t", "/a[0]/b", 0},
        Case{"/a[/b=c]", "", "/a[/b=c]", 0}}) {
    const Result<MethodPlace> place = ParseScopedPlace(is.text);
    ASSERT_TRUE(place) << is.text << ": " << place.error().Text();
    EXPECT_EQ(place->scope.method, is.method) << is.text;
    EXPECT_EQ(place->scope.members.size(), is.members) << is.text;
    EXPECT_EQ(PointerText(place->pointer), is.pointer) << is.text;
  }
  for (const char* wrong : {"t[/a=x]", "t[/a=x]/b", "t[/a=x]b:/c", "t[a]:/b", "t[/a=x]:b"}) {
    EXPECT_FALSE(ParseScopedPlace(wrong)) << wrong;
  }
}

TEST(MethodScopeTest, APlaceThatIsOfEachCallRefusesAScope) {
  EXPECT_TRUE(ParseMethodPlace("t:/b"));
  const Result<MethodPlace> place = ParseMethodPlace("t[/a=x]:/b");
  ASSERT_FALSE(place);
  EXPECT_NE(place.error().Text().find("cannot be limited"), std::string::npos);
}

TEST(MethodScopeTest, AWrittenMemberMeansItsValue) {
  EXPECT_EQ(ScopeMemberText("/params/name", "rand"), "[/params/name=rand]");
  EXPECT_EQ(ScopeMemberText("/a=b", "x"), "");
  for (const char* value : {"rand", "a b", "x]y", "3", "true", "ra*", "", "\"", "\\u0061", "\n"}) {
    const Result<MethodScope> scope = ParseMethodScope("m" + ScopeMemberText("/a", value));
    ASSERT_TRUE(scope) << value << ": " << scope.error().Text();
    EXPECT_EQ(scope->members[0].value, value);
    EXPECT_FALSE(scope->members[0].begins) << value;
  }
}

}  // namespace
}  // namespace midwire::wire
