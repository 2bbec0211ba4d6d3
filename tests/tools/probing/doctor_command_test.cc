// midwire doctor: what is odd about a plugin, and what is installed.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/tools/command.h"
#include "tests/tools/probing/answers.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

class DoctorTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    setenv("HOME", folder_.c_str(), 1);
    unsetenv("XDG_CONFIG_HOME");
  }
  // A plugin in shell.
  std::string Plugin(const std::string& script) const {
    const std::string path = Save("plugin", "#!/bin/sh\n" + script);
    chmod(path.c_str(), 0700);
    return path;
  }
  Ran Doctor(const std::string& script) const {
    return Run({"doctor", "--wait", "60s", "--", Plugin(script)});
  }
  // Answers a line that has the word, and reads on.
  static std::string Answers(const std::string& word, const std::string& answer) {
    return "while read -r line; do case $line in *" + word + "*) printf '%b' '" + answer +
           "' ;; esac; done\n";
  }
};

TEST_F(DoctorTest, PluginWithoutAFault) {
  const Ran ran = Doctor(Answers("2025-06-18", std::string(kMcpAnswer) + "\\n"));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("protocol MCP, one message per line: answers initialize after "));
  EXPECT_THAT(ran.out, HasSubstr("midwire  through midwire record, the same after "));
  EXPECT_THAT(ran.out, HasSubstr("nothing is odd"));
  EXPECT_FALSE(std::filesystem::exists(Path("midwire"))) << "no tape is left";
}

TEST_F(DoctorTest, PluginWithHeaders) {
  const std::string body = R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})";
  const Ran ran = Doctor(
      "read -r line; read -r blank; case $line in Content-Length*) printf "
      "'Content-Length: " +
      std::to_string(body.size()) + "\\r\\n\\r\\n%s' '" + body + "' ;; esac; cat > /dev/null\n");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("protocol LSP, Content-Length headers"));
}

TEST_F(DoctorTest, TextsOnStdout) {
  const Ran ran =
      Doctor("echo Starting with sk-ant-api03-Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OWFiY2RlZmdo\n" +
             Answers("2025-06-18", std::string(kMcpAnswer) + "\\n"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out,
              HasSubstr("odd      stdout has 1 text that is no message: \"Starting with ***"));
  EXPECT_THAT(ran.out, Not(HasSubstr("Zm9v")));
}

TEST_F(DoctorTest, ExitsAtOnce) {
  const Ran ran = Doctor("echo loading >&2; echo 'no module x' >&2; exit 3\n");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out,
              HasSubstr("odd      exits before it answers anything: exit 3; stderr ends with: "
                        "no module x"));
}

TEST_F(DoctorTest, TheErrorsAboveTheLastLineOfStderr) {
  const Ran ran =
      Doctor("printf 'starting\\nnpm error code E404\\nnpm error a log is in /x\\n' >&2; exit 1\n");
  EXPECT_THAT(ran.out, HasSubstr("exit 1; stderr ends with: npm error a log is in /x\n"
                                 "stderr   npm error code E404\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("starting")));
}

TEST_F(DoctorTest, AnswersInTheOtherFraming) {
  const Ran ran = Doctor(
      Answers("2025-06-18", "Content-Length: " + std::to_string(std::string(kMcpAnswer).size()) +
                                "\\r\\n\\r\\n" + kMcpAnswer));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("odd      wrong framing: MCP was sent in the other one"));
}

TEST_F(DoctorTest, DoesNotKnowInitialize) {
  const std::string error =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}})";
  const Ran ran = Doctor(Answers("initialize", error + "\\n"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("with an error: -32601, unknown"));
  EXPECT_THAT(ran.out,
              HasSubstr("note     it has no initialize: another protocol, or MCP from 2026"));
  EXPECT_THAT(ran.out, HasSubstr("\n         nothing else is odd\n"));
}

TEST_F(DoctorTest, RefusesEachInitializeWithALongError) {
  const std::string error =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad\\nline two"}})";
  const Ran ran = Doctor(Answers("initialize", error + "\\n"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("with an error: -32602, bad ...\n"));
  EXPECT_THAT(ran.out, HasSubstr("odd      refuses the initialize of each protocol"));
}

TEST_F(DoctorTest, AnErrorOfAnotherProtocolComesLongBeforeTheAnswer) {
  const std::string error =
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"protocolVersion"}})";
  const Ran ran =
      Doctor("read -r line; case $line in *clientCapabilities*) echo '" + error +
             "' ;; *2025-06-18*) [ -e \"$0.slept\" ] || { : > \"$0.slept\"; sleep 1.5; }; echo '" +
             kMcpAnswer + "' ;; esac; cat > /dev/null\n");
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("protocol MCP, one message per line: answers initialize after "));
}

