// midwire wrap in TOML: Codex CLI and Helix.
#include <gmock/gmock.h>

#include "tests/tools/wrapping/wrapped.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;

TEST(WrapTomlTest, CommandMovesBehindMidwire) {
  ExpectWrapped(
      "# mine\n[mcp_servers.a]\ncommand = 'npx' # \"x\"\nargs = [\n  \"-y\", # one\n  'x',\n]\n",
      "# mine\n[mcp_servers.a]\ncommand = \"/bin/midwire\" # \"x\"\nargs = [\n  \"record\", "
      "\"--wrapped\", \"--\", 'npx', \"-y\", # one\n  'x',\n]\n");
}

TEST(WrapTomlTest, ArgumentsThatAreMissingAreAdded) {
  ExpectWrapped(
      "[language-server]\r\n  [language-server.'a b']\r\n  command = \"a\" # it\r\n",
      "[language-server]\r\n  [language-server.'a b']\r\n  args = [\"record\", \"--wrapped=new\", "
      "\"--\", \"a\"]\r\n  command = \"/bin/midwire\" # it\r\n");
}

TEST(WrapTomlTest, InlineTablesAndDottedKeys) {
  ExpectWrapped(
      "language-server.a = { command = \"a\" }\n"
      "language-server . \"b\" . command = \"b\"\nlanguage-server.c.command = 'c'\n"
      "language-server.c.args = []\n",
      "language-server.a = { args = [\"record\", \"--wrapped=new\", \"--\", \"a\"], command = "
      "\"/bin/midwire\" }\n"
      "language-server . \"b\" . args = [\"record\", \"--wrapped=new\", \"--\", \"b\"]\n"
      "language-server . \"b\" . command = \"/bin/midwire\"\n"
      "language-server.c.command = \"/bin/midwire\"\n"
      "language-server.c.args = [\"record\", \"--wrapped\", \"--\", 'c']\n");
}

TEST(WrapTomlTest, OtherTablesAreReadAndStay) {
  ExpectWrapped(
      "a = 1979-05-27 07:32:00Z\nb = \"\"\"x\n\\\n  y\"\"\"\"\nc = '''\n[mcp_servers.no]\n'''\n"
      "[[language]]\nname = \"x\"\n[language.formatter]\ncommand = \"f\"\n[[language]]\n"
      "[mcp_servers]\n\"a.b\" = {url = \"https://x\"}\nq = {command = \"q\\u0041\", args = "
      "[1_0]}\n",
      "a = 1979-05-27 07:32:00Z\nb = \"\"\"x\n\\\n  y\"\"\"\"\nc = '''\n[mcp_servers.no]\n'''\n"
      "[[language]]\nname = \"x\"\n[language.formatter]\ncommand = \"f\"\n[[language]]\n"
      "[mcp_servers]\n\"a.b\" = {url = \"https://x\"}\nq = {command = \"/bin/midwire\", args = "
      "[\"record\", \"--wrapped\", \"--\", \"q\\u0041\", 1_0]}\n");
}

TEST(WrapTomlTest, CommandInSeveralLinesIsLeftAlone) {
  const std::string text = "[mcp_servers.a]\ncommand = \"\"\"a\"\"\"\n";
  EXPECT_EQ(Wrapped(text), text);
  EXPECT_EQ(WrapServers(Read(text), {}, {.midwire = kMidwire})->notes[0].text,
            "its command is in several lines");
  EXPECT_EQ(Wrapped(text, {"a"}), "\"a\": its command is in several lines (edit it by hand)");
}

TEST(ConfigTest, BrokenTomlIsRefusedWithItsPlace) {
  const auto error = [](const std::string& text) {
    const auto config = ReadConfig(text);
    return config ? "read" : config.error().Text();
  };
  EXPECT_EQ(error("[a]\nb = \"c\n"),
            "a string without an end: line 2, column 7 (correct it first)");
  EXPECT_EQ(error("[a]\nb = 1\n[a]\n"),
            "a second table of this name: line 3, column 4 (correct it first)");
  EXPECT_EQ(error("[a]\nb = 1\nb = 2\n"),
            "a second value of this name: line 3, column 6 (correct it first)");
  EXPECT_EQ(error("[a\nb = 1\n"), "a ] is expected: line 1, column 3 (correct it first)");
  EXPECT_EQ(error("# b\na = 1 b = 2\n"),
            "a value is expected: line 2, column 12 (correct it first)");
  EXPECT_THAT(error("a = " + std::string(100000, '[')), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace midwire::tools
