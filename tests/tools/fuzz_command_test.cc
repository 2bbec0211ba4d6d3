// midwire fuzz as a command, with plugins of tests/peers that are correct except for one fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "tests/tools/full_disk.h"
#include "tests/tools/ill.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class FuzzCommandTest : public IllTest {};

// ---- each fault is found, kept, reproduced, and gone with the fixed plugin

class FuzzFaultTest : public IllTest, public testing::WithParamInterface<IllFault> {};

TEST_P(FuzzFaultTest, IsFoundReducedKeptAndGoneWhenItIsFixed) {
  const IllFault& fault = GetParam();
  const Ran ran = Fuzz({"--stop-on-finding", "--oracle", fault.oracle, "--max-runs", "20000",
                        "--timeout", "60ms", "--max-growth", "32M", "--fresh", "200"},
                       fault.mode);
  ASSERT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("; 1 finding in " + Path("fuzz/findings")));
  const std::vector<std::string> findings = Findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0], HasSubstr("/findings/" + std::string(fault.oracle) + "-"));

  const Ran shown = Replay(findings[0], fault.mode);
  EXPECT_EQ(shown.code, 1) << shown.out << shown.err;
  EXPECT_THAT(shown.out, StartsWith("still occurs: "));
  const Ran fixed = Replay(findings[0], "calm");
  EXPECT_EQ(fixed.code, 0) << fixed.out << fixed.err << ReadFile(findings[0]);
  EXPECT_THAT(fixed.out, StartsWith("no longer occurs: "));
  EXPECT_LE(HostMessages(findings[0]), 2) << ReadFile(findings[0]);
}

INSTANTIATE_TEST_SUITE_P(
    Each, FuzzFaultTest,
    testing::Values(IllFault{"crash", "signal"}, IllFault{"assert", "signal"},
                    IllFault{"exit", "exit"}, IllFault{"panic", "panic"},
                    IllFault{"sanitizer", "sanitizer"}, IllFault{"undefined", "sanitizer"},
                    IllFault{"hang", "hang"}, IllFault{"silence", "silence"},
                    IllFault{"missing", "missing"}, IllFault{"double", "double"},
                    IllFault{"unknown", "unknown"}, IllFault{"id_type", "id-type"},
                    IllFault{"shape", "shape"}, IllFault{"notification", "notification"},
                    IllFault{"pollution", "pollution"}, IllFault{"nan", "bad-message"},
                    IllFault{"utf8", "utf8"}, IllFault{"memory", "memory"},
                    IllFault{"spin", "spin"}, IllFault{"lost_at_eof", "lost-at-eof"}),
    [](const auto& fault) { return std::string(fault.param.mode); });

