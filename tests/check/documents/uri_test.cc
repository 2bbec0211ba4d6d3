// URIs in several spellings.
#include "check/documents/uri.h"

#include <sstream>

#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

using check::PlainUri;

TEST(PlainUriTest, EscapesThatChangeNothing) {
  EXPECT_EQ(PlainUri("file:///c%3A/a%28b%29.c"), PlainUri("file:///c:/a(b).c"));
  EXPECT_EQ(PlainUri("file:///%c3%A9"), PlainUri("file:///\u00e9"));
  EXPECT_EQ(PlainUri("file:///%40types"), PlainUri("file:///@types"));
}
TEST(PlainUriTest, EscapesThatMeanSomethingElseBare) {
  EXPECT_EQ(PlainUri("file:///a%2fb%23%3f%25%20"), "file:///a%2Fb%23%3F%25%20");
  EXPECT_NE(PlainUri("file:///a%2Fb"), PlainUri("file:///a/b"));
}
TEST(PlainUriTest, DrivesSchemesAndThisHost) {
  EXPECT_EQ(PlainUri("FILE:///C:/A"), "file:///c:/A");
  EXPECT_EQ(PlainUri("file:/a"), "file:///a");
  EXPECT_EQ(PlainUri("file://localhost/a"), "file:///a");
  EXPECT_NE(PlainUri("file:///a/B"), PlainUri("file:///a/b"));
  EXPECT_EQ(PlainUri("untitled:C:/a"), "untitled:C:/a");
}
TEST(PlainUriTest, WhatIsNoUriStaysAsItIs) {
  for (const char* text : {"", "a/%41", "C:\\%41", "3:a", ":a", "%41:b"}) {
    EXPECT_EQ(PlainUri(text), text);
  }
}
TEST(PlainUriTest, EscapesThatAreCutOff) {
  EXPECT_EQ(PlainUri("file:///a%4"), "file:///a%4");
  EXPECT_EQ(PlainUri("file:///%zz%"), "file:///%zz%");
}

const std::string kUris = R"({"type":"uri","at":["/params/uri","find:/result/*"]})";

std::string SayUri(char sender, const std::string& uri) {
  return Notify(sender, "say", "{\"uri\":\"" + uri + "\"}");
}

TEST(UriRuleTest, EachPartyIsReportedOnce) {
  EXPECT_EQ(FoundBy(kUris, {SayUri('>', "file:///c%3A/a"), SayUri('<', "file:///C:/a"),
                            SayUri('<', "file:///c:/a"), SayUri('>', "file:///c:/a")}),
            "#2 p2h /params/uri: file:///c%3A/a as in #1 | file:///C:/a\n"
            "#4 h2p /params/uri: file:///c%3A/a as in #1 | file:///c:/a\n");
}
TEST(UriRuleTest, OneSpellingIsSilent) {
  EXPECT_EQ(FoundBy(kUris, {SayUri('>', "file:///a"), SayUri('<', "file:///a"),
                            SayUri('>', "file:///b"), SayUri('<', "file:///A")}),
            "");
}
TEST(UriRuleTest, TheSameTextInOtherEscapesOfJsonIsOneSpelling) {
  EXPECT_EQ(FoundBy(kUris, {SayUri('>', "file:///a"), SayUri('<', "file:\\/\\/\\/\\u0061")}), "");
}
TEST(UriRuleTest, InALongListOfPlaces) {
  EXPECT_EQ(FoundBy(kUris, {Ask('>', 1, "find"),
                            Answer('<', 1, R"(["file:///a(","file:///a(","file:///a%28",3])")}),
            "#2 p2h /result/2: file:///a( as in #2 | file:///a%28\n");
}
TEST(UriRuleTest, AnotherSessionMayUseAnotherSpelling) {
  EXPECT_EQ(FoundBy(kUris, {SayUri('>', "file:///a%28"), "---", SayUri('>', "file:///a(")}), "");
}

// The limits that are reported after `count` resources, each named twice.
std::string LimitsOf(int count) {
  RuleConversation conversation({kUris});
  for (int i = 0; i < 2 * count; ++i) {
    conversation.Add(SayUri('>', "file:///" + std::to_string(i % count)));
  }
  EXPECT_EQ(conversation.found, "");
  std::istringstream others(conversation.others);
  std::string limits;
  for (std::string line; std::getline(others, line);) {
    if (line.find("documents.followed") != line.npos) limits += line + "\n";
  }
  return limits;
}
TEST(UriRuleTest, MoreResourcesThanAreRememberedAreReportedOnce) {
  EXPECT_EQ(LimitsOf(8192), "");
  EXPECT_EQ(LimitsOf(8193), "#8193 documents.followed: at most 8192 resources in a session\n");
}

}  // namespace
}  // namespace midwire::trace
