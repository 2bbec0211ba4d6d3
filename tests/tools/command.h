// Runs the midwire command and keeps its output, for tests of the subcommands.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/files.h"
#include "tests/paths.h"

namespace midwire::tools {

struct Ran {
  int code = -1;  // 128 + signal when it was killed
  std::string out, err;
};

inline void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), bytes.size());
  EXPECT_TRUE(file.flush()) << "cannot write " << path;
}

// Each test has its own folder; midwire's default folder is in it.
class CommandTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_STATE_HOME", folder_.c_str(), 1);
    unsetenv("NO_COLOR");
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Save(const std::string& name, std::string_view bytes) const {
    WriteFile(Path(name), bytes);
    return Path(name);
  }

  // `out`: where standard output goes instead.
  pid_t Start(std::vector<std::string> arguments, const std::string& out = "") const {
    arguments.insert(arguments.begin(), MidwirePath());
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const auto open_at = [](const std::string& path, int flags, int descriptor) {
      if (dup2(open(path.c_str(), flags, 0600), descriptor) < 0) _exit(125);
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
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    Ran ran;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    // Not there where the output goes elsewhere.
    ran.out = ReadIfThere(Path("out"));
    ran.err = ReadFile(Path("err"));
    return ran;
  }

  Ran Run(std::vector<std::string> arguments, const std::string& out = "") const {
    return Wait(Start(std::move(arguments), out));
  }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

// Compares with tests/golden/show/NAME; MIDWIRE_REWRITE_GOLDEN=1 rewrites the file instead.
inline void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = SourceFolder() + "/tests/golden/show/" + name;
  if (getenv("MIDWIRE_REWRITE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    WriteFile(path, text);
    GTEST_SKIP() << "wrote " << path;
  }
  EXPECT_EQ(text, ReadFile(path)) << "golden: " << path
                                  << " (MIDWIRE_REWRITE_GOLDEN=1 writes it anew)";
}

}  // namespace midwire::tools