TEST_F(FuzzCommandTest, ACorrectPluginHasNoFindings) {
  const Ran ran = Fuzz({"--max-runs", "3000", "--fresh", "500", "--timeout", "5s"}, "calm");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("3000 runs ("));
  EXPECT_THAT(ran.out, HasSubstr(" 0 findings\n"));
  EXPECT_THAT(ran.err, HasSubstr("feedback: responses; "));
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(FuzzCommandTest, ACorrectPluginWithHeadersHasNoFindings) {
  const Ran ran = Fuzz({"--max-runs", "1000", "--timeout", "5s"}, "calm", {"content-length"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

TEST_F(FuzzCommandTest, ACrashOnAHeaderIsReplayedFromItsCassette) {
  const Ran ran = Fuzz({"--stop-on-finding", "--oracle", "signal", "--max-runs", "20000"},
                       "crash_on_header", {"content-length"});
  ASSERT_EQ(ran.code, 1) << ran.out << ran.err;
  const std::vector<std::string> findings = Findings();
  ASSERT_THAT(findings, SizeIs(1));
  const Ran shown = Replay(findings[0], "crash_on_header", {"content-length"});
  EXPECT_EQ(shown.code, 1) << shown.out << shown.err;
  EXPECT_THAT(shown.out, StartsWith("still occurs: ")) << ReadFile(findings[0]);
  EXPECT_EQ(Replay(findings[0], "calm", {"content-length"}).code, 0);
}

TEST_F(FuzzCommandTest, ACrashIsSeenWhereAChildHoldsTheStdout) {
  const Ran ran = Fuzz({"--stop-on-finding", "--max-runs", "2000"}, "crash_with_child");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, StartsWith("signal: ended by SIGSEGV, "));
}

TEST_F(FuzzCommandTest, ItGoesOnAfterAFinding) {
  const Ran ran = Fuzz({"--max-runs", "600", "--oracle", "signal"}, "crash");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("600 runs ("));
}

TEST_F(FuzzCommandTest, AMissingAnswerThatIsNotReproducibleIsNoFinding) {
  const auto fuzz = [&](const std::string& mode, const std::string& seed) {
    const std::string only = Path("once-" + mode + seed);
    return Command({"fuzz", "--from", Session(), "-o", Path(mode + seed), "--seed", seed,
                    "--max-runs", "300", "--timeout", "5s", "--json", "--", "env",
                    "ILL_ONCE=" + only, Peer(), mode});
  };
  // With some seeds the one answer that is lost is not waited for; with most it is.
  const auto unconfirmed = HasSubstr(R"("event":"unconfirmed","oracle":"missing",)");
  std::string said;
  for (const char* seed : {"3", "4", "5", "6", "7", "8"}) {
    const Ran once = fuzz("missing", seed);
    EXPECT_EQ(once.code, 0) << once.out << once.err;
    said = once.out;
    if (testing::Value(said, unconfirmed)) break;
  }
  EXPECT_THAT(said, unconfirmed);
  // A crash is a finding even if it was seen only once.
  const Ran crash = fuzz("crash", "3");
  EXPECT_EQ(crash.code, 1) << crash.out << crash.err;
}

TEST_F(FuzzCommandTest, AnOracleThatIsOffFindsNothing) {
  const Ran ran = Fuzz({"--max-runs", "600", "--oracle", "-signal", "--timeout", "5s"}, "crash");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

// With a seed that finds it in a few dozen runs: in thousands, on a busy machine, an answer that
// came a moment later is a new feature once, and what is mutated from then on differs.
TEST_F(FuzzCommandTest, TheSameSeedFindsTheSame) {
  const auto keys = [&](const std::string& folder) {
    const Ran ran = Command({"fuzz", "--from", Session(), "-o", Path(folder), "--seed", "3",
                             "--max-runs", "20000", "--stop-on-finding", "--timeout", "5s",
                             "--json", "--", Peer(), "double"});
    std::string text;
    for (const std::string& line : Lines(ran.out)) {
      const auto event = wire::ParseJson(line);
      if (!event || event->String("event") != "finding") continue;
      // In the same run; how small it becomes is a matter of time.
      text += std::string(event->String("key")) + " in run " + event->Find("run")->text + "\n";
    }
    return text;
  };
  const std::string first = keys("one");
  EXPECT_NE(first, "");
  EXPECT_EQ(keys("two"), first);
}

// ---- its output

TEST_F(FuzzCommandTest, JsonIsOneEventPerLine) {
  const Ran ran = Fuzz({"--max-runs", "600", "--oracle", "signal", "--json"}, "crash");
  EXPECT_EQ(ran.code, 1) << ran.err;
  std::set<std::string> events;
  for (const std::string& line : Lines(ran.out)) {
    const auto event = wire::ParseJson(line);
    ASSERT_TRUE(event) << line;
    events.emplace(event->String("event"));
    if (event->String("event") == "finding") {
      EXPECT_EQ(event->String("oracle"), "signal");
      EXPECT_THAT(std::string(event->String("key")), StartsWith("signal SIGSEGV after "));
      EXPECT_TRUE(std::filesystem::exists(std::string(event->String("cassette"))));
      EXPECT_EQ(event->Find("confirmed")->Integer(), 5);
    }
    if (event->String("event") == "end") {
      EXPECT_EQ(event->Find("runs")->Integer(), 600);
    }
  }
  EXPECT_TRUE(events.contains("ready"));
  EXPECT_TRUE(events.contains("finding"));
  EXPECT_TRUE(events.contains("end"));
}

TEST_F(FuzzCommandTest, MutantsThatShowAKnownCrashAreLeftOut) {
  const Ran ran = Fuzz({"--json", "--max-runs", "4000", "--fresh", "1000"}, "crash");
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(R"("event":"learned","oracle":"signal")"));
  EXPECT_THAT(ran.out, HasSubstr("open: /params/path is missing"));
  const auto end = wire::ParseJson(Lines(ran.out).back());
  ASSERT_TRUE(end);
  EXPECT_GT(end->Find("skipped")->Integer().value_or(0), 50) << ran.out;
}

TEST_F(FuzzCommandTest, APluginWithARecursiveParserFallsByALargeInput) {
  const Ran ran =
      Fuzz({"--max-input", "4M", "--stop-on-finding", "--oracle", "signal", "--max-time", "120s"},
           "recursive");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("ended by SIGSEGV"));
}

