// midwire replay of findings that midwire fuzz or reduce has kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/case.h"
#include "tests/paths.h"
#include "tests/tools/ill.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ReplayFindingCommandTest : public IllTest {
 protected:
  // A cassette of this finding, in which the host sends these lines.
  std::string Finding(fuzz::FindingRecord record, const std::string& sent) const {
    if (record.timeout_ms == 0) record.timeout_ms = 200;
    record.framing = wire::Framing::kLine;
    if (record.methods.empty()) record.methods = {"open", "ping", "note"};
    record.probe = R"("method":"midwire/probe","params":{})";
    fuzz::Transcript transcript;
    if (!sent.empty()) transcript.chunks = {{wire::Direction::kHostToPlugin, sent}};
    return Save("finding.jsonl", fuzz::WriteFinding(&record, transcript, {"plugin"}));
  }
  static fuzz::FindingRecord Crash() {
    return {.oracle = fuzz::Oracle::kSignal,
            .key = "signal SIGSEGV after open",
            .text = "ended by SIGSEGV",
            .hits = 3,
            .tries = 3};
  }
};

// It cannot be probed: it answers nothing.
constexpr char kMute[] = "while read a; do case $a in *note*) kill -SEGV $$;; esac; done";
constexpr char kNote[] = "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n";

constexpr char kOpen[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n";

TEST_F(ReplayFindingCommandTest, StillThere) {
  const Ran ran = Replay(Finding(Crash(), kOpen), "crash");
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(ran.out, "still occurs: ended by SIGSEGV, after request open\n");
}

TEST_F(ReplayFindingCommandTest, AMessageAboveTheSizeOfAPipe) {
  for (const size_t size : {size_t{100} << 10, size_t{3} << 19}) {
    const std::string open = R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"a":")" +
                             std::string(size, 'a') + "\"}}\n";
    EXPECT_EQ(Replay(Finding(Crash(), open), "crash").out,
              "still occurs: ended by SIGSEGV, after request open\n");
    EXPECT_EQ(Replay(Finding(Crash(), open), "calm").code, 0);
  }
}

TEST_F(ReplayFindingCommandTest, Gone) {
  const Ran ran = Replay(Finding(Crash(), kOpen), "calm");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "no longer occurs: ended by SIGSEGV\n");
}

TEST_F(ReplayFindingCommandTest, AnotherOne) {
  const Ran ran = Replay(Finding(Crash(), kOpen), "exit");
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(ran.out, "another finding: exit: exit 3, after request open\n");
}

TEST_F(ReplayFindingCommandTest, AMethodOfAMutantIsNotPartOfAKey) {
  fuzz::FindingRecord record = {.oracle = fuzz::Oracle::kUnknown,
                                .key = "unknown after request ?",
                                .text = "an answer to nothing",
                                .hits = 3,
                                .tries = 3};
  const std::string sent =
      std::string(kOpen) + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"op3n\"}\n";
  const std::string finding = Finding(record, sent);
  // It answers both, and then a request that was never sent.
  const std::string plugin =
      "read a; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}'; read b; "
      "echo '{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":1}'; "
      "echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":1}'; cat > /dev/null";
  const Ran ran = Run({"replay", finding, "--", "/bin/sh", "-c", plugin});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("still occurs: ")) << ran.out;
}

TEST_F(ReplayFindingCommandTest, AFindingWithoutMessagesSendsNone) {
  fuzz::FindingRecord spin = {.oracle = fuzz::Oracle::kSpin,
                              .key = "spin",
                              .text = "burns",
                              .eof = true,
                              .hits = 3,
                              .tries = 3};
  EXPECT_EQ(Replay(Finding(spin, ""), "spin").code, 1);
  EXPECT_EQ(Replay(Finding(spin, ""), "calm").code, 0);
  // Only the probe arrives.
  spin.eof = false;
  const std::string finding = Finding(spin, "");
  Run({"replay", finding, "--", "/bin/sh", "-c", "tee -a " + Path("heard")});
  EXPECT_THAT(ReadFile(Path("heard")), testing::Not(HasSubstr("\"ping\"")));
}

TEST_F(ReplayFindingCommandTest, MemoryIsMeasuredAsInTheCampaign) {
  fuzz::FindingRecord memory = {.oracle = fuzz::Oracle::kMemory,
                                .key = "memory resident",
                                .text = "memory has grown",
                                .hits = 3,
                                .tries = 3,
                                .max_growth = 32u << 20};
  EXPECT_EQ(Replay(Finding(memory, kOpen), "memory").code, 1);
  EXPECT_EQ(Replay(Finding(memory, kOpen), "calm").code, 0);
}

