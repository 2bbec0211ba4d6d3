// How it ends: the host must see what it would have seen of the plugin itself (P4).
#include <sys/resource.h>

#include "tests/paths.h"
#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class StatusTest : public RecordTest {};

// Dead, reaped or not.
bool IsGone(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line.find('Z') != std::string::npos;
  }
  return true;
}

TEST_F(StatusTest, EveryExitCode) {
  for (int code = 0; code < 256; ++code) {
    Host host({.command = Recorded({"exits", std::to_string(code)})});
    ASSERT_EQ(host.Wait(), (Ending{code, 0}));
  }
}

TEST_F(StatusTest, DeathBySignal) {
  for (int number :
       {SIGSEGV, SIGABRT, SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGPIPE, SIGXCPU, SIGRTMIN + 3}) {
    Host host({.command = Recorded({"dies", std::to_string(number)})});
    EXPECT_EQ(host.ReceiveAll(), "last words\n");
    EXPECT_EQ(host.Wait(), (Ending{-1, number}));
  }
}

TEST_F(StatusTest, DeathIsOnTheTape) {
  Host host({.command = Recorded({"dies", std::to_string(SIGSEGV)})});
  host.Wait();
  const Taped taped = ReadTape(tape());
  ASSERT_EQ(taped.All<ExitStatus>().size(), 1u);
  EXPECT_EQ(taped.All<ExitStatus>()[0].signal, SIGSEGV);
  EXPECT_EQ(taped.All<trace::EndEvent>().size(), 1u);
}

TEST_F(StatusTest, OneCoreFileAndItIsThePlugins) {
  std::string pattern;
  std::ifstream("/proc/sys/kernel/core_pattern") >> pattern;
  if (pattern != "core") GTEST_SKIP() << "core_pattern is not a file in the working folder";
  const auto allow_cores = [this] {
    rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &limit);
    if (chdir(folder_.c_str()) != 0) _exit(98);
  };
  Host direct({.command = Direct({"dies", "11"}), .before_exec = allow_cores});
  direct.Wait();
  const std::string core = Path("core");
  if (!std::filesystem::exists(core)) GTEST_SKIP() << "no core files here";
  std::filesystem::remove(core);

  Host recorded({.command = Recorded({"dies", "11"}), .before_exec = allow_cores});
  recorded.Wait();
  ASSERT_TRUE(std::filesystem::exists(core));
  EXPECT_NE(ReadFile(core).find("this core is of the plugin"), std::string::npos);
}

TEST_F(StatusTest, NotFoundIs127) {
  std::ofstream(Path("script")) << "#!/no/such/interpreter\n";
  std::filesystem::permissions(Path("script"), std::filesystem::perms::owner_all);
  for (const auto& [name, remedy] :
       {std::pair(std::string("/no/such/plugin"), ""),
        std::pair(std::string("no-such-plugin-anywhere"), " (it is not in PATH)"),
        std::pair(Path("script"), " (it is there, but not the interpreter that it names)")}) {
    Host host({.command = {MidwirePath(), "record", "-o", tape(), "--", name}});
    EXPECT_EQ(host.ReceiveErrors(), "midwire: error: cannot start the plugin: " + name +
                                        ": No such file or directory" + remedy + "\n");
    EXPECT_EQ(host.Wait(), (Ending{127, 0}));
    std::filesystem::remove(tape());
  }
}

TEST_F(StatusTest, WhatCannotBeStartedLeavesATape) {
  Host host({.command = {MidwirePath(), "record", "-o", tape(), "--", "no-such-plugin", "-x"}});
  EXPECT_EQ(host.Wait(), (Ending{127, 0}));
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.All<trace::SpawnEvent>().at(0).argv, Command({"no-such-plugin", "-x"}));
  EXPECT_NE(taped.All<trace::SpawnEvent>().at(0).cwd, "");
  const trace::CannotStartEvent why = taped.All<trace::CannotStartEvent>().at(0);
  EXPECT_EQ(why.file, "no-such-plugin");
  EXPECT_EQ(why.path, getenv("PATH"));
  EXPECT_EQ(why.number, ENOENT);
  EXPECT_EQ(taped.All<ExitStatus>().at(0).code, 127);
  EXPECT_EQ(taped.All<trace::EndEvent>().size(), 1u);
}

TEST_F(StatusTest, NotExecutableIs126) {
  std::ofstream(Path("plain")) << "text";
  for (const auto& [name, remedy] : {std::pair(Path("plain"), "it is not executable: chmod +x it"),
                                     std::pair(folder_, "it is a folder")}) {
    Host host({.command = {MidwirePath(), "record", "-o", tape(), "--", name}});
    EXPECT_EQ(host.ReceiveErrors(), "midwire: error: cannot start the plugin: " + name +
                                        ": Permission denied (" + remedy + ")\n");
    EXPECT_EQ(host.Wait(), (Ending{126, 0}));
    std::filesystem::remove(tape());
  }
}

TEST_F(StatusTest, ScriptWithoutInterpreterLineRunsInAShell) {
  std::ofstream(Path("script")) << "echo \"$0 $1\"\nexit 21\n";
  std::filesystem::permissions(Path("script"), std::filesystem::perms::owner_all);
  Host host({.command = Recorded({Path("script"), "word"})});
  EXPECT_EQ(host.ReceiveAll(), Path("script") + " word\n");
  EXPECT_EQ(host.Wait(), (Ending{21, 0}));
}

TEST_F(StatusTest, FoundByPathAsExecvpWould) {
  std::ofstream(Path("tool")) << "#!/bin/sh\nexit 22\n";
  Host host(
      {.command = {MidwirePath(), "record", "-o", tape(), "--", "tool"}, .before_exec = [this] {
         std::filesystem::create_directory(Path("a"));
         std::filesystem::create_directory(Path("a/tool"));  // a folder is not a program
         chmod(Path("tool").c_str(), 0755);
         setenv("PATH", (Path("a") + ":/nowhere:" + folder_).c_str(), 1);
       }});
  EXPECT_EQ(host.Wait(), (Ending{22, 0}));
}

TEST_F(StatusTest, KilledMidwireLeavesNoOrphan) {
  Host host({.command = Recorded({"deaf"})});
  ASSERT_EQ(host.Receive(6), "ready\n");
  const auto spawns = ReadTape(tape()).All<trace::SpawnEvent>();
  ASSERT_EQ(spawns.size(), 1u);
  const pid_t plugin = static_cast<pid_t>(spawns[0].pid);
  ASSERT_EQ(kill(plugin, 0), 0);
  host.Signal(SIGKILL);
  EXPECT_EQ(host.Wait(), (Ending{-1, SIGKILL}));
  EXPECT_TRUE(Eventually([&] { return IsGone(plugin); }));
}

}  // namespace
}  // namespace midwire::proxy