TEST_F(FuzzCommandTest, OraclesAreListed) {
  const Ran ran = Command({"fuzz", "--list-oracles"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("signal          on   the process was ended by a signal\n"));
  EXPECT_THAT(ran.out, HasSubstr("parse-error     off  "));
}

// ---- the folder

TEST_F(FuzzCommandTest, ALaterRunGoesOnFromTheFolderAndKeepsFindings) {
  const std::vector<std::string> options = {"--max-runs", "400",       "--oracle",
                                            "shape",      "--timeout", "5s"};
  ASSERT_EQ(Fuzz(options, "shape").code, 1);
  const std::vector<std::string> findings = Findings();
  ASSERT_THAT(findings, Not(IsEmpty()));
  const std::string text = ReadFile(findings[0]) + "\n";
  WriteFile(findings[0], text);
  const size_t inputs = Files("fuzz/corpus").size();
  EXPECT_GT(inputs, 1u);
  const Ran again = Fuzz(options, "shape");
  EXPECT_EQ(again.code, 1) << "the fault still occurs: " << again.out;
  EXPECT_THAT(again.out, ContainsRegex(" and [0-9]+ known in "));
  EXPECT_EQ(ReadFile(findings[0]), text) << "it was there before";
  EXPECT_GE(Files("fuzz/corpus").size(), inputs);
}

TEST_F(FuzzCommandTest, AFolderThatCannotBeMadeIsReported) {
  Save("file", "");
  const Ran ran = Command({"fuzz", "-o", Path("file/x"), "--", Peer(), "calm"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr(Path("file")));
}

TEST_F(FuzzCommandTest, ARelativeFolderIsBelowTheWorkingFolder) {
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  const Ran ran = Command({"fuzz", "-o", "f/g", "--max-runs", "5", "--", Peer(), "calm"});
  std::filesystem::current_path(here);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(std::filesystem::exists(Path("f/g/findings")));
}

TEST_F(FuzzCommandTest, AFindingThatCannotBeWrittenIsReported) {
  std::filesystem::create_directories(Path("fuzz"));
  // A folder that root cannot write either. For other users, fuzz ends before the search.
  std::filesystem::create_symlink("/proc", Path("fuzz/findings"));
  const Ran ran = Fuzz({"--max-runs", "20000", "--oracle", "signal"}, "crash");
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.err, testing::AnyOf(HasSubstr("cannot write a finding"),
                                      HasSubstr("cannot write to the folder")));
}

TEST_F(FuzzCommandTest, ADanglingLinkIsNoFindingAndNoSeed) {
  const auto lead_nowhere = [&](const std::string& file) {
    std::filesystem::remove(file);
    std::filesystem::create_symlink(Path("nowhere"), file);
  };
  ASSERT_EQ(Fuzz({"--max-runs", "20000", "--oracle", "signal", "--stop-on-finding"}, "crash").code,
            1);
  lead_nowhere(Findings()[0]);
  const Ran finding = Fuzz({"--max-runs", "20000", "--oracle", "signal"}, "crash");
  EXPECT_EQ(finding.code, 3) << finding.out;
  EXPECT_THAT(finding.err, HasSubstr("cannot write a finding"));
  for (const std::string& file : Files("fuzz/corpus")) {
    if (file.find("/seed-") != file.npos) lead_nowhere(file);
  }
  const Ran seed = Fuzz({"--max-runs", "1"}, "calm");
  EXPECT_EQ(seed.code, 2) << seed.out;
  EXPECT_THAT(seed.err, HasSubstr("cannot write a seed"));
  EXPECT_FALSE(std::filesystem::exists(Path("nowhere")));
}

TEST_F(FuzzCommandTest, ASeedThatDoesNotFitOnTheDiskIsNoUsageError) {
  const Ran ran =
      RunOnFullDisk(folder_, "fuzz --from " + Session() + " --max-runs 1 -- '" + Peer() + "' calm");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("cannot write a seed"));
}

TEST_F(FuzzCommandTest, APluginThatExitsAtOnceIsExplainedOnOneLine) {
  const Ran ran = Command({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--", "/bin/sh", "-c",
                           "echo 'no such file:  a.toml' >&2; echo 'giving up' >&2; exit 4"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("the plugin exits before any request: exit 4; it wrote: no such "
                                 "file: a.toml; giving up (check its command by running it alone: "
                                 "it must wait for messages on stdin)\n"));
}

TEST_F(FuzzCommandTest, OnlyTheUserCanReadInputs) {
  const mode_t before = umask(022);
  const std::string plugin = "umask > " + Path("umask") + "; exec '" + Peer() + "' calm";
  const Ran ran = Command({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--max-runs", "300",
                           "--", "/bin/sh", "-c", plugin});
  umask(before);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ReadFile(Path("umask")), EndsWith("022\n")) << "the plugin has the user's";
  const std::vector<std::string> inputs = Files("fuzz/corpus");
  EXPECT_TRUE(std::any_of(inputs.begin(), inputs.end(), [](const std::string& file) {
    return file.find("/seed-") == file.npos;
  })) << "libFuzzer has kept some";
  for (const std::string& file : inputs) {
    EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600)) << file;
  }
}

