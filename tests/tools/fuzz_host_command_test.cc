// midwire fuzz --host as a command, with hosts of tests/peers that are correct except for one
// fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "tests/paths.h"
#include "tests/sanitized.h"
#include "tests/tools/host.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class FuzzHostCommandTest : public HostTest {};

// A fault of the host, and what triggers it.
struct HostFault {
  const char* mode;
  const char* oracle;
  const char* timeout;
};
std::ostream& operator<<(std::ostream& out, const HostFault& fault) { return out << fault.mode; }

class FuzzHostFaultTest : public HostTest, public testing::WithParamInterface<HostFault> {};

TEST_P(FuzzHostFaultTest, IsFoundKeptAndGoneWhenItIsFixed) {
  const HostFault& fault = GetParam();
  if (IsSanitized() && fault.timeout == std::string_view("30ms")) {
    GTEST_SKIP() << "a stand-in with sanitizers starts no faster than that";
  }
  const Ran ran = FuzzHost({"--stop-on-finding", "--max-runs", "9000", "--oracle", fault.oracle,
                            "--timeout", fault.timeout, "--max-growth", "64M"},
                           fault.mode);
  ASSERT_EQ(ran.code, 1) << ran.out << ran.err;
  const std::vector<std::string> findings = Findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0], HasSubstr("/findings/" + std::string(fault.oracle) + "-"));
  EXPECT_THAT(ReadFile(findings[0]), HasSubstr("\"role\":\"host\""));
  EXPECT_THAT(ReadFile(findings[0]), HasSubstr("\"confirmed\":5,\"tries\":5"));

  const Ran shown = ReplayHost(findings[0], fault.mode);
  EXPECT_EQ(shown.code, 1) << shown.out << shown.err << ReadFile(findings[0]);
  EXPECT_THAT(shown.out, StartsWith("still occurs: "));
  const Ran fixed = ReplayHost(findings[0], "calm");
  EXPECT_EQ(fixed.code, 0) << fixed.out << fixed.err << ReadFile(findings[0]);
  EXPECT_THAT(fixed.out, StartsWith("no longer occurs: "));
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzHostFaultTest,
                         testing::Values(HostFault{"crash", "signal", "5s"},
                                         HostFault{"throws", "panic", "5s"},
                                         HostFault{"memory", "memory", "5s"},
                                         HostFault{"hang", "hang", "30ms"},
                                         HostFault{"silence", "silence", "30ms"}),
                         [](const auto& fault) { return std::string(fault.param.mode); });

// The host crashes at an error: the answer with it stays, and is what the file has.
TEST_F(FuzzHostCommandTest, AFindingIsReducedToWhatThePluginMustSend) {
  const Ran ran =
      FuzzHost({"--stop-on-finding", "--max-runs", "9000", "--oracle", "signal", "--timeout", "5s"},
               "crash");
  ASSERT_THAT(Findings(), SizeIs(1)) << ran.out << ran.err;
  const std::string found = Findings()[0], small = Path("small.jsonl");
  const Ran listed = Run({"findings", found});
  const size_t input = listed.out.find("input:  ") + 8;
  const std::string size = listed.out.substr(input, listed.out.find(", lockstep") - input);
  EXPECT_THAT(ran.out, HasSubstr("(" + size + ")")) << listed.out;

  const Ran reduced =
      Run({"reduce", found, "-o", small, "--", Host(), "crash", "exec", "{plugin}"});
  EXPECT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_THAT(reduced.out, StartsWith(size + " reduced to "));
  EXPECT_THAT(reduced.out, Not(HasSubstr(" reduced to 0, ")));
  EXPECT_THAT(reduced.err, Not(HasSubstr("empty session")));
  EXPECT_EQ(ReplayHost(small, "crash").code, 1);
  EXPECT_EQ(ReplayHost(small, "calm").code, 0);
}

// A status is a finding only if requested: most hosts stop a plugin that sends invalid messages so.
TEST_F(FuzzHostCommandTest, AnExitIsReportedWhenItsOracleIsOn) {
  const std::vector<std::string> options = {"--max-runs", "60", "--timeout", "5s"};
  EXPECT_EQ(FuzzHost(options, "calm").code, 0);
  const Ran ran = FuzzHost(
      {"--max-runs", "60", "--timeout", "5s", "--stop-on-finding", "--oracle", "+exit,-panic"},
      "calm");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("exit: the host: exit 1, after "));
  const Ran shown = ReplayHost(Findings().at(0), "calm");
  EXPECT_EQ(shown.code, 1) << shown.out << shown.err;
  EXPECT_EQ(Run({"replay", Findings().at(0), "--", "true", "{plugin}"}).code, 2)
      << "it starts no plugin";
}

