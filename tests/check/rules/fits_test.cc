// The rule type fits.
#include <algorithm>

#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kFits = R"({"type":"fits","at":"call:/result/data","name":"call:/params/name",
  "schemas":"list:/result/*","key":"/name","schema":"/out","required":true,
  "unless":"call:/result/failed"})";

// The findings after a list with this schema, and a call with this result.
std::string FitsIn(const std::string& schema, const std::string& result) {
  return FoundBy(kFits, {Ask('>', 1, "list"),
                         Answer('<', 1, R"([{"name":"a"},{"name":"w","out":)" + schema + "}]"),
                         Ask('>', 2, "call", R"({"name":"w"})"), Answer('<', 2, result)});
}
const std::string kNumberN =
    R"({"type":"object","required":["n"],"properties":{"n":{"type":"number"}}})";

TEST(FitsRule, AValueThatFits) { EXPECT_EQ(FitsIn(kNumberN, R"({"data":{"n":2.5}})"), ""); }
TEST(FitsRule, AValueThatDoesNotFit) {
  EXPECT_EQ(FitsIn(kNumberN, R"({"data":{"n":"2"}})"),
            "#4 p2h /result/data/n: a number (/out of \"w\") | \"2\"\n");
}
TEST(FitsRule, NoValueWhereThereIsASchema) {
  EXPECT_EQ(FitsIn(kNumberN, "{}"), "#4 p2h /result/data: a value (/out of \"w\") | \n");
}
TEST(FitsRule, AFailureIsNotChecked) { EXPECT_EQ(FitsIn(kNumberN, R"({"failed":true})"), ""); }
TEST(FitsRule, WithoutASchemaAnythingFits) {
  EXPECT_EQ(FoundBy(kFits, {Ask('>', 1, "list"), Answer('<', 1, R"([{"name":"a"},{"name":"w"}])"),
                            Ask('>', 2, "call", R"({"name":"w"})"), Answer('<', 2, "{}"),
                            Ask('>', 3, "call"), Answer('<', 3, "{}")}),
            "");
}
TEST(FitsRule, TheLatestSchemaCounts) {
  const std::string list = R"([{"name":"w","out":{"type":"string"}}])";
  EXPECT_EQ(
      FoundBy(kFits, {Ask('>', 1, "list"), Answer('<', 1, list), Ask('>', 2, "list"),
                      Answer('<', 2, R"([{"name":"w","out":{"type":"number"}}])"),
                      Ask('>', 3, "call", R"({"name":"w"})"), Answer('<', 3, R"({"data":1})")}),
      "");
}
// What is found of a list with two of one name, and of two calls of it with the value 1.
std::string OfTwo(const std::string& first, const std::string& second, std::string* texts) {
  RuleConversation conversation({kFits});
  const std::string list = R"([{"name":"w")" + first + R"(},{"name":"w")" + second + "}]";
  for (const int id : {1, 3}) {
    conversation.Add(Ask('>', id, "list"));
    conversation.Add(Answer('<', id, list));
    conversation.Add(Ask('>', id + 1, "call", R"({"name":"w"})"));
    conversation.Add(Answer('<', id + 1, R"({"data":1})"));
  }
  *texts = conversation.texts;
  return conversation.found;
}
const std::string kNumber = R"(,"out":{"type":"number"})", kText = R"(,"out":{"type":"string"})";
TEST(FitsRule, WhatFitsOneOfTwoOfOneNameIsNotedOnce) {
  const std::string note = "#4 p2h /result/data: a string (/out of \"w\") | 1 (note)\n";
  std::string texts;
  EXPECT_EQ(OfTwo(kNumber, kText, &texts), note);
  EXPECT_EQ(texts, "two have this name, and the schema of only one of them fits\n");
  EXPECT_EQ(OfTwo(kText, kNumber, &texts), note);
  EXPECT_EQ(OfTwo(kNumber, R"(,"out":{"type":"integer"})", &texts), "");
}
TEST(FitsRule, WhatFitsNeitherOfTwoOfOneName) {
  const std::string expected = " p2h /result/data: an array (/out of \"w\") | 1\n";
  std::string texts;
  EXPECT_EQ(OfTwo(kText, R"(,"out":{"type":"array"})", &texts), "#4" + expected + "#8" + expected);
}
TEST(FitsRule, TwoOfOneNameOneWithoutASchema) {
  const std::string note = "#4 p2h /result/data: a string (/out of \"w\") | 1 (note)\n";
  std::string texts;
  EXPECT_EQ(OfTwo(kText, "", &texts), note);
  EXPECT_EQ(OfTwo("", kText, &texts), note);
  EXPECT_EQ(texts, "two have this name, one without a schema that midwire reads\n");
  EXPECT_EQ(OfTwo("", "", &texts), "");
}
TEST(FitsRule, ASchemaThatIsNotSupportedIsNoted) {
  const std::string found = FitsIn(R"({"$dynamicRef":"#a"})", R"({"data":1})");
  EXPECT_EQ(found.substr(0, 22), "#2 p2h /result/1/out: ") << found;
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1) << found;
  EXPECT_NE(found.find("(note)"), std::string::npos) << found;
}
TEST(FitsRule, ASchemaThatIsNotSupportedIsNoFaultOfTheOther) {
  RuleConversation conversation({kFits});
  conversation.Add(Ask('>', 1, "list"));
  conversation.Add(Answer('<', 1, R"([{"name":"w","out":{"$dynamicRef":"#a"}}])"));
  EXPECT_EQ(conversation.texts,
            "midwire does not read this schema, so nothing is checked against it\n");
}
// The note about a list with this schema: its text, then its place and values.
std::string NoteOf(const std::string& schema) {
  RuleConversation conversation({kFits});
  conversation.Add(Ask('>', 1, "list"));
  conversation.Add(Answer('<', 1, R"([{"name":"w","out":)" + schema + "}]"));
  return conversation.texts + conversation.found;
}
constexpr char kNotRead[] = "midwire does not read this schema, so nothing is checked against it\n";
TEST(FitsRule, ANumberThatMidwireDoesNotRead) {
  EXPECT_EQ(NoteOf(R"({"maximum":1e999})"),
            std::string(kNotRead) +
                "#2 p2h /result/0/out:  | JSON that midwire does not read: byte 11 (a number "
                "outside the range of a double) (note)\n");
  EXPECT_EQ(NoteOf(R"({"minimum":1)" + std::string(400, '0') + "}").rfind(kNotRead, 0), 0);
}
TEST(FitsRule, ASchemaWithAMistake) {
  EXPECT_EQ(
      NoteOf(R"({"type":"text"})"),
      "the schema has a mistake, so nothing is checked against it\n"
      "#2 p2h /result/0/out:  | wrong schema: /type (a type is one of null, boolean, integer, "
      "number, string, array, object) (note)\n");
}
TEST(FitsRule, ALargeSchema) {
  const std::string most = R"({"title":")" + std::string(65'536 - 12, 'a') + "\"}";
  EXPECT_EQ(NoteOf(most), "");
  EXPECT_EQ(NoteOf(most + " "), "") << "without the blank, as large";
  EXPECT_EQ(NoteOf(R"({"title":"a)" + most.substr(10)),
            std::string(kNotRead) +
                "#2 p2h /result/0/out: at most 65536 bytes | a schema of 65537 bytes (note)\n");
}
TEST(FitsRule, MoreSchemasThanAreKept) {
  std::string list;
  for (int i = 0; i < 1026; ++i)
    list += (i > 0 ? "," : "") + (R"({"name":)" + std::to_string(i) + R"(,"out":{}})");
  EXPECT_EQ(FoundBy(kFits, {Ask('>', 1, "list"), Answer('<', 1, "[" + list + "]")}),
            "#2 p2h /result/1024/out: at most 1024 schemas |  (note)\n");
}
TEST(FitsRule, WhatIsInTheCall) {
  const std::string rule = R"({"type":"fits","at":"call:/params/with","name":"call:/params/name",
    "schemas":"list:/result/*","key":"/name","schema":"/in"})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "list"),
                           Answer('<', 1, R"([{"name":"w","in":{"type":"string"}}])"),
                           Ask('>', 2, "call", R"({"name":"w","with":1})")}),
            "#3 h2p /params/with: a string (/in of \"w\") | 1\n");
}

