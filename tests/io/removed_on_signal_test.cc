#include "io/files/removed_on_signal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/io/files.h"

namespace midwire::io {
namespace {

using RemovedOnSignalTest = FolderTest;

// Of a process that has a folder with two files and gets the signal.
int StatusAfter(int number, const std::string& folder) {
  const pid_t pid = fork();
  if (pid == 0) {
    std::filesystem::create_directory(folder);
    for (const char* name : {"/a", "/b"}) std::ofstream(folder + name) << "secret";
    const RemovedOnSignal removed(folder);
    raise(number);
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return status;
}

TEST_F(RemovedOnSignalTest, AFolderIsRemovedByEachSignalThatEndsTheProcess) {
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
    const int status = StatusAfter(number, Path("copies"));
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number;
    EXPECT_FALSE(std::filesystem::exists(Path("copies"))) << number;
  }
}

TEST_F(RemovedOnSignalTest, AnIgnoredSignalStaysIgnored) {
  signal(SIGHUP, SIG_IGN);
  EXPECT_EQ(StatusAfter(SIGHUP, Path("copies")), 0);
  signal(SIGHUP, SIG_DFL);
  EXPECT_TRUE(std::filesystem::exists(Path("copies/a")));
}

}  // namespace
}  // namespace midwire::io
