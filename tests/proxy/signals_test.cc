// Signals: what is sent to midwire alone reaches the plugin, what a terminal sends reaches it once.
#include <sys/ioctl.h>

#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class SignalsTest : public RecordTest {};

TEST_F(SignalsTest, SentToMidwireAloneTheyReachThePlugin) {
  Host host({.command = Recorded({"tells_signals"})});
  ASSERT_EQ(host.HearLine(), "ready\n");
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT, SIGALRM,
                     SIGPIPE, SIGURG, SIGRTMIN, SIGRTMAX}) {
    host.Signal(number);
    ASSERT_EQ(host.HearLine(), std::to_string(number) + "\n");
  }
  host.CloseIn();
  EXPECT_EQ(host.HearAll(), "");  // none twice
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  const auto events = ReadTape(tape()).All<trace::SignalEvent>();
  ASSERT_EQ(events.size(), 13u);
  EXPECT_EQ(events[0].number, SIGTERM);
}

TEST_F(SignalsTest, AQueuedValueIsKept) {
  Host host({.command = Recorded({"tells_signals"})});
  ASSERT_EQ(host.HearLine(), "ready\n");
  sigqueue(host.pid(), SIGUSR1, {.sival_int = 4711});
  EXPECT_EQ(host.HearLine(), std::to_string(SIGUSR1) + " value 4711\n");
}

TEST_F(SignalsTest, APluginEndedByOneEndsMidwireTheSameWay) {
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR2}) {
    Host host({.command = Recorded({"deaf"})});
    ASSERT_EQ(host.Hear(6), "ready\n");
    host.Signal(number);
    EXPECT_EQ(host.Wait(), (Ending{-1, number}));
  }
}

TEST_F(SignalsTest, AnAlarmSetBeforeTheStartReachesThePlugin) {
  for (const Command& command : {Direct({"tells_signals"}), Recorded({"tells_signals"})}) {
    Host host({.command = command, .before_exec = [] { ualarm(300'000, 0); }});
    ASSERT_EQ(host.HearLine(), "ready\n");
    EXPECT_EQ(host.HearLine(), std::to_string(SIGALRM) + "\n");
  }
}

// A terminal of its own for the command, which leads its session and foreground group.
class TerminalSignalsTest : public SignalsTest {
 protected:
  TerminalSignalsTest() {
    master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    grantpt(master_), unlockpt(master_);
    slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~TerminalSignalsTest() override { close(master_), close(slave_); }

  // Two of a signal may become one before the peer sees them; the tape knows what was passed on.
  void ExpectNothingWasPassedOnBefore(int number, Host* host) {
    host->Signal(number);
    EXPECT_EQ(host->HearLine(), std::to_string(number) + "\n");
    const auto events = ReadTape(tape()).All<trace::SignalEvent>();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].number, number);
  }

  std::function<void()> take_terminal_ = [this] {
    setsid();
    ioctl(slave_, TIOCSCTTY, 0);
  };
  int master_, slave_;
};

TEST_F(TerminalSignalsTest, CtrlCReachesThePluginOnce) {
  Host host({.command = Recorded({"tells_signals"}), .before_exec = take_terminal_});
  ASSERT_EQ(host.HearLine(), "ready\n");
  ASSERT_EQ(write(master_, "\x03", 1), 1);
  EXPECT_EQ(host.HearLine(), std::to_string(SIGINT) + "\n");
  ExpectNothingWasPassedOnBefore(SIGUSR1, &host);
}

TEST_F(TerminalSignalsTest, ANewWindowSizeReachesThePluginOnce) {
  Host host({.command = Recorded({"tells_signals"}), .before_exec = take_terminal_});
  ASSERT_EQ(host.HearLine(), "ready\n");
  winsize size = {.ws_row = 30, .ws_col = 90};
  ioctl(master_, TIOCSWINSZ, &size);
  EXPECT_EQ(host.HearLine(), std::to_string(SIGWINCH) + "\n");
  ExpectNothingWasPassedOnBefore(SIGUSR1, &host);
}

TEST_F(SignalsTest, APluginThatStopsStopsMidwireAndIsContinuedThroughIt) {
  for (const Command& command : {Direct({"stops"}), Recorded({"stops"})}) {
    Host host({.command = command, .before_exec = [] { setpgid(0, 0); }});
    ASSERT_EQ(host.HearLine(), "ready\n");
    int status = 0;
    ASSERT_TRUE(Eventually([&] { return waitpid(host.pid(), &status, WNOHANG | WUNTRACED) != 0; }));
    ASSERT_TRUE(WIFSTOPPED(status));
    host.Signal(SIGCONT);
    EXPECT_EQ(host.HearLine(), "back\n");
    EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  }
}

TEST_F(SignalsTest, IgnoredChildSignalDoesNotLoseTheStatus) {
  Host host(
      {.command = Recorded({"exits", "17"}), .before_exec = [] { signal(SIGCHLD, SIG_IGN); }});
  EXPECT_EQ(host.Wait(), (Ending{17, 0}));
}

}  // namespace
}  // namespace midwire::proxy
