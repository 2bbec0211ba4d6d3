// midwire wrap in JSON: what hosts with MCP servers have.
#include <gmock/gmock.h>

#include "tests/tools/wrapping/wrapped.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;

TEST(WrapJsonTest, CommandMovesBehindMidwire) {
  ExpectWrapped(R"({"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}})",
                R"({"mcpServers": {"a": {"command": "/bin/midwire", "args": ["record", )"
                R"("--wrapped", "--", "npx", "-y", "x"]}}})");
}

TEST(WrapJsonTest, ArgumentsThatAreMissingAreAdded) {
  ExpectWrapped(R"({"mcpServers": {"a": {"command": "a"}}})",
                R"({"mcpServers": {"a": {"args": ["record", "--wrapped=new", "--", "a"], )"
                R"("command": "/bin/midwire"}}})");
}

TEST(WrapJsonTest, EmptyArgumentsStayEmpty) {
  ExpectWrapped(R"({"mcpServers": {"a": {"command": "a", "args": [ ]}}})",
                R"({"mcpServers": {"a": {"command": "/bin/midwire", "args": ["record", )"
                R"("--wrapped", "--", "a" ]}}})");
}

TEST(WrapJsonTest, CommentsTabsLineEndsAndTrailingCommasStay) {
  ExpectWrapped(
      "\xef\xbb\xbf// mine\r\n{\r\n\t\"servers\": {\r\n\t\t\"a\": { /* one */\r\n"
      "\t\t\t\"command\": \"a\", // \"command\": \"b\"\r\n\t\t\t\"env\": {\"A\": \"1\",},\r\n"
      "\t\t},\r\n\t},\r\n}\r\n",
      "\xef\xbb\xbf// mine\r\n{\r\n\t\"servers\": {\r\n\t\t\"a\": { /* one */\r\n"
      "\t\t\t\"args\": [\"record\", \"--wrapped=new\", \"--\", \"a\"],\r\n"
      "\t\t\t\"command\": \"/bin/midwire\", // \"command\": \"b\"\r\n"
      "\t\t\t\"env\": {\"A\": \"1\",},\r\n\t\t},\r\n\t},\r\n}\r\n");
}

TEST(WrapJsonTest, CommentsBeforeTheFirstBraceAreNoOtherFormat) {
  const std::string before = R"({"mcpServers": {"a": {"command": "a", "args": []}}})";
  const std::string after = R"({"mcpServers": {"a": {"command": "/bin/midwire", "args": )"
                            R"(["record", "--wrapped", "--", "a"]}}})";
  for (const std::string comment :
       {"/* one */", "/* one */ ", "/*/ one\n = */\n", "// one\n/**/"}) {
    ExpectWrapped(comment + before, comment + after);
  }
}

TEST(WrapJsonTest, EscapesOfTheCommandStayAsTheyAre) {
  const std::string before = R"({"mcpServers":{"a":{"args":["-y"],"command":"n\u0070x\/1"}}})";
  const std::string after = Wrapped(before);
  EXPECT_THAT(after, HasSubstr(R"("--", "n\u0070x\/1", "-y"])"));
  EXPECT_EQ(Unwrapped(after), before);
}

TEST(WrapJsonTest, CommandWithANulByteIsRefused) {
  for (const std::string server :
       {R"({"command": "a\u0000b"})", R"({"command": "a", "args": ["b\u0000"]})"}) {
    const std::string before =
        R"({"mcpServers": {"bad": )" + server + R"(, "good": {"command": "a"}}})";
    EXPECT_THAT(Wrapped(before), HasSubstr("\"bad\": a word of its command has a NUL byte"));
    EXPECT_THAT(Wrapped(before, {"good"}), HasSubstr("--wrapped"));
  }
}

TEST(WrapJsonTest, LineOfWordsStaysALine) {
  ExpectWrapped(R"({"mcpServers": {"a": {"command": "npx -y x"}}})",
                R"({"mcpServers": {"a": {"command": )"
                R"("/bin/midwire record --wrapped=line -- npx -y x"}}})");
}