TEST(FitsRule, ASchemaOfALaterDraft) {
  const std::string schema = R"({"properties":{"n":{"const":3}},"unevaluatedProperties":false})";
  EXPECT_EQ(FitsIn(schema, R"({"data":{"n":3}})"), "");
  EXPECT_EQ(FitsIn(schema, R"({"data":{"n":4}})"),
            "#4 p2h /result/data/n: 3 (/out of \"w\") | 4\n");
}
TEST(FitsRule, ACallWithoutAValueHasAnother) {
  const std::string rule = R"({"type":"fits","at":"call:/params/with","name":"call:/params/name",
    "schemas":"list:/result/*","key":"/name","schema":"/in","otherwise":{}})";
  const std::string list = R"([{"name":"w","in":{"required":["n"]}}])";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "list"), Answer('<', 1, list),
                           Ask('>', 2, "call", R"({"name":"w"})"), Answer('<', 2),
                           Ask('>', 3, "call", R"({"name":"w","with":{}})")}),
            "#3 h2p /params/with: an object with n (/in of \"w\") | none\n"
            "#5 h2p /params/with: an object with n (/in of \"w\") | {}\n");
}

const std::string kRefused = R"({"type":"fits","at":"call:/params/with","name":"call:/params/name",
  "schemas":"list:/result/*","key":"/name","schema":"/in","unless":"call:/result/failed",
  "refused":"note"})";
