#include "trace/frame_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <utility>
#include <vector>

#include "tests/files.h"

namespace midwire::trace {
namespace {

constexpr size_t kMiB = 1 << 20;

// The same text for the same number, different texts for different numbers.
std::string Frame(uint32_t number, size_t size) {
  std::minstd_rand random(number + 1);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random() >> 8);
  return bytes;
}

// With a temporary folder of its own.
class FrameStoreTest : public testing::Test {
 protected:
  FrameStoreTest() {
    const char* before = getenv("TMPDIR");
    if (before != nullptr) before_ = before;
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~FrameStoreTest() override {
    before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
  }
  // What this process has open in the folder, including nameless files.
  std::vector<int> OpenInFolder() const {
    std::vector<int> found;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
      if (target.starts_with(folder_)) found.push_back(std::stoi(entry.path().filename()));
    }
    return found;
  }
  bool FolderIsEmpty() const { return std::filesystem::is_empty(folder_); }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  std::string before_;
};

struct Kept {
  uint64_t at;
  uint32_t number;
  size_t size;
};

void Add(FrameStore* store, size_t size, std::vector<Kept>* kept) {
  const auto number = static_cast<uint32_t>(kept->size());
  const auto at = store->Add(Frame(number, size));
  ASSERT_TRUE(at.ok()) << at.error().Text();
  kept->push_back({*at, number, size});
}

void ExpectKept(FrameStore* store, const Kept& kept) {
  const auto bytes = store->Get(kept.at, kept.size);
  ASSERT_TRUE(bytes.ok()) << bytes.error().Text();
  ASSERT_TRUE(*bytes == Frame(kept.number, kept.size)) << "frame " << kept.number;
}

TEST_F(FrameStoreTest, AnOrdinarySessionNeedsNoFile) {
  FrameStore store;
  std::vector<Kept> kept;
  for (size_t size : {200, 0, 1, 70'000, 5}) Add(&store, size, &kept);
  for (const Kept& one : kept) ExpectKept(&store, one);
  EXPECT_TRUE(OpenInFolder().empty());
}

TEST_F(FrameStoreTest, FramesComeBackInAnyOrderFromBothSidesOfTheLimit) {
  FrameStore store(kMiB);
  std::vector<Kept> kept;
  std::minstd_rand random(7);
  for (int i = 0; i < 3000; ++i) Add(&store, random() % 4000, &kept);
  for (const Kept& one : kept) ExpectKept(&store, one);
  for (int i = 0; i < 3000; ++i) ExpectKept(&store, kept[random() % kept.size()]);
}

TEST_F(FrameStoreTest, AFrameStraddlesTheLimit) {
  for (size_t limit : {0, 1, 999, 1000, 1001}) {
    FrameStore store(limit);
    std::vector<Kept> kept;
    for (size_t size : {500, 500, 300'000, 10}) Add(&store, size, &kept);
    for (const Kept& one : kept) ExpectKept(&store, one);
  }
}

TEST_F(FrameStoreTest, WhatIsKeptForEachFrameCountsToo) {
  FrameStore store(3 * kMiB / 2, 4 * kMiB, /*cost=*/1000);
  std::vector<Kept> kept;
  for (int i = 0; i < 2097; ++i) Add(&store, 1000, &kept);
  EXPECT_TRUE(OpenInFolder().empty()) << "4,194,000 of 4,194,304 bytes";
  for (int i = 0; i < 2000; ++i) Add(&store, 1000, &kept);
  EXPECT_EQ(OpenInFolder().size(), 1u);
  for (const Kept& one : kept) ExpectKept(&store, one);
}

TEST_F(FrameStoreTest, ARangeSpansSeveralAdditions) {
  FrameStore store(4);
  for (const char* piece : {"abc", "def", "ghi"}) ASSERT_TRUE(store.Add(piece).ok());
  EXPECT_EQ(*store.Get(0, 9), "abcdefghi");
  EXPECT_EQ(*store.Get(2, 5), "cdefg");
  EXPECT_EQ(*store.Get(9, 0), "");
}

TEST_F(FrameStoreTest, AFrameOf64MiBComesBackWhole) {
  FrameStore store(kMiB);
  std::vector<Kept> kept;
  for (size_t size : {100 * 1024, 64 * 1024 * 1024, 100}) Add(&store, size, &kept);
  for (const Kept& one : kept) ExpectKept(&store, one);
  ExpectKept(&store, kept[1]);
}

TEST_F(FrameStoreTest, WhatIsAddedAfterAReadIsThereToo) {
  FrameStore store(0);
  std::vector<Kept> kept;
  for (int i = 0; i < 2000; ++i) {
    Add(&store, 300, &kept);
    ExpectKept(&store, kept.back());
    ExpectKept(&store, kept[kept.size() / 2]);
  }
}

TEST_F(FrameStoreTest, TheFileIsPrivateNamelessAndGoneAtTheEnd) {
  {
    FrameStore store(0);
    const mode_t before = umask(0);
    ASSERT_TRUE(store.Add(std::string(kMiB, 'x')).ok());
    umask(before);
    const std::vector<int> files = OpenInFolder();
    ASSERT_EQ(files.size(), 1u);
    struct stat info;
    ASSERT_EQ(fstat(files[0], &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    EXPECT_EQ(info.st_nlink, 0u);
    EXPECT_EQ(fcntl(files[0], F_GETFD), FD_CLOEXEC);
    EXPECT_TRUE(FolderIsEmpty());
  }
  EXPECT_TRUE(OpenInFolder().empty());
}

// The number of system calls, as counted by the kernel for this process.
uint64_t Count(const std::string& name) {
  std::ifstream counts("/proc/self/io");
  std::string word;
  uint64_t count = 0;
  while (counts >> word >> count) {
    if (word == name + ":") return count;
  }
  return 0;
}

TEST_F(FrameStoreTest, InOrderItIsWrittenAndReadInFewCalls) {
  if (Count("syscr") == 0) GTEST_SKIP() << "this kernel does not count";
  FrameStore store(0);
  constexpr size_t kFrames = 64 * kMiB / 512;
  const uint64_t written_before = Count("syscw");
  const std::string frame(512, 'f');
  for (size_t i = 0; i < kFrames; ++i) ASSERT_TRUE(store.Add(frame).ok());
  EXPECT_LT(Count("syscw") - written_before, 64 * kMiB / (64 * 1024));
  const uint64_t read_before = Count("syscr");
  for (size_t i = 0; i < kFrames; ++i) {
    ASSERT_TRUE(store.Get(i * 512, 512).ok());
    ASSERT_TRUE(store.Get(i / 2 * 512, 512).ok());  // and another place, alternately
  }
  EXPECT_LT(Count("syscr") - read_before, 1000u);
}

TEST_F(FrameStoreTest, AFailedWriteIsReportedWhenSettling) {
  setenv("TMPDIR", (folder_ + "/none").c_str(), 1);
  FrameStore store(4);
  ASSERT_TRUE(store.Add("more than four").ok());  // waits for a block to be full
  EXPECT_FALSE(store.Settle().ok());
  EXPECT_TRUE(FrameStore(4).Settle().ok());
}

TEST_F(FrameStoreTest, AMissingFolderIsNamed) {
  setenv("TMPDIR", (folder_ + "/none").c_str(), 1);
  FrameStore store(0);
  const auto at = store.Add(std::string(kMiB, 'x'));
  ASSERT_FALSE(at.ok());
  EXPECT_EQ(at.error().where, folder_ + "/none");
  EXPECT_NE(at.error().remedy.find("set TMPDIR"), std::string::npos);
  EXPECT_FALSE(store.Add("more").ok());
}

// A limit on file sizes simulates a full disk: the same write(2) fails, or is short.
TEST_F(FrameStoreTest, AFullDiskIsAnErrorAndStaysOne) {
  FrameStore store(10);
  ASSERT_TRUE(store.Add("0123456789").ok());
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlim_t before = std::exchange(limit.rlim_cur, kMiB + 1);
  setrlimit(RLIMIT_FSIZE, &limit);
  const auto at = store.Add(std::string(4 * kMiB, 'x'));
  const auto again = store.Add("y");
  limit.rlim_cur = before;
  setrlimit(RLIMIT_FSIZE, &limit);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(at.ok());
  EXPECT_EQ(at.error().Text(),
            "cannot write the temporary file for the trace's frames: " + folder_ +
                " (File too large; set TMPDIR to a folder with room for them)");
  EXPECT_FALSE(again.ok());
  EXPECT_FALSE(store.Add("z").ok());
  EXPECT_EQ(*store.Get(0, 10), "0123456789");
}

}  // namespace
}  // namespace midwire::trace
