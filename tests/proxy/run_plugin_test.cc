// Machines in the host's place and in the plugin's.
#include "proxy/run_plugin.h"

#include <sys/resource.h>

#include <filesystem>
#include <functional>

#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

// A test sets the functions; everything else is recorded. Ends the run when the plugin has ended,
// and at the latest after kPatience.
class Play : public Machine {
 public:
  std::function<void(Actions*)> on_start = [](Actions*) {};
  std::function<void(Actions*)> on_received = [](Actions*) {};  // plugin-to-host
  std::function<void(Actions*)> on_sent = [](Actions*) {};
  std::function<void(int, Actions*)> on_signal = [](int, Actions*) {};

  std::string received, errors;  // of plugin-to-host, or of host-to-plugin in the plugin's place
  std::string order;             // b: bytes, e: end, x: exit of the plugin
  std::vector<Stream> closed;

  void OnStart(Actions* actions) override {
    deadline_ = actions->Now() + kPatienceMs * int64_t{1'000'000};
    on_start(actions);
  }
  void OnBytes(Stream stream, std::string_view bytes, Actions* actions) override {
    if (stream == Stream::kStderr) {
      errors += bytes;
      return actions->Send(stream, bytes);
    }
    if (!order.ends_with('b')) order += 'b';
    received += bytes;
    on_received(actions);
  }
  void OnEof(Stream stream, Actions* actions) override {
    if (stream == Stream::kPluginToHost) order += 'e';
    if (stream == Stream::kHostToPlugin) actions->Finish();
  }
  void OnClosed(Stream stream, Actions*) override { closed.push_back(stream); }
  void OnSent(Stream, Actions* actions) override { on_sent(actions); }
  void OnSignal(const SignalInfo& signal, Actions* actions) override {
    on_signal(signal.number, actions);
  }
  void OnExit(const ExitStatus&, Actions* actions) override {
    order += 'x';
    actions->Finish();
  }
  void OnTime(Actions* actions) override {
    ADD_FAILURE() << "nothing happened for a minute";
    actions->Finish();
  }
  int64_t Deadline() const override { return deadline_; }

 private:
  int64_t deadline_ = kNever;
};

class RunPluginTest : public RecordTest {
 protected:
  RunOutcome Run(const Command& peer, bool record = false) {
    return RunPlugin({.argv = Direct(peer), .record = record ? tape() : "", .version = "test"},
                     &play_);
  }
  static size_t OpenDescriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }
  Play play_;
};

