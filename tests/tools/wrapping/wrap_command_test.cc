// midwire wrap and midwire unwrap, as commands on files.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/tools/command.h"
#include "tests/tools/full_disk.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr char kTwoServers[] =
    "{\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"notes-server\",\n"
    "      \"args\": [\"--all\"]\n    },\n    \"far\": {\"url\": \"https://far.example\"}\n  "
    "}\n}\n";

class WrapCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    for (const char* name : {"XDG_CONFIG_HOME", "CODEX_HOME", "CONTINUE_GLOBAL_DIR"})
      unsetenv(name);
    setenv("HOME", folder_.c_str(), 1);
  }
  // Everything in the folder of the configuration except what the fixture writes.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      const std::string name = file.path().filename();
      if (name != "out" && name != "err" && name != "midwire") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(WrapCommandTest, TheUndoLineQuotesAPathWithBlanks) {
  const Ran wrap = Run({"wrap", Save("my mcp.json", kTwoServers)});
  EXPECT_THAT(wrap.out, HasSubstr("undo     midwire unwrap '" + Path("my mcp.json") + "'\n"));
}

TEST_F(WrapCommandTest, WrapAndUnwrapLeaveNoTrace) {
  const std::string path = Save("mcp.json", kTwoServers);
  chmod(path.c_str(), 0640);
  const Ran wrap = Run({"wrap", path});
  EXPECT_EQ(wrap.code, 0) << wrap.err;
  EXPECT_THAT(wrap.out, HasSubstr("wrapped: notes  (notes-server --all)\n"
                                  "skipped: far  (remote, nothing to start: https://far.example)"));
  EXPECT_THAT(wrap.out, HasSubstr("tapes    " + folder_ + "/midwire,"));
  EXPECT_THAT(wrap.out, HasSubstr("undo     midwire unwrap " + path));
  EXPECT_THAT(ReadFile(path), HasSubstr("\"args\": [\"record\", \"--wrapped\", \"--\", "
                                        "\"notes-server\", \"--all\"]"));
  EXPECT_THAT(ReadFile(path), HasSubstr("\"command\": \"" + MidwirePath() + "\""));
  EXPECT_EQ(ReadFile(path + ".before-midwire"), kTwoServers);

  const Ran again = Run({"wrap", path});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("already wrapped: notes"));
  EXPECT_THAT(again.out, HasSubstr("unchanged: " + path));

  EXPECT_EQ(Run({"unwrap", path}).code, 0);
  EXPECT_EQ(ReadFile(path), kTwoServers);
  struct stat status;
  stat(path.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_THAT(Files(), testing::ElementsAre("mcp.json"));
}

TEST_F(WrapCommandTest, WrappedCommandRecords) {
  const std::string path =
      Save("mcp.json", R"({"mcpServers": {"a": {"command": "/bin/echo", "args": ["hello"]}}})");
  ASSERT_EQ(Run({"wrap", path}).code, 0);
  // What the host starts.
  const Ran ran = Run({"record", "--wrapped", "--", "/bin/echo", "hello"});
  EXPECT_EQ(ran.out, "hello\n");
  const Ran added = Run({"record", "--wrapped=new", "--", "/bin/echo", "--wrapped"});
  EXPECT_EQ(added.out, "--wrapped\n");
  EXPECT_THAT(Run({"show"}).err, HasSubstr("echo-"));
}

TEST_F(WrapCommandTest, HostsAreFoundAndListed) {
  std::filesystem::create_directories(Path(".cursor"));
  Save(".cursor/mcp.json",
       R"({"mcpServers": {"a": {"command": "a", "args": ["--token", "sk-ant-api03-)"
       R"(Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3A"]}}})");
  const Ran list = Run({"wrap", "--list"});
  EXPECT_THAT(list.out,
              HasSubstr("cursor  " + Path(".cursor/mcp.json") + "\n  a  a --token ***\n"));
  EXPECT_EQ(Run({"wrap", "--host", "cursor"}).code, 0);
  EXPECT_THAT(Run({"wrap", "--list"}).out, HasSubstr("[wrapped]"));
  EXPECT_THAT(Run({"unwrap", "--host", "cursor", "a"}).out, HasSubstr("restart Cursor"));
  EXPECT_THAT(Run({"wrap", "--list"}).out, Not(HasSubstr("[wrapped]")));

  const Ran missing = Run({"wrap", "--host", "zed"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("Zed has no configuration here: " + Path(".config/zed")));
  EXPECT_THAT(Run({"wrap", "--host", "pico"}).err, HasSubstr("no such host: \"pico\" (one of"));
}

