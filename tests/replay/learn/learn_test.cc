// What --learn decides from runs, without plugins: each run is the peer's side of one conversation.
#include <gmock/gmock.h>

#include "replay/learn/background.h"
#include "tests/replay/learn/learning.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// An answer whose result is what `result` gives for each run, recorded as of run -1.
std::vector<std::string> LearnedOf(std::function<std::string(int)> result) {
  const auto answer = [=](int run) { return "<- {\"id\":1,\"result\":" + result(run) + "}\n"; };
  return Learning("-> {\"id\":1,\"method\":\"a\"}\n" + answer(-1), answer).Learned();
}

TEST(LearnTest, NothingVaries) {
  EXPECT_THAT(LearnedOf([](int) { return "[1,2]"; }), IsEmpty());
}

TEST(LearnTest, TheNarrowestShape) {
  EXPECT_THAT(LearnedOf([](int run) {
                const std::string n = std::to_string(run + 11);
                return "{\"t\":17638820" + n + ",\"n\":" + n + ",\"s\":\"took " + n + " ms\"}";
              }),
              ElementsAre("shape a:/result/n=integer", "shape a:/result/s=text:took {digits} ms",
                          "shape a:/result/t=timestamp"));
}

TEST(LearnTest, OnePlaceForAllItems) {
  EXPECT_THAT(LearnedOf([](int run) {
                const std::string n = std::to_string(run + 11);
                return "[{\"n\":" + n + "},{\"n\":1" + n + "}]";
              }),
              ElementsAre("shape a:/result/*/n=integer"));
}

TEST(LearnTest, AnIgnoreWhereNoShapeFits) {
  EXPECT_THAT(LearnedOf([](int run) { return run % 2 == 0 ? "{\"x\":true}" : "{\"x\":[]}"; }),
              ElementsAre("ignore a:/result/x"));
  EXPECT_THAT(LearnedOf([](int run) { return run % 2 == 0 ? "{}" : "{\"x\":1}"; }),
              ElementsAre("ignore a:/result/x"));
  EXPECT_THAT(LearnedOf([](int run) { return "{\"m\":{\"k" + std::to_string(run + 1) + "\":1}}"; }),
              ElementsAre("ignore a:/result/m/*"));
}

// The whole answer of each run, recorded as of run -1.
std::vector<std::string> LearnedOfAnswers(std::function<std::string(int)> answer) {
  const auto line = [=](int run) { return "<- " + answer(run) + "\n"; };
  return Learning("-> {\"id\":1,\"method\":\"a\"}\n" + line(-1), line).Learned();
}

TEST(LearnTest, AnAnswerThatFailsInSomeRunsIsNotLearned) {
  EXPECT_THAT(
      LearnedOfAnswers([](int run) {
        return run % 2 == 0 ? R"({"id":1,"result":1})"
                            : R"({"id":1,"error":{"code":-1,"message":"no"}})";
      }),
      ElementsAre(HasSubstr("an error in some runs and a result in others: message 2, a:/")));
}

TEST(LearnTest, AVersionOfTheProtocolThatVariesIsNotLearned) {
  for (const char* other : {R"("jsonrpc":"1.0",)", ""}) {
    EXPECT_THAT(LearnedOfAnswers([&](int run) {
                  return std::string("{") + (run % 2 == 0 ? other : R"("jsonrpc":"2.0",)") +
                         R"("id":1,"result":1})";
                }),
                ElementsAre(HasSubstr("\"jsonrpc\" is not the same in all runs: message 2")));
  }
}

TEST(LearnTest, AMemberThatIsNamedAsAnyNameIsNotLearned) {
  EXPECT_THAT(LearnedOf([](int run) { return "{\"*\":" + std::to_string(run + 2) + ",\"x\":1}"; }),
              ElementsAre(HasSubstr("would cover all members beside it: message 2, a:/result/*")));
}

TEST(LearnTest, WhatIsBelowAnIgnoredPlaceIsNotDeclared) {
  EXPECT_THAT(LearnedOf([](int run) {
                return std::string(run % 3 == 0 ? "{}" : run % 3 == 1 ? "[1]" : "[1,2]");
              }),
              ElementsAre("ignore a:/result"));
}

TEST(LearnTest, ARefusalOfAnotherFramingSaysWhatCame) {
  EXPECT_THAT(
      LearnedOfAnswers([](int run) {
        return std::string(run < 0 ? R"({"id":1,"result":1})" : R"([{"id":1,"result":1}])");
      }),
      ElementsAre(HasSubstr("framing in run 1 (message 2 a): expected single message, got")));
}

