// The table of declarations: each kind is read, visited and documented.
#include "replay/script/declaration_kinds.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "replay/learn/lesson.h"
#include "replay/script/unused.h"
#include "tests/paths.h"

namespace midwire::replay {
namespace {

// A declaration of each kind, in the order of the table.
constexpr std::string_view kOneOfEach[][2] = {
    {"ignore", "a[/params/n=1]:/result/t"},  {"shape", "a[/params/n=2]:/result=uuid"},
    {"unordered", "a[/params/n=3]:/result"}, {"chunked", "a[/params/n=4]:/params/text"},
    {"floating", "a[/params/n=5]"},          {"volatile", "a[/params/n=6]"},
    {"bind", "a[/params/n=7]:/x=b:/y"},      {"ids/sender", "a:/params/id"},
    {"ids/receiver", "a:/params/other"},     {"host/pid", "a:/params/pid"}};

Declarations OneOfEach() {
  Declarations declared;
  for (const auto& [path, text] : kOneOfEach) EXPECT_TRUE(Declare(path, text, &declared)) << path;
  return declared;
}

std::vector<std::string> Visited(const DeclarationKind& kind, const Declarations& declared) {
  std::vector<std::string> texts;
  kind.visit(declared, [&](const wire::MethodScope& scope, const wire::MethodPlace* place) {
    texts.push_back(place != nullptr ? place->text : scope.text);
  });
  return texts;
}

TEST(DeclarationKindsTest, EachKindHasAnExampleHere) {
  std::vector<std::string_view> paths, examples;
  for (const DeclarationKind& kind : DeclarationKinds()) paths.push_back(kind.path);
  for (const auto& [path, text] : kOneOfEach) examples.push_back(path);
  EXPECT_EQ(paths, examples);
}

TEST(DeclarationKindsTest, AKindVisitsItsOwnDeclarationsAndNoOthers) {
  const Declarations declared = OneOfEach();
  for (const DeclarationKind& kind : DeclarationKinds()) {
    const std::vector<std::string> texts = Visited(kind, declared);
    ASSERT_EQ(texts.size(), kind.path == "bind" ? 2u : 1u) << kind.path;
    for (const auto& [path, text] : kOneOfEach) {
      if (path != kind.path) continue;
      EXPECT_TRUE(text.starts_with(texts[0])) << kind.path;
    }
  }
}

TEST(DeclarationKindsTest, AHeaderDeclaresEachKind) {
  const Declarations declared = OneOfEach();
  Declarations read;
  const Status status = ReadHeader(
      R"({"ignore":["a[/params/n=1]:/result/t"],"shape":["a[/params/n=2]:/result=uuid"],)"
      R"("unordered":["a[/params/n=3]:/result"],"chunked":["a[/params/n=4]:/params/text"],)"
      R"("floating":["a[/params/n=5]"],"volatile":["a[/params/n=6]"],)"
      R"("bind":["a[/params/n=7]:/x=b:/y"],"ids":{"sender":["a:/params/id"],)"
      R"("receiver":["a:/params/other"]},"host":{"pid":["a:/params/pid"]}})",
      &read);
  ASSERT_TRUE(status) << status.error().Text();
  EXPECT_TRUE(read.warnings.empty());
  for (const DeclarationKind& kind : DeclarationKinds()) {
    EXPECT_EQ(Visited(kind, read), Visited(kind, declared)) << kind.path;
  }
}

TEST(DeclarationKindsTest, AnOptionThatHidesADifferenceIsMissedWhereNothingHasIt) {
  Unused unused;
  unused.AddAll(OneOfEach());
  std::vector<std::string> lines = unused.Lines();
  std::vector<std::string> options;
  for (const std::string& line : lines) options.push_back(line.substr(0, line.find(':')));
  EXPECT_THAT(options, testing::ElementsAre("--ignore", "--shape", "--unordered", "--chunked",
                                            "--floating", "--volatile"));
}

TEST(DeclarationKindsTest, WhatIsLearnedIsAnOptionToo) {
  for (const LessonKind lesson :
       {LessonKind::kShape, LessonKind::kUnordered, LessonKind::kFloating, LessonKind::kChunked,
        LessonKind::kIgnore, LessonKind::kVolatile}) {
    const auto kinds = DeclarationKinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const DeclarationKind& row) {
      return row.path == Name(lesson);
    });
    ASSERT_NE(kind, kinds.end()) << Name(lesson);
    EXPECT_TRUE(kind->is_option()) << Name(lesson);
  }
}

TEST(DeclarationKindsTest, ABindOptionAlsoTurnsInferenceOff) {
  Declarations declared;
  EXPECT_TRUE(DeclareOption("bind", "off", &declared));
  EXPECT_FALSE(declared.infer_binds);
  EXPECT_FALSE(Declare("bind", "off", &declared));
}

TEST(DeclarationKindsTest, AnOptionThatIsMeantAsARegularExpressionNamesNoMethod) {
  for (const char* text : {"(a", "a|b", "^log/", "log/.*", "log\\/a", "(a[/params/k=v]"}) {
    Declarations declared;
    EXPECT_FALSE(DeclareOption("volatile", text, &declared)) << text;
    EXPECT_FALSE(DeclareOption("ignore", std::string(text) + ":/result", &declared)) << text;
  }
  for (const char* text :
       {"$/progress", "log/*", "*", "a.b-c_d", "tools/call[/params/name=a|(b]"}) {
    Declarations declared;
    EXPECT_TRUE(DeclareOption("volatile", text, &declared)) << text;
    EXPECT_TRUE(DeclareOption("ignore", std::string(text) + ":/a(|", &declared)) << text;
  }
  Declarations declared;
  EXPECT_TRUE(DeclareOption("shape", "/result=regex:(a|b).*", &declared));
}

// A new kind must be documented.
TEST(DeclarationKindsTest, EachKindStandsInTheReference) {
  for (const char* page : {"/doc/dialects.md", "/doc/replay.md"}) {
    std::ostringstream text;
    text << std::ifstream(SourceFolder() + page).rdbuf();
    for (const DeclarationKind& kind : DeclarationKinds()) {
      EXPECT_NE(text.str().find("`" + std::string(kind.member()) + "`"), std::string::npos)
          << page << " " << kind.path;
    }
  }
}

}  // namespace
}  // namespace midwire::replay