TEST(WrapJsonTest, LineForAShellRunsInAShell) {
  ExpectWrapped(R"({"mcpServers": {"a": {"command": "A=1 x 'y z' \"$HOME\" && w"}}})",
                R"({"mcpServers": {"a": {"command": "/bin/midwire record --wrapped=shell -- )"
                R"(sh -c 'A=1 x '\\''y z'\\'' \"$HOME\" && w'"}}})");
}

TEST(WrapJsonTest, NameWithBlanksIsNoLine) {
  const std::string before = R"({"mcpServers": {"a": {"command": "/My Apps/a"}}})";
  const auto is_file = [](const std::string& name) { return name == "/My Apps/a"; };
  const std::string after = Wrapped(before, {}, {.midwire = kMidwire, .is_file = is_file});
  EXPECT_THAT(after, HasSubstr(R"("--", "/My Apps/a"])"));
  EXPECT_EQ(Unwrapped(after), before);
}

TEST(WrapJsonTest, NameInAFolderOfTheHostIsNoLine) {
  ExpectWrapped(R"({"servers": {"a": {"command": "${workspaceFolder}/my tools/a"}}})",
                R"({"servers": {"a": {"args": ["record", "--wrapped=new", "--", )"
                R"("${workspaceFolder}/my tools/a"], "command": "/bin/midwire"}}})");
}

TEST(WrapJsonTest, ServersOfAllProjectsAreFound) {
  const std::string before =
      R"({"mcpServers": {"a": {"command": "a", "args": []}}, )"
      R"("projects": {"/p": {"mcpServers": {"a": {"command": "b", "args": []}}}}})";
  const auto made = WrapServers(Read(before), {}, {.midwire = kMidwire});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->notes.size(), 2u);
  EXPECT_EQ(made->notes[1].server, "a (/p)");
  EXPECT_EQ(made->edits.size(), 4u);
}

TEST(WrapJsonTest, ZedNamesItsMembersOtherwise) {
  ExpectWrapped(R"({"context_servers": {"a": {"command": {"path": "a", "args": ["b"]}}},)"
                R"( "lsp": {"c": {"binary": {"path": "c", "arguments": ["d"]}}}})",
                R"({"context_servers": {"a": {"command": {"path": "/bin/midwire", "args": )"
                R"(["record", "--wrapped", "--", "a", "b"]}}}, "lsp": {"c": {"binary": {"path": )"
                R"("/bin/midwire", "arguments": ["record", "--wrapped", "--", "c", "d"]}}}})");
}

TEST(WrapJsonTest, AgentsOfZed) {
  const std::string text =
      R"({"agent_servers": {"mine": {"type": "custom", "command": "agent", "args": ["--acp"]}, )"
      R"("theirs": {"type": "registry"}}})";
  const auto made = WrapServers(Read(text), {}, {.midwire = kMidwire});
  ASSERT_TRUE(made);
  EXPECT_THAT(made->bytes, HasSubstr(R"("command": "/bin/midwire", "args": ["record", )"
                                     R"("--wrapped", "--", "agent", "--acp"]})"));
  EXPECT_EQ(made->notes[1].text, "it has no command");
  EXPECT_EQ(Unwrapped(made->bytes), text);
}

TEST(WrapJsonTest, CommandThatIsAListOfWords) {
  ExpectWrapped(R"({"mcp": {"servers": {"a": {"command": ["a", "b"]}}}})",
                R"({"mcp": {"servers": {"a": {"command": )"
                R"(["/bin/midwire", "record", "--wrapped", "--", "a", "b"]}}}})");
}

TEST(WrapJsonTest, RemoteServersAreSkippedAndNamed) {
  const std::string text = R"({"mcpServers": {"r": {"url": "https://r"}, "o": {"x": 1}}})";
  const auto made = WrapServers(Read(text), {}, {.midwire = kMidwire});
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->changed());
  EXPECT_EQ(made->notes[0].text, "remote, nothing to start: https://r");
  EXPECT_EQ(made->notes[1].text, "it has no command");
  EXPECT_EQ(Wrapped(text, {"r"}), text);
  EXPECT_EQ(Wrapped(text, {"o"}), "\"o\": it has no command (edit it by hand)");
}