TEST_F(RunPluginTest, TheExitComesAfterTheLastBytes) {
  for (int i = 0; i < 20; ++i) {
    play_ = Play();
    EXPECT_EQ(Run({"write_and_exit", "100000"}).status.code, 3);
    EXPECT_EQ(play_.received.size(), 100'000u);
    EXPECT_EQ(play_.order, "bex");
  }
}

TEST_F(RunPluginTest, ReportsDeathBySignal) {
  const RunOutcome outcome = Run({"dies", std::to_string(SIGABRT)});
  EXPECT_EQ(outcome.status.code, -1);
  EXPECT_EQ(outcome.status.signal, SIGABRT);
  EXPECT_FALSE(outcome.killed);
}

TEST_F(RunPluginTest, APluginThatCannotBeStartedIsReported) {
  const RunOutcome none = Run({"/no/such/plugin"});
  EXPECT_EQ(none.status.code, 127);
  EXPECT_EQ(none.cannot_start,
            "cannot start the plugin: /no/such/plugin: No such file or directory");
  EXPECT_EQ(Run({"/etc/passwd"}).status.code, 126);
}

TEST_F(RunPluginTest, APluginThatKeepsRunningIsKilled) {
  play_.on_received = [](Actions* actions) { actions->Finish(); };
  const RunOutcome outcome = Run({"deaf"}, true);
  EXPECT_TRUE(outcome.killed);
  EXPECT_EQ(outcome.status.signal, SIGKILL);
  EXPECT_EQ(ReadTape(tape()).All<ExitStatus>().at(0).signal, SIGKILL);
}

TEST_F(RunPluginTest, TheMachineEndsAPluginByItsInputOrASignal) {
  play_.on_start = [](Actions* actions) { actions->CloseSink(Stream::kHostToPlugin); };
  EXPECT_EQ(Run({"echoes"}).status.code, 0);
  play_ = Play();
  play_.on_received = [](Actions* actions) { actions->SignalPlugin({.number = SIGUSR1}); };
  EXPECT_EQ(Run({"deaf"}).status.code, 6);
}

TEST_F(RunPluginTest, TheTapeHoldsBothDirectionsInOrder) {
  const std::string first = "{\"id\":1}\n", second = "{\"id\":2}\n";
  play_.on_start = [&](Actions* actions) { actions->Send(Stream::kHostToPlugin, first); };
  play_.on_received = [&](Actions* actions) {
    if (play_.received == first) actions->Send(Stream::kHostToPlugin, second);
    if (play_.received == first + second) actions->CloseSink(Stream::kHostToPlugin);
  };
  const RunOutcome outcome = Run({"echoes"}, true);
  EXPECT_TRUE(outcome.warnings.empty());
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.segments, std::vector<std::string>({first, first, second, second}));
  EXPECT_EQ(taped.All<trace::SpawnEvent>().at(0).argv, Direct({"echoes"}));
  EXPECT_EQ(taped.All<trace::EofEvent>().at(0).stream, "host-to-plugin");
  EXPECT_EQ(taped.All<ExitStatus>().at(0).code, 0);
  EXPECT_EQ(taped.All<trace::EndEvent>().size(), 1u);
}

TEST_F(RunPluginTest, ATapeIsNeverOverwritten) {
  std::ofstream(tape()) << "precious";
  Run({"exits", "0"}, true);
  EXPECT_EQ(std::filesystem::file_size(tape()), 8u);
  EXPECT_EQ(ReadTape(Path("tape-2.pcapng")).All<trace::EndEvent>().size(), 1u);
}

TEST_F(RunPluginTest, ATapeThatCannotBeMadeIsAWarning) {
  const RunOutcome outcome =
      RunPlugin({.argv = Direct({"exits", "4"}), .record = folder_ + "/none/tape"}, &play_);
  EXPECT_EQ(outcome.status.code, 4);
  ASSERT_EQ(outcome.warnings.size(), 1u);
  EXPECT_NE(outcome.warnings[0].find("/none/tape"), std::string::npos);
}

TEST_F(RunPluginTest, AMessageOfManySegmentsIsSentAndTapedWhole) {
  const std::string message = R"({"one":")" + std::string(10'000'000, 'x') + "\"}\n";
  play_.on_start = [&](Actions* actions) {
    actions->Send(Stream::kHostToPlugin, message);
    EXPECT_GT(actions->Pending(Stream::kHostToPlugin), 0u);
    actions->Send(Stream::kHostToPlugin, "after");
    actions->CloseSink(Stream::kHostToPlugin);
  };
  EXPECT_EQ(Run({"echoes"}, true).status.code, 0);
  EXPECT_TRUE(play_.received == message + "after");
  const Taped taped = ReadTape(tape());
  EXPECT_TRUE(taped.from_host() == message + "after");
  EXPECT_TRUE(taped.from_plugin() == message + "after");
}

TEST_F(RunPluginTest, APluginThatFloodsBeforeItReadsIsRead) {
  play_.on_start = [](Actions* actions) {
    actions->Send(Stream::kHostToPlugin, std::string(1'000'000, 'h'));
  };
  EXPECT_EQ(Run({"floods", "20"}).status.code, 0);
  EXPECT_GE(play_.received.size(), 20'000'000u);
}

