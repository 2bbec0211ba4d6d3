// midwire fuzz as a command: how a run ends, also with jobs, a plugin or a folder that misbehave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <chrono>

#include "tests/tools/ill.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class FuzzEndCommandTest : public IllTest {
 protected:
  // Into Path("fuzz"), with events.
  pid_t Fuzzing(const std::vector<std::string>& options, const std::string& mode) const {
    std::vector<std::string> words = {"fuzz", "--from", Session(), "-o", Path("fuzz"), "--json"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", Peer(), mode});
    return Start(words);
  }
  std::string Out() const { return ReadIfThere(Path("out")); }
  bool Says(const std::string& text) const {
    return Eventually([&] { return Out().find(text) != std::string::npos; });
  }
  // The text of the last status.
  int64_t Runs() const {
    int64_t runs = 0;
    for (const std::string& line : Lines(Out())) {
      const auto event = wire::ParseJson(line);
      if (event && event->Find("runs")) runs = event->Find("runs")->Integer().value_or(0);
    }
    return runs;
  }
  static std::vector<pid_t> JobsOf(pid_t run) {
    const std::string id = std::to_string(run);
    std::istringstream list(ReadIfThere("/proc/" + id + "/task/" + id + "/children"));
    std::vector<pid_t> jobs;
    for (pid_t job; list >> job;) jobs.push_back(job);
    return jobs;
  }
};

// ---- a job that is killed

TEST_F(FuzzEndCommandTest, AKilledJobIsReportedAndTheOthersGoOn) {
  const pid_t pid = Fuzzing({"--jobs", "2"}, "calm");
  ASSERT_TRUE(Says("\"job\":1,\"event\":\"ready\"") && Says("\"job\":2,\"event\":\"ready\""));
  const std::vector<pid_t> jobs = JobsOf(pid);
  ASSERT_THAT(jobs, SizeIs(2));
  kill(jobs[0], SIGKILL);
  ASSERT_TRUE(Says("\"event\":\"died\""));
  EXPECT_THAT(JobsOf(pid), Contains(jobs[1]));
  kill(pid, SIGINT);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"event\":\"end\""));
  EXPECT_THAT(ran.err, HasSubstr("job 1 has died (SIGKILL: out of memory?)"));
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzEndCommandTest, AJobEndedByAnotherProcessIsReportedAndIsNoSuccess) {
  const Ran ran = Fuzz({"--max-runs", "20000"}, "ends_its_parent");
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("job 1 has died (exit 5: another process sent it SIGTERM)"));
}

TEST_F(FuzzEndCommandTest, AJobThatItsPluginStopsGoesOn) {
  const Ran ran = Fuzz({"--max-runs", "400", "--json"}, "stops_its_parent");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"event\":\"end\",\"runs\":400,"));
}

TEST_F(FuzzEndCommandTest, ASignalToTheWholeGroupEndsItInOrder) {
  const pid_t pid = Fuzzing({"--jobs", "2"}, "calm");
  ASSERT_TRUE(Says("\"job\":1,\"event\":\"ready\"") && Says("\"job\":2,\"event\":\"ready\""));
  const std::vector<pid_t> jobs = JobsOf(pid);
  ASSERT_THAT(jobs, SizeIs(2));
  for (const pid_t job : jobs) kill(job, SIGSTOP);  // they receive it after the watcher
  for (const pid_t job : jobs) kill(job, SIGTERM);
  kill(pid, SIGTERM);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("died")));
}

