// What a program gets from the launcher, and the error when it cannot be started.
#include "io/process/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/pipe.h"
#include "io/process/child_process.h"
#include "io/process/reap.h"
#include "io/process/run_command.h"
#include "tests/eventually.h"
#include "tests/io/files.h"

namespace midwire::io {
namespace {

using Signals = LaunchOptions::Signals;

// What a shell script prints that is launched with these options.
std::string Printed(LaunchOptions options, const std::string& script) {
  Pipe out;
  EXPECT_TRUE(out.Open());
  options.path = "/bin/sh";
  options.argv = {"sh", "-c", script};
  options.ends[1] = out.writer;
  options.ends[2] = 2;
  pid_t pid = -1;
  EXPECT_EQ(Launch(options, &pid), 0);
  CloseDescriptor(&out.writer);
  std::string text;
  char bytes[4096];
  for (ssize_t count; (count = read(out.reader, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<size_t>(count));
  }
  EXPECT_EQ(WaitForEnd(pid), ExitStatus{.code = 0});
  return text;
}

// The line of /proc/self/status with this name, as the program has it.
std::string StatusLine(const LaunchOptions& options, const std::string& name) {
  return Printed(options, "exec grep ^" + name + ": /proc/self/status");
}

TEST(LauncherTest, EndsThatAreNotGivenAreClosed) {
  EXPECT_EQ(Printed({}, "test -e /proc/self/fd/0 || echo closed"), "closed\n");
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(Printed({.ends = {null, -1, -1}}, "readlink /proc/self/fd/0"), "/dev/null\n");
  close(null);
}

TEST(LauncherTest, AnEnvironmentOfItsOwn) {
  const char* environment[] = {"ONLY=this", nullptr};
  EXPECT_EQ(Printed({.environment = environment}, "echo $ONLY $HOME"), "this\n");
}

TEST(LauncherTest, AGroupOfItsOwnOrOurs) {
  const std::string ours = std::to_string(getpgrp()) + "\n";
  constexpr char kGroup[] = "cut -d' ' -f5 /proc/$$/stat";
  EXPECT_EQ(Printed({}, kGroup), ours);
  EXPECT_NE(Printed({.own_group = true}, kGroup), ours);
}

TEST(LauncherTest, SignalsAreInheritedOrReset) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  const auto old = signal(SIGXFSZ, SIG_IGN);
  EXPECT_NE(StatusLine({}, "SigBlk").find("200"), std::string::npos);
  EXPECT_EQ(StatusLine({.signals = Signals::kDefault}, "SigBlk"), "SigBlk:\t0000000000000000\n");
  EXPECT_EQ(StatusLine({.signals = Signals::kDefault}, "SigIgn"), "SigIgn:\t0000000000000000\n");
  EXPECT_NE(StatusLine({}, "SigIgn"), "SigIgn:\t0000000000000000\n");
  signal(SIGXFSZ, old);
  sigset_t now;
  sigprocmask(SIG_SETMASK, &before, &now);
  EXPECT_EQ(sigismember(&now, SIGUSR1), 1) << "ours was changed";
  EXPECT_EQ(sigismember(&now, SIGTERM), 0) << "ours was changed";
}

class FailedStartTest : public FolderTest {
 protected:
  int Error(const std::string& path) {
    pid_t pid = -1;
    const int error = Launch({.path = path, .argv = {path}, .ends = {0, 1, 2}}, &pid);
    EXPECT_TRUE(error == 0 || pid == -1);
    return error;
  }
};

TEST_F(FailedStartTest, IsReportedByErrno) {
  EXPECT_EQ(Error(Path("missing")), ENOENT);
  EXPECT_EQ(Error(folder()), EACCES);
  std::ofstream(Path("script")) << "exit 0\n";
  chmod(Path("script").c_str(), 0700);
  EXPECT_EQ(Error(Path("script")), ENOEXEC);
  // Nothing is left to be reaped.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(FailedStartTest, FindExecutableLooksThroughPath) {
  std::ofstream(Path("tool")) << "text\n";
  const std::string before = getenv("PATH");
  setenv("PATH", folder().c_str(), 1);
  int error = 0;
  EXPECT_EQ(FindExecutable("nothing", &error), "");
  EXPECT_EQ(error, ENOENT);
  EXPECT_EQ(FindExecutable("tool", &error), "");
  EXPECT_EQ(error, EACCES);
  chmod(Path("tool").c_str(), 0700);
  EXPECT_EQ(FindExecutable("tool"), Path("tool"));
  EXPECT_EQ(FindExecutable("x/y"), "x/y");
  EXPECT_EQ(FindExecutable(""), "");
  setenv("PATH", before.c_str(), 1);
}

TEST(RunCommandTest, KeepsOutputAndStatus) {
  const auto ran = RunCommand({"sh", "-c", "cat; echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(ran.ok()) << ran.error().Text();
  EXPECT_EQ(ran->out, "out\n");
  EXPECT_EQ(ran->err, "err\n");
  EXPECT_EQ(ran->status, ExitStatus{.code = 3});
  EXPECT_EQ(RunCommand({"sh", "-c", "kill -9 $$"})->status, ExitStatus{.signal = SIGKILL});
  EXPECT_FALSE(RunCommand({"no-such-program"}));
}

TEST(RunCommandTest, WithAStopConditionRemainingProcessesAreKilled) {
  const auto ran = RunCommand({"sh", "-c", "sleep 1000 & echo $!"}, [] { return false; });
  ASSERT_TRUE(ran.ok()) << ran.error().Text();
  EXPECT_EQ(ran->status, ExitStatus{.code = 0});
  // It may be a zombie for a moment.
  const pid_t left = std::stoi(ran->out);
  const std::string stat = "/proc/" + std::to_string(left) + "/stat";
  EXPECT_TRUE(Eventually([&] {
    const std::string text = ReadIfThere(stat);
    return text.empty() || text.find(") Z ") != std::string::npos;
  })) << "it is still running";
}

TEST(RunCommandTest, IsStopped) {
  int asked = 0;
  const auto ran = RunCommand({"sleep", "1000"}, [&] { return ++asked > 2; });
  ASSERT_TRUE(ran.ok()) << ran.error().Text();
  EXPECT_EQ(ran->status, ExitStatus{.signal = SIGKILL});
}

TEST(ChildProcessTest, WaitsForItsOutputAndForOtherDescriptors) {
  ChildProcess child({"cat"});
  ASSERT_TRUE(child.Start());
  Pipe other;
  ASSERT_TRUE(other.Open());
  std::string out, err;
  EXPECT_FALSE(child.Wait(0, false, &out, &err));
  EXPECT_EQ(child.Write("hello"), 5u);
  PollSlot slots[] = {ForRead(other.reader)};
  while (out != "hello" && child.Wait(20'000'000'000, false, &out, &err, slots)) {
    EXPECT_FALSE(IsReady(slots[0]));
  }
  EXPECT_EQ(out, "hello");
  ASSERT_EQ(write(other.writer, "x", 1), 1);
  EXPECT_TRUE(child.Wait(20'000'000'000, false, &out, &err, slots));
  EXPECT_TRUE(IsReady(slots[0]));
  child.CloseStdin();
  ExitStatus status;
  ASSERT_TRUE(child.Reap(20'000'000'000, &status, &out, &err));
  EXPECT_EQ(status, ExitStatus{.code = 0});
  EXPECT_FALSE(child.running());
}

TEST(ChildProcessTest, IsReapedWithWhatItWroteLast) {
  ChildProcess child({"sh", "-c", "echo last >&2; kill -TERM $$"});
  ASSERT_TRUE(child.Start());
  std::string out, err;
  ExitStatus status;
  ASSERT_TRUE(child.Reap(20'000'000'000, &status, &out, &err));
  EXPECT_EQ(status, ExitStatus{.signal = SIGTERM});
  EXPECT_EQ(err, "last\n");
}

}  // namespace
}  // namespace midwire::io