TEST(WrapJsonTest, EmptyCommandIsSkipped) {
  const std::string text = R"({"mcpServers": {"e": {"command": "", "args": ["x"]}}})";
  EXPECT_EQ(Wrapped(text), text);
  EXPECT_EQ(Wrapped(text, {"e"}), "\"e\": its command is empty (edit it by hand)");
}

TEST(WrapJsonTest, OnlyNamedServersChange) {
  const std::string text =
      R"({"mcpServers": {"a": {"command": "a", "args": []}, "b": {"command": "b", "args": []}}})";
  EXPECT_THAT(Wrapped(text, {"b"}), HasSubstr(R"("command": "a", "args": [])"));
  EXPECT_EQ(Wrapped(text, {"c"}), "no server is named \"c\" (it has a, b)");
}

TEST(WrapJsonTest, TwoServersOfOneName) {
  EXPECT_EQ(Wrapped(R"({"mcpServers": {"a": {"command": "a"}, "a": {"command": "b"}}})"),
            "two entries of one name: a (remove one of them first)");
}

TEST(WrapJsonTest, WrappedByHandIsLeftAlone) {
  const std::string text =
      R"({"mcpServers": {"a": {"command": "midwire", "args": ["record", "--", "a", "b"]}}})";
  EXPECT_EQ(Wrapped(text), text);
  EXPECT_EQ(Unwrapped(text), text);
  EXPECT_EQ(Unwrapped(text, /*by_hand=*/true),
            R"({"mcpServers": {"a": {"command": "a", "args": ["b"]}}})");
}

TEST(WrapJsonTest, WhatTheUserChangedSinceStays) {
  EXPECT_EQ(
      Unwrapped(R"({"mcpServers": {"a": {"command": "/bin/midwire", "env": {"A": "1"}, )"
                R"("args": ["record", "--wrapped", "--redact", "shapes", "--", "a", "new"]}}})"),
      R"({"mcpServers": {"a": {"command": "a", "env": {"A": "1"}, "args": ["new"]}}})");
  EXPECT_EQ(
      Unwrapped(R"({"mcpServers": {"a": {"args": ["record", "--wrapped=new", "--", "a", "b"],)"
                R"( "command": "/bin/midwire"}}})"),
      R"({"mcpServers": {"a": {"args": ["b"], "command": "a"}}})");
  EXPECT_EQ(Unwrapped(R"({"mcpServers": {"a": {"command": "/bin/midwire", )"
                      R"("args": ["record", "--wrapped=new", "--", "a",]}}})"),
            R"({"mcpServers": {"a": {"command": "a", "args": []}}})");
}

TEST(WrapJsonTest, ArgumentsThatAreNoListAreRefused) {
  EXPECT_EQ(Wrapped(R"({"mcpServers": {"a": {"command": "a", "args": "b"}}})"),
            R"({"mcpServers": {"a": {"command": "a", "args": "b"}}})");
}

TEST(ConfigTest, BrokenFilesAreRefusedWithTheirPlace) {
  const auto error = [](const std::string& text) {
    const auto config = ReadConfig(text);
    return config ? "read" : config.error().Text();
  };
  EXPECT_EQ(error("{\n  \"a\": tru\n}"),
            "a value is expected: line 2, column 8 (correct it first)");
  EXPECT_EQ(error("{\"a\": 1 \"b\": 2}"),
            "a comma or } is expected: line 1, column 9 (correct it first)");
  EXPECT_EQ(error("{\"a\": 1"), "a comma or } is expected: line 1, column 8 (correct it first)");
  EXPECT_EQ(error("{} {}"),
            "there is more after the end of the value: line 1, column 4 (correct it first)");
  EXPECT_EQ(error("{ /* }"), "a comment without an end: line 1, column 3 (correct it first)");
  EXPECT_EQ(error("{\"a\": \"\xff\"}"), "not a text in UTF-8 (it was not changed)");
  EXPECT_EQ(error(" \n"), "there is nothing in it (add a server in the host first)");
  EXPECT_THAT(error(std::string(100000, '[')), HasSubstr("line 1, column"));
  EXPECT_THAT(error("{\"a\":" + std::string(100000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error("{\"a\":" + std::string(100000, '{')), HasSubstr("line 1, column"));
}

}  // namespace
}  // namespace midwire::tools