TEST_F(FuzzEndCommandTest, FindingsOfAKilledJobAreKeptAndItIsNoSuccess) {
  const pid_t pid = Fuzzing({"--oracle", "signal"}, "crash");
  ASSERT_TRUE(Says("\"event\":\"finding\""));
  kill(JobsOf(pid).at(0), SIGKILL);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("has died (SIGKILL"));
  EXPECT_THAT(Findings(), Not(IsEmpty()));
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzEndCommandTest, AJobThatIsStoppedDoesNotHoldTheRun) {
  const pid_t pid = Fuzzing({"--max-time", "5s"}, "calm");
  ASSERT_TRUE(Eventually([&] { return Runs() > 0; }));
  kill(JobsOf(pid).at(0), SIGSTOP);
  const Ran ran = Wait(pid);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

// ---- a plugin that does not cooperate: the time limit holds

struct Unhelpful {
  const char* name;
  const char* script;
};
std::ostream& operator<<(std::ostream& out, const Unhelpful& plugin) { return out << plugin.name; }

class FuzzTimeTest : public FuzzEndCommandTest, public testing::WithParamInterface<Unhelpful> {};

TEST_P(FuzzTimeTest, IsKept) {
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran =
      Command({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--max-time", "2s", "--", "/bin/sh",
               "-c", ": >> " + Path("begun") + "; " + GetParam().script});
  const auto took = std::chrono::steady_clock::now() - begin;
  // It may take two seconds over its limit; the rest is for a busy machine.
  EXPECT_LT(took, std::chrono::seconds(2 + 2 + 4)) << ran.out << ran.err;
  EXPECT_TRUE(std::filesystem::exists(Path("begun"))) << "the plugin was not started";
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Plugin, FuzzTimeTest,
                         testing::Values(Unhelpful{"NeverReads", "exec sleep 1000"},
                                         Unhelpful{"ClosesStdin", "exec sleep 1000 <&-"},
                                         Unhelpful{"StopsAtOnce", "kill -STOP $$"},
                                         Unhelpful{"StopsAtEachRequest",
                                                   "while read a; do kill -STOP $$; done"},
                                         Unhelpful{"Burns", "trap '' TERM; while :; do :; done"}),
                         [](const auto& plugin) { return std::string(plugin.param.name); });

// ---- what a plugin leaves

TEST_F(FuzzEndCommandTest, AProcessInASessionOfItsOwnEndsWithItsPlugin) {
  const std::string plugin = "setsid sleep 1000 >/dev/null 2>&1 & exec '" + Peer() + "' calm";
  const Ran ran = Command({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--max-runs", "200",
                           "--fresh", "50", "--timeout", "5s", "--", "/bin/sh", "-c", plugin});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

TEST_F(FuzzEndCommandTest, AProcessInASessionOfItsOwnEndsWithAKilledJob) {
  const std::string plugin = "setsid sleep 1000 >/dev/null 2>&1 & exec '" + Peer() + "' calm";
  const pid_t pid = Start(
      {"fuzz", "--from", Session(), "-o", Path("fuzz"), "--json", "--", "/bin/sh", "-c", plugin});
  ASSERT_TRUE(Says("\"event\":\"status\""));
  kill(JobsOf(pid).at(0), SIGKILL);
  EXPECT_EQ(Wait(pid).code, 3);
  EXPECT_THAT(LeftBehind(), IsEmpty());
}

// ---- the folder

TEST_F(FuzzEndCommandTest, OnlyFilesAreInputs) {
  std::filesystem::create_directories(Path("fuzz/corpus"));
  ASSERT_EQ(mkfifo(Path("fuzz/corpus/pipe").c_str(), 0600), 0);
  EXPECT_EQ(Fuzz({"--max-runs", "5"}, "calm").code, 0) << "a pipe is no input";
  std::filesystem::create_symlink("pipe", Path("fuzz/corpus/link"));
  const Ran ran = Fuzz({"--max-runs", "5"}, "calm");
  EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("an input must be a file: " + Path("fuzz/corpus/link")));
}

TEST_F(FuzzEndCommandTest, EmptyInputsShowThatTheDiskWasFull) {
  std::filesystem::create_directories(Path("fuzz/corpus"));
  WriteFile(Path("fuzz/corpus/before"), "");
  EXPECT_EQ(Fuzz({"--max-runs", "5"}, "calm").code, 0);
  EXPECT_FALSE(std::filesystem::exists(Path("fuzz/corpus/before")));
  const std::string plugin = ": > " + Path("fuzz/corpus/now") + "; exec '" + Peer() + "' calm";
  const Ran ran = Command({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--max-runs", "5", "--",
                           "/bin/sh", "-c", plugin});
  EXPECT_EQ(ran.code, 3) << ran.out;
  EXPECT_THAT(ran.err,
              HasSubstr("cannot write inputs: " + Path("fuzz/corpus") + ": 1 file stayed"));
}

TEST_F(FuzzEndCommandTest, AFolderOnlyToReadIsReportedBeforeThePluginStarts) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write to any folder";
  std::filesystem::create_directories(Path("fuzz/findings"));
  chmod(Path("fuzz/findings").c_str(), 0500);
  const Ran ran = Command({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--", "/bin/sh", "-c",
                           ": > " + Path("begun")});
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("cannot write to the folder: " + Path("fuzz/findings")));
  EXPECT_FALSE(std::filesystem::exists(Path("begun")));
}

TEST_F(FuzzEndCommandTest, AnUnfinishedFileOfAKilledRunIsRemovedByTheNext) {
  std::filesystem::create_directories(Path("fuzz/findings"));
  WriteFile(Path("fuzz/findings/.midwire-1-0.part"), "{");
  WriteFile(Path("fuzz/findings/.midwire-2-0.part"), "{");
  const int writer = open(Path("fuzz/findings/.midwire-2-0.part").c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(flock(writer, LOCK_SH), 0);
  EXPECT_EQ(Fuzz({"--max-runs", "5"}, "calm").code, 0);
  EXPECT_THAT(Findings(), testing::ElementsAre(Path("fuzz/findings/.midwire-2-0.part")))
      << "the other one is still written";
  close(writer);
}

}  // namespace
}  // namespace midwire::tools
