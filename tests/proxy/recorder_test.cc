// The recorder with files that fail: it reports a failure once and then stays quiet.
#include "proxy/recorder.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace midwire::proxy {
namespace {

class FixedClock : public io::Clock {
 public:
  int64_t MonotonicNs() const override { return now; }
  int64_t UnixNs() const override { return 1'000'000'000'000'000'000 + now; }
  int64_t now = 0;
};

// Files in memory. A test enables each of the faults.
class FakeFiles : public io::AppendFiles {
 public:
  class File : public io::AppendFile {
   public:
    File(FakeFiles* files, std::string path) : files_(files), path_(std::move(path)) {}
    int Write(std::string_view bytes, size_t* written) override {
      ++files_->writes;
      *written = std::min({bytes.size(), files_->space, files_->most_at_once});
      if (*written == 0 && !bytes.empty()) return ENOSPC;
      files_->space -= *written;
      files_->files[path_].append(bytes.substr(0, *written));
      return 0;
    }
    int Truncate(uint64_t size) override { return files_->files[path_].resize(size), 0; }
    int Sync() override { return ++files_->syncs, files_->sync_error; }
    bool Removed() const override { return files_->removed; }
    io::FileIdentity identity() const override { return {}; }
    const std::string& path() const override { return path_; }

   private:
    FakeFiles* files_;
    std::string path_;
  };

  std::unique_ptr<io::AppendFile> Create(const std::string& path, int* error) override {
    if (create_error != 0 && (*error = create_error)) return nullptr;
    files[path] = "";
    return std::make_unique<File>(this, path);
  }
  void Remove(const std::string& path, const io::FileIdentity&) override { files.erase(path); }

  std::map<std::string, std::string> files;
  size_t space = 1 << 30, most_at_once = 1 << 30;
  int create_error = 0, sync_error = 0, writes = 0, syncs = 0;
  bool removed = false;
};

class RecorderTest : public testing::Test {
 protected:
  Recorder& Start(RecorderOptions options) {
    options.path = "tape.pcapng";
    recorder_ =
        std::make_unique<Recorder>(std::move(options), &files_, &clock_,
                                   [this](const std::string& line) { warnings_.push_back(line); });
    recorder_->Start({.argv = {"plugin"}});
    return *recorder_;
  }
  const std::string& tape() { return files_.files["tape.pcapng"]; }

