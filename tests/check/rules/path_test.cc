// The rule type path.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kPath = R"({"type":"path","at":["fs/read:/params/path"],"roots":[
  {"prefix":"~/.claude/projects","grant":"init:/result/manifest/capabilities/claude",
   "known":"init:/result/manifest"},
  {"prefix":"/usr/share/p/"}],"code":-32001,"asking":"off"})";

// Whether a host that answers with a result is found wrong.
bool MustBeDenied(const std::string& path, const std::string& capabilities = R"({"claude":true})") {
  return !FoundBy(kPath, {Ask('>', 1, "init"),
                          Answer('<', 1, "{\"manifest\":{\"capabilities\":" + capabilities + "}}"),
                          Ask('<', 1, "fs/read", "{\"path\":\"" + path + "\"}"), Answer('>', 1)})
              .empty();
}

TEST(PathRule, InAGrantedRoot) {
  for (const char* path :
       {"~/.claude/projects", "~/.claude/projects/", "~/.claude/projects/a/b.jsonl",
        "~/.claude/./projects//a", "/home/ada/.claude/projects/a", "/tmp/x/.claude/projects",
        "/usr/share/p/x", "/usr/share/p", "~/.claude/projects/a..b", "~/.claude/projects/..."}) {
    EXPECT_FALSE(MustBeDenied(path)) << path;
  }
}
TEST(PathRule, OutsideOfEveryRoot) {
  for (const char* path : {"/etc/passwd", "~/.claude", "~/.claude/projectsx", "~", "", "x",
                           "/usr/share/pq", ".claude/projects/a", "/home/ada/claude/projects",
                           "~/a/.claude/projects", "~ada/.claude/projects"}) {
    EXPECT_TRUE(MustBeDenied(path)) << path;
  }
}
TEST(PathRule, StepsUpward) {
  for (const char* path : {"~/.claude/projects/..", "~/.claude/projects/../../.ssh/id", "..",
                           R"(~/.claude/projects/a\\..\\x)", "/usr/share/p/a/../b",
                           R"(~/.claude/projects/\u002e./x)"}) {
    EXPECT_TRUE(MustBeDenied(path)) << path;
  }
}
TEST(PathRule, ARootThatIsNotGranted) {
  EXPECT_TRUE(MustBeDenied("~/.claude/projects/a", "{}"));
  EXPECT_TRUE(MustBeDenied("~/.claude/projects/a", R"({"claude":false})"));
  EXPECT_FALSE(MustBeDenied("/usr/share/p/a", "{}"));
}
TEST(PathRule, WhatIsUnknownMayBeGranted) {
  const auto read = [](const std::string& path) {
    return FoundBy(kPath, {Ask('<', 1, "fs/read", "{\"path\":\"" + path + "\"}"), Answer('>', 1)});
  };
  EXPECT_EQ(read("~/.claude/projects/a"), "");
  EXPECT_EQ(read("/etc"), "#2 h2p /result: error -32001 to /etc | a result\n");
}
TEST(PathRule, DeniedAsRequired) {
  EXPECT_EQ(FoundBy(kPath, {Ask('<', 1, "fs/read", R"({"path":"../x"})"), Refuse('>', 1, -32001)}),
            "");
  EXPECT_EQ(FoundBy(kPath, {Ask('<', 1, "fs/read", R"({"path":"../x"})"), Refuse('>', 1, -32602)}),
            "#2 h2p /error/code: error -32001 to ../x | -32602\n");
}
TEST(PathRule, TheCallItselfHasASeverity) {
  EXPECT_EQ(FoundBy(R"({"type":"path","at":"m:/params/paths/*","roots":[{"prefix":"/a"}]})",
                    {Notify('<', "m", R"({"paths":["/a/b","/b","/c"]})")}),
            "#1 p2h /params/paths/1: a path in one of the roots | /b\n");
}

}  // namespace
}  // namespace midwire::trace