TEST(LearnTest, AnUnorderedArrayBeforeShapes) {
  EXPECT_THAT(LearnedOf([](int run) { return run % 2 == 0 ? R"(["x","y"])" : R"(["y","x"])"; }),
              ElementsAre("unordered a:/result"));
  EXPECT_THAT(LearnedOf([](int run) {
                const std::string t = ",\"t\":17638820" + std::to_string(run + 11);
                const std::string x = "{\"n\":\"x\"" + t + "}", y = "{\"n\":\"y\"" + t + "}";
                return "[" + (run % 2 == 0 ? x + "," + y : y + "," + x) + "]";
              }),
              ElementsAre("shape a:/result/*/t=timestamp", "unordered a:/result"));
}

TEST(LearnTest, AChangeIsNotLearned) {
  EXPECT_THAT(LearnedOf([](int run) { return run < 0 ? "12" : "13"; }),
              ElementsAre(HasSubstr("the same in every run, but not as recorded: 1 difference")));
  EXPECT_THAT(LearnedOf([](int run) { return run < 0 ? "[1,2]" : "[2,1]"; }),
              ElementsAre(HasSubstr("the same in every run")));
}

TEST(LearnTest, ARefusalNamesMessagePlaceValuesAndRuns) {
  EXPECT_THAT(LearnedOf([](int run) { return run < 0 ? "12" : "13"; }),
              ElementsAre(HasSubstr("\n2 a:/result: 12 | 13 in 4 of 4, ignore a:/result")));
}

TEST(LearnTest, ARefusalShowsWhereLongTextsDiffer) {
  const std::string start = "\"" + std::string(400, 'x') + " the value is ";
  EXPECT_THAT(LearnedOf([&](int run) { return start + (run < 0 ? "old\"" : "new\""); }),
              ElementsAre(testing::AllOf(HasSubstr("the value is old\" | "),
                                         HasSubstr("the value is new\" in 4 of 4"))));
}

TEST(LearnTest, APluginThatOnlyTheFirstRunFindsAsRecordedKeepsState) {
  EXPECT_THAT(LearnedOf([](int run) { return run <= 0 ? "12" : "13"; }),
              ElementsAre(HasSubstr("message 2, a:/result: 12 in the first run, then 13")));
}

// The first declaration of a result that is `live` in each run; recorded as of run -1.
Lesson FirstOf(const std::function<std::string(int run)>& live) {
  const std::string call = "-> {\"id\":1,\"method\":\"a\"}\n";
  const auto answer = [&](int run) { return "<- {\"id\":1,\"result\":" + live(run) + "}\n"; };
  Learning learning(call + answer(-1), answer);
  learning.Learned();
  return learning.lessons.at(0);
}

TEST(LearnTest, NumbersAreListedByValue) {
  const char* const values[] = {"0.002045", "5.5e-05", "12", "3"};
  const Lesson lesson = FirstOf([&](int run) { return std::string(values[(run + 4) % 4]); });
  EXPECT_THAT(lesson.values, ElementsAre("5.5e-05", "0.002045", "3", "12"));
}

TEST(LearnTest, LongArraysAreCutToWhatDiffers) {
  const std::string rest(300, 'x');
  const Lesson lesson = FirstOf([&](int run) {
    return run % 2 == 0 ? "[\"a\",\"b\",\"" + rest + "\"]" : "[\"b\",\"a\",\"" + rest + "\"]";
  });
  EXPECT_EQ(lesson.kind, LessonKind::kUnordered);
  ASSERT_EQ(lesson.values.size(), 1u);
  EXPECT_LT(lesson.values[0].size(), 70u) << lesson.values[0];
}

TEST(LearnTest, ATimeOfTheSameSecondIsLearned) {
  EXPECT_THAT(LearnedOf([](int run) { return run < 0 ? "1763882000" : "1763882999"; }),
              ElementsAre("shape a:/result=timestamp"));
}

TEST(LearnTest, AWholeTimeAlthoughOnlyItsSecondsVary) {
  const auto at = [](int run) { return "11:54:" + std::to_string(run + 11); };
  EXPECT_THAT(LearnedOf([=](int run) { return "\"[" + at(run) + "] ok\""; }),
              ElementsAre("shape a:/result=text:[{timestamp}] ok"));
  EXPECT_THAT(LearnedOf([=](int run) { return "\"2026-11-26 | " + at(run) + "\""; }),
              ElementsAre("shape a:/result=text:{timestamp} | {timestamp}"));
}

