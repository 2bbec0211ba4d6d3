// The rule type positions: the texts of open documents, and positions in them.
#include <gmock/gmock.h>

#include "tests/check/rules/rule_conversation.h"
#include "wire/json/quote.h"

namespace midwire::trace {
namespace {

const std::string kPositions = R"({"type":"positions","open":"open:/params/doc",
  "changed":"change:/params/doc","changes":"change:/params/changes","close":"close:/params/doc",
  "unit":["init:/result/unit","init:/result/oldUnit"],"of":"/params/doc/uri","in":[
    {"at":"ask:/params","uri":"/doc/uri","positions":["/position","/ranges/*"]},
    {"at":"ask:/result/*","positions":"/range"},
    {"at":"find:/result/*","uri":"/uri","positions":"/range"},
    {"at":"fold:/result","positions":"/*"},
    {"at":"tokens:/result","tokens":"/data"},
    {"at":"tree:/result/*","positions":"/range","nested":["/children/*","/parent"]},
    {"at":"edit:/params/changes/*","uri_is_name":true,"positions":"/*/range"},
    {"at":"mark:/params","uri":"/doc/uri","version":"/doc/version","positions":"/marks/*"}]})";

std::string OfDoc(const std::string& members, const std::string& rest = "") {
  return R"({"doc":{"uri":"file:///a")" + members + "}" + rest + "}";
}
std::string OpenText(const std::string& text, int version = 1) {
  return Notify(
      '>', "open",
      OfDoc(",\"version\":" + std::to_string(version) + ",\"text\":" + wire::JsonString(text)));
}
std::string Spot(int line, int character) {
  return "{\"line\":" + std::to_string(line) + ",\"character\":" + std::to_string(character) + "}";
}
std::string Span(const std::string& start, const std::string& end) {
  return "{\"start\":" + start + ",\"end\":" + end + "}";
}
std::string AskAt(int id, const std::string& position, const std::string& more = "") {
  return Ask('>', id, "ask", OfDoc("", ",\"position\":" + position + more));
}
std::string ChangeBy(const std::string& changes, int version = 2) {
  return Notify('>', "change",
                OfDoc(",\"version\":" + std::to_string(version), ",\"changes\":[" + changes + "]"));
}
std::string EditAt(const std::string& range, const std::string& text) {
  return "{\"range\":" + range + ",\"text\":" + wire::JsonString(text) + "}";
}
std::string MarkAt(int line, int character, const std::string& version = "") {
  const std::string at = Spot(line, character);
  return Notify('<', "mark", OfDoc(version, ",\"marks\":[" + Span(at, at) + "]"));
}
std::string AgreeOn(const std::string& name) {
  return Answer('<', 9, "{\"unit\":\"" + name + "\"}");
}

// What is found in a session in which the host has opened a document with this text.
std::string Positions(const std::string& text, std::vector<std::string> lines,
                      const std::string& unit = "") {
  lines.insert(lines.begin(), OpenText(text));
  if (!unit.empty()) lines.insert(lines.begin(), {Ask('>', 9, "init"), AgreeOn(unit)});
  return FoundBy(kPositions, lines);
}

