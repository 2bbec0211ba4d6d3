// What --learn declares of calls that a label distinguishes: only of those that vary.
#include <gmock/gmock.h>

#include "tests/replay/learn/learning.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What a tool answers in a run; recorded as of run -1.
struct Tool {
  std::string name;
  std::function<std::string(int run)> result;
};

std::string Fixed(int) { return "3"; }
std::string Number(int run) { return std::to_string(run + 11); }
std::string FreeText(int run) { return run % 2 == 0 ? "\"so many words\"" : "[1]"; }

// A session that calls the tools in this order.
std::vector<std::string> LearnedOfTools(std::vector<Tool> tools,
                                        const char* label = "call:/params/name") {
  std::string recorded;
  for (size_t i = 0; i < tools.size(); ++i) {
    const std::string id = "{\"id\":" + std::to_string(i);
    recorded += "-> " + id + ",\"method\":\"call\",\"params\":{\"name\":\"" + tools[i].name +
                "\"}}\n<- " + id + ",\"result\":" + tools[i].result(-1) + "}\n";
  }
  return Learning(recorded,
                  [=](int run) {
                    std::string answers;
                    for (size_t i = 0; i < tools.size(); ++i) {
                      answers += "<- {\"id\":" + std::to_string(i) +
                                 ",\"result\":" + tools[i].result(run) + "}\n";
                    }
                    return answers;
                  })
      .Labelled(label)
      .Learned();
}

TEST(LearnScopeTest, OneToolVaries) {
  EXPECT_THAT(LearnedOfTools({{"rand", Number}, {"add", Fixed}, {"rand", Number}}),
              ElementsAre("shape call[/params/name=rand]:/result=integer"));
}

TEST(LearnScopeTest, TwoToolsVaryInTheSamePlace) {
  EXPECT_THAT(LearnedOfTools({{"rand", Number}, {"add", Fixed}, {"say", FreeText}}),
              ElementsAre("shape call[/params/name=rand]:/result=integer",
                          "ignore call[/params/name=say]:/result"));
}

TEST(LearnScopeTest, AllCallsAreOfOneTool) {
  EXPECT_THAT(LearnedOfTools({{"rand", Number}, {"rand", Number}}),
              ElementsAre("shape call:/result=integer"));
}

TEST(LearnScopeTest, AChangeOfAnotherToolIsNotLearned) {
  EXPECT_THAT(LearnedOfTools({{"rand", Number},
                              {"add", [](int run) { return std::string(run < 0 ? "3" : "4"); }}}),
              ElementsAre(HasSubstr("\n4 call[/params/name=add]:/result: 3 | 4 in 4 of 4")));
}

TEST(LearnScopeTest, NothingIsScopedWithoutALabelOfTheDialect) {
  EXPECT_THAT(LearnedOfTools({{"rand", Number}, {"add", Fixed}}, "other:/params/name"),
              ElementsAre("shape call:/result=integer"));
}

TEST(LearnScopeTest, AGeneratedNameOrAPathIsNoScope) {
  for (const char* name : {"0b8f6c2e-6b0e-4f7a-9a53-2f1f0d3c9a11", "/home/ada/x", "file:///x"}) {
    EXPECT_THAT(LearnedOfTools({{name, Number}, {"add", Fixed}}),
                ElementsAre("shape call:/result=integer"))
        << name;
  }
}

TEST(LearnScopeTest, ANameThatEndsABareValueIsQuoted) {
  EXPECT_THAT(LearnedOfTools({{"a]b", Number}, {"add", Fixed}}),
              ElementsAre("shape call[/params/name=\"a]b\"]:/result=integer"));
}

TEST(LearnScopeTest, MoreLabelsThanAnyKindsOfCallsAreData) {
  std::vector<Tool> tools;
  for (size_t i = 0; i <= kMaxLabelsOfMethod; ++i) {
    tools.push_back({"tool " + std::string(1 + i, 'x').substr(0, 50) + std::to_string(i), Fixed});
  }
  tools.push_back({"rand", Number});
  EXPECT_THAT(LearnedOfTools(tools), ElementsAre("shape call:/result=integer"));
}

// Notifications of two levels before an answer; recorded as of run -1.
std::vector<std::string> LearnedOfLevels(std::function<std::string(int)> notes) {
  const auto lines = [=](int run) { return notes(run) + "<- {\"id\":1,\"result\":1}\n"; };
  return Learning("-> {\"id\":1,\"method\":\"a\"}\n" + lines(-1), lines)
      .Labelled("log:/params/level")
      .Learned();
}
std::string Level(const std::string& level, const std::string& text) {
  return R"(<- {"method":"log","params":{"level":")" + level + R"(","text":")" + text + "\"}}\n";
}

TEST(LearnScopeTest, OneLevelIsVolatile) {
  EXPECT_THAT(LearnedOfLevels([](int run) {
                return Level("error", "y") + Level("debug", "x") +
                       (run % 2 == 0 ? Level("debug", "x") : "");
              }),
              ElementsAre("volatile log[/params/level=debug]"));
}

TEST(LearnScopeTest, OneLevelIsCutIntoPieces) {
  EXPECT_THAT(LearnedOfLevels([](int run) {
                const std::string text = "some output";
                const size_t cut = static_cast<size_t>(run + 2);
                return Level("error", "y") + (cut % 3 == 0 ? Level("out", text)
                                                           : Level("out", text.substr(0, cut)) +
                                                                 Level("out", text.substr(cut)));
              }),
              ElementsAre("chunked log[/params/level=out]:/params/text"));
}

TEST(LearnScopeTest, NothingVaries) {
  EXPECT_THAT(LearnedOfTools({{"rand", Fixed}, {"add", Fixed}}), IsEmpty());
}

}  // namespace
}  // namespace midwire::replay
