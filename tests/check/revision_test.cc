// A session is checked against the revision that it agrees on.
#include <gtest/gtest.h>

#include <string>

#include "tests/check/plain.h"
#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

// Revision 2 has `new` in place of `old`, another result of hello, and rule `b` in place of `a`.
constexpr char kProtocol[] = R"("jsonrpc": "off",
  "negotiation": {"offered": ["hello:/params/version"], "agreed": ["hello:/result/version"],
                  "message": ["/params/_meta/v"], "default": "1"},
  "methods": {"hello": {"from": "host", "kind": "request", "result": {"required": ["one"]}},
              "old": {"from": "host", "kind": "notification"}},
  "rules": [{"id": "a", "type": "size", "at": "/params/text", "max": 3},
            {"id": "c", "type": "order", "before": "hello", "after": "new"}],
  "revisions": {"1": {},
    "2": {"since": "1", "remove": ["/methods/old", "/rules/a"],
          "methods": {"hello": {"from": "host", "kind": "request", "result": {"required": ["two"]}},
                      "new": {"from": "host", "kind": "notification"}},
          "rules": [{"id": "b", "type": "size", "at": "/params/text", "max": 5}]}})";

std::string InProtocol(const std::string& conversation) { return Found(kProtocol, conversation); }

std::string Hello(const std::string& version) {
  return R"(-> {"id":1,"method":"hello"}
    <- {"id":1,"result":{"version":)" +
         version + R"(,"one":1,"two":2}}
)";
}

constexpr char kBoth[] = R"(-> {"method":"old"}
    -> {"method":"new"}
)";

TEST(CheckRevisionTest, TheAgreedOneHoldsFromItsMessageOn) {
  EXPECT_EQ(InProtocol(Hello("\"1\"") + kBoth), "should method.unknown 4 new /method\n");
  EXPECT_EQ(InProtocol(Hello("\"2\"") + kBoth), "should method.unknown 3 old /method\n");
}

TEST(CheckRevisionTest, AVersionThatIsANumber) {
  EXPECT_EQ(InProtocol(Hello("2") + kBoth), "should method.unknown 3 old /method\n");
}

TEST(CheckRevisionTest, TheAnswerThatAgreesIsOfTheNewOne) {
  EXPECT_EQ(InProtocol(R"(-> {"id":1,"method":"hello"}
    <- {"id":1,"result":{"version":"2","one":1}})"),
            "must result 2 hello /result: expected an object with two, got "
            "{\"version\":\"2\",\"one\":1}\n");
}

TEST(CheckRevisionTest, AnOfferHoldsUntilTheAnswer) {
  EXPECT_EQ(InProtocol(R"(-> {"id":1,"method":"hello","params":{"version":"2","text":"1234567"}}
    <- {"id":1,"result":{"version":"1","one":1}}
    -> {"method":"old","params":{"text":"1234"}})"),
            "must b 1 hello /params/text: expected at most 5 bytes, got 9 bytes\n"
            "must a 3 old /params/text: expected at most 3 bytes, got 6 bytes\n");
}

TEST(CheckRevisionTest, NoneAgreedIsANote) {
  EXPECT_EQ(InProtocol(kBoth),
            "should method.unknown 2 new /method\n"
            "must c 2 new /method: expected hello first, got new\n"
            "note revision.agreed -: expected 1\n");
  EXPECT_EQ(InProtocol(""), "") << "nothing was sent";
}

TEST(CheckRevisionTest, AnUnknownOneIsANoteAndTheNearestHolds) {
  EXPECT_EQ(InProtocol(Hello("\"1.5\"") + kBoth),
            "note revision.known 2 hello /result/version: expected 1, got 1.5\n"
            "should method.unknown 4 new /method\n");
}