TEST(PositionsRule, BeyondTheLineInUtf16) {
  EXPECT_EQ(Positions("int x;\n", {AskAt(1, Spot(0, 6)), AskAt(2, Spot(0, 7))}),
            "#3 h2p /params/position/character: at most 6 (utf-16) in line 0, \"int x;\" | 7\n");
}
TEST(PositionsRule, BeyondTheText) {
  EXPECT_EQ(Positions("a\nb", {AskAt(1, Spot(2, 0)), AskAt(2, Spot(1, 1))}),
            "#2 h2p /params/position/line: at most 1 | 2\n");
}
TEST(PositionsRule, CountedInBytesWhereUtf16WasAgreed) {
  EXPECT_EQ(Positions("\u00e9\u00e9 x", {AskAt(1, Spot(0, 6))}),
            "#2 h2p /params/position/character: at most 4 (utf-16) in line 0, \"\u00e9\u00e9 x\" | "
            "6, which fits if counted in utf-8\n");
}
TEST(PositionsRule, CountedInUtf16WhereUtf32WasAgreed) {
  EXPECT_EQ(Positions("\U0001f600", {AskAt(1, Spot(0, 2)), AskAt(2, Spot(0, 1))}, "utf-32"),
            "#4 h2p /params/position/character: at most 1 (utf-32) in line 0, \"\U0001f600\" | "
            "2, which fits if counted in utf-16\n");
}
TEST(PositionsRule, InsideASurrogatePair) {
  EXPECT_EQ(Positions("\U0001f600x", {AskAt(1, Spot(0, 1)), AskAt(2, Spot(0, 2))}),
            "#2 h2p /params/position/character: "
            "no place inside a character of line 0, \"\U0001f600x\" | 1\n");
}
TEST(PositionsRule, TheAgreedUnitCounts) {
  EXPECT_EQ(Positions("\u00e9\U0001f600", {AskAt(1, Spot(0, 6))}, "utf-8"), "");
  EXPECT_EQ(Positions("\u00e9\U0001f600", {AskAt(1, Spot(0, 2))}, "utf-32"), "");
  EXPECT_EQ(Positions("\u00e9\U0001f600", {AskAt(1, Spot(0, 3))}), "");
}
TEST(PositionsRule, AnUnknownUnitIsNotJudged) {
  EXPECT_EQ(Positions("a", {AskAt(1, Spot(0, 9))}, "utf-7"), "");
}
TEST(PositionsRule, RangesHaveTwoPlaces) {
  EXPECT_EQ(
      Positions("ab", {AskAt(1, Spot(0, 0), ",\"ranges\":[" + Span(Spot(0, 2), Spot(0, 3)) + "]")}),
      "#2 h2p /params/ranges/0/end/character: at most 2 (utf-16) in line 0, \"ab\" | 3\n");
}
TEST(PositionsRule, AnEmptyRangeIsOneFinding) {
  EXPECT_EQ(
      Positions("ab", {AskAt(1, Spot(0, 0), ",\"ranges\":[" + Span(Spot(0, 3), Spot(0, 3)) + "]")}),
      "#2 h2p /params/ranges/0/start/character: at most 2 (utf-16) in line 0, \"ab\" | 3\n");
  EXPECT_EQ(
      Positions("ab", {ChangeBy(EditAt(Span(Spot(0, 3), Spot(0, 3)), "c")), AskAt(1, Spot(0, 4))}),
      "#2 h2p /params/changes/0/range/start/character: at most 2 (utf-16) in line 0, \"ab\" | 3\n"
      "#3 h2p /params/position/character: at most 3 (utf-16) in line 0, \"abc\" | 4\n");
}
TEST(PositionsRule, ARangeMayEndWhereTheNextLineWouldBegin) {
  EXPECT_EQ(
      Positions("ab", {AskAt(1, Spot(0, 0), ",\"ranges\":[" + Span(Spot(0, 0), Spot(1, 0)) + "]")}),
      "");
}

TEST(PositionsRule, AfterAChangeInALine) {
  EXPECT_EQ(Positions("ab\r\ncd", {ChangeBy(EditAt(Span(Spot(1, 1), Spot(1, 1)), "\u00e9\u00e9")),
                                   AskAt(1, Spot(1, 4)), AskAt(2, Spot(1, 5))}),
            "#4 h2p /params/position/character: at most 4 (utf-16) in line 1, \"c\u00e9\u00e9"
            "d\" | "
            "5, which fits if counted in utf-8\n");
}
TEST(PositionsRule, AfterAChangeThatSpansLines) {
  EXPECT_EQ(Positions("ab\ncd\nef\rgh",
                      {ChangeBy(EditAt(Span(Spot(0, 1), Spot(2, 1)), "X\rY")), AskAt(1, Spot(0, 2)),
                       AskAt(2, Spot(1, 2)), AskAt(3, Spot(2, 2)), AskAt(4, Spot(1, 3))}),
            "#6 h2p /params/position/character: at most 2 (utf-16) in line 1, \"Yf\" | 3\n");
}
TEST(PositionsRule, SeveralChangesInOrder) {
  EXPECT_EQ(Positions("", {ChangeBy(EditAt(Span(Spot(0, 0), Spot(0, 0)), "ab") + "," +
                                    EditAt(Span(Spot(0, 2), Spot(0, 2)), "\nc")),
                           AskAt(1, Spot(1, 1))}),
            "");
}
TEST(PositionsRule, AChangeOfTheWholeText) {
  EXPECT_EQ(Positions("a", {ChangeBy("{\"text\":\"one\\ntwo\"}"), AskAt(1, Spot(1, 3))}), "");
}
TEST(PositionsRule, AChangeBeyondItsLineIsReportedAndDoneAtTheLineEnd) {
  EXPECT_EQ(
      Positions("ab", {ChangeBy(EditAt(Span(Spot(0, 9), Spot(0, 9)), "c")), AskAt(1, Spot(0, 3))}),
      "#2 h2p /params/changes/0/range/start/character: at most 2 (utf-16) in line 0, \"ab\" | 9\n");
}
TEST(PositionsRule, NothingIsKnownAfterAChangeInsideACharacter) {
  EXPECT_EQ(Positions("\U0001f600",
                      {ChangeBy(EditAt(Span(Spot(0, 1), Spot(0, 2)), "")), AskAt(1, Spot(9, 9)),
                       ChangeBy("{\"text\":\"a\"}"), AskAt(2, Spot(0, 1))}),
            "#2 h2p /params/changes/0/range/start/character: "
            "no place inside a character of line 0, \"\U0001f600\" | 1\n");
}
TEST(PositionsRule, VersionsMaySkipNumbers) {
  EXPECT_EQ(Positions("", {ChangeBy(EditAt(Span(Spot(0, 0), Spot(0, 0)), "a"), 7),
                           ChangeBy(EditAt(Span(Spot(0, 1), Spot(0, 1)), "b"), 20),
                           AskAt(1, Spot(0, 2))}),
            "");
}
TEST(PositionsRule, ClosedUnknownAndLostDocumentsAreNotJudged) {
  EXPECT_EQ(Positions("", {Notify('>', "close", OfDoc("")), AskAt(1, Spot(0, 9))}), "");
  EXPECT_EQ(Positions("", {"gap", AskAt(1, Spot(0, 9))}), "");
  EXPECT_EQ(Positions("", {"---", AskAt(1, Spot(0, 9))}), "");
  EXPECT_EQ(FoundBy(kPositions, {AskAt(1, Spot(0, 9))}), "");
}

