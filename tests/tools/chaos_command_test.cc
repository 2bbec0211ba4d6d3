// midwire chaos as a command, between a host that is the test and real plugins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/paths.h"
#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"
#include "trace/event.h"

namespace midwire::proxy {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr char kCallA[] = "{\"id\":1,\"method\":\"a\"}\n",
               kCallB[] = "{\"id\":2,\"method\":\"b\"}\n",
               kCallC[] = "{\"id\":3,\"method\":\"c\"}\n";

class ChaosCommandTest : public RecordTest {
 protected:
  Command Chaos(Command options, Command peer) const {
    Command command = {MidwirePath(), "chaos", "-o", tape()};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("--");
    peer = Direct(peer);
    command.insert(command.end(), peer.begin(), peer.end());
    return command;
  }
  struct Talked {
    std::string out, err;
    Ending ending;
  };
  // Sends everything, closes, reads everything.
  Talked Talk(Command options, const std::string& sent, Command peer = {"echoes"}) const {
    Host host({Chaos(std::move(options), std::move(peer))});
    host.SayFor(sent, kPatienceMs);
    host.CloseIn();
    Talked received;
    received.out = host.ReceiveAll();
    received.err = host.ReceiveErrors();
    received.ending = host.Wait();
    return received;
  }
};

std::string LongTalk() {
  std::string all;
  for (int i = 0; i < 200; ++i) {
    all += "{\"id\":" + std::to_string(i) + ",\"method\":\"m" + std::to_string(i % 5) + "\"}\n";
  }
  return all;
}

TEST_F(ChaosCommandTest, AtRateZeroEverythingPassesUnchanged) {
  Host host({Chaos({"--rate", "0", "--seed", "9"}, {"echoes"})});
  const std::string bytes = Pattern(50'000) + LongTalk();
  host.Say(bytes);
  EXPECT_EQ(host.Receive(bytes.size()), bytes);
  host.CloseIn();
  EXPECT_EQ(host.ReceiveAll(), "");
  EXPECT_THAT(host.ReceiveErrors(),
              MatchesRegex("midwire: chaos: seed 9: 0 faults in [0-9]+ messages\n"));
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_EQ(ReadTape(tape()).from_host(), bytes);
  EXPECT_EQ(ReadTape(tape()).from_plugin(), bytes);
}

TEST_F(ChaosCommandTest, TheTapeHasTheOriginalAndTheFault) {
  const Talked received =
      Talk({"--faults", "drop", "--rate", "1", "--on", "method=b dir=h2p", "--seed", "5"},
           std::string(kCallA) + kCallB + kCallC);
  EXPECT_EQ(received.out, std::string(kCallA) + kCallC);
  EXPECT_EQ(received.err, "midwire: chaos: seed 5: 1 fault in 5 messages (drop 1)\n");
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.from_host(), std::string(kCallA) + kCallB + kCallC);
  EXPECT_EQ(taped.from_plugin(), std::string(kCallA) + kCallC);
  ASSERT_EQ(taped.All<trace::ChaosEvent>().size(), 1u);
  const trace::ChaosEvent event = taped.All<trace::ChaosEvent>()[0];
  EXPECT_EQ(event.fault, "drop");
  EXPECT_EQ(event.direction, "host-to-plugin");
  EXPECT_EQ(event.number, 2);
  const auto notes = taped.All<trace::NoteEvent>();
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_THAT(notes[0].text, HasSubstr("seed 5, faults drop, rate 1"));
  EXPECT_THAT(notes[0].text, HasSubstr("on method=b dir=h2p"));
  EXPECT_EQ("midwire: " + notes[1].text + "\n", received.err);
}

TEST_F(ChaosCommandTest, ShowPrintsMessageAndFault) {
  Talk({"--faults", "truncate", "--rate", "1", "--on", "method=b dir=h2p"},
       std::string(kCallA) + kCallB + kCallC);
  Host show({{MidwirePath(), "show", "--color", "never", tape()}});
  const std::string shown = show.ReceiveAll();
  EXPECT_THAT(shown, HasSubstr("chaos: truncate message 2 (2 of host-to-plugin), sent: {"));
  EXPECT_EQ(show.Wait(), (Ending{0, 0}));
}

TEST_F(ChaosCommandTest, TheSameSeedMakesTheSameFaults) {
  const Command options = {"--rate", "40%", "--delay", "2ms", "--on", "dir=h2p", "--seed"};
  const auto with_seed = [&](const char* seed) {
    Command all = options;
    all.push_back(seed);
    return Talk(all, LongTalk()).out;
  };
  const std::string first = with_seed("1");
  EXPECT_NE(first, LongTalk());
  EXPECT_EQ(with_seed("1"), first);
  EXPECT_NE(with_seed("2"), first);
}

TEST_F(ChaosCommandTest, ARandomSeedIsPrinted) {
  const Talked received = Talk({"--rate", "0"}, kCallA);
  EXPECT_THAT(received.err, MatchesRegex("midwire: chaos: seed [0-9]+: 0 faults in 2 messages\n"));
}

TEST_F(ChaosCommandTest, EndsAsThePluginDoes) {
  EXPECT_EQ(Talk({}, "", {"exits", "7"}).ending, (Ending{7, 0}));
  EXPECT_EQ(Talk({}, "", {"/bin/sh", "-c", "kill -TERM $$"}).ending, (Ending{-1, SIGTERM}));
  const Talked missing = Talk({}, "", {"/no/such/plugin"});
  EXPECT_EQ(missing.ending, (Ending{127, 0}));
  EXPECT_THAT(missing.err, HasSubstr("/no/such/plugin"));
}

TEST_F(ChaosCommandTest, CloseIsTheEndOfItsDirection) {
  Host host({Chaos({"--faults", "close", "--rate", "1", "--on", "method=b dir=h2p"}, {"echoes"})});
  host.Say(std::string(kCallA) + kCallB + kCallC);
  EXPECT_EQ(host.ReceiveAll(), kCallA);
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_EQ(ReadTape(tape()).from_host(), std::string(kCallA) + kCallB + kCallC);
}

TEST_F(ChaosCommandTest, KillEndsThePluginAndTheTapeIsWhole) {
  Host host({Chaos({"--faults", "kill", "--rate", "1", "--on", "method=b dir=h2p"}, {"echoes"})});
  host.Say(kCallA);
  EXPECT_EQ(host.ReceiveLine(), kCallA);
  host.Say(kCallB);
  EXPECT_EQ(host.ReceiveAll(), "");
  EXPECT_THAT(host.ReceiveErrors(), HasSubstr("(kill 1)"));
  EXPECT_EQ(host.Wait(), (Ending{-1, SIGKILL}));
  EXPECT_EQ(ReadTape(tape()).All<trace::EndEvent>().size(), 1u);
}

TEST_F(ChaosCommandTest, AStallHasItsLength) {
  Host host({Chaos({"--faults", "stall", "--stall", "300ms", "--rate", "1", "--on", "dir=h2p"},
                   {"echoes"})});
  const int64_t before = NowMs();
  host.Say(kCallA);
  EXPECT_EQ(host.ReceiveLine(), kCallA);
  EXPECT_GE(NowMs() - before, 299);
}

TEST_F(ChaosCommandTest, TheLastMessageArrives) {
  Host host({Chaos({"--faults", "reorder,coalesce", "--rate", "1"}, {"echoes"})});
  host.Say(kCallA);
  EXPECT_EQ(host.ReceiveLine(), kCallA);
}

TEST_F(ChaosCommandTest, AHostIsHeldBackDuringAStall) {
  Host host({Chaos({"--faults", "stall", "--stall", "3600s", "--rate", "1"}, {"echoes"})});
  const std::string line = "{\"x\":\"" + std::string(1000, 'x') + "\"}\n";
  size_t taken = 0;
  while (taken < (4u << 20)) {
    const size_t now = host.SayFor(line, 300);
    taken += now;
    if (now < line.size()) break;
  }
  EXPECT_LT(taken, 1u << 20) << "a pipe, and one read";
  host.Signal(SIGTERM);
  EXPECT_EQ(host.Wait(), (Ending{-1, SIGTERM}));
}

TEST_F(ChaosCommandTest, AnMcpSessionSurvivesSplitsAndDelays) {
  const std::string corpus = SourceFolder() + "/corpora/mcp/";
  Host host({{"/usr/bin/env",
              "PYTHONDONTWRITEBYTECODE=1",
              "python3",
              corpus + "host.py",
              "--",
              MidwirePath(),
              "chaos",
              "-o",
              tape(),
              "--faults",
              "split,delay",
              "--delay",
              "5ms",
              "--rate",
              "50%",
              "--seed",
              "4",
              "--",
              "python3",
              corpus + "plugin.py"}});
  host.CloseIn();
  host.ReceiveAll();
  EXPECT_THAT(host.ReceiveErrors(), HasSubstr("chaos: seed 4: "));
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  EXPECT_GT(ReadTape(tape()).All<trace::ChaosEvent>().size(), 5u);
}

TEST_F(ChaosCommandTest, RedactLeavesNoPieceOfASecretInWhatWasSent) {
  std::string sent;
  for (int i = 0; i < 20; ++i) {
    sent += R"({"id":)" + std::to_string(i) +
            R"(,"method":"a","params":{"token":"abcdefghijklmnopqrstuvwxyz0123456789"}})"
            "\n";
  }
  Talk({"--faults", "truncate", "--rate", "1", "--on", "dir=h2p"}, sent,
       {"/bin/sh", "-c", "cat > /dev/null"});
  ASSERT_THAT(ReadFile(tape()), HasSubstr("abcdefgh"));
  Host redact(
      {{MidwirePath(), "redact", tape(), Path("hidden.pcapng"), "--secret", "/params/token"}});
  redact.ReceiveErrors();
  EXPECT_EQ(redact.Wait(), (Ending{0, 0}));
  EXPECT_THAT(ReadFile(Path("hidden.pcapng")), Not(HasSubstr("abcdefgh")));
  EXPECT_EQ(ReadTape(Path("hidden.pcapng")).All<trace::ChaosEvent>().size(), 20u);
}

TEST_F(ChaosCommandTest, MistakesAreReportedBeforeAnythingRuns) {
  const std::vector<Command> mistakes = {
      {"--faults", "dorp"}, {"--rate", "2"},          {"--rate", "x"},    {"--seed", "-1"},
      {"--seed", "1x"},     {"--on", "method"},       {"--delay", "now"}, {"--stall", "400d"},
      {"-o", "-"},          {"--on", "latency>50ms"}, {"--framing", "x"}};
  for (const Command& mistake : mistakes) {
    const Talked received = Talk(mistake, "", {"/bin/sh", "-c", "echo it ran"});
    EXPECT_EQ(received.ending, (Ending{2, 0})) << mistake[0] << " " << mistake[1];
    EXPECT_EQ(received.out, "");
    EXPECT_THAT(received.err, HasSubstr(mistake[0] == "-o" ? "--output" : mistake[0]))
        << received.err;
  }
  Host none({{MidwirePath(), "chaos"}});
  EXPECT_THAT(none.ReceiveErrors(), HasSubstr("no plugin to run"));
}

TEST_F(ChaosCommandTest, AFilterThatCannotBeUsedListsTheFields) {
  for (const char* on : {"at>1", "latency>50ms", "size", "colour=red"}) {
    const Talked received = Talk({"--on", on}, "", {"/bin/sh", "-c", "echo it ran"});
    EXPECT_EQ(received.ending, (Ending{2, 0})) << on;
    EXPECT_THAT(received.err, HasSubstr("use the fields number, dir, kind, method")) << on;
  }
}

TEST_F(ChaosCommandTest, ATapeThatCannotBeMadeIsReportedAndNothingRuns) {
  std::filesystem::create_symlink("/nowhere", Path("link.pcapng"));
  for (const std::string& path :
       {Path("link.pcapng"), Path("no/tape.pcapng"), Path(std::string(300, 'x')), Path("."),
        std::string("/dev/null"), std::string("/proc/none.pcapng/{pid}")}) {
    Host host({{MidwirePath(), "chaos", "-o", path, "--", "/bin/sh", "-c", "echo it ran"}});
    host.CloseIn();
    EXPECT_EQ(host.ReceiveAll(), "") << path;
    EXPECT_THAT(host.ReceiveErrors(), HasSubstr("cannot create the tape")) << path;
    EXPECT_EQ(host.Wait(), (Ending{2, 0})) << path;
  }
}

TEST_F(ChaosCommandTest, AnotherNameOfTheTapeIsPrinted) {
  EXPECT_THAT(Talk({}, kCallA).err, Not(HasSubstr("exists already")));
  const Talked received = Talk({}, kCallA);
  EXPECT_THAT(received.err, HasSubstr(tape() + " exists already: the tape is "));
  EXPECT_THAT(received.err, HasSubstr("-2.pcapng"));
}

TEST_F(ChaosCommandTest, ATapeThatStaysEmptyIsReported) {
  Host host({{"/bin/sh", "-c",
              "ulimit -f 0; exec '" + MidwirePath() + "' chaos -o " + tape() + " -- cat"}});
  host.CloseIn();
  EXPECT_THAT(host.ReceiveErrors(), HasSubstr("nothing is recorded, the tape stays empty: "));
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(ChaosCommandTest, HelpHasExamples) {
  Host host({{MidwirePath(), "chaos", "--help"}});
  EXPECT_THAT(host.ReceiveAll(), HasSubstr("midwire chaos -- my-plugin"));
}

}  // namespace
}  // namespace midwire::proxy