TEST_F(DoctorTest, AnswersOnlyAtItsFirstStart) {
  const Ran ran = Doctor("[ -e \"$0.lock\" ] && echo locked >&2 && exit 3\nread -r line\n" +
                         std::string("case $line in *2025-06-18*) : > \"$0.lock\"; echo '") +
                         kMcpAnswer + "' ;; esac; cat > /dev/null\n");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("odd      started a second time, it exits before it answers: exit "
                                 "3; stderr ends with: locked"));
  EXPECT_THAT(ran.out, Not(HasSubstr("through midwire")));
}

TEST_F(DoctorTest, SaysNothing) {
  const Ran ran = Run({"doctor", "--wait", "200ms", "--", Plugin("cat > /dev/null\n")});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("no message within 200ms"));
}

TEST_F(DoctorTest, OnlyEchoes) {
  const Ran ran = Doctor("read -r line; printf '%s\\n' \"$line\"\n");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("odd      sends back what it gets, and no answer: this is no "));
  EXPECT_THAT(ran.out, Not(HasSubstr("nothing is odd")));
}

TEST_F(DoctorTest, EchoesAndAnswers) {
  const Ran ran =
      Doctor("read -r line; printf '%s\\n' \"$line\"; case $line in *2025-06-18*) echo '" +
             std::string(kMcpAnswer) + "' ;; esac; cat > /dev/null\n");
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("protocol MCP, one message per line: answers initialize after "));
  EXPECT_THAT(ran.out, HasSubstr("odd      sends back what it gets, and then an answer"));
}

TEST_F(DoctorTest, CommandThatIsNotFound) {
  const Ran ran = Run({"doctor", "--", "no-such-plugin"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("command not found: no-such-plugin is not in PATH"));
  EXPECT_THAT(Run({"doctor", "--", "./nowhere"}).out, HasSubstr("there is no file ./nowhere"));
  EXPECT_THAT(Run({"doctor", "--", Save("plain", "")}).out, HasSubstr("cannot be executed"));
}

TEST_F(DoctorTest, InterpreterThatIsNotThere) {
  const std::string path = Save("plugin", "#!/no/such/python\n");
  chmod(path.c_str(), 0700);
  const Ran ran = Run({"doctor", "--", path});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("is there what its first line names? #!/no/such/python"));
}

TEST_F(DoctorTest, AFileOfNoFormatThatTheKernelKnowsIsExplained) {
  const auto sent = [&](const std::string& bytes) {
    const std::string path = Save("plugin", bytes);
    std::filesystem::permissions(path, std::filesystem::perms(0700));
    return Run({"doctor", "--", path}).out;
  };
  const std::string elf(
      "\x7f"
      "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x16\0",
      20);
  EXPECT_THAT(sent("echo hello\n"), HasSubstr("its first line names no interpreter"));
  EXPECT_THAT(sent(elf), HasSubstr("it is a program for another machine: machine 22 of ELF"));
  EXPECT_THAT(sent(""), HasSubstr("the file is empty"));
}

TEST_F(DoctorTest, CommandThatOnlyAShellFinds) {
  Plugin(Answers("2025-06-18", std::string(kMcpAnswer) + "\\n"));
  const std::string before = getenv("PATH");
  setenv("PATH", (folder_ + ":" + before).c_str(), 1);
  const Ran ran = Run({"doctor", "--wait", "60s", "--", "plugin"});
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("command  plugin is " + Path("plugin")));
  EXPECT_THAT(ran.out, HasSubstr("note     a host that is started from the desktop may not have " +
                                 folder_));
  EXPECT_THAT(ran.out, HasSubstr("\n         nothing else is odd\n")) << "below a note";
}

TEST_F(DoctorTest, PluginThatFailsOnlyThroughMidwire) {
  const Ran ran = Doctor(
      "case $(tr '\\0' ' ' < /proc/$PPID/cmdline) in *' record '*) echo why >&2; exit 4 ;; esac\n" +
      Answers("2025-06-18", std::string(kMcpAnswer) + "\\n"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out,
              HasSubstr("through midwire record, it exits before it answers: exit 4; stderr "
                        "ends with: why"));
}

TEST_F(DoctorTest, WhatIsInstalledAndWrapped) {
  std::filesystem::create_directories(Path(".cursor"));
  Save(".cursor/mcp.json", R"({"mcpServers": {"a": {"command": "a", "args": []}}})");
  ASSERT_EQ(Run({"wrap", "--host", "cursor"}).code, 0);
  ASSERT_EQ(Run({"record", "--", "true"}).code, 0);
  const Ran ran = Run({"doctor"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr(MidwirePath()));
  EXPECT_THAT(ran.out, HasSubstr("tapes    " + folder_ + "/midwire: 1 tape, "));
  EXPECT_THAT(ran.out, HasSubstr("cursor  " + Path(".cursor/mcp.json") + "\n  a  a  [wrapped]"));
  EXPECT_EQ(Run({"doctor", "--"}).code, 2);
}

}  // namespace
}  // namespace midwire::tools