TEST(LearnTest, ADateBesideWhatVaries) {
  EXPECT_THAT(
      LearnedOf([](int run) { return "\"2026-11-26: took " + std::to_string(run + 11) + " ms\""; }),
      ElementsAre("shape a:/result=text:{timestamp}: took {digits} ms"));
}

TEST(LearnTest, ATextOfTheSameSecondIsLearned) {
  EXPECT_THAT(LearnedOf([](int run) { return run < 0 ? "\"at 11:54:03\"" : "\"at 11:55:04\""; }),
              ElementsAre("shape a:/result=text:at {timestamp}"));
}

TEST(LearnTest, AChangeOfWhatOnlyLooksLikeATimeIsNotLearned) {
  for (const auto& [recorded, live] :
       {std::pair("\"10.15.7\"", "\"10.15.8\""), std::pair("\"a.c:12:34\"", "\"a.c:12:35\""),
        std::pair("\"at 12:34\"", "\"at 12:35\""), std::pair("\"3/4 done\"", "\"2/4 done\"")}) {
    const std::string was = recorded, is = live;
    EXPECT_THAT(LearnedOf([&](int run) { return run < 0 ? was : is; }),
                ElementsAre(HasSubstr("the same in every run, but not as recorded")));
  }
}

// Notifications before an answer: `notes` of each run, recorded as of run -1.
std::vector<std::string> LearnedOfNotes(std::function<std::string(int)> notes) {
  const auto lines = [=](int run) { return notes(run) + "<- {\"id\":1,\"result\":1}\n"; };
  return Learning("-> {\"id\":1,\"method\":\"a\"}\n" + lines(-1), lines).Learned();
}
std::string Log(const std::string& text) {
  return "<- {\"method\":\"log\",\"params\":{\"text\":\"" + text + "\"}}\n";
}

TEST(LearnTest, AFloatingMethod) {
  EXPECT_THAT(LearnedOfNotes(
                  [](int run) { return run % 2 == 0 ? Log("x") + Log("y") : Log("y") + Log("x"); }),
              ElementsAre("floating log"));
}

TEST(LearnTest, AVolatileMethodIfItsNumberVaries) {
  EXPECT_THAT(LearnedOfNotes([](int run) { return run % 2 == 0 ? Log("x") : Log("x") + Log("x"); }),
              ElementsAre("volatile log"));
}

// An answer and a reverse call, which comes first if `call_first` is true of the run.
std::vector<std::string> LearnedOfCall(std::function<bool(int)> call_first) {
  const std::string call = "<- {\"id\":8,\"method\":\"ask\"}\n",
                    answer = "<- {\"id\":1,\"result\":1}\n";
  return Learning(
             "-> {\"id\":1,\"method\":\"a\"}\n" + call + "-> {\"id\":8,\"result\":1}\n" + answer,
             [=](int run) { return call_first(run) ? call + answer : answer + call; })
      .Learned();
}

TEST(LearnTest, AReverseCallThatTheAnswerDoesNotAlwaysAwait) {
  EXPECT_THAT(LearnedOfCall([](int run) { return run % 2 == 0; }), ElementsAre("floating ask"));
}

TEST(LearnTest, AReverseCallThatTheAnswerNoLongerAwaitsIsNotLearned) {
  EXPECT_THAT(LearnedOfCall([](int) { return false; }),
              ElementsAre(testing::AllOf(
                  HasSubstr("the order of ask (message 4 a came before our answer to it):"),
                  HasSubstr("floating ask"))));
}

// What a dialect with this item of "background" lets --learn declare for recorded notifications.
std::vector<std::string> BackgroundOf(wire::PlaceValue item,
                                      std::map<std::string, std::vector<std::string>> recorded) {
  std::vector<std::string> lines;
  for (const Lesson& lesson : BackgroundLessons(recorded, {std::move(item)})) {
    lines.push_back(std::string(Name(lesson.kind)) + " " + lesson.text);
  }
  return lines;
}

wire::PlaceValue KindIsReport() {
  wire::Json report;
  report.type = wire::Json::Type::kString;
  report.text = "report";
  return {*wire::ParseMethodPlace("$/progress:/params/value/kind"), {report}};
}

TEST(LearnTest, AMethodThatReportsWorkInTheBackgroundAlthoughNothingVaries) {
  const std::string begin = R"({"params":{"value":{"kind":"begin"}}})";
  const std::string report = R"({"params":{"value":{"kind":"report"}}})";
  EXPECT_THAT(BackgroundOf(KindIsReport(), {{"$/progress", {begin, report}}, {"log", {report}}}),
              ElementsAre("volatile $/progress"));
}

