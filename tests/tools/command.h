// Runs the midwire command and keeps its output, for tests of the subcommands.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace midwire::tools {

struct Ran {
  int code = -1;  // 128 + signal when it was killed
  std::string out, err;
};

inline std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), bytes.size());
}

// Each test has its own folder, removed afterwards; midwire's default folder is in it.
class CommandTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "midwire-tools-XXXXXX";
    folder_ = mkdtemp(name.data());
    setenv("XDG_STATE_HOME", folder_.c_str(), 1);
    unsetenv("NO_COLOR");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Save(const std::string& name, std::string_view bytes) const {
    WriteFile(Path(name), bytes);
    return Path(name);
  }

  // `out`: where standard output goes instead.
  pid_t Start(std::vector<std::string> arguments, const std::string& out = "") const {
    arguments.insert(arguments.begin(), MIDWIRE_COMMAND);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const auto open_at = [](const std::string& path, int flags, int descriptor) {
      dup2(open(path.c_str(), flags, 0600), descriptor);
    };
    open_at("/dev/null", O_RDONLY, 0);
    open_at(out.empty() ? Path("out") : out, O_WRONLY | O_CREAT | O_TRUNC, 1);
    open_at(Path("err"), O_WRONLY | O_CREAT | O_TRUNC, 2);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }

  Ran Wait(pid_t pid) const {
    int status = 0;
    waitpid(pid, &status, 0);
    Ran ran;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = ReadFile(Path("out"));
    ran.err = ReadFile(Path("err"));
    return ran;
  }

  Ran Run(std::vector<std::string> arguments, const std::string& out = "") const {
    return Wait(Start(std::move(arguments), out));
  }

  std::string folder_;
};

// Compares with tests/golden/show/NAME; MIDWIRE_REWRITE_GOLDEN=1 rewrites the file instead.
inline void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(MIDWIRE_SOURCE) + "/tests/golden/show/" + name;
  if (getenv("MIDWIRE_REWRITE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    WriteFile(path, text);
    return;
  }
  EXPECT_EQ(text, ReadFile(path)) << "golden: " << path
                                  << " (MIDWIRE_REWRITE_GOLDEN=1 writes it anew)";
}

}  // namespace midwire::tools
