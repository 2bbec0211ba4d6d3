// midwire wrap, killed at each system call: the configuration is the old or the new one, and
// unwrap gives the old one again.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

constexpr char kOneServer[] =
    "{\"mcpServers\": {\"a\": {\"command\": \"a\", \"args\": [\"b\"]}}}\n";

// Far more stops than a run has: two per system call.
constexpr int kMostStops = 4000;

class WrapKillTest : public CommandTest {
 protected:
  // Runs midwire, and kills it at the stop of this number, before or after a system call. False: it
  // ended before.
  bool KillAt(int stop, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), MidwirePath());
    const pid_t pid = fork();
    if (pid == 0) {
      std::vector<char*> argv;
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      const int out = open(Path("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(125);
      if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(126);
      execv(argv[0], argv.data());
      _exit(127);
    }
    int status = 0;
    for (int i = 0; waitpid(pid, &status, 0) == pid && WIFSTOPPED(status); ++i) {
      if (i == stop)
        kill(pid, SIGKILL);
      else
        ptrace(PTRACE_SYSCALL, pid, nullptr, nullptr);
    }
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << status;
    return WIFSIGNALED(status);
  }

  // What a killed run has not renamed; `executable`: only what a host might start.
  int Parts(bool executable) const {
    int parts = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      const auto mode = file.status().permissions() & std::filesystem::perms::owner_exec;
      parts += file.path().extension() == ".part" &&
               (!executable || mode != std::filesystem::perms::none);
    }
    return parts;
  }

  // What a killed run left makes the next one longer.
  void RemoveAll() const {
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      std::filesystem::remove_all(file.path());
    }
  }
};

TEST_F(WrapKillTest, AtEachSystemCallOfWrap) {
  const std::string path = Path("mcp.json");
  Save("mcp.json", kOneServer);
  ASSERT_EQ(Run({"wrap", path}).code, 0);
  const std::string wrapped = ReadFile(path);
  int old = 0, fresh = 0;
  for (int stop = 0; stop < kMostStops; ++stop) {
    RemoveAll();
    Save("mcp.json", kOneServer);
    const bool killed = KillAt(stop, {"wrap", path});
    const std::string text = ReadFile(path);
    ASSERT_TRUE(text == kOneServer || text == wrapped) << "stop " << stop << ": " << text;
    ++(text == kOneServer ? old : fresh);
    if (text == wrapped) {
      ASSERT_EQ(ReadFile(path + ".before-midwire"), kOneServer) << "stop " << stop;
    }
    if (!killed) break;
    // Not at each stop: after a kill nothing else can differ.
    if (text == wrapped || stop % 16 == 0) {
      ASSERT_EQ(Run({"unwrap", path}).code, 0) << "stop " << stop;
      ASSERT_EQ(ReadFile(path), kOneServer) << "stop " << stop;
      ASSERT_EQ(Parts(/*executable=*/false), 0) << "stop " << stop;
    }
  }
  EXPECT_GT(old, 50);
  EXPECT_GT(fresh, 5);
}

TEST_F(WrapKillTest, AtEachSystemCallOfUnwrap) {
  const std::string path = Path("mcp.json");
  Save("mcp.json", kOneServer);
  ASSERT_EQ(Run({"wrap", path}).code, 0);
  const std::string wrapped = ReadFile(path);
  int old = 0, fresh = 0;
  for (int stop = 0; stop < kMostStops; ++stop) {
    RemoveAll();
    Save("mcp.json.before-midwire", kOneServer);
    Save("mcp.json", wrapped);
    const bool killed = KillAt(stop, {"unwrap", path});
    const std::string text = ReadFile(path);
    ASSERT_TRUE(text == kOneServer || text == wrapped) << "stop " << stop << ": " << text;
    ++(text == wrapped ? old : fresh);
    if (!killed) break;
  }
  EXPECT_GT(old, 50);
  EXPECT_GT(fresh, 5);
}

TEST_F(WrapKillTest, AtEachSystemCallOfWrapInPlace) {
  constexpr char kPlugin[] = "#!/bin/sh\nexit 7\n";
  const std::string path = Path("plugin");
  int old = 0, fresh = 0, parts = 0, executable = 0;
  for (int stop = 0; stop < kMostStops; ++stop) {
    RemoveAll();
    Save("plugin", kPlugin);
    chmod(path.c_str(), 0755);
    const bool killed = KillAt(stop, {"wrap", "--in-place", path});
    const bool plain = ReadFile(path) == kPlugin;
    ++(plain ? old : fresh);
    parts += Parts(/*executable=*/false);
    executable += Parts(/*executable=*/true);
    // Both start the plugin.
    if (!plain) {
      ASSERT_EQ(Run({"record", "-o", Path("t.pcapng"), "--", path}).code, 7) << "stop " << stop;
    }
    if (!killed) break;
    if (!plain || stop % 8 == 0) {
      ASSERT_EQ(Run({"unwrap", "--in-place", path}).code, 0) << "stop " << stop;
      ASSERT_EQ(ReadFile(path), kPlugin) << "stop " << stop;
      ASSERT_FALSE(std::filesystem::exists(Path(".plugin.midwire"))) << "stop " << stop;
      ASSERT_EQ(Parts(/*executable=*/false), 0) << "stop " << stop;
    }
  }
  EXPECT_GT(old, 50);
  EXPECT_GT(fresh, 5);
  EXPECT_GT(parts, 5);
  EXPECT_LE(executable, 2) << "after chmod and before rename";
}

TEST_F(WrapKillTest, AtEachSystemCallOfUnwrapInPlace) {
  constexpr char kPlugin[] = "#!/bin/sh\nexit 7\n";
  const std::string path = Path("plugin"), aside = Path(".plugin.midwire");
  int old = 0, fresh = 0;
  for (int stop = 0; stop < kMostStops; ++stop) {
    RemoveAll();
    Save("plugin", kPlugin);
    chmod(path.c_str(), 0755);
    ASSERT_EQ(Run({"wrap", "--in-place", path}).code, 0);
    const std::string launcher = ReadFile(path);
    const bool killed = KillAt(stop, {"unwrap", "--in-place", path});
    const std::string text = ReadFile(path);
    const bool plain = text == kPlugin;
    ++(plain ? fresh : old);
    // The launcher, and what it starts.
    ASSERT_TRUE(plain || (text == launcher && ReadFile(aside) == kPlugin)) << "stop " << stop;
    if (!killed) break;
    if (plain || stop % 16 == 0) {
      ASSERT_EQ(Run({"unwrap", "--in-place", path}).code, 0) << "stop " << stop;
      ASSERT_EQ(ReadFile(path), kPlugin) << "stop " << stop;
      ASSERT_FALSE(std::filesystem::exists(aside)) << "stop " << stop;
    }
  }
  EXPECT_GT(old, 50);
  EXPECT_GT(fresh, 5);
}

}  // namespace
}  // namespace midwire::tools
