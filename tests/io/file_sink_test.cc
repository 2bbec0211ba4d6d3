#include "io/files/file_sink.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/io/files.h"

namespace midwire::io {
namespace {

class FileSinkTest : public FolderTest {
 protected:
  std::string path() const { return Path("trace"); }
};

TEST_F(FileSinkTest, IsWrittenPrivatelyAndReadBack) {
  mode_t before = umask(0777);
  auto sink = FileSink::Create(path());
  umask(before);
  ASSERT_TRUE(sink.ok()) << sink.error().Text();
  std::string expected;
  for (size_t size : {1, 100'000, 300'000, 5, 262'144}) {
    std::string piece(size, static_cast<char>('a' + size % 26));
    ASSERT_TRUE((*sink)->Write(piece).ok());
    expected += piece;
  }
  ASSERT_TRUE((*sink)->Close().ok());
  struct stat status;
  ASSERT_EQ(stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(ReadFile(path()), expected);
}

TEST_F(FileSinkTest, IsNeverOverwritten) {
  auto first = FileSink::Create(path()), second = FileSink::Create(path());
  ASSERT_TRUE((*first)->Write("precious").ok() && (*first)->Close().ok());
  EXPECT_FALSE((*second)->Close().ok());
  auto again = FileSink::Create(path());
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().Text().find("exists already"), std::string::npos);
  EXPECT_EQ(ReadFile(path()), "precious");
}

TEST_F(FileSinkTest, WithoutCloseThereIsNone) {
  (void)(*FileSink::Create(path()))->Write("half");
  EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

TEST_F(FileSinkTest, AMissingFolderIsRefused) {
  EXPECT_FALSE(FileSink::Create(path() + "/no/such").ok());
}

TEST_F(FileSinkTest, ALinkIsRefused) {
  ASSERT_EQ(symlink("/dev/full", path().c_str()), 0);
  EXPECT_FALSE(FileSink::Create(path()).ok());
}

}  // namespace
}  // namespace midwire::io