TEST(CheckRevisionTest, AnUnknownOfferByAMethodThatTheNearestDoesNotHave) {
  EXPECT_EQ(Found(R"("jsonrpc": "off",
    "negotiation": {"offered": ["hello:/params/version"], "agreed": ["hello:/result/version"]},
    "methods": {"hello": {"from": "host", "kind": "request"}},
    "revisions": {"1": {}, "2": {"since": "1", "remove": ["/methods/hello"]}})",
                  R"(-> {"id":1,"method":"hello","params":{"version":"9"}}
    <- {"id":1,"result":{"version":"1"}})"),
            "note revision.known 1 hello /params/version: expected 1, got 9\n");
}

// Both parties have the handshake, so they do not mean the revision that has none.
TEST(CheckRevisionTest, AnUnknownAgreementByAMethodThatTheNearestDoesNotHave) {
  constexpr char kNoHandshake[] = R"("jsonrpc": "off",
    "negotiation": {"offered": ["hello:/params/version"], "agreed": ["hello:/result/version"],
                    "default": "1"},
    "methods": {"hello": {"from": "host", "kind": "request"},
                "old": {"from": "host", "kind": "notification"}},
    "revisions": {"1": {}, "2": {"since": "1", "remove": ["/methods/hello", "/methods/old"]}})";
  EXPECT_EQ(Found(kNoHandshake, Hello("\"9\"") + R"(-> {"method":"old"})"),
            "note revision.known 2 hello /result/version: expected 1, got 9\n");
  EXPECT_EQ(TextsOf(kNoHandshake, Hello("\"9\"")),
            "the dialect does not have this revision: checked against 1, the nearest with hello\n");
}

TEST(CheckRevisionTest, InALaterPartTheAgreementMayBeInAnEarlierOne) {
  EXPECT_EQ(InProtocol(std::string("part 2\n-> {\"method\":\"old\"}\nexit 0\nend\n")), "");
  EXPECT_EQ(InProtocol(std::string("gap\n-> {\"method\":\"old\"}\n")), "");
}

TEST(CheckRevisionTest, EachSessionAgreesForItself) {
  EXPECT_EQ(InProtocol(Hello("\"2\"") + "session\n" + Hello("\"1\"") + "-> {\"method\":\"new\"}\n"),
            "should method.unknown session 2 5 new /method\n");
}

// The rule `c` of both revisions is one rule: it remembers hello.
TEST(CheckRevisionTest, ARuleRemembersWhatCameBeforeTheAgreement) {
  EXPECT_EQ(InProtocol(Hello("\"2\"") + "-> {\"method\":\"new\"}\n"), "");
  EXPECT_EQ(InProtocol(R"(-> {"method":"new","params":{"_meta":{"v":"2"}}})"),
            "must c 1 new /method: expected hello first, got new\n");
}

TEST(CheckRevisionTest, PerMessageItHoldsForTheAnswerToo) {
  const std::string talk = R"(
    -> {"id":1,"method":"hello","params":{"_meta":{"v":"1"}}}
    -> {"id":2,"method":"hello","params":{"_meta":{"v":"2"}}}
    <- {"id":1,"result":{"two":1}}
    <- {"id":2,"result":{"one":1}}
    -> {"method":"old"}
  )";
  EXPECT_EQ(InProtocol(talk),
            "must result 3 hello /result: expected an object with one, got {\"two\":1}\n"
            "must result 4 hello /result: expected an object with two, got {\"one\":1}\n"
            "should method.unknown 5 old /method\n");
}

TEST(CheckRevisionTest, AWrongRuleOfARevisionIsAMistake) {
  EXPECT_NE(Found(R"("revisions": {"1": {"rules": [{"id": "r", "type": "sise"}]}})", "")
                .find("test.json at /revisions/1/rules/0/type"),
            std::string::npos);
}

TEST(CheckRevisionTest, WithoutRevisionsNothingIsAgreed) {
  EXPECT_EQ(Found(R"("jsonrpc": "off", "negotiation": {"agreed": ["hello:/result/version"]},
                     "methods": {"hello": {"from": "host", "kind": "request"}})",
                  Hello("\"7\"")),
            "");
}

}  // namespace
}  // namespace midwire::trace