// Sends endlessly as it is taken, always with something pending, and never lets it become empty.
TEST_F(RunPluginTest, SentBytesAreNotKept) {
  rusage before, after;
  const std::string piece(256 * 1024, 'p');
  size_t sent = 0;
  const auto fill = [&](Actions* actions) {
    while (actions->Pending(Stream::kHostToPlugin) < 2'000'000) {
      actions->Send(Stream::kHostToPlugin, piece);
      sent += piece.size();
    }
    play_.received.clear();
    if (sent > 300'000'000) actions->Finish();
  };
  play_.on_start = fill;
  play_.on_received = fill;
  getrusage(RUSAGE_SELF, &before);
  Run({"echoes"});
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 60 * 1024);  // KiB
}

TEST_F(RunPluginTest, APluginThatClosesItsInputIsSeen) {
  play_.on_received = [](Actions* actions) {
    actions->Send(Stream::kHostToPlugin, "nobody reads this");
    actions->SignalPlugin({.number = SIGTERM});
  };
  Run({"closes_stdin"});
  EXPECT_EQ(play_.closed, std::vector<Stream>({Stream::kHostToPlugin}));
}

TEST_F(RunPluginTest, AGrandchildThatHoldsThePipesDelaysTheExitLittle) {
  const int64_t start = NowMs();
  EXPECT_EQ(Run({"leaves_grandchild", "chatty"}).status.code, 9);
  EXPECT_LT(NowMs() - start, 20'000);
  EXPECT_EQ(play_.order, "bx");
  kill(atoi(play_.received.c_str()), SIGKILL);
}

TEST_F(RunPluginTest, ASignalForUsGoesToTheMachine) {
  const pid_t parent = getpid();
  pid_t sender = -1;
  play_.on_start = [&](Actions*) {
    sender = fork();
    if (sender == 0) _exit(kill(parent, SIGTERM) == 0 ? 0 : 1);
  };
  int got = 0;
  play_.on_signal = [&](int number, Actions* actions) {
    if (number == SIGTERM) got = number, actions->Finish();
  };
  EXPECT_TRUE(Run({"deaf"}).killed);
  EXPECT_EQ(got, SIGTERM);
  waitpid(sender, nullptr, 0);
}

// Answers so many lines that the driver waits in read, and then says what happens there.
class LongTalk : public Play {
 public:
  LongTalk() {
    on_start = [](Actions* actions) { actions->Send(Stream::kHostToPlugin, "0\n"); };
    on_received = [this](Actions* actions) {
      if (++turns_ < kTurns) return actions->Send(Stream::kHostToPlugin, "more\n");
      received.clear();
      on_end(actions);
    };
  }
  std::function<void(Actions*)> on_end = [](Actions*) {};
  bool woken = false;

  void OnBytes(Stream stream, std::string_view bytes, Actions* actions) override {
    Play::OnBytes(stream, bytes, actions);
    if (stream == Stream::kStderr) Wake(actions);
  }
  void OnTime(Actions* actions) override { Wake(actions); }
  void Wake(Actions* actions) {
    woken = true;
    deadline = kNever;
    actions->CloseSink(Stream::kHostToPlugin);
  }
  int64_t deadline = kNever;
  int64_t Deadline() const override { return deadline; }

 private:
  static constexpr int kTurns = 200;
  int turns_ = 0;
};

RunOutcome Talk(LongTalk* talk, const std::string& then = "cat") {
  const std::string script =
      "i=0; while [ $i -lt 200 ]; do read line; echo $i; i=$((i+1)); done; " + then;
  return RunPlugin({.argv = {"/bin/sh", "-c", script}, .version = "test"}, talk);
}

TEST_F(RunPluginTest, AfterALongTalkErrorsAreSeen) {
  LongTalk talk;
  EXPECT_EQ(Talk(&talk, "echo late >&2; cat; exit 5").status.code, 5);
  EXPECT_EQ(talk.errors, "late\n");
  EXPECT_EQ(talk.order, "bex");
}

TEST_F(RunPluginTest, AfterALongTalkADeadlineIsKept) {
  LongTalk talk;
  talk.on_end = [&](Actions* actions) { talk.deadline = actions->Now() + 1'000'000; };
  EXPECT_EQ(Talk(&talk).status.code, 0);
  EXPECT_TRUE(talk.woken);
}

TEST_F(RunPluginTest, AfterALongTalkASignalIsSeen) {
  LongTalk talk;
  pid_t sender = -1;
  talk.on_end = [&](Actions*) {
    sender = fork();
    if (sender == 0) _exit(kill(getppid(), SIGTERM));
  };
  talk.on_signal = [&](int number, Actions* actions) {
    if (number == SIGTERM) talk.Wake(actions);
  };
  EXPECT_EQ(Talk(&talk).status.code, 0);
  EXPECT_TRUE(talk.woken);
  waitpid(sender, nullptr, 0);
}

TEST_F(RunPluginTest, AfterALongTalkTheExitIsSeenThoughAnotherHoldsThePipe) {
  LongTalk talk;
  EXPECT_EQ(Talk(&talk, "sleep 10 & exit 4").status.code, 4);
  EXPECT_EQ(talk.order, "bx");
}

TEST_F(RunPluginTest, TheCallerStaysAsItWas) {
  Run({"exits", "0"});
  sigset_t before = {}, after = {};
  sigprocmask(SIG_BLOCK, nullptr, &before);
  const size_t open = OpenDescriptors();
  play_ = Play();
  play_.on_start = [](Actions* actions) {  // a broken pipe of our own
    actions->Send(Stream::kHostToPlugin, std::string(1'000'000, 'h'));
  };
  signal(SIGPIPE, SIG_DFL);
  Run({"exits", "0"});
  sigprocmask(SIG_BLOCK, nullptr, &after);
  EXPECT_EQ(memcmp(&before, &after, sizeof before), 0);
  EXPECT_EQ(sigismember(&after, SIGTERM), 0);
  EXPECT_EQ(OpenDescriptors(), open);
  signal(SIGPIPE, SIG_IGN);
}

// A process whose 0, 1 and 2 are a host's; exits with the value of `body`, or with 98 where the
// test has failed in it: its failures are not those of the parent.
Start InChild(std::function<int()> body, End in = End::kPipe, End out = End::kPipe,
              End err = End::kPipe) {
  return {.command = {"none"},
          .in = in,
          .out = out,
          .err = err,
          .before_exec = [body = std::move(body)] {
            close_range(3, ~0u, 0);  // as no exec does: the host's ends are among them
            const int code = body();
            _exit(testing::Test::HasFailure() ? 98 : code);
          }};
}

TEST_F(RunPluginTest, ThePluginHasPipesEvenWhereWeHaveNone) {
  Host host(InChild(
      [&] {
        Run({"print_process"});
        for (const char* line : {"descriptor 0: flags 0 cloexec 0\n", "descriptor 1: flags 0",
                                 "descriptor 2: flags 0"}) {
          if (play_.received.find(line) == std::string::npos) return 1;
        }
        return play_.received.find("descriptor 3") == std::string::npos ? 0 : 2;
      },
      End::kClosed, End::kClosed, End::kClosed));
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(RunPluginTest, OurOwnInputAndOutputAreNotTouched) {
  play_.on_received = [](Actions* actions) { actions->CloseSink(Stream::kHostToPlugin); };
  play_.on_start = [](Actions* actions) { actions->Send(Stream::kHostToPlugin, "to the plugin"); };
  Host host(InChild([&] {
    if (Run({"echoes"}).status.code != 0 || play_.received != "to the plugin") return 1;
    char bytes[64];
    const ssize_t size = read(0, bytes, sizeof bytes);
    return write(1, bytes, static_cast<size_t>(size)) == size ? 0 : 2;
  }));
  host.Say("for us");
  EXPECT_EQ(host.ReceiveAll(), "for us");
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(RunPluginTest, ItsErrorsGoToOursOrNowhere) {
  for (const bool pass : {true, false}) {
    Host host(InChild([&] {
      play_.on_start = [](Actions* actions) { actions->CloseSink(Stream::kHostToPlugin); };
      RunPlugin({.argv = Direct({"speaks_late", "1"}), .record = tape(), .pass_stderr = pass},
                &play_);
      return play_.errors == "stdin has ended\n" ? 0 : 1;
    }));
    EXPECT_EQ(host.ReceiveErrors(), pass ? "stdin has ended\n" : "");
    EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  }
  EXPECT_EQ(ReadTape(tape()).errors(), "stdin has ended\n");
}

// Answers in place of the plugin until the host closes.
int Answer(const std::function<void(Play*)>& set_up) {
  Play play;
  set_up(&play);
  RunOnStdio(&play);
  return 7;
}

TEST_F(RunPluginTest, OnStdioTheMachineIsThePlugin) {
  Host host(InChild([] {
    return Answer([](Play* play) {
      play->on_start = [](Actions* actions) { actions->Send(Stream::kStderr, "ready\n"); };
      play->on_received = [play](Actions* actions) {
        actions->Send(Stream::kPluginToHost, "<" + std::exchange(play->received, "") + ">");
      };
    });
  }));
  host.Say("one");
  EXPECT_EQ(host.Receive(5), "<one>");
  host.Say("two");
  EXPECT_EQ(host.Receive(5), "<two>");
  host.CloseIn();
  EXPECT_EQ(host.ReceiveAll(), "");
  EXPECT_EQ(host.ReceiveErrors(), "ready\n");
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

TEST_F(RunPluginTest, OnStdioALongTalkIsAnsweredToItsEnd) {
  Host host(InChild([] {
    return Answer([](Play* play) {
      play->on_received = [play](Actions* actions) {
        actions->Send(Stream::kPluginToHost, std::exchange(play->received, ""));
      };
    });
  }));
  for (int i = 100; i < 300; ++i) {
    host.Say(std::to_string(i));
    ASSERT_EQ(host.Receive(3), std::to_string(i));
  }
  host.CloseIn();
  EXPECT_EQ(host.ReceiveAll(), "");
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

TEST_F(RunPluginTest, OnStdioPendingBytesAreSentAtTheEnd) {
  const std::string answer = Pattern(5'000'000);
  Host host(InChild([&] {
    return Answer([&](Play* play) {
      play->on_start = [&](Actions* actions) {
        actions->Send(Stream::kPluginToHost, answer);
        actions->Finish();
      };
    });
  }));
  EXPECT_TRUE(host.ReceiveAll() == answer);
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

TEST_F(RunPluginTest, OnStdioAHostThatDoesNotReadIsNotWaitedForForever) {
  Host host(InChild([] {
    return Answer([](Play* play) {
      play->on_start = [](Actions* actions) {
        actions->Send(Stream::kPluginToHost, std::string(5'000'000, 'a'));
      };
    });
  }));
  host.Say(Pattern(1'000'000));
  host.CloseIn();
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

TEST_F(RunPluginTest, OnStdioClosedInputEndsAtOnce) {
  Host host(InChild([] { return Answer([](Play*) {}); }, End::kClosed, End::kClosed));
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

TEST_F(RunPluginTest, OnStdioASignalGoesToTheMachine) {
  Host host(InChild([] {
    return Answer([](Play* play) {
      play->on_start = [](Actions* actions) { actions->Send(Stream::kPluginToHost, "ready"); };
      play->on_signal = [](int number, Actions* actions) {
        if (number == SIGTERM) actions->Finish();
      };
    });
  }));
  EXPECT_EQ(host.Receive(5), "ready");
  host.Signal(SIGTERM);
  EXPECT_EQ(host.Wait(), (Ending{7, 0}));
}

}  // namespace
}  // namespace midwire::proxy
