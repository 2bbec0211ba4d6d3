// Files written in one call.
#include "io/files/write_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <thread>

#include "io/files/append_file.h"
#include "io/files/replace_file.h"
#include "tests/io/files.h"

namespace midwire::io {
namespace {

using WriteFileTest = FolderTest;

auto FilesIn(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST_F(WriteFileTest, AReportIsWrittenOver) {
  ASSERT_TRUE(WriteFile(Path("report"), "a long first one"));
  ASSERT_TRUE(WriteFile(Path("report"), "short"));
  EXPECT_EQ(ReadFile(Path("report")), "short");
  EXPECT_FALSE(WriteFile(Path("no/report"), "x"));
}

TEST_F(WriteFileTest, AFailedWriteKeepsTheOlderReport) {
  ASSERT_TRUE(WriteFile(Path("report"), "first"));
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit;
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small = {4096, old_limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const bool written = WriteFile(Path("report"), std::string(10'000, 'x'));
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &old_limit);
  signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(written);
  EXPECT_EQ(error, EFBIG);
  EXPECT_EQ(ReadFile(Path("report")), "first");
  EXPECT_EQ(FilesIn(folder()), 1);  // nothing is left behind
}

TEST_F(WriteFileTest, AReportIsWrittenOverBehindItsLinkAndKeepsItsMode) {
  ASSERT_TRUE(WriteFile(Path("report"), "first"));
  ASSERT_EQ(chmod(Path("report").c_str(), 0640), 0);
  std::filesystem::create_symlink("report", Path("link"));
  std::filesystem::create_symlink(Path("link"), Path("far"));
  ASSERT_TRUE(WriteFile(Path("far"), "second"));
  EXPECT_EQ(ReadFile(Path("report")), "second");
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  struct stat status;
  ASSERT_EQ(stat(Path("report").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// A rename would leave the writers of an open file with the old one.
TEST_F(WriteFileTest, AnOpenFileIsWrittenInPlace) {
  const int fd = open(Path("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_TRUE(WriteFile("/dev/fd/" + std::to_string(fd), "report"));
  ASSERT_EQ(lseek(fd, 0, SEEK_END), 6);
  EXPECT_EQ(WriteAll(fd, " and more"), 0);
  close(fd);
  EXPECT_EQ(ReadFile(Path("out")), "report and more");
}

TEST_F(WriteFileTest, ANewFileIsNotWrittenOver) {
  ASSERT_TRUE(WriteNewFile(Path("new"), "first"));
  const Status again = WriteNewFile(Path("new"), "second");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().what, "the output exists already");
  EXPECT_EQ(ReadFile(Path("new")), "first");
}

TEST_F(WriteFileTest, AFileThatIsKeptStays) {
  const auto kept = KeepFile(Path("seed"), "bytes"), again = KeepFile(Path("seed"), "bytes");
  ASSERT_TRUE(kept && again);
  EXPECT_TRUE(*kept && !*again) << "whether this call has written it";
  std::filesystem::create_directory(Path("folder"));
  EXPECT_FALSE(KeepFile(Path("folder"), "bytes"));
  std::filesystem::create_symlink("nowhere", Path("link"));
  EXPECT_FALSE(KeepFile(Path("link"), "bytes"));
}

// Another process may have made a shared terminal or pipe non-blocking.
TEST_F(WriteFileTest, WriteAllWaitsForAPipeThatDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const std::string text(300'000, 'x');
  std::thread writer([&] {
    EXPECT_EQ(WriteAll(ends[1], text), 0);
    close(ends[1]);
  });
  fcntl(ends[0], F_SETFL, 0);
  size_t received = 0;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;) {
    received += static_cast<size_t>(count);
  }
  writer.join();
  EXPECT_EQ(received, text.size());
  close(ends[0]);
  EXPECT_EQ(WriteAll(-1, "x"), EBADF);
}

TEST_F(WriteFileTest, AReplacedFileKeepsItsModeAndTheOldOneItsName) {
  for (const char* expected : {".old", ".old.2"}) {
    ASSERT_TRUE(WriteFile(Path("trace"), "old"));
    ASSERT_EQ(chmod(Path("trace").c_str(), 0640), 0);
    ASSERT_TRUE(WriteNewFile(Path("trace.new"), "new"));
    const auto old = ReplaceFile(Path("trace.new"), Path("trace"));
    ASSERT_TRUE(old.ok()) << old.error().Text();
    EXPECT_EQ(*old, Path("trace") + expected);
    EXPECT_EQ(ReadFile(*old), "old");
    EXPECT_EQ(ReadFile(Path("trace")), "new");
    struct stat status;
    ASSERT_EQ(stat(Path("trace").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);
  }
}

TEST_F(WriteFileTest, FoldersAreMadeForTheOwnerAloneAndTheFirstFailureIsReported) {
  const mode_t old = umask(0277);
  EXPECT_EQ(MakeFolders(Path("a/b/c")), 0);
  umask(old);
  struct stat status;
  ASSERT_EQ(stat(Path("a/b").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_EQ(MakeFolders(Path("a/b/c")), 0);
  ASSERT_TRUE(WriteFile(Path("file"), ""));
  EXPECT_EQ(MakeFolders(Path("file/x/y")), ENOTDIR);
}

TEST(NextNameTest, ComesBeforeTheExtension) {
  EXPECT_EQ(NextName("tape.pcapng", 1), "tape.pcapng");
  EXPECT_EQ(NextName("tape.pcapng", 2), "tape-2.pcapng");
  EXPECT_EQ(NextName("a.b/tape", 3), "a.b/tape-3");
  EXPECT_EQ(NextName(".hidden", 2), ".hidden-2");
}

}  // namespace
}  // namespace midwire::io