TEST_F(ReplayFindingCommandTest, AddressesReservedAtTheStartAreNoFinding) {
  const Ran ran = Replay(Finding(Crash(), kOpen), "reserves");
  EXPECT_EQ(ran.code, 0) << ran.out;
}

TEST_F(ReplayFindingCommandTest, AFlakyFindingIsTriedMoreOften) {
  fuzz::FindingRecord flaky = Crash();
  flaky.hits = 1;
  const std::string finding = Finding(flaky, kOpen);
  // It crashes the third time.
  const std::string plugin = "echo x >> " + Path("lives") + "; test $(wc -l < " + Path("lives") +
                             ") -ge 4 && exec '" + Peer() + "' crash; exec '" + Peer() + "' calm";
  const Ran ran = Run({"replay", finding, "--", "/bin/sh", "-c", plugin});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("\nthe finding is flaky: it occurred in play 3 of at most 15\n"));
  EXPECT_THAT(ran.err,
              HasSubstr("the finding is flaky (1 of 3 plays showed it): it is played until "
                        "it occurs, at most 15 times"));
}

TEST_F(ReplayFindingCommandTest, AFlakyFindingMayNotOccur) {
  fuzz::FindingRecord flaky = Crash();
  flaky.hits = 2;
  const Ran ran = Replay(Finding(flaky, kOpen), "calm");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "no longer occurs: ended by SIGSEGV\n"
            "the finding is flaky: it did not occur in 9 plays\n");
}

TEST_F(ReplayFindingCommandTest, AnotherFindingOfAnyPlayCounts) {
  fuzz::FindingRecord flaky = Crash();
  flaky.hits = 2;
  const std::string plugin = "echo x >> " + Path("lives") + "; test $(wc -l < " + Path("lives") +
                             ") -eq 3 && exec '" + Peer() + "' exit; exec '" + Peer() + "' calm";
  const Ran ran = Run({"replay", Finding(flaky, kOpen), "--", "/bin/sh", "-c", plugin});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("another finding: exit: exit 3, after request open\n"));
}

TEST_F(ReplayFindingCommandTest, AFindingInAnotherPlaceStillOccurs) {
  fuzz::FindingRecord twice = Crash();
  twice.oracle = fuzz::Oracle::kDouble;
  twice.key = "double close";
  const Ran ran = Replay(Finding(twice, kOpen), "double");
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("still occurs: a second answer to the request 1 (open)"));
}