TEST_F(WrapCommandTest, WhatOneFileRunsIsListed) {
  const std::string path = Save("any.json", R"({"mcpServers": {"a": {"command": "a"}}})");
  EXPECT_EQ(Run({"wrap", "--list", path}).out, path + "\n  a  a\n");
  ASSERT_EQ(Run({"wrap", path}).code, 0);
  EXPECT_EQ(Run({"wrap", "--list", path}).out, path + "\n  a  a  [wrapped]\n");
  EXPECT_THAT(Run({"wrap", "--list", path, "a"}).err, HasSubstr("one argument too many: \"a\""));
  EXPECT_THAT(Run({"wrap", "--list", Save("b.json", "{")}).err, HasSubstr(Path("b.json")));
  EXPECT_EQ(Run({"wrap", "--list", "--host", "zed"}).code, 2);
}

TEST_F(WrapCommandTest, PluginsOfOneNameAreListedWithTheirProjects) {
  Save(".claude.json", R"({"mcpServers": {"a": {"command": "a"}},)"
                       R"( "projects": {"/w": {"mcpServers": {"a": {"command": "b"}}}}})");
  EXPECT_THAT(Run({"wrap", "--list"}).out, HasSubstr("\n  a  a\n  a (/w)  b\n"));
}

TEST_F(WrapCommandTest, DryRunPrintsADiffThatPatchApplies) {
  const std::string path = Save("mcp.json", kTwoServers);
  const Ran dry = Run({"wrap", "--dry-run", "--command", "/m", path}, Path("diff"));
  EXPECT_EQ(dry.code, 0);
  EXPECT_EQ(ReadFile(path), kTwoServers);
  EXPECT_EQ(ReadFile(Path("diff")),
            "--- " + path + "\n+++ " + path +
                "\n@@ -1,8 +1,8 @@\n {\n   \"mcpServers\": {\n     \"notes\": {\n"
                "-      \"command\": \"notes-server\",\n-      \"args\": [\"--all\"]\n"
                "+      \"command\": \"/m\",\n+      \"args\": [\"record\", \"--wrapped\", \"--\", "
                "\"notes-server\", \"--all\"]\n     },\n     \"far\": {\"url\": "
                "\"https://far.example\"}\n   }\n");
}

TEST_F(WrapCommandTest, DryRunEscapesWhatCouldActOnATerminal) {
  const std::string path = Save("e.toml",
                                "# \033]0;pwn\007 \xc2\x9b \xe2\x80\xae\tx\r\n"
                                "[mcp_servers.a]\ncommand = \"x\"\n");
  for (const char* command : {"wrap", "unwrap"}) {
    const Ran dry = Run({command, "--dry-run", path});
    EXPECT_THAT(dry.out, HasSubstr("\n # \\x1b]0;pwn\\x07 \\u009b \\u202e\tx\r\n")) << dry.err;
    Run({"wrap", path});
  }
}

TEST_F(WrapCommandTest, OtherChangesSinceStay) {
  const std::string path = Save("mcp.json", kTwoServers);
  ASSERT_EQ(Run({"wrap", path}).code, 0);
  const std::string url = "https://far.example";
  std::string text = ReadFile(path);
  Save("mcp.json", text.replace(text.find(url), url.size(), "https://near.example"));
  const Ran unwrap = Run({"unwrap", path});
  EXPECT_EQ(unwrap.code, 0);
  std::string expected = kTwoServers;
  expected.replace(expected.find(url), url.size(), "https://near.example");
  EXPECT_EQ(ReadFile(path), expected);
  EXPECT_EQ(ReadFile(path + ".before-midwire"), kTwoServers) << "another text: the copy stays";
  EXPECT_THAT(unwrap.out, HasSubstr("kept     " + path + ".before-midwire, which differs: "));
}