TEST(LearnTest, NothingIfNoneOfItsMessagesReportsWorkInTheBackground) {
  const std::string begin = R"({"params":{"value":{"kind":"begin"}}})";
  EXPECT_THAT(BackgroundOf(KindIsReport(), {{"$/progress", {begin, "no JSON"}}}), IsEmpty());
}

TEST(LearnTest, AnyValueInTheBackgroundPlaceWithoutValues) {
  const wire::PlaceValue any = {*wire::ParseMethodPlace("progressUpdate:/event"), {}};
  EXPECT_THAT(BackgroundOf(any, {{"progressUpdate", {R"({"event":"progressUpdate"})"}}}),
              ElementsAre("volatile progressUpdate"));
}

TEST(LearnTest, AMethodOfTheBackgroundAlthoughTheTraceHasNone) {
  const wire::PlaceValue any = {*wire::ParseMethodPlace("progressUpdate:/event"), {}};
  EXPECT_THAT(BackgroundOf(any, {}), ElementsAre("volatile progressUpdate"));
  EXPECT_THAT(BackgroundOf(KindIsReport(), {}), IsEmpty());
}

TEST(LearnTest, ATextInChunks) {
  EXPECT_THAT(LearnedOfNotes([](int run) {
                const std::string text = "some output";
                const size_t cut = static_cast<size_t>(run + 2);
                return cut % 3 == 0 ? Log(text) : Log(text.substr(0, cut)) + Log(text.substr(cut));
              }),
              ElementsAre("chunked log:/params/text"));
}

TEST(LearnTest, ANumberOfMessagesThatChangedIsNotLearned) {
  EXPECT_THAT(LearnedOfNotes([](int run) { return run < 0 ? Log("x") : Log("x") + Log("x"); }),
              ElementsAre(HasSubstr("the number of log")));
}

TEST(LearnTest, ACrashIsOneClearError) {
  EXPECT_THAT(Learning("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}\n",
                       [](int) { return "eof\nexit signal 11\n"; })
                  .Learned(),
              ElementsAre(HasSubstr("the plugin ended in run 1: signal 11")));
}

TEST(LearnTest, AnEndBeforeTheSessionIsOverHasAReason) {
  EXPECT_THAT(Learning("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}\n"
                       "-> {\"id\":2,\"method\":\"a\"}\n<- {\"id\":2,\"result\":1}\nexit 0\n",
                       [](int) { return "exit 0\n"; })
                  .Learned(),
              ElementsAre(HasSubstr("the plugin ended in run 1: exited before 1 message ")));
}

TEST(LearnTest, AMessageIsNoHeader) {
  for (const char* line : {R"({"from":"host","message":{"id":1,"method":"a"},"shape":[]})",
                           R"({"midwire":"tape"})", R"({"comment":"x"})"}) {
    const Result<std::string> header = HeaderWith(line, {{LessonKind::kIgnore, "/x", "", {}, 0}});
    ASSERT_FALSE(header) << line;
    EXPECT_THAT(header.error().Text(), HasSubstr("the first line is not the header of a cassette"));
  }
}

TEST(LearnTest, LessonsAreWrittenIntoTheHeader) {
  const std::vector<Lesson> lessons = {{LessonKind::kShape, "a:/t=timestamp", "", {}, 0},
                                       {LessonKind::kIgnore, "a:/x", "", {}, 0},
                                       {LessonKind::kIgnore, "a:/\"y\"", "", {}, 0}};
  const auto with = [&](const char* header) { return *HeaderWith(header, lessons); };
  EXPECT_EQ(with(R"({"midwire":"cassette","version":1})"),
            R"({"midwire":"cassette","version":1,"shape":["a:/t=timestamp"],)"
            R"("ignore":["a:/x","a:/\"y\""]})");
  EXPECT_EQ(with(R"({"midwire":"cassette", "ignore" : [ "b:/z" ], "shape":[], "own":{"a":1} })"),
            R"({"midwire":"cassette", "ignore" : [ "b:/z" ,"a:/x","a:/\"y\""], )"
            R"("shape":["a:/t=timestamp"], "own":{"a":1} })");
  EXPECT_FALSE(HeaderWith(R"({"midwire":"cassette","ignore":"x"})", lessons));
  EXPECT_FALSE(HeaderWith("[]", lessons));
}

}  // namespace
}  // namespace midwire::replay
