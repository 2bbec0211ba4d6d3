// What a report or a tape may not overwrite, in each command that writes one.
#include <sys/stat.h>

#include "tests/tools/command.h"
#include "tests/tools/full_disk.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

constexpr char kCassette[] =
    R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"greet"}}
{"from":"plugin","message":{"id":1,"result":1}}
)";

class OutputFilesTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    tape_ = Save("v.pcapng", Tape::Of({"p"}).Host("{\"id\":1,\"method\":\"one\"}\n").bytes());
    cassette_ = Save("s.jsonl", kCassette);
    dialect_ = Save("dia.json", R"({"dialect":"dia"})");
  }
  // Nothing has run, and no file has changed.
  void ExpectRefused(const std::vector<std::string>& arguments) {
    const std::string tape = ReadFile(tape_), dialect = ReadFile(dialect_);
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("(name another file)"), std::string::npos) << ran.err;
    EXPECT_EQ(ReadFile(tape_), tape);
    EXPECT_EQ(ReadFile(cassette_), kCassette);
    EXPECT_EQ(ReadFile(dialect_), dialect);
    EXPECT_FALSE(std::filesystem::exists(Path("ran")));
  }
  std::string tape_, cassette_, dialect_;
};

TEST_F(OutputFilesTest, NoReportOverwritesWhatIsRead) {
  ExpectRefused({"check", tape_, "--junit", tape_});
  ExpectRefused({"check", "--sarif", cassette_, cassette_});
  ExpectRefused({"check", tape_, "--dialect", dialect_, "--sarif", dialect_});
  ExpectRefused({"diff", "--junit", tape_, cassette_, tape_});
  ExpectRefused({"replay", cassette_, "--junit", cassette_, "--", "touch", Path("ran")});
  ExpectRefused({"mock", cassette_, "--report", cassette_});
  ExpectRefused({"mock", cassette_, "--dialect", dialect_, "--report", dialect_});
}

TEST_F(OutputFilesTest, ItIsTheSameFileUnderAnotherName) {
  std::filesystem::create_symlink("v.pcapng", Path("link"));
  std::filesystem::create_hard_link(dialect_, Path("hard"));
  ExpectRefused({"check", tape_, "--junit", Path("link")});
  ExpectRefused({"check", tape_, "--dialect", dialect_, "--junit", Path("hard")});
}

TEST_F(OutputFilesTest, NoReportOverwritesAnotherTrace) {
  ExpectRefused({"check", "--sarif", cassette_, tape_});
  ExpectRefused({"check", "--junit", tape_, "--", "touch", Path("ran")});
}

TEST_F(OutputFilesTest, NoReportHasTheFileOfATapeOrOfAnotherReport) {
  ExpectRefused({"check", "-o", Path("new"), "--junit", Path("./new"), "--", "touch", Path("ran")});
  ExpectRefused({"replay", cassette_, "--record", Path("new"), "--junit", Path("new"), "--",
                 "touch", Path("ran")});
  ExpectRefused({"check", tape_, "--sarif", Path("new"), "--junit", Path("new")});
  EXPECT_FALSE(std::filesystem::exists(Path("new")));
}

TEST_F(OutputFilesTest, AnOlderReportIsOverwrittenAndADeviceTakesAny) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Run({"check", tape_, "--sarif", Path("s"), "--junit", Path("j")}).code, 0);
    EXPECT_EQ(Run({"diff", cassette_, cassette_, "--junit", Path("d")}).code, 0);
    Run({"mock", cassette_, "--json", "--report", Path("m")});
  }
  EXPECT_EQ(Run({"diff", cassette_, cassette_, "--junit", "/dev/null"}).code, 0);
}

TEST_F(OutputFilesTest, AReportThatCannotBeCreatedEndsTheCommandBeforeItRuns) {
  for (const std::string& name : {Path("no/such/file"), folder_}) {
    ExpectRefused({"check", tape_, "--junit", name});
    ExpectRefused({"check", "-o", Path("new"), "--sarif", name, "--", "touch", Path("ran")});
    ExpectRefused({"replay", cassette_, "--junit", name, "--", "touch", Path("ran")});
  }
}

TEST_F(OutputFilesTest, AnOutputThatCannotBeCreatedIsRefusedByAllCommands) {
  const std::string out = Path("no/file.jsonl");
  ExpectRefused({"convert", tape_, out});
  ExpectRefused({"recover", tape_, out});
  ExpectRefused({"redact", tape_, out});
  ExpectRefused({"infer", tape_, "-o", out});
  ExpectRefused({"report", tape_, "-o", out});
  ExpectRefused({"report", tape_, "-o", out, "--force"});
  ExpectRefused({"bundle", tape_, "-o", out});
  ExpectRefused({"export", "--to", "mermaid", tape_, "-o", out});
  ExpectRefused({"reduce", tape_, "-o", out, "--", "touch", Path("ran")});
}

TEST_F(OutputFilesTest, AnOutputWithoutANameIsRefusedByAllCommands) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"report", tape_, "-o", ""},
        {"report", tape_, "-o", "", "--force"},
        {"export", "--to", "mermaid", tape_, "-o", ""},
        {"infer", tape_, "-o", ""},
        {"chaos", "-o", "", "--", "touch", Path("ran")}}) {
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2) << arguments[0];
    EXPECT_EQ(ran.err, "midwire: error: no output is named (name one with -o FILE)\n");
    EXPECT_FALSE(std::filesystem::exists(Path("ran")));
  }
}

// Without a reader, the command would not end.
TEST_F(OutputFilesTest, ANamedPipeIsNotReplaced) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  ExpectRefused({"report", tape_, "-o", Path("pipe"), "--force"});
  ExpectRefused({"bundle", tape_, "-o", Path("pipe"), "--force"});
  EXPECT_NE(Run({"report", tape_, "-o", "/dev/stdout", "--force"}).out.find("<html"),
            std::string::npos);
}

TEST_F(OutputFilesTest, AReportCanGoToStandardOutput) {
  const Ran ran = Run({"diff", cassette_, cassette_, "--junit", "/dev/stdout"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("<testsuite"), std::string::npos) << ran.out;
}

TEST_F(OutputFilesTest, ATapeThatCannotBeCreatedEndsReplayBeforeThePlugin) {
  for (const std::string& name : {Path("no/dir.pcapng"), folder_}) {
    const Ran ran = Run(
        {"replay", cassette_, "--record", name, "--", "/bin/sh", "-c", "echo > " + Path("ran")});
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.err.find("error: cannot create the tape"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(Path("ran")));
  }
}

TEST_F(OutputFilesTest, ATapeThatEndsEarlyIsAnErrorOfReplay) {
  Save("plugin.sh", "read x; echo '{\"id\":1,\"result\":1}'; cat > /dev/null");
  const Ran ran = RunOnFullDisk(folder_, "replay s.jsonl --record t.pcapng -- sh plugin.sh");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("midwire: error: nothing is recorded"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace midwire::tools