TEST_F(WrapCommandTest, PluginsWrappedOneByOneLeaveNoCopies) {
  const std::string both = R"({"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}})";
  const std::string path = Save("mcp.json", both);
  ASSERT_EQ(Run({"wrap", path, "a"}).code, 0);
  ASSERT_EQ(Run({"wrap", path, "b"}).code, 0);
  EXPECT_THAT(Files(), testing::ElementsAre("mcp.json", "mcp.json.before-midwire",
                                            "mcp.json.before-midwire.2"));
  EXPECT_THAT(Run({"unwrap", path, "a"}).out, Not(testing::ContainsRegex("removed|kept")));
  const Ran last = Run({"unwrap", path, "b"});
  EXPECT_THAT(last.out, HasSubstr("before-midwire, which is the same\nremoved  " + path +
                                  ".before-midwire.2, the same with midwire\n"));
  EXPECT_EQ(ReadFile(path), both);
  EXPECT_THAT(Files(), testing::ElementsAre("mcp.json"));
}

TEST_F(WrapCommandTest, CopiesThatAKilledUnwrapLeftAreRemovedByTheNext) {
  const std::string path = Save("mcp.json", kTwoServers);
  Save("mcp.json.before-midwire.3", kTwoServers);
  Save("mcp.json.before-midwire.mine", kTwoServers);
  const Ran again = Run({"unwrap", path});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("removed  " + path + ".before-midwire.3, which is the same\n"));
  EXPECT_THAT(Files(), testing::ElementsAre("mcp.json", "mcp.json.before-midwire.mine"));
}

TEST_F(WrapCommandTest, ADiskThatIsFullAfterTheCopyKeepsNoCopy) {
  std::string text = kTwoServers;
  text += std::string(512 - text.size() % 512, '\n');  // wrapped, it has more blocks
  Save("mcp.json", text);
  const Ran ran = RunOnFullDisk(folder_, "wrap mcp.json", static_cast<int>(text.size() / 512));
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("cannot write: mcp.json"));
  EXPECT_EQ(ReadFile(Path("mcp.json")), text);
  EXPECT_FALSE(std::filesystem::exists(Path("mcp.json.before-midwire")));
}

TEST_F(WrapCommandTest, WhatCannotBeReplacedIsRefusedInOneLine) {
  const std::string path = Save("mcp.json", kTwoServers), link = Path("link.json");
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  const auto refused = [&](const std::string& file, const std::string& why) {
    for (const char* command : {"wrap", "unwrap"}) {
      const Ran ran = Run({command, file});
      EXPECT_EQ(ran.code, 2);
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
      EXPECT_THAT(ran.err, HasSubstr(why));
      EXPECT_THAT(ran.out, IsEmpty());
    }
    EXPECT_EQ(ReadFile(path), kTwoServers);
  };
  refused(link, "this is a link: " + link + " (name the file that it leads to)");
  refused(folder_, "this is not a regular file");
  refused(Path("none"), "cannot read: " + Path("none") + " (No such file");
  chmod(path.c_str(), 0400);
  refused(path, "this file is read-only");
  chmod(path.c_str(), 0600);
  const std::string other = Path("other.json");
  ASSERT_EQ(::link(path.c_str(), other.c_str()), 0);
  refused(path, "more than one name");
  unlink(other.c_str());
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    refused(path, "this file belongs to user 12345");
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
  }
  EXPECT_THAT(Run({"wrap", Save("broken.json", "{\n\"a\" 1}")}).err,
              HasSubstr("a colon is expected: " + Path("broken.json") + ", line 2, column 5"));
  EXPECT_THAT(Run({"wrap", Save("c.json", "\n/* {\"mcpServers\":{}")}).err,
              HasSubstr("a comment without an end: " + Path("c.json") + ", line 2, column 1"));
  EXPECT_THAT(Run({"wrap", Save("d.json", std::string(1'000'000, '['))}).err,
              HasSubstr("nested too deeply: " + Path("d.json") + ", line 1, column 66"));
  EXPECT_THAT(Run({"wrap", Save("q.toml", std::string(3001, '"'))}).err,
              HasSubstr(Path("q.toml") + ", line 1, column "));
  EXPECT_THAT(Run({"wrap", Save("other.json", "{\"a\": 1}")}).err,
              HasSubstr("no servers are in it"));
  EXPECT_THAT(Run({"wrap"}).err, HasSubstr("no configuration is named"));
  EXPECT_THAT(Files(), Not(testing::Contains(StartsWith(".midwire"))));
}

}  // namespace
}  // namespace midwire::tools
