// Signals: what is sent to midwire alone reaches the plugin, what a terminal sends reaches it once.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include <array>

#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class SignalsTest : public RecordTest {};

TEST_F(SignalsTest, SentToMidwireAloneTheyReachThePlugin) {
  Host host({.command = Recorded({"print_signals"})});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT, SIGALRM,
                     SIGPIPE, SIGURG, SIGRTMIN, SIGRTMAX}) {
    host.Signal(number);
    ASSERT_EQ(host.ReceiveLine(), std::to_string(number) + "\n");
  }
  host.CloseIn();
  EXPECT_EQ(host.ReceiveAll(), "");  // none twice
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  const auto events = ReadTape(tape()).All<trace::SignalEvent>();
  ASSERT_EQ(events.size(), 13u);
  EXPECT_EQ(events[0].number, SIGTERM);
}

TEST_F(SignalsTest, AQueuedValueIsKept) {
  Host host({.command = Recorded({"print_signals"})});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  sigqueue(host.pid(), SIGUSR1, {.sival_int = 4711});
  EXPECT_EQ(host.ReceiveLine(), std::to_string(SIGUSR1) + " value 4711\n");
}

TEST_F(SignalsTest, APluginEndedByOneEndsMidwireTheSameWay) {
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR2}) {
    Host host({.command = Recorded({"deaf"})});
    ASSERT_EQ(host.Receive(6), "ready\n");
    host.Signal(number);
    EXPECT_EQ(host.Wait(), (Ending{-1, number}));
  }
}

// Blocked from before the start, it ends no plugin that is still starting; the plugin takes it
// later.
void SetAlarm() {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm, nullptr);
  ualarm(300'000, 0);
}

TEST_F(SignalsTest, AnAlarmSetBeforeTheStartReachesThePlugin) {
  for (const Command& command : {Direct({"print_signals"}), Recorded({"print_signals"})}) {
    Host host({.command = command, .before_exec = SetAlarm});
    ASSERT_EQ(host.ReceiveLine(), "ready\n");
    EXPECT_EQ(host.ReceiveLine(), std::to_string(SIGALRM) + "\n");
  }
}

// A terminal for the command alone, which leads its session and foreground group.
class TerminalSignalsTest : public SignalsTest {
 protected:
  TerminalSignalsTest() {
    master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    grantpt(master_), unlockpt(master_);
    slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~TerminalSignalsTest() override { close(master_), close(slave_); }

  // Two of a signal may become one before the peer sees them; the tape has what was passed on.
  void ExpectNothingWasPassedOnBefore(int number, Host* host) {
    host->Signal(number);
    EXPECT_EQ(host->ReceiveLine(), std::to_string(number) + "\n");
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
  Host host({.command = Recorded({"print_signals"}), .before_exec = take_terminal_});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  ASSERT_EQ(write(master_, "\x03", 1), 1);
  EXPECT_EQ(host.ReceiveLine(), std::to_string(SIGINT) + "\n");
  ExpectNothingWasPassedOnBefore(SIGUSR1, &host);
}

TEST_F(TerminalSignalsTest, ANewWindowSizeReachesThePluginOnce) {
  Host host({.command = Recorded({"print_signals"}), .before_exec = take_terminal_});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  winsize size = {.ws_row = 30, .ws_col = 90};
  ioctl(master_, TIOCSWINSZ, &size);
  EXPECT_EQ(host.ReceiveLine(), std::to_string(SIGWINCH) + "\n");
  ExpectNothingWasPassedOnBefore(SIGUSR1, &host);
}

TEST_F(SignalsTest, AChildSignalFromAUserDoesNotHideTheExit) {
  Host host({.command = Recorded({"/bin/sh", "-c", "kill -CHLD $PPID; exit 3"})});
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
}

TEST_F(SignalsTest, APluginThatStopsItselfIsContinuedByItsOwnPid) {
  const std::string script = "(sleep .2; kill -CONT $$) & kill -TSTP $$; exit 3";
  Host host({.command = Recorded({"/bin/sh", "-c", script}), .before_exec = [] { setpgid(0, 0); }});
  EXPECT_EQ(host.Wait(), (Ending{3, 0}));
}

TEST_F(TerminalSignalsTest, InTheBackgroundItNeitherStopsNorSpins) {
  // The session's leader keeps the foreground; midwire, in a group of its own, has the terminal.
  Host host({.command = Recorded({"/bin/sh", "-c", "sleep 1; exit 7"}),
             .in = End::kTerminal,
             .terminal = slave_,
             .before_exec = [this] {
               take_terminal_();
               const pid_t midwire = fork();
               if (midwire == 0) {
                 setpgid(0, 0);
                 return;
               }
               rusage used = {};
               int status = 0;
               wait4(midwire, &status, WUNTRACED, &used);
               if (WIFSTOPPED(status)) _exit(98);
               _exit(used.ru_utime.tv_sec + used.ru_stime.tv_sec > 0 ? 97 : WEXITSTATUS(status));
             }});
  ASSERT_EQ(write(master_, "typed\n", 6), 6);
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

TEST_F(TerminalSignalsTest, CtrlZStopsMidwireWithItsPlugin) {
  // Not the session's leader: an orphaned group is not stopped by its terminal. The plugin receives
  // its line only after midwire has stopped: a terminal sends its signal some time after the key.
  std::array<int, 2> stopped;
  ASSERT_EQ(pipe2(stopped.data(), O_CLOEXEC), 0);
  Host host({.command = Recorded({"/bin/sh", "-c", "echo ready; read word; exit 5"}),
             .before_exec = [this, &stopped] {
               take_terminal_();
               const pid_t midwire = fork();
               if (midwire == 0) {
                 setpgid(0, 0);
                 signal(SIGTTOU, SIG_IGN);
                 tcsetpgrp(slave_, getpgrp());
                 signal(SIGTTOU, SIG_DFL);
                 return;
               }
               int status = 0;
               waitpid(midwire, &status, WUNTRACED);
               if (!WIFSTOPPED(status) || write(stopped[1], "s", 1) != 1) _exit(98);
               kill(-midwire, SIGCONT);
               waitpid(midwire, &status, 0);
               _exit(WEXITSTATUS(status));
             }});
  ASSERT_EQ(host.ReceiveLine(), "ready\n");
  close(stopped[1]);
  ASSERT_EQ(write(master_, "\x1a", 1), 1);
  char byte = 0;
  EXPECT_EQ(read(stopped[0], &byte, 1), 1) << "midwire did not stop";
  close(stopped[0]);
  host.Say("word\n");
  EXPECT_EQ(host.Wait(), (Ending{5, 0}));
}

TEST_F(SignalsTest, IgnoredChildSignalDoesNotLoseTheStatus) {
  Host host(
      {.command = Recorded({"exits", "17"}), .before_exec = [] { signal(SIGCHLD, SIG_IGN); }});
  EXPECT_EQ(host.Wait(), (Ending{17, 0}));
}

}  // namespace
}  // namespace midwire::proxy
