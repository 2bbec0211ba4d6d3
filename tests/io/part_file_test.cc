// Files while they are written, and what killed writers leave.
#include "io/files/part_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iterator>

#include "io/files/file_sink.h"
#include "tests/io/files.h"

namespace midwire::io {
namespace {

class PartFileTest : public FolderTest {
 protected:
  auto Count() const { return std::distance(std::filesystem::directory_iterator(folder()), {}); }
};

TEST_F(PartFileTest, WhatIsStillWrittenIsNotRemoved) {
  auto sink = FileSink::Create(Path("trace"));
  ASSERT_TRUE(sink.ok() && (*sink)->Write("whole"));
  RemoveAbandonedParts(folder());
  const Status closed = (*sink)->Close();
  EXPECT_TRUE(closed) << closed.error().Text();
  EXPECT_EQ(ReadFile(Path("trace")), "whole");
  EXPECT_EQ(Count(), 1);
}

TEST_F(PartFileTest, WhatIsWrittenButNotYetRenamedIsNotRemoved) {
  const auto part = PartFile::Create(folder() + "/", 0600);
  ASSERT_EQ(part->EndWriting(), 0);
  RemoveAbandonedParts(folder());
  EXPECT_EQ(Count(), 1);
}

TEST_F(PartFileTest, WhatAKilledWriterLeftIsRemovedAtOnce) {
  const pid_t writer = fork();
  if (writer == 0) {
    const auto part = PartFile::Create(folder() + "/", 0600);
    _exit(part == nullptr);
  }
  int status = 1;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(Count(), 1);
  RemoveAbandonedParts(folder());
  EXPECT_EQ(Count(), 0);
}

TEST_F(PartFileTest, ALinkAndAPipeOfSuchANameStay) {
  ASSERT_EQ(symlink("trace", Path(".midwire-1-0.part").c_str()), 0);
  ASSERT_EQ(mkfifo(Path(".midwire-2-0.part").c_str(), 0600), 0);
  RemoveAbandonedParts(folder());
  EXPECT_EQ(Count(), 2);
}

}  // namespace
}  // namespace midwire::io
