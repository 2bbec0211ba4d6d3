// PathMap: which texts hold a path, and how its replacement is spelled.
#include "replay/paths/path_map.h"

#include <gtest/gtest.h>

namespace midwire::replay {
namespace {

std::string Mapped(std::string_view text) {
  return PathMap(PathPairs{{"/home/ada/tea", "/srv/ci/tea"}}).Map(text);
}

TEST(PathMapTest, APathAndWhatIsBelowIt) {
  EXPECT_EQ(Mapped("/home/ada/tea"), "/srv/ci/tea");
  EXPECT_EQ(Mapped("/home/ada/tea/pot.c"), "/srv/ci/tea/pot.c");
  EXPECT_EQ(Mapped("/home/ada/tea/"), "/srv/ci/tea/");
}

TEST(PathMapTest, InsideLongerTexts) {
  EXPECT_EQ(Mapped("see /home/ada/tea: no such file"), "see /srv/ci/tea: no such file");
  EXPECT_EQ(Mapped("cd '/home/ada/tea' && ls /home/ada/tea."),
            "cd '/srv/ci/tea' && ls /srv/ci/tea.");
  EXPECT_EQ(Mapped("PATH=/bin:/home/ada/tea/bin:/usr/bin"), "PATH=/bin:/srv/ci/tea/bin:/usr/bin");
  EXPECT_EQ(Mapped("cc -I/home/ada/tea/include @/home/ada/tea/args"),
            "cc -I/srv/ci/tea/include @/srv/ci/tea/args");
  EXPECT_EQ(Mapped("in \xE2\x80\x98/home/ada/tea\xE2\x80\x99"),
            "in \xE2\x80\x98/srv/ci/tea\xE2\x80\x99");
}

TEST(PathMapTest, OnlyAtThePathsBorders) {
  for (const char* other :
       {"/home/ada/teapot", "/home/ada/tea-pot", "/home/ada/tea.bak", "/home/ada/tea%20pot",
        "/mnt/home/ada/tea", "x/home/ada/tea", "//home/ada/tea", "/home/ada", "/home/ada/te",
        "/home/ada/tea\xC3\xA9", "a-b/home/ada/tea", "/home/ada/tea./x"}) {
    EXPECT_EQ(Mapped(other), other);
  }
}

TEST(PathMapTest, TheRootAndNothingAreNoPaths) {
  const PathMap map(PathPairs{{"/", "/srv"}, {"", "/srv"}, {"/a", ""}});
  EXPECT_FALSE(map.any());
  EXPECT_EQ(map.Map("/ and /a/b"), "/ and /a/b");
}

TEST(PathMapTest, TheLongestPathCounts) {
  const PathMap map(PathPairs{{"/home/ada", "/root"}, {"/home/ada/tea", "/srv"}});
  EXPECT_EQ(map.Map("/home/ada/tea/x /home/ada/coffee"), "/srv/x /root/coffee");
}

TEST(PathMapTest, EqualPathsProtectEachOther) {
  const PathMap map(PathPairs{{"/home/ada/lib", "/home/ada/lib"}, {"/home/ada", "/root"}});
  EXPECT_EQ(map.Map("/home/ada/lib/x /home/ada/x"), "/home/ada/lib/x /root/x");
}

TEST(PathMapTest, NothingIsReplacedTwice) {
  EXPECT_EQ(PathMap(PathPairs{{"/a", "/a/b"}, {"/a/b", "/c"}}).Map("/a/x /a/b/x"), "/a/b/x /c/x");
}

TEST(PathMapTest, ToAndFromTheRoot) {
  EXPECT_EQ(PathMap(PathPairs{{"/srv/", "/"}}).Map("/srv /srv/x file:///srv/x"), "/ /x file:///x");
}

TEST(PathMapTest, FileUris) {
  EXPECT_EQ(Mapped("file:///home/ada/tea/pot.c#L1"), "file:///srv/ci/tea/pot.c#L1");
  EXPECT_EQ(Mapped("file://localhost/home/ada/tea"), "file://localhost/srv/ci/tea");
  EXPECT_EQ(Mapped("zip:file:/home/ada/tea/a.zip!/b"), "zip:file:/srv/ci/tea/a.zip!/b");
  const PathMap spaces(PathPairs{{"/home/ada/my tea", "/srv/a b\xC3\xA9"}});
  EXPECT_EQ(spaces.Map("file:///home/ada/my%20tea/x"), "file:///srv/a%20b%C3%A9/x");
  EXPECT_EQ(spaces.Map("/home/ada/my tea/x"), "/srv/a b\xC3\xA9/x");
}

TEST(PathMapTest, AUriKeepsItsOwnWayOfEncoding) {
  const PathMap map(PathPairs{{"/home/a@b/tea", "/srv/c@d:e"}});
  EXPECT_EQ(map.Map("file:///home/a@b/tea"), "file:///srv/c@d%3Ae");
  EXPECT_EQ(map.Map("file:///home/a%40b/tea"), "file:///srv/c%40d%3Ae");
  EXPECT_EQ(Mapped("q?path=%2Fhome%2Fada%2Ftea%2Fx"), "q?path=%2Fsrv%2Fci%2Ftea%2Fx");
  EXPECT_EQ(Mapped("q?path=%2fhome%2fada%2ftea"), "q?path=%2fsrv%2fci%2ftea");
}

TEST(PathMapTest, ReversedItGivesTheRecordedPath) {
  EXPECT_EQ(
      PathMap(PathPairs{{"/home/ada/tea", "/srv/ci/tea"}}).Reversed().Map("file:///srv/ci/tea/x"),
      "file:///home/ada/tea/x");
}

TEST(PathMapTest, UsedPairsAreNamed) {
  const PathMap map(PathPairs{{"/a", "/b"}, {"/c", "/d"}});
  std::vector<bool> used(2);
  TextEdits edits;
  map.Find("/c/x", &edits, &used);
  EXPECT_EQ(used, (std::vector<bool>{false, true}));
}

}  // namespace
}  // namespace midwire::replay
