// Traces from pipes: the first messages are read ahead, so that the output is that of the file.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/eventually.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

// Bytes of one write: less than a block of a tape.
constexpr size_t kPiece = 700;

class ReadAheadTest : public CommandTest {
 protected:
  static std::string Framed(const std::string& body) {
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  // A language server that logs JSON before its first message, so that the framing of the dialect
  // decides how messages are counted.
  static Tape Logging() {
    return Tape::Of({"ls"})
        .Plugin("{\"level\":\"info\"}\n")
        .Us(5)
        .Host(Framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"))
        .Us(5)
        .Plugin(Framed(R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})"))
        .Us(5)
        .Host(Framed(R"({"jsonrpc":"2.0","method":"textDocument/didClose",)"
                     R"("params":{"textDocument":{"uri":"file:///a.cc"}}})"))
        .Us(5)
        .Exit(0);
  }

  // Opens a pipe for writing once midwire has opened it for reading, and writes in pieces.
  int Feed(const std::string& pipe, const std::string& bytes) const {
    const int to = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    for (size_t at = 0; at < bytes.size(); at += kPiece) {
      const size_t size = std::min(kPiece, bytes.size() - at);
      EXPECT_EQ(write(to, bytes.data() + at, size), static_cast<ssize_t>(size));
    }
    return to;
  }
  std::string Pipe() const {
    EXPECT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
    return Path("pipe");
  }
  // A command whose standard input is the pipe.
  pid_t StartOn(const std::string& pipe, std::vector<std::string> arguments) const {
    const std::string script =
        "exec \"$0\" \"$@\" <" + pipe + " >" + Path("out") + " 2>" + Path("err");
    arguments.insert(arguments.begin(), {"sh", "-c", script, MidwirePath()});
    const pid_t pid = fork();
    if (pid != 0) return pid;
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv("/bin/sh", argv.data());
    _exit(127);
  }
  Ran RunOn(const std::string& bytes, const std::vector<std::string>& arguments) const {
    const std::string pipe = Pipe();
    const pid_t pid = StartOn(pipe, arguments);
    close(Feed(pipe, bytes));
    Ran ran = Wait(pid);
    unlink(pipe.c_str());
    return ran;
  }
  // A command's output for a file, and for a pipe with the same bytes. "TRACE": either of them.
  void ExpectTheSame(std::vector<std::string> arguments, const std::string& bytes) {
    const auto trace = std::find(arguments.begin(), arguments.end(), "TRACE");
    *trace = Save("t.pcapng", bytes);
    const Ran file = Run(arguments);
    *trace = "-";
    const Ran piped = RunOn(bytes, arguments);
    EXPECT_LT(file.code, 2) << file.err;
    EXPECT_EQ(piped.code, file.code) << piped.err;
    EXPECT_EQ(piped.out, file.out) << arguments[0];
    EXPECT_EQ(piped.err, file.err) << arguments[0];
  }
  void ExpectTheSame(const std::vector<std::string>& arguments) {
    ExpectTheSame(arguments, Logging().bytes());
  }
};

TEST_F(ReadAheadTest, ShowOfAPipe) {
  ExpectTheSame({"show", "TRACE"});
  ExpectTheSame({"show", "TRACE", "--json"});
  EXPECT_THAT(RunOn(Logging().bytes(), {"show", "-"}).out, HasSubstr("** dialect      lsp"));
}
TEST_F(ReadAheadTest, StatsOfAPipe) { ExpectTheSame({"stats", "TRACE"}); }
TEST_F(ReadAheadTest, CheckOfAPipe) { ExpectTheSame({"check", "TRACE", "--notes"}); }
TEST_F(ReadAheadTest, ADraftFromAPipe) { ExpectTheSame({"infer", "TRACE"}); }
TEST_F(ReadAheadTest, APipeAsACassette) {
  ExpectTheSame({"convert", "TRACE", "-", "--to", "cassette"});
}
TEST_F(ReadAheadTest, TheDialectOfAPipe) { ExpectTheSame({"dialect", "detect", "TRACE"}); }
TEST_F(ReadAheadTest, TheRevisionOfAPipe) {
  const std::string session = ReadFile(SourceFolder() + "/corpora/mcp/sessions/2025-03-26.jsonl");
  ExpectTheSame({"show", "TRACE"}, session);
  ExpectTheSame({"show", "TRACE", "--dialect", "mcp"}, session);
}

TEST_F(ReadAheadTest, ANamedPipeIsOpenedOnce) {
  const std::string pipe = Pipe();
  const pid_t pid = Start({"show", pipe});
  close(Feed(pipe, Logging().bytes()));
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("file:///a.cc"));
}
TEST_F(ReadAheadTest, DiffOfAFileAndAPipe) {
  const std::string tape = Logging().bytes();
  const std::string file = Save("t.pcapng", tape);
  EXPECT_EQ(RunOn(tape, {"diff", file, "-"}).out, Run({"diff", file, file}).out);
}
TEST_F(ReadAheadTest, AFilterOfExportReadsTwice) {
  const Ran ran = Run({"export", "-", "--to", "markdown", "--where", "failed"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("save the trace to a file first"));
  EXPECT_THAT(Run({"export", Path("none"), "--to", "markdown", "--where", "failed"}).err,
              HasSubstr("cannot open the trace"));
}
TEST_F(ReadAheadTest, NoTraceInAPipe) {
  const Ran ran = RunOn("hello\n", {"show", "-"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("not a trace: standard input"));
}

TEST_F(ReadAheadTest, FollowingAPipeHoldsNothingBack) {
  const std::string pipe = Pipe();
  const pid_t pid = StartOn(pipe, {"show", "-f", "-"});
  const int to = Feed(pipe, Logging().bytes());
  EXPECT_TRUE(
      Eventually([&] { return ReadIfThere(Path("out")).find("didClose") != std::string::npos; }));
  close(to);
  EXPECT_EQ(Wait(pid).code, 0);
}
TEST_F(ReadAheadTest, FollowingAPipeDetectsNothing) {
  EXPECT_THAT(RunOn(Logging().bytes(), {"show", "-f", "-"}).out, Not(HasSubstr("** dialect")));
}

}  // namespace
}  // namespace midwire::tools