TEST_F(FuzzHostCommandTest, ACorrectHostHasNoFindings) {
  const Ran ran = FuzzHost({"--max-runs", "100", "--timeout", "5s"}, "calm");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("100 runs ("));
  EXPECT_THAT(ran.out, HasSubstr(" 0 findings\n"));
  EXPECT_THAT(ran.err, HasSubstr("exits as with its recorded plugin (exit 0)"));
}

// ---- hosts in order, in Python

class FuzzExampleHostTest : public HostTest, public testing::WithParamInterface<const char*> {};

TEST_P(FuzzExampleHostTest, NothingIsFound) {
  const std::string folder = SourceFolder() + "/corpora/" + GetParam();
  const Ran ran = Run({"fuzz", "--host", "--from", folder + "/sessions/golden.jsonl", "-o",
                       Path("fuzz"), "--seed", "2", "--max-runs", "3", "--timeout", "20s", "--",
                       "python3", folder + "/host.py", "--", "{plugin}"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("3 runs ("));
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzExampleHostTest,
                         testing::Values("ainb-v2", "codex", "dap", "desktop-sidecar", "lsp", "mcp",
                                         "rootcause", "scriptling"),
                         [](const auto& host) {
                           std::string name = host.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// ---- how the host gets its plugin

struct Start {
  const char* name;
  std::vector<std::string> options, host;
};
std::ostream& operator<<(std::ostream& out, const Start& start) { return out << start.name; }

class FuzzHostStartTest : public HostTest, public testing::WithParamInterface<Start> {};

// A host that stops its plugin reports that the plugin ran and sent something.
TEST_P(FuzzHostStartTest, TheStandInIsStarted) {
  std::vector<std::string> options = {"--stop-on-finding", "--max-runs", "200", "--oracle", "exit",
                                      "--timeout",         "5s"};
  options.insert(options.end(), GetParam().options.begin(), GetParam().options.end());
  std::vector<std::string> host = {Host(), "calm"};
  host.insert(host.end(), GetParam().host.begin(), GetParam().host.end());
  const Ran ran = FuzzThis(options, host);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("exit: the host: exit 1"));

  // The cassette records the name.
  ASSERT_THAT(Findings(), SizeIs(1));
  std::vector<std::string> replay = {"replay", Findings()[0], "--"};
  replay.insert(replay.end(), host.begin(), host.end());
  const Ran other = Run({"replay", Findings()[0], "--", "true"});
  EXPECT_EQ(other.code, 2) << other.out;
  EXPECT_THAT(other.err, HasSubstr("does not start its plugin"));
  const Ran shown = Run(replay);
  EXPECT_EQ(shown.code, 1) << shown.out << shown.err;
  EXPECT_THAT(shown.out, StartsWith("still occurs: "));
}

INSTANTIATE_TEST_SUITE_P(
    Each, FuzzHostStartTest,
    testing::Values(Start{"placeholder", {}, {"exec", "{plugin}", "--flag"}},
                    Start{"within_an_argument", {}, {"exec", "--plugin={plugin}"}},
                    Start{"by_spawn", {}, {"spawn", "{plugin}"}},
                    Start{"by_shell", {}, {"shell", "{plugin}", "a b"}},
                    Start{"name_by_exec", {"--plugin-name", "my-plugin"}, {"exec", "my-plugin"}},
                    Start{"name_by_spawn", {"--plugin-name", "my-plugin"}, {"spawn", "my-plugin"}},
                    Start{"name_by_shell", {"--plugin-name", "my-plugin"}, {"shell", "my-plugin"}},
                    Start{"name_of_another", {"--plugin-name", "cat"}, {"exec", "cat", "-u"}}),
    [](const auto& start) { return std::string(start.param.name); });

TEST_F(FuzzHostCommandTest, ATmpdirWithALongNameAndBlanksWillDo) {
  const std::string folder = Path("tmp") + "/it's a " + std::string(120, 'x');
  std::filesystem::create_directories(folder);
  setenv("TMPDIR", folder.c_str(), 1);
  const Ran ran = FuzzHost({"--max-runs", "3"}, "calm");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  setenv("TMPDIR", Path("tmp").c_str(), 1);
  std::filesystem::remove(folder);
}

TEST_F(FuzzHostCommandTest, AMissingTmpdirIsReported) {
  setenv("TMPDIR", Path("none").c_str(), 1);
  const Ran ran = FuzzHost({"--max-runs", "3"}, "calm");
  setenv("TMPDIR", Path("tmp").c_str(), 1);
  EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("set TMPDIR to another folder"));
}

TEST_F(FuzzHostCommandTest, AHostThatStartsNoPluginIsReported) {
  const Ran never = FuzzHost({}, "never");
  EXPECT_EQ(never.code, 2) << never.out;
  EXPECT_THAT(never.err, HasSubstr("the host does not start its plugin"));
  EXPECT_THAT(never.err, HasSubstr("exit 1"));
  EXPECT_THAT(never.err, HasSubstr("no licence"));
  const Ran running = FuzzHost({"--timeout", "100ms"}, "never_lives");
  EXPECT_EQ(running.code, 2) << running.out;
  EXPECT_THAT(running.err, HasSubstr("does not start its plugin"));
  EXPECT_THAT(running.err, HasSubstr("it is still running"));
  const Ran absent = FuzzThis({}, {"/no/such/host", "{plugin}"});
  EXPECT_EQ(absent.code, 2);
  EXPECT_THAT(absent.err, HasSubstr("/no/such/host"));
}

TEST_F(FuzzHostCommandTest, AHostThatFailsAnywayIsNotFuzzed) {
  const Ran ran = FuzzThis({}, {"/bin/sh", "-c", "{plugin} </dev/null; kill -SEGV $$"});
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("fails already with its recorded plugin"));
}

