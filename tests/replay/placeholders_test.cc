// Placeholders: texts of a portable cassette, there and back.
#include "replay/paths/placeholders.h"

#include <gtest/gtest.h>

namespace midwire::replay {
namespace {

const Placeholders kAda({.cwd = "/home/ada/tea", .home = "/home/ada"});

std::string Collapsed(std::string_view text, const Placeholders& of = kAda) {
  TextEdits edits;
  of.Collapse(text, &edits);
  return Edited(text, edits);
}

std::string Expanded(std::string_view text, const Placeholders& of = kAda) {
  TextEdits edits;
  of.Expand(text, &edits);
  return Edited(text, edits);
}

TEST(PlaceholdersTest, DirectoriesBecomePlaceholders) {
  EXPECT_EQ(Collapsed("/home/ada/tea/x /home/ada/y /home/adam"), "{cwd}/x {home}/y /home/adam");
  EXPECT_EQ(Collapsed("file:///home/ada/tea/x"), "file://{cwd}/x");
}

TEST(PlaceholdersTest, AnotherPersonReadsTheirOwn) {
  const Placeholders bob({.cwd = "/srv/bob's tea", .home = "/srv/bob's"});
  EXPECT_EQ(Expanded("{cwd}/x {home}/y", bob), "/srv/bob's tea/x /srv/bob's/y");
  EXPECT_EQ(Expanded("file://{cwd}/x", bob), "file:///srv/bob%27s%20tea/x");
  EXPECT_EQ(Expanded("{cwd} {cwd}/x", Placeholders({.cwd = "/"})), "/ /x");
}

TEST(PlaceholdersTest, WhatLooksLikeOneIsEscaped) {
  EXPECT_EQ(Collapsed("{cwd}"), "{brace}cwd}");
  EXPECT_EQ(Collapsed("{home} {brace} {x}"), "{brace}home} {brace}brace} {x}");
}

TEST(PlaceholdersTest, ThereAndBackIsTheSameText) {
  for (const char* text :
       {"", "{", "{{cwd}}", "{/home/ada/tea}", "{brace}cwd}", "{brace}{cwd}", "{cwd", "{{home}{",
        "/home/ada/tea{cwd}", "{brace/home/ada}", "file:///home/ada/tea", "%2Fhome%2Fada%2Ftea",
        "file:///home/%61da/tea", "/home/ada/tea/home/ada/tea", "a{cwd}/home/ada/tea"}) {
    EXPECT_EQ(Expanded(Collapsed(text)), text) << Collapsed(text);
  }
}

// Every text of up to four of these words.
TEST(PlaceholdersTest, AllMixturesThereAndBackAreTheSame) {
  const std::vector<std::string> words = {"{",    "{cwd}", "cwd}", "{brace}", "home}", "/home/ada",
                                          "/tea", "/x",    "%2F",  "file://", " ",     "}"};
  const size_t count = words.size() + 1;  // or none
  for (size_t i = 0; i < count * count * count * count; ++i) {
    std::string text;
    for (size_t rest = i; rest > 0; rest /= count) {
      if (rest % count != 0) text += words[rest % count - 1];
    }
    ASSERT_EQ(Expanded(Collapsed(text)), text) << Collapsed(text);
  }
}

TEST(PlaceholdersTest, ASpellingThatWouldBeLostStays) {
  EXPECT_EQ(Collapsed("q?=%2Fhome%2Fada%2Ftea {cwd}"), "q?=%2Fhome%2Fada%2Ftea {brace}cwd}");
}

TEST(PlaceholdersTest, ADirectoryThatIsNotKnownIsNamed) {
  TextEdits edits;
  std::string_view missing;
  Placeholders({.cwd = "/a"}).Expand("{cwd} {home}", &edits, &missing);
  EXPECT_EQ(missing, "{home}");
}

}  // namespace
}  // namespace midwire::replay
