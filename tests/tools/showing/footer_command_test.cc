// The footer of show -f on a terminal.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>

#include <fstream>
#include <utility>

#include "tests/eventually.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kFirstCall[] = "{\"id\":1,\"method\":\"one\"}\n";
constexpr char kSecondCall[] = "{\"id\":2,\"method\":\"two\"}\n";

// What these bytes leave on a terminal that is high enough: as much of ECMA-48 as the footer needs.
std::string OnScreen(std::string_view bytes) {
  std::vector<std::string> rows(1);
  size_t row = 0, column = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\r') {
      column = 0;
    } else if (bytes[i] == '\n') {
      if (++row == rows.size()) rows.emplace_back();
    } else if (bytes[i] == '\x1b') {
      const size_t end = bytes.find_first_not_of("0123456789;", i + 2);
      if (end == bytes.npos) break;
      if (bytes[end] == 'A') row -= std::stoul(std::string(bytes.substr(i + 2, end - i - 2)));
      if (bytes[end] == 'J') {
        rows.resize(row + 1);
        rows[row].resize(std::min(column, rows[row].size()));
      }
      i = end;
    } else {
      if (rows[row].size() <= column) rows[row].resize(column + 1, ' ');
      rows[row][column++] = bytes[i];
    }
  }
  std::string text;
  for (const std::string& line : rows) text += line + '\n';
  return text;
}

class FooterTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    setenv("TERM", "xterm", 1);
    Save("t.pcapng", start_.bytes());
  }
  void TearDown() override {
    unsetenv("TERM");
    if (terminal_ >= 0) close(terminal_);
  }

  void Open(const char* option = "--stderr") {
    const winsize size = {.ws_row = 24, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
    const std::string tape = Path("t.pcapng"), midwire = MidwirePath();
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      execl(midwire.c_str(), midwire.c_str(), "show", "-f", option, tape.c_str(), nullptr);
      _exit(127);
    }
    fcntl(terminal_, F_SETFL, O_NONBLOCK);
  }
  void Read() {
    char bytes[4096];
    for (ssize_t size; (size = read(terminal_, bytes, sizeof bytes)) > 0;) {
      sent_.append(bytes, static_cast<size_t>(size));
    }
  }
  bool Shows(const std::string& text) {
    return Eventually([&] {
      Read();
      return OnScreen(sent_).find(text) != std::string::npos;
    });
  }
  void Append(const Tape& longer) const {
    std::ofstream file(Path("t.pcapng"), std::ios::binary | std::ios::app);
    file << longer.bytes().substr(start_.bytes().size());
  }
  // Returns what is left on the screen.
  std::string Ending(int* status) {
    EXPECT_TRUE(Eventually([&] {
      Read();
      return waitpid(pid_, status, WNOHANG) == pid_;
    }));
    Read();
    return OnScreen(sent_);
  }

  const Tape start_ = Tape::Of({"p"}).Host(kFirstCall);
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string sent_;
};

TEST_F(FooterTest, IsBelowTheTimelineAndGoesWithTheSession) {
  Open();
  EXPECT_TRUE(Shows("1 open call ")) << OnScreen(sent_);
  EXPECT_TRUE(Shows("  one  id 1\n")) << OnScreen(sent_);
  Append(Tape(start_).Host(kSecondCall).Plugin("{\"id\":1,\"result\":0}\n").Exit(0));
  int status = -1;
  const std::string screen = Ending(&status);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(screen, HasSubstr(" two "));
  EXPECT_THAT(screen, HasSubstr("exit 0"));
  EXPECT_THAT(screen, Not(HasSubstr("open call")));
  EXPECT_EQ(screen.find("\n\n"), screen.size() - 2) << "the blank line above it";
}

TEST_F(FooterTest, ASignalErasesIt) {
  for (const int number : {SIGINT, SIGTERM}) {
    sent_.clear();
    Open();
    EXPECT_TRUE(Shows("1 open call "));
    kill(pid_, number);
    int status = -1;
    EXPECT_THAT(Ending(&status), Not(HasSubstr("open call")));
    EXPECT_EQ(status, number == SIGINT ? 0 : SIGTERM);
    close(std::exchange(terminal_, -1));
  }
}

TEST_F(FooterTest, ANewWidthIsNoticed) {
  Open();
  EXPECT_TRUE(Shows("1 open call "));
  const winsize narrow = {.ws_row = 24, .ws_col = 30, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(terminal_, TIOCSWINSZ, &narrow);
  EXPECT_TRUE(Shows("1 open call  -> 0/s, 0 B/s  \u2026\n")) << OnScreen(sent_);
  kill(pid_, SIGINT);
  int status = -1;
  EXPECT_THAT(Ending(&status), Not(HasSubstr("open call")));
}

TEST_F(FooterTest, WithoutColorItIsPlain) {
  setenv("NO_COLOR", "1", 1);
  Open();
  EXPECT_TRUE(Shows("1 open call "));
  EXPECT_THAT(sent_, Not(HasSubstr("m1 open call")));
  kill(pid_, SIGINT);
  int status = -1;
  Ending(&status);
}

TEST_F(FooterTest, JsonAndATerminalThatCannotMoveHaveNone) {
  for (const char* term : {"xterm", "dumb"}) {
    setenv("TERM", term, 1);
    sent_.clear();
    Open(term == std::string("dumb") ? "--body" : "--json");
    EXPECT_TRUE(Shows("one"));
    kill(pid_, SIGINT);
    int status = -1;
    Ending(&status);
    EXPECT_THAT(sent_, Not(HasSubstr("open call")));
    close(std::exchange(terminal_, -1));
  }
}

TEST_F(FooterTest, APipeHasNone) {
  const pid_t pid = Start({"show", "-f", Path("t.pcapng")});
  EXPECT_TRUE(
      Eventually([&] { return ReadIfThere(Path("out")).find(" one ") != std::string::npos; }));
  kill(pid, SIGINT);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(ran.out, Not(HasSubstr("open call")));
}

}  // namespace
}  // namespace midwire::tools