// ---- plugins that cannot be fuzzed

TEST_F(FuzzCommandTest, APluginThatCannotBeStartedIsAMistake) {
  const Ran ran = Command({"fuzz", "-o", Path("fuzz"), "--", "/no/such/plugin"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("/no/such/plugin"));
  EXPECT_NE(access(Path("fuzz").c_str(), F_OK), 0) << "nothing is left";
}

TEST_F(FuzzCommandTest, APluginThatEndsAtOnceSaysWhy) {
  const Ran ran =
      Command({"fuzz", "-o", Path("fuzz"), "--", "/bin/sh", "-c", "echo no licence >&2; exit 9"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("exit 9"));
  EXPECT_THAT(ran.err, HasSubstr("no licence"));
}

TEST_F(FuzzCommandTest, APluginThatNeverAnswersIsNoSuccess) {
  const Ran ran = Fuzz({"--max-runs", "5", "--timeout", "40ms", "--oracle", "signal"}, "mute");
  EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("it does not answer"));
  EXPECT_THAT(ran.err,
              HasSubstr("the plugin has sent nothing (check that it is the one in the trace)"));
}

TEST_F(FuzzCommandTest, TheWrongFramingIsReported) {
  const Ran ran = Command({"fuzz", "-o", Path("fuzz"), "--max-runs", "5", "--timeout", "40ms",
                           "--oracle", "signal", "--", Peer(), "calm", "content-length"});
  EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("with --from TRACE or --dialect"));
}

TEST_F(FuzzCommandTest, APluginThatReceivesOnlyNotificationsMayBeSilent) {
  const std::string trace = Save(
      "told.pcapng",
      Tape::Of({"plugin"}).Host("{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n").Exit(0).bytes());
  const Ran ran = Command({"fuzz", "--from", trace, "-o", Path("fuzz"), "--max-runs", "5",
                           "--timeout", "40ms", "--oracle", "signal", "--", Peer(), "mute"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

TEST_F(FuzzCommandTest, AnOptionBehindThePluginIsWarnedOf) {
  const auto err = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"fuzz", "-o", Path("fuzz"), "--dialect", "/none"});
    return Command(words).err;
  };
  EXPECT_THAT(err({"--", "/bin/true", "--max-time=3s", "--seed", "1"}),
              HasSubstr("--max-time is passed to the plugin; put it before --\n"));
  EXPECT_THAT(err({"--seed", "1", "--", "/bin/true", "--seed", "2", "--other"}),
              Not(HasSubstr("passed to the plugin")));
}

