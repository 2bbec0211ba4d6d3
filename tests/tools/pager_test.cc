// Output that does not fit on a terminal.
#include <gmock/gmock.h>
#include <pty.h>

#include <sstream>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

class PagerTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    setenv("TERM", "xterm", 1);
    setenv("PAGER", ("cat > '" + Path("paged") + "'").c_str(), 1);
    Tape tape = Tape::Of({"p"});
    for (int i = 0; i < 20; ++i) tape.Host("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n");
    tape_ = Save("t.pcapng", tape.Exit(0).bytes());
  }
  void TearDown() override {
    unsetenv("PAGER");
    unsetenv("TERM");
  }
  // What appears on a terminal of so many rows.
  std::string Terminal(unsigned short rows, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), MidwirePath());
    const winsize size = {.ws_row = rows, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
    if (pid == 0) {
      std::vector<char*> argv;
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    std::string shown;
    char bytes[4096];
    for (ssize_t size_read; (size_read = read(terminal, bytes, sizeof bytes)) > 0;) {
      shown.append(bytes, static_cast<size_t>(size_read));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    close(terminal);
    EXPECT_EQ(status, 0);
    return shown;
  }

  std::string tape_;
};

TEST_F(PagerTest, LongOutputGoesToThePager) {
  EXPECT_EQ(Terminal(10, {"show", tape_, "--dialect", "none"}), "");
  EXPECT_THAT(ReadIfThere(Path("paged")), testing::HasSubstr("exit 0"));
}

TEST_F(PagerTest, WithoutColorsNothingOnTheTerminalHasOne) {
  const std::string filter = "method=none";
  EXPECT_THAT(Terminal(50, {"show", tape_, filter}), testing::HasSubstr("\x1b["));
  for (const std::vector<std::string>& never :
       {std::vector<std::string>{"--color", "never"}, {"--color=never"}}) {
    std::vector<std::string> arguments = {"show", tape_, filter};
    arguments.insert(arguments.end(), never.begin(), never.end());
    const std::string shown = Terminal(50, arguments);
    EXPECT_THAT(shown, testing::HasSubstr("midwire: info: nothing matches"));
    EXPECT_THAT(shown, testing::Not(testing::HasSubstr("\x1b[")));
  }
}

TEST_F(PagerTest, ListsAreWrappedAtBlanks) {
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"dialect", "list"}, {"import", "--list"}}) {
    std::istringstream lines(Terminal(60, command));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 81u) << line;
    EXPECT_NE(Terminal(60, command).find("\r\n      "), std::string::npos) << command[0];
  }
}

TEST_F(PagerTest, OutputThatFitsDoesNot) {
  EXPECT_THAT(Terminal(60, {"show", tape_, "--dialect", "none"}), testing::HasSubstr("exit 0"));
  EXPECT_FALSE(std::filesystem::exists(Path("paged")));
}

TEST_F(PagerTest, NoPager) {
  EXPECT_THAT(Terminal(10, {"show", tape_, "--no-pager"}), testing::HasSubstr("exit 0"));
  setenv("PAGER", "", 1);
  EXPECT_THAT(Terminal(10, {"show", tape_}), testing::HasSubstr("exit 0"));
  EXPECT_FALSE(std::filesystem::exists(Path("paged")));
}

TEST_F(PagerTest, APipeHasNone) {
  EXPECT_THAT(Run({"show", tape_}).out, testing::HasSubstr("exit 0"));
  EXPECT_FALSE(std::filesystem::exists(Path("paged")));
}

}  // namespace
}  // namespace midwire::tools