  FakeFiles files_;
  FixedClock clock_;
  std::vector<std::string> warnings_;
  std::unique_ptr<Recorder> recorder_;
};

constexpr std::string_view kLine = "{\"method\":\"a\"}\n";

TEST_F(RecorderTest, OneWritePerRead) {
  Recorder& recorder = Start({});
  EXPECT_EQ(files_.writes, 1);  // the start, whole
  std::string read;
  for (int i = 0; i < 100; ++i) read += kLine;
  recorder.OnBytes(Stream::kHostToPlugin, read);
  EXPECT_EQ(files_.writes, 2);
}

TEST_F(RecorderTest, WrittenBeforeOnBytesReturns) {
  Recorder& recorder = Start({});
  recorder.OnBytes(Stream::kPluginToHost, "half a li");
  EXPECT_NE(tape().find("half a li"), std::string::npos);
}

TEST_F(RecorderTest, ShortWriteThenFullDiskEndsAtTheLastWholeBlock) {
  Recorder& recorder = Start({});
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  const std::string before = tape();
  files_.space = 30;  // some of the next block
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_EQ(tape(), before);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            "the recording ends here: tape.pcapng: No space left on device (the "
            "session goes on unrecorded)");
  files_.space = 1 << 30;  // space again: a gap would be wrong
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  recorder.OnEvent(ExitStatus{.code = 0});
  recorder.Finish();
  EXPECT_EQ(tape(), before);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(RecorderTest, ShortWritesAreContinued) {
  Recorder& recorder = Start({});
  files_.most_at_once = 7;
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_TRUE(warnings_.empty());
  files_.most_at_once = 1 << 30;
  const std::string in_pieces = tape();
  Start({}).OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_EQ(tape(), in_pieces);
}

TEST_F(RecorderTest, CannotCreate) {
  files_.create_error = EACCES;
  Recorder& recorder = Start({});
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  recorder.Finish();
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_TRUE(warnings_[0].starts_with("cannot create the tape: tape.pcapng: Permission denied"));
}

TEST_F(RecorderTest, CannotGoOnInAnotherFile) {
  Recorder& recorder = Start({.max_size = 2000});
  files_.create_error = EMFILE;
  for (int i = 0; i < 100; ++i) recorder.OnBytes(Stream::kHostToPlugin, kLine);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_TRUE(warnings_[0].starts_with("cannot continue in another file: tape.2.pcapng"));
}

TEST_F(RecorderTest, PartsAreCutBetweenFramesOfBothDirections) {
  Recorder& recorder = Start({.max_size = 2000});
  recorder.OnBytes(Stream::kPluginToHost, "{\"half\":");
  for (int i = 0; i < 17; ++i) recorder.OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_GT(tape().size(), 2000u);
  EXPECT_EQ(files_.files.size(), 1u);
  recorder.OnBytes(Stream::kPluginToHost, "1}\n");
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_EQ(files_.files.size(), 2u);
  EXPECT_NE(tape().find("\"next\":\"tape.2.pcapng\""), std::string::npos);
  EXPECT_NE(files_.files["tape.2.pcapng"].find("\"part\":2"), std::string::npos);
}

TEST_F(RecorderTest, PartsAreCutWithinARead) {
  Recorder& recorder = Start({.max_size = 2000});
  std::string read;
  for (int i = 0; i < 1000; ++i) read += kLine;
  recorder.OnBytes(Stream::kHostToPlugin, read);
  EXPECT_GT(files_.files.size(), 20u);
  // The `end` event with the name of the next part comes after the size was reached.
  for (const auto& [name, bytes] : files_.files) EXPECT_LE(bytes.size(), 2200u) << name;
}

TEST_F(RecorderTest, AMessageLargerThanAPartHasAPartOfItsOwn) {
  Recorder& recorder = Start({.max_size = 2000});
  const std::string large = "{\"method\":\"" + std::string(3000, 'x') + "\"}\n";
  recorder.OnBytes(Stream::kHostToPlugin, large + large + std::string(kLine));
  EXPECT_EQ(files_.files.size(), 3u);
  EXPECT_GT(tape().size(), 3000u);
  EXPECT_EQ(files_.files["tape.3.pcapng"].find("xxx"), std::string::npos);
}

TEST_F(RecorderTest, AFrameWithoutEndIsCutAtTwiceTheSize) {
  Recorder& recorder = Start({.max_size = 10'000});
  recorder.OnBytes(Stream::kPluginToHost, "{\"endless\":\"");
  for (int i = 0; i < 100; ++i) recorder.OnBytes(Stream::kPluginToHost, std::string(1000, 'x'));
  EXPECT_GT(files_.files.size(), 4u);
  for (const auto& [name, bytes] : files_.files) EXPECT_LE(bytes.size(), 20'200u) << name;
}

TEST_F(RecorderTest, SyncIsDueAPeriodAfterTheFirstByte) {
  Recorder& recorder = Start({.sync_ns = 1000});
  EXPECT_EQ(recorder.Deadline(), 1000);
  recorder.OnTime();
  EXPECT_EQ(files_.syncs, 1);
  EXPECT_EQ(recorder.Deadline(), kNever);  // nothing new
  clock_.now = 5000;
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_EQ(recorder.Deadline(), 6000);
}

TEST_F(RecorderTest, ARemovedTapeIsReportedAtTheEnd) {
  Recorder& recorder = Start({});
  files_.removed = true;
  recorder.OnBytes(Stream::kHostToPlugin, kLine);
  EXPECT_TRUE(warnings_.empty());
  recorder.Finish();
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(RecorderTest, StderrIsLeftOutOnRequest) {
  Recorder& recorder = Start({.record_stderr = false});
  recorder.OnBytes(Stream::kStderr, "secret log");
  EXPECT_EQ(tape().find("secret log"), std::string::npos);
}

}  // namespace
}  // namespace midwire::proxy