std::string FoundRange(const std::string& range) {
  return Answer('<', 1, "[{\"range\":" + range + "}]");
}

TEST(PositionsRule, AnAnswerIsAboutTheDocumentOfItsRequest) {
  EXPECT_EQ(Positions("ab", {AskAt(1, Spot(0, 0)), FoundRange(Span(Spot(0, 0), Spot(0, 3)))}),
            "#3 p2h /result/0/range/end/character: at most 2 (utf-16) in line 0, \"ab\" | 3\n");
}
TEST(PositionsRule, AnAnswerThatAChangeMayHaveCrossed) {
  EXPECT_EQ(Positions("abc", {AskAt(1, Spot(0, 0)), ChangeBy("{\"text\":\"\"}"),
                              FoundRange(Span(Spot(0, 0), Spot(0, 3)))}),
            "");
}
TEST(PositionsRule, AnAnswerAboutAnotherDocument) {
  const std::string range = ",\"range\":" + Span(Spot(0, 0), Spot(0, 9));
  EXPECT_EQ(Positions("ab", {Ask('>', 1, "find"),
                             Answer('<', 1,
                                    "[{\"uri\":\"file:///b\"" + range +
                                        "},{\"uri\":\"file:\\/\\/\\/%61\"" + range + "}]")}),
            "#3 p2h /result/1/range/end/character: at most 2 (utf-16) in line 0, \"ab\" | 9\n");
}
TEST(PositionsRule, WhatThePluginSendsAboutAnOlderText) {
  const std::string reported =
      "#2 p2h /params/marks/0/start/character: at most 1 (utf-16) in line 0, \"a\" | 3\n";
  EXPECT_EQ(Positions("a", {MarkAt(0, 3)}), reported);
  EXPECT_EQ(Positions("abc",
                      {ChangeBy("{\"text\":\"a\"}"), MarkAt(0, 3), MarkAt(0, 3, ",\"version\":1")}),
            "");
}
TEST(PositionsRule, WhatThePluginSendsAboutThePresentVersion) {
  EXPECT_EQ(Positions("a", {ChangeBy("{\"text\":\"abc\"}"), MarkAt(0, 3, ",\"version\":2")}), "");
  EXPECT_NE(Positions("abc", {ChangeBy("{\"text\":\"a\"}"), MarkAt(0, 3, ",\"version\":2")}), "");
}