// What is found of a call that does not fit, and of its answer.
std::string WithAnswer(const std::vector<std::string>& answer) {
  std::vector<std::string> lines = {Ask('>', 1, "list"),
                                    Answer('<', 1, R"([{"name":"w","in":{"type":"string"}}])"),
                                    Ask('>', 2, "call", R"({"name":"w","with":1})")};
  lines.insert(lines.end(), answer.begin(), answer.end());
  lines.emplace_back("---");
  return FoundBy(kRefused, lines);
}
TEST(FitsRule, ACallThatIsRefused) {
  const std::string found = "#3 h2p /params/with: a string (/in of \"w\") | 1";
  EXPECT_EQ(WithAnswer({Refuse('<', 2, -1)}), found + " (note)\n");
  EXPECT_EQ(WithAnswer({Answer('<', 2, R"({"failed":true})")}), found + " (note)\n");
}
TEST(FitsRule, ACallThatIsNotRefused) {
  const std::string found = "#3 h2p /params/with: a string (/in of \"w\") | 1\n";
  EXPECT_EQ(WithAnswer({Answer('<', 2, "{}")}), found);
}
TEST(FitsRule, ARefusedCallThatFitsOneOfTwoOfOneName) {
  const std::string list = R"([{"name":"w","in":{"type":"string"}},{"name":"w","in":{}}])";
  const std::string call = Ask('>', 2, "call", R"({"name":"w","with":1})");
  EXPECT_EQ(FoundBy(kRefused, {Ask('>', 1, "list"), Answer('<', 1, list), call, Refuse('<', 2, -1),
                               call, Answer('<', 2, "{}")}),
            "#5 h2p /params/with: a string (/in of \"w\") | 1 (note)\n");
}
// The plugin may have crashed at it.
TEST(FitsRule, ACallThatIsNotAnswered) { EXPECT_EQ(WithAnswer({}), ""); }

const std::string kForm = R"({"type":"fits","at":"ask:/result/data","request":"/params/form"})";
std::string Form(int id, const std::string& type) {
  return Ask('<', id, "ask", R"({"form":{"type":")" + type + "\"}}");
}
TEST(FitsRule, TheSchemaIsInTheRequest) {
  EXPECT_EQ(FoundBy(kForm, {Form(1, "string"), Form(2, "number"), Answer('>', 2, R"({"data":1})"),
                            Answer('>', 1, R"({"data":1})"), Ask('<', 3, "ask"),
                            Answer('>', 3, R"({"data":1})")}),
            "#4 h2p /result/data: a string (/params/form) | 1\n");
}
TEST(FitsRule, ManySchemasInRequests) {
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) {
    lines.push_back(Form(i, "string"));
    lines.push_back(Answer('>', i, R"({"data":"x"})"));
  }
  lines.push_back(Form(3000, "string"));
  lines.push_back(Answer('>', 3000, R"({"data":1})"));
  EXPECT_NE(FoundBy(kForm, lines), "");
}

TEST(FitsRule, AValueWithMoreElementsThanAreComparedIsNotedOnce) {
  std::string many = "{\"data\":[0";
  for (int i = 1; i <= 65'536; ++i) many += "," + std::to_string(i);
  RuleConversation conversation({kFits});
  conversation.Add(Ask('>', 1, "list"));
  conversation.Add(Answer('<', 1, R"([{"name":"w","out":{"uniqueItems":true}}])"));
  for (const int id : {2, 3}) {
    conversation.Add(Ask('>', id, "call", R"({"name":"w"})"));
    conversation.Add(Answer('<', id, many + "]}"));
  }
  EXPECT_EQ(conversation.found,
            "#4 p2h /result/data: a value within midwire's limits (/out of "
            "\"w\") |  (note)\n");
  EXPECT_EQ(conversation.texts, "midwire does not check all of this value against its schema\n");
}

TEST(FitsRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"fits"})",
        R"({"type":"fits","at":"/a","name":"/b","schemas":"/c","schema":"/e"})",
        R"({"type":"fits","at":"/a","name":"/b","schemas":"/c","key":"d","schema":"/e"})",
        R"({"type":"fits","at":"/a","name":"/b","schemas":"/c","key":"/d"})",
        R"({"type":"fits","at":"/a","request":"/b","name":"/c"})",
        R"({"type":"fits","at":"/a","request":"/b","refused":"never"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