TEST_F(ReplayFindingCommandTest, Json) {
  const Ran ran = Run({"replay", Finding(Crash(), kOpen), "--json", "--", Peer(), "crash"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  const auto report = wire::ParseJson(ran.out);
  ASSERT_TRUE(report) << ran.out;
  EXPECT_EQ(report->String("verb"), "replay");
  EXPECT_EQ(report->String("key"), Crash().key);
  EXPECT_TRUE(report->Find("shown")->boolean);
  EXPECT_EQ(report->Find("findings")->items.size(), 1u);
}

TEST_F(ReplayFindingCommandTest, JunitIsOneTest) {
  const std::string report = Path("report.xml");
  const std::vector<std::string> words = {"replay", Finding(Crash(), kOpen), "--junit", report,
                                          "--"};
  const auto run = [&](const char* mode) {
    auto all = words;
    all.insert(all.end(), {Peer(), mode});
    return Command(all).code;
  };
  EXPECT_EQ(run("crash"), 1);
  EXPECT_THAT(ReadFile(report), HasSubstr("tests=\"1\" failures=\"1\""));
  EXPECT_THAT(ReadFile(report), HasSubstr(" classname=\"midwire.replay."));
  EXPECT_THAT(ReadFile(report), HasSubstr("signal: ended by SIGSEGV, after request open"));
  EXPECT_EQ(run("calm"), 0);
  EXPECT_THAT(ReadFile(report), HasSubstr("tests=\"1\" failures=\"0\""));
}

TEST_F(ReplayFindingCommandTest, AnOptionWithoutEffectIsRefused) {
  const Ran ran =
      Command({"replay", Finding(Crash(), kOpen), "--record", Path("tape"), "--", Peer(), "crash"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--record: has no effect on the cassette of a finding"));
}

TEST_F(ReplayFindingCommandTest, ADialectOfAnotherFolderMayStandBesideTheCassette) {
  fuzz::FindingRecord record = Crash();
  record.dialect = "elsewhere/own.json";
  const std::string finding = Finding(record, kOpen);
  EXPECT_EQ(Replay(finding, "crash").code, 2) << "it is nowhere";
  Save("own.json", R"({"dialect":"own","extends":"json-rpc-2.0"})");
  EXPECT_EQ(Replay(finding, "crash").code, 1);
}

TEST_F(ReplayFindingCommandTest, MoreMethodsThanAHeaderHoldsAreAccepted) {
  fuzz::FindingRecord record = Crash();
  std::string sent;
  for (int i = 0; i < 30; ++i) {
    record.methods.push_back(std::string(3000, 'm') + std::to_string(i));
    sent += "{\"jsonrpc\":\"2.0\",\"method\":\"" + record.methods.back() + "\"}\n";
  }
  EXPECT_EQ(Replay(Finding(record, sent + kOpen), "crash").code, 1);
}

TEST_F(ReplayFindingCommandTest, AFindingWithoutAProbeIsReproduced) {
  fuzz::FindingRecord crash = Crash();
  crash.key = "signal SIGSEGV after note";
  std::string text = ReadFile(Finding(crash, kNote));
  const size_t probe = text.find("\"probe\":");
  text.erase(probe, text.find("\"timeout_ms\"") - probe);
  const std::string finding = Save("no_probe.jsonl", text);
  const Ran ran = Run({"replay", finding, "--", "/bin/sh", "-c", kMute});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err << text;
  EXPECT_THAT(ran.out, StartsWith("still occurs: "));
  EXPECT_EQ(Replay(finding, "calm").code, 0);
}

TEST_F(ReplayFindingCommandTest, AnIncompleteCassetteGivesNoVerdict) {
  const std::string whole = ReadFile(Finding(Crash(), kOpen));
  const size_t sent = whole.find("{\"from\":\"host\""), rest = whole.find('\n', sent);
  for (const auto& [name, text, word] : {
           std::tuple("cut", whole.substr(0, rest + 1), "cut off"),
           std::tuple("torn", whole.substr(0, sent + 9), "cut off"),
           std::tuple("header", whole.substr(0, whole.find('\n') + 1), "empty"),
           std::tuple("damaged", whole.substr(0, sent) + "{nothing" + whole.substr(rest),
                      "damaged"),
       }) {
    const Ran ran = Replay(Save(std::string(name) + ".jsonl", text), "calm");
    EXPECT_EQ(ran.code, 3) << name << ran.out;
    EXPECT_EQ(ran.out, "") << name;
    EXPECT_THAT(ran.err, HasSubstr(word)) << name;
  }
}

TEST_F(ReplayFindingCommandTest, ACassetteCutInItsFirstLineIsRefused) {
  const std::string whole = ReadFile(Finding(Crash(), kOpen));
  for (const size_t size : {size_t{100}, whole.find('\n') - 1}) {
    const Ran ran = Replay(Save("cut.jsonl", whole.substr(0, size)), "calm");
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("cut off"));
  }
}

TEST_F(ReplayFindingCommandTest, ADamagedFirstLineIsRefused) {
  std::string text = ReadFile(Finding(Crash(), kOpen));
  text.erase(text.find('\n') - 1, 1);  // a bracket
  const Ran ran = Replay(Save("damaged.jsonl", text), "calm");
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("damaged.jsonl, line 1: not JSON"));
}

TEST_F(ReplayFindingCommandTest, ATraceThatIsAPipeIsNotReadTwice) {
  const std::string command = "cat " + Session() + " | '" + MidwirePath() +
                              "' replay /dev/stdin --timeout 500ms -- '" + Peer() + "' calm > " +
                              Path("out");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0);
  EXPECT_THAT(ReadFile(Path("out")), HasSubstr("4 messages sent, 3 received as recorded"));
}

TEST_F(ReplayFindingCommandTest, ALongCaseIsSentToItsEnd) {
  std::string sent;
  for (size_t i = 0; i < fuzz::kMaxParts + 10; ++i) sent += kNote;
  EXPECT_EQ(Replay(Finding(Crash(), sent + kOpen), "crash").code, 1);
}

TEST_F(ReplayFindingCommandTest, ACassetteThatCannotBeUsedIsAMistake) {
  std::string text = ReadFile(Finding(Crash(), kOpen));
  text.replace(text.find("\"signal\""), 8, "\"sgnal\"");
  const Ran ran = Replay(Save("broken.jsonl", text), "calm");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("/finding/oracle"));
  EXPECT_EQ(Run({"replay", Finding(Crash(), kOpen), "--", "/no/such/plugin"}).code, 2);
}

}  // namespace
}  // namespace midwire::tools