TEST(PositionsRule, TheNameOfAMemberIsTheUri) {
  const std::string edits = ":[{\"range\":" + Span(Spot(0, 0), Spot(0, 3)) + "}]";
  EXPECT_EQ(Positions("ab", {Ask('<', 1, "edit",
                                 R"({"changes":{"file:///b")" + edits + R"(,"file:\/\/\/%61")" +
                                     edits + ",\"file:///c\":7}}")}),
            "#2 p2h /params/changes/file:~1~1~1%61/0/range/end/character: "
            "at most 2 (utf-16) in line 0, \"ab\" | 3\n");
}
TEST(PositionsRule, ObjectsWithinObjectsOfTheirKind) {
  const auto of = [](int end, const std::string& more = "") {
    return "{\"range\":" + Span(Spot(0, 0), Spot(0, end)) + more + "}";
  };
  EXPECT_EQ(Positions("ab", {Ask('>', 1, "tree", OfDoc("")),
                             Answer('<', 1,
                                    "[" +
                                        of(2, ",\"children\":[" + of(2) + "," +
                                                  of(1, ",\"parent\":" + of(3)) + "]") +
                                        "]")}),
            "#3 p2h /result/0/children/1/parent/range/end/character: "
            "at most 2 (utf-16) in line 0, \"ab\" | 3\n");
}
TEST(PositionsRule, ObjectsThatAreNestedTooDeep) {
  std::string parents = "{\"range\":" + Span(Spot(9, 9), Spot(9, 9)) + "}";
  for (int i = 0; i < 100; ++i) parents = "{\"parent\":" + parents + "}";
  EXPECT_EQ(Positions("", {Ask('>', 1, "tree", OfDoc("")), Answer('<', 1, "[" + parents + "]")}),
            "");
}
TEST(PositionsRule, RangesOfLines) {
  EXPECT_EQ(
      Positions(
          "ab\ncd",
          {Ask('>', 1, "fold", OfDoc("")),
           Answer(
               '<', 1,
               R"([{"startLine":0,"startCharacter":2,"endLine":1},{"startLine":0,"startCharacter":3,"endLine":2}])")}),
      "#3 p2h /result/1/startCharacter: at most 2 (utf-16) in line 0, \"ab\" | 3\n"
      "#3 p2h /result/1/endLine: at most 1 | 2\n");
}
TEST(PositionsRule, TokensCountFromTheOneBefore) {
  const auto found = [](const std::string& data) {
    return Positions("ab cd\n\nef", {Ask('>', 1, "tokens", OfDoc("")),
                                     Answer('<', 1, "{\"data\":[" + data + "]}")});
  };
  EXPECT_EQ(found("0,0,2,0,0, 0,3,2,0,0, 2,1,1,0,0"), "");
  EXPECT_EQ(found("0,0,2,0,0, 0,3,2,0,0, 0,3,1,0,0, 9,0,1,0,0"),
            "#3 p2h /result/data/11: at most 5 (utf-16) in line 0, \"ab cd\" | 6\n");
  EXPECT_EQ(found("0,0,2,0,0, 3,0,2,0,0"), "#3 p2h /result/data/6: at most 2 | 3\n");
  EXPECT_EQ(found("0,\"a\",2"), "");
}

TEST(PositionsRule, ALongLineIsShownAroundThePlace) {
  const std::string line(500, 'x');
  EXPECT_EQ(Positions(line, {AskAt(1, Spot(0, 501))}),
            "#2 h2p /params/position/character: at most 500 (utf-16) in line 0, \"..." +
                std::string(30, 'x') + "\" | 501\n");
}
TEST(PositionsRule, WhatIsNoPositionIsNotJudged) {
  EXPECT_EQ(
      Positions("", {AskAt(1, "7"), AskAt(2, R"({"line":-1,"character":9})"),
                     AskAt(3, R"({"line":0,"character":1.5})"), AskAt(4, R"({"line":9})"),
                     ChangeBy("3"), ChangeBy(R"({"range":[],"text":""})"), AskAt(5, Spot(9, 9))}),
      "");
}

TEST(PositionsRule, TooLongATextIsNotFollowed) {
  const std::string most(4 << 20, 'a');
  EXPECT_NE(Positions(most, {AskAt(1, Spot(1, 0))}), "");
  EXPECT_EQ(Positions(most + "a", {AskAt(1, Spot(1, 0))}), "");
}
TEST(PositionsRule, EditsOfALongTextAreGivenUpInTime) {
  RuleConversation conversation({kPositions});
  conversation.Add(OpenText(std::string(4'000'000, 'a')));
  for (int i = 0; i < 400; ++i)
    conversation.Add(ChangeBy(EditAt(Span(Spot(0, 0), Spot(0, 0)), "b")));
  conversation.Add(AskAt(1, Spot(7, 0)));
  EXPECT_EQ(conversation.found, "");
}