TEST_F(FuzzHostCommandTest, MistakesAreReportedBeforeAnythingRuns) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> mistakes = {
      {{}, "{plugin}"},
      {{"--plugin-name", "a/b"}, "--plugin-name"},
      {{"--plugin-name", "socket"}, "--plugin-name"},
      {{"--plugin-name", ".."}, "--plugin-name"}};
  for (const auto& [options, text] : mistakes) {
    const Ran ran = FuzzThis(options, {"/bin/sh", "-c", "touch " + Path("it-ran")});
    EXPECT_EQ(ran.code, 2) << text;
    EXPECT_THAT(ran.err, HasSubstr(text));
  }
  const Ran unsaid = Run({"fuzz", "--host", "--", Host(), "calm", "exec", "{plugin}"});
  EXPECT_EQ(unsaid.code, 2);
  EXPECT_THAT(unsaid.err, HasSubstr("--from"));
  EXPECT_EQ(Run({"fuzz", "--plugin-name", "x", "--", Host()}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(Path("it-ran")));
}

// ---- what is left (TearDown looks)

TEST_F(FuzzHostCommandTest, CtrlCLeavesNothing) {
  for (const char* mode : {"calm", "grandchild", "own_session"}) {
    std::filesystem::remove(Path("out"));
    const pid_t pid = Start(Words({"--json"}, {Host(), mode, "exec", "{plugin}"}));
    ASSERT_TRUE(Eventually(
        [&] { return ReadIfThere(Path("out")).find("\"status\"") != std::string::npos; }));
    kill(pid, SIGINT);
    EXPECT_EQ(Wait(pid).code, 0) << mode;
    EXPECT_THAT(LeftBehind(), IsEmpty()) << mode;
    EXPECT_THAT(Files("tmp"), IsEmpty()) << mode;
  }
}

// What a killed job has left is removed by its watcher; the second Ctrl-C kills too.
TEST_F(FuzzHostCommandTest, AJobThatIsKilledLeavesNothing) {
  const pid_t pid = Start(Words({"--timeout", "60s"}, {Host(), "never_lives", "exec", "{plugin}"}));
  // The host runs by now, and is not a copy of the job any more.
  const auto is_host = [](const std::string& left) { return left.find("--host") == left.npos; };
  ASSERT_TRUE(Eventually([&] {
    const std::vector<std::string> left = LeftBehind();
    return Files("tmp").size() == 1 && left.size() == 3 &&
           std::count_if(left.begin(), left.end(), is_host) == 1;
  }));
  for (const std::string& left : LeftBehind()) {
    if (!is_host(left) && std::stoi(left) != pid) kill(std::stoi(left), SIGKILL);
  }
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("has died (SIGKILL"));
}

TEST_F(FuzzHostCommandTest, CtrlCOfAReplayLeavesNothing) {
  const Ran ran = FuzzHost({"--stop-on-finding", "--max-runs", "200", "--oracle", "exit"}, "calm");
  ASSERT_EQ(ran.code, 1) << ran.out << ran.err;
  const pid_t pid =
      Start({"replay", Findings().at(0), "--", Host(), "never_lives", "exec", "{plugin}"});
  ASSERT_TRUE(Eventually([&] { return Files("tmp").size() == 1 && LeftBehind().size() == 2; }));
  kill(pid, SIGINT);
  EXPECT_EQ(Wait(pid).code, 128 + SIGINT);
}

}  // namespace
}  // namespace midwire::tools