TEST_F(FuzzCommandTest, MistakesAreReportedBeforeAnythingRuns) {
  const std::vector<std::vector<std::string>> mistakes = {
      {"--max-time", "soon"}, {"--max-runs", "x"},  {"--jobs", "0"},       {"--jobs", "x"},
      {"--seed", "y"},        {"--fresh", "0"},     {"--max-growth", "?"}, {"--max-input", "1K"},
      {"--timeout", "z"},     {"--oracle", "hnag"}, {"--from", "/none"},   {"--dialect", "/none"}};
  for (const auto& mistake : mistakes) {
    std::vector<std::string> words = {"fuzz", "-o", Path("fuzz")};
    words.insert(words.end(), mistake.begin(), mistake.end());
    words.insert(words.end(), {"--", "/bin/sh", "-c", "touch " + Path("it-ran")});
    const Ran ran = Command(words);
    EXPECT_EQ(ran.code, 2) << mistake[0] << " " << mistake[1];
    EXPECT_THAT(ran.err, HasSubstr("midwire")) << mistake[0];
  }
  EXPECT_FALSE(std::filesystem::exists(Path("it-ran")));
  EXPECT_EQ(Command({"fuzz", "-o", "", "--", "/bin/true"}).code, 2) << "not the root folder";
  const Ran none = Command({"fuzz"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no plugin to run"));
}

// ---- the end

TEST_F(FuzzCommandTest, CtrlCEndsWithASummary) {
  const pid_t pid =
      Start({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--json", "--", Peer(), "calm"});
  ASSERT_TRUE(
      Eventually([&] { return ReadIfThere(Path("out")).find("\"status\"") != std::string::npos; }));
  kill(pid, SIGINT);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"event\":\"end\""));
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzCommandTest, TwoSignalsAtOnceEndItInOrder) {
  const pid_t pid =
      Start({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--json", "--", Peer(), "calm"});
  ASSERT_TRUE(
      Eventually([&] { return ReadIfThere(Path("out")).find("\"status\"") != std::string::npos; }));
  kill(pid, SIGTERM);
  kill(pid, SIGHUP);  // two signals that wait at once are two
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("died")));
}

TEST_F(FuzzCommandTest, CtrlCDuringAReductionKeepsTheFinding) {
  // A hang takes long to reduce: each test of it waits for a timeout.
  const pid_t pid =
      Start({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--seed", "1", "--oracle",
             "hang,silence", "--timeout", "400ms", "--json", "--", Peer(), "silence"});
  // The runs stop: it is being investigated.
  int64_t runs = -1;
  ASSERT_TRUE(Eventually([&] {
    int64_t now = 0;
    for (const std::string& line : Lines(ReadIfThere(Path("out")))) {
      const auto event = wire::ParseJson(line);
      if (event && event->String("event") == "status")
        now = event->Find("runs")->Integer().value_or(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return now > 0 && std::exchange(runs, now) == now;
  }));
  EXPECT_THAT(Findings(), IsEmpty());
  kill(pid, SIGINT);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"event\":\"end\""));
  const std::vector<std::string> findings = Findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(Replay(findings[0], "silence").code, 1);
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzCommandTest, AfterTheSearchAFindingIsReducedFurther) {
  // Each play takes a timeout, so the search has no time for that.
  const Ran ran = Fuzz({"--oracle", "hang,silence", "--timeout", "100ms", "--max-time", "8s",
                        "--stop-on-finding", "--reduce-time", "60s", "--json"},
                       "silence");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"finished\":false"));
  EXPECT_THAT(ran.out, HasSubstr("{\"event\":\"reduced\""));
  EXPECT_THAT(ran.out, Not(HasSubstr("\"confirmed\":0")));
  const std::vector<std::string> findings = Findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(HostMessages(findings[0]), 1);
  EXPECT_EQ(Replay(findings[0], "silence").code, 1);
}

TEST_F(FuzzCommandTest, EveryDialectHasAProbe) {
  const std::string corpora = SourceFolder() + "/corpora/";
  int plugins = 0;
  for (const auto& folder : std::filesystem::directory_iterator(corpora)) {
    const std::string plugin = folder.path() / "plugin.py";
    if (!std::filesystem::exists(plugin)) continue;
    ++plugins;
    const Ran ran = Run({"fuzz", "--from", folder.path() / "sessions/golden.pcapng", "-o",
                         Path("fuzz"), "--max-runs", "1", "--json", "--", "python3", plugin});
    EXPECT_THAT(ran.out, HasSubstr("\"probe\":\"answers a request for an unknown method\""))
        << plugin << ran.err;
  }
  EXPECT_GT(plugins, 0);
}

TEST_F(FuzzCommandTest, KilledItTakesItsPluginsWithIt) {
  const pid_t pid = Start({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--json", "--jobs", "2",
                           "--", Peer(), "calm"});
  ASSERT_TRUE(
      Eventually([&] { return ReadIfThere(Path("out")).find("\"status\"") != std::string::npos; }));
  kill(pid, SIGKILL);
  EXPECT_EQ(Wait(pid).code, 128 + SIGKILL);
  EXPECT_TRUE(Eventually([&] { return LeftBehind().empty(); }));
}

TEST_F(FuzzCommandTest, TwoJobsShareTheRunsAndTheFolder) {
  const Ran ran =
      Fuzz({"--max-runs", "601", "--jobs", "2", "--oracle", "signal", "--json"}, "crash");
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"runs\":601,"));
  EXPECT_THAT(ran.out, HasSubstr("{\"job\":2,\"event\":\"ready\""));
  std::set<std::string> files;
  for (const std::string& file : Files("fuzz/findings")) EXPECT_TRUE(files.insert(file).second);
  EXPECT_FALSE(files.empty());
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzCommandTest, ItEndsWhenItsTimeIsOver) {
  const Ran ran = Fuzz({"--max-time", "2s"}, "calm");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzCommandTest, WithoutATraceADialectWillDo) {
  const Ran ran = Command({"fuzz", "--dialect", "mcp", "-o", Path("fuzz"), "--max-runs", "50",
                           "--oracle", "signal", "--", Peer(), "calm"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("dialect mcp"));
}

}  // namespace
}  // namespace midwire::tools