// What is reported of documents that are not followed, after these messages.
std::string Unfollowed(const std::vector<std::string>& lines) {
  RuleConversation conversation({kPositions});
  for (const std::string& line : lines) conversation.Add(line);
  const std::string& others = conversation.others;
  std::string found;
  for (size_t at = 0; at < others.size(); at = others.find('\n', at) + 1) {
    const std::string line = others.substr(at, others.find('\n', at) + 1 - at);
    if (line.find(" documents.followed: ") != line.npos) found += line;
  }
  return found;
}
std::string OpenAs(const std::string& uri, const std::string& text) {
  return Notify('>', "open", R"({"doc":{"uri":")" + uri + R"(","text":")" + text + "\"}}");
}
TEST(PositionsRule, ADocumentThatIsTooLongIsReportedOnce) {
  const std::string most(4 << 20, 'a');
  EXPECT_EQ(Unfollowed({OpenText(most), AskAt(1, Spot(0, 0))}), "");
  const std::string note = " documents.followed: at most 4 MiB of text in a document\n";
  EXPECT_EQ(Unfollowed({OpenText(most + "a"), OpenAs("b:b", most + "a")}), "#1" + note);
  EXPECT_EQ(Unfollowed({OpenText(std::string(25u << 20, 'a'))}), "#1" + note);
  EXPECT_EQ(Unfollowed({OpenText(most + "a"), "---", OpenText(most + "a")}),
            "#1" + note + "#2" + note);
}
TEST(PositionsRule, ADocumentThatGrowsTooLong) {
  const std::string edit = EditAt(Span(Spot(0, 0), Spot(0, 0)), std::string(3 << 20, 'b'));
  EXPECT_EQ(Unfollowed({OpenText(std::string(3 << 20, 'a')), ChangeBy(edit)}),
            "#2 documents.followed: at most 4 MiB of text in a document\n");
}
TEST(PositionsRule, MoreTextThanIsKept) {
  std::vector<std::string> lines;
  for (int i = 0; i < 9; ++i)
    lines.push_back(OpenAs("a:" + std::to_string(i), std::string(4 << 20, 'a')));
  EXPECT_EQ(Unfollowed(lines),
            "#9 documents.followed: at most 32 MiB of text in all open documents\n");
}
TEST(PositionsRule, MoreDocumentsThanAreKept) {
  std::vector<std::string> lines;
  for (int i = 0; i < 4097; ++i) lines.push_back(OpenAs("a:" + std::to_string(i), ""));
  EXPECT_EQ(Unfollowed(lines), "#4097 documents.followed: at most 4096 documents in a session\n");
}
TEST(PositionsRule, ALongUri) {
  EXPECT_EQ(Unfollowed({OpenAs("a:" + std::string(8191, 'a'), "")}),
            "#1 documents.followed: a URI of at most 8192 bytes\n");
}
TEST(PositionsRule, EditsThatAreGivenUpAreReported) {
  std::vector<std::string> lines = {OpenText(std::string(4'000'000, 'a'))};
  for (int i = 0; i < 400; ++i)
    lines.push_back(ChangeBy(EditAt(Span(Spot(0, 0), Spot(0, 0)), "b")));
  EXPECT_THAT(Unfollowed(lines), testing::EndsWith("in proportion to their length\n"));
}

// Each level is read once more for each level around it.
TEST(PositionsRule, LongObjectsThatAreNestedDeepAreGivenUp) {
  const auto nested = [](size_t bytes, int levels) {
    std::string object = R"({"text":")" + std::string(bytes, 'a') + "\"}";
    for (int i = 0; i < levels; ++i) object = "{\"parent\":" + object + "}";
    return std::vector<std::string>{OpenText("a"), Ask('>', 1, "tree", OfDoc("")),
                                    Answer('<', 1, "[" + object + "]")};
  };
  EXPECT_EQ(Unfollowed(nested(1u << 20, 20)), "");
  EXPECT_EQ(Unfollowed(nested(1u << 20, 62)),
            "#3 documents.followed: edits and nested objects whose work is in proportion to their "
            "length\n");
}

TEST(PositionsRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"positions","in":[{"at":"/a","positions":"/b"}]})",
        R"({"type":"positions","open":"/a"})",
        R"({"type":"positions","open":"/a","in":[{"at":"/a"}]})",
        R"({"type":"positions","open":"/a","in":[{"positions":"/a"}]})",
        R"({"type":"positions","open":"/a","in":[{"at":"/a","positions":"b"}]})",
        R"({"type":"positions","open":"/a","changed":"/a","in":[{"at":"/a","positions":"/b"}]})",
        R"({"type":"uri"})", R"({"type":"uri","at":"a"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
