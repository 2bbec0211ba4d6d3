#include "replay/script/declared.h"

#include <gmock/gmock.h>

#include "tests/replay/conversation.h"

namespace midwire::replay {
namespace {

// The declarations of a cassette.
Result<std::unique_ptr<Loaded>> LoadCassette(std::string header, Declarations declared = {}) {
  auto reader = trace::OpenTrace(std::make_unique<trace::StringSource>(
      header + "\n{\"from\":\"host\",\"message\":{\"id\":1,\"method\":\"a\"}}\n"));
  if (!reader) return reader.error();
  return Load(reader->get(), Direction::kHostToPlugin, std::move(declared));
}

TEST(DeclaredTest, AHeadersListsAreRead) {
  const auto loaded = LoadCassette(
      R"({"midwire":"cassette","version":1,"ignore":["a:/result/t","/params/*/x"],)"
      R"("bind":["open:/result/h=read:/params/h"],"volatile":["log/*"],)"
      R"("ids":{"sender":["stop:/params/job"],"receiver":["/up"]},"other":{"kept":1}})");
  ASSERT_TRUE(loaded) << loaded.error().Text();
  const Declarations& declared = (*loaded)->declared;
  ASSERT_EQ(declared.ignores.size(), 2u);
  EXPECT_EQ(declared.ignores[0].scope.method, "a");
  EXPECT_EQ(declared.ignores[1].pointer.steps, (std::vector<std::string>{"params", "*", "x"}));
  ASSERT_EQ(declared.binds.size(), 1u);
  EXPECT_EQ(declared.binds[0].to.scope.method, "read");
  EXPECT_TRUE(declared.Volatile({"log/x", {}}));
  EXPECT_FALSE(declared.Volatile({"log", {}}));
  ASSERT_EQ(declared.ids.size(), 2u);
  EXPECT_EQ(declared.ids[1].whose, IdOf::kReceiver);
}

TEST(DeclaredTest, ShapesArraysAndMethodsOfAHeaderAreRead) {
  const auto loaded = LoadCassette(
      R"({"midwire":"cassette","version":1,"shape":["a:/result/t=timestamp","/a=b=text:x={digits}"],)"
      R"("unordered":["/result/items"],"chunked":["out:/params/text"],"floating":["log"]})");
  ASSERT_TRUE(loaded) << loaded.error().Text();
  const Declarations& declared = (*loaded)->declared;
  ASSERT_EQ(declared.shapes.size(), 2u);
  EXPECT_EQ(declared.shapes[0].at.text, "a:/result/t");
  EXPECT_EQ(declared.shapes[0].shape.kind, ShapeKind::kTimestamp);
  EXPECT_EQ(declared.shapes[1].at.text, "/a=b");
  EXPECT_EQ(ShapeText(declared.shapes[1].shape), "text:x={digits}");
  EXPECT_EQ(declared.unordered.size(), 1u);
  EXPECT_EQ(declared.chunked.size(), 1u);
  EXPECT_TRUE(declared.Floating({"log", {}}));
  EXPECT_TRUE(declared.warnings.empty());
}

TEST(DeclaredTest, AnUnknownMemberIsWarnedAbout) {
  const auto loaded = LoadCassette(
      R"({"midwire":"cassette","version":1,"ignores":["/a"],"comment":"ok","x\u001b":1})");
  ASSERT_TRUE(loaded) << loaded.error().Text();
  EXPECT_THAT((*loaded)->declared.warnings, testing::ElementsAre(testing::HasSubstr("\"ignores\""),
                                                                 testing::HasSubstr("\"x\\x1b\"")));
}

TEST(DeclaredTest, TheHeaderAddsToWhatIsDeclaredAlready) {
  Declarations before = Declarations::WithDefaults();
  const size_t binds = before.binds.size();
  before.ignores.push_back(*ParseScopedPlace("/result/a"));
  const auto loaded = LoadCassette(
      R"({"midwire":"cassette","version":1,"ignore":["/result/b"],"bind":["a:/x=b:/y"]})",
      std::move(before));
  ASSERT_TRUE(loaded) << loaded.error().Text();
  EXPECT_EQ((*loaded)->declared.ignores.size(), 2u);
  EXPECT_EQ((*loaded)->declared.binds.size(), binds + 1);
}

TEST(DeclaredTest, ItSurvivesTheConversionToATape) {
  const std::string tape = trace::ToTape(
      "{\"midwire\":\"cassette\",\"version\":1,\"ignore\":[\"/result/t\"]}\n"
      "{\"from\":\"host\",\"message\":{\"id\":1,\"method\":\"a\"}}\n");
  const auto loaded = LoadTape(tape, Host());
  ASSERT_NE(loaded, nullptr);
  ASSERT_EQ(loaded->declared.ignores.size(), 1u);
  EXPECT_EQ(loaded->declared.ignores[0].text, "/result/t");
}

TEST(DeclaredTest, AHeaderThatCannotBeUsedIsRefused) {
  for (const char* wrong :
       {R"("ignore":"/a")", R"("ignore":[1])", R"("ignore":["no pointer"])", R"("bind":["a:/x"])",
        R"("bind":["a:/x=oops"])", R"("volatile":{})", R"("ids":[])", R"("ids":{"sender":7})",
        R"("ids":{"receiver":["x"]})", R"("shape":["/a"])", R"("shape":["/a=colour"])",
        R"("shape":["/a=text:{colour}"])", R"("shape":{"/a":"uuid"})", R"("unordered":["a"])",
        R"("chunked":[1])", R"("chunked":["/x"])", R"("floating":"log")"}) {
    EXPECT_FALSE(LoadCassette(std::string(R"({"midwire":"cassette","version":1,)") + wrong + "}"))
        << wrong;
  }
}

TEST(DeclaredTest, AThousandIsTheMost) {
  const auto header = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += std::string(i == 0 ? "" : ",") + "\"/a\"";
    return R"({"midwire":"cassette","version":1,"ignore":[)" + list + "]}";
  };
  EXPECT_TRUE(LoadCassette(header(1000)));
  EXPECT_FALSE(LoadCassette(header(1001)));
}

TEST(DeclaredTest, PlacesAsTheyAreWritten) {
  struct Case {
    const char *text, *method, *pointer;
  };
  for (const Case& is : {Case{"/result/t", "", "/result/t"}, Case{"a/b:/result", "a/b", "/result"},
                         Case{"a:b:/c", "a:b", "/c"}, Case{"$/x:/params/id", "$/x", "/params/id"},
                         Case{"/m:/params/x", "/m", "/params/x"},
                         Case{"text/*:/a/*/b~1c~0", "text/*", "/a/*/b~1c~0"}}) {
    const auto place = ParseScopedPlace(is.text);
    ASSERT_TRUE(place) << is.text;
    EXPECT_EQ(place->scope.method, is.method) << is.text;
    EXPECT_EQ(place->pointer.steps, wire::ParsePointer(is.pointer)->steps) << is.text;
  }
  for (const char* wrong : {"", "result", "a:", "a:result", "a=/b"}) {
    EXPECT_FALSE(ParseScopedPlace(wrong)) << wrong;
  }
}

TEST(DeclaredTest, AStarEndsAMethod) {
  EXPECT_TRUE(wire::MatchesMethod("text/*", "text/hover"));
  EXPECT_TRUE(wire::MatchesMethod("*", ""));
  EXPECT_TRUE(wire::MatchesMethod("a", "a"));
  EXPECT_FALSE(wire::MatchesMethod("text/*", "texts/hover"));
  EXPECT_FALSE(wire::MatchesMethod("a", "ab"));
  EXPECT_FALSE(wire::MatchesMethod("*a", "ba"));
}

}  // namespace
}  // namespace midwire::replay
