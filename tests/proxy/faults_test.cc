// When the recording fails the session does not: every byte passes, the status is the plugin's, and
// one line warns. What was recorded until then can be read (P2, P4).
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>

#include "io/files/append_file.h"
#include "tests/paths.h"
#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

// A session: lines, and what they are together.
constexpr int kLines = 2000;
const std::string kLongLine = "{\"method\":\"" + std::string(997, 'm') + "\"}\n";
const size_t kSent = kLines * kLongLine.size();

class FaultsTest : public RecordTest {
 protected:
  // A session of about 2 MB each way; returns what came on stderr.
  std::string RunSession(const Command& command, const std::function<void()>& before_exec = {},
                         const std::function<void()>& in_the_middle = {}) {
    Host host({.command = command, .before_exec = before_exec});
    std::string sent, received;
    for (int i = 0; i < kLines; ++i) {
      if (i == kLines / 2 && in_the_middle) in_the_middle();
      host.Say(kLongLine);
      sent += kLongLine;
      received += host.Receive(kLongLine.size());
    }
    host.CloseIn();
    received += host.ReceiveAll();
    EXPECT_TRUE(received == sent);
    const std::string errors = host.ReceiveErrors();
    EXPECT_EQ(host.Wait(), (Ending{0, 0}));
    return errors;
  }
  static size_t Lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(FaultsTest, FolderIsMissing) {
  Command command = Recorded({"echoes"});
  command[3] = Path("missing/tape.pcapng");
  EXPECT_EQ(RunSession(command),
            "midwire: warning: cannot create the tape: " + Path("missing/tape.pcapng") +
                ": No such file or directory (the session goes on unrecorded)\n");
}

TEST_F(FaultsTest, AWarningNeverFallsIntoAStreamThatStderrShares) {
  Command command = Recorded({"echoes"});
  command[3] = Path("missing/tape.pcapng");
  Host host({.command = command, .err = End::kLikeStdout});
  host.Say("{\"a\":");
  EXPECT_EQ(host.Receive(5), "{\"a\":");
  host.Say("1}\n");
  EXPECT_EQ(host.Receive(3), "1}\n");
  host.CloseIn();
  EXPECT_TRUE(host.ReceiveAll().starts_with("midwire: warning: "));
  EXPECT_EQ(host.Wait(), (Ending{0, 0}));
}

TEST_F(FaultsTest, FolderIsNotWritable) {
  Command command = Recorded({"echoes"});
  command[3] = "/proc/tape.pcapng";  // where even root cannot write
  const std::string errors = RunSession(command);
  EXPECT_EQ(Lines(errors), 1u);
  EXPECT_TRUE(errors.starts_with("midwire: warning: cannot create the tape")) << errors;
}

TEST_F(FaultsTest, NoPlaceForTheTape) {
  const std::string errors = RunSession({MidwirePath(), "record", Direct({"echoes"})[0]}, [] {
    unsetenv("HOME"), unsetenv("XDG_STATE_HOME"), unsetenv("MIDWIRE_OUTPUT");
  });
  EXPECT_EQ(Lines(errors), 1u);
  EXPECT_NE(errors.find("HOME"), std::string::npos) << errors;
}

TEST_F(FaultsTest, FileSizeLimit) {
  // The limit is inherited from the host, and SIGXFSZ too: neither may affect the session.
  const std::string errors = RunSession(Recorded({"echoes"}), [] {
    const rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(errors, "midwire: warning: the recording ends here: " + tape() +
                        ": File too large (the session goes on unrecorded)\n");
  const Taped taped = ReadTape(tape());
  EXPECT_EQ(taped.damaged + taped.torn, 0u);
  EXPECT_GT(taped.from_host().size(), 300'000u);
}

TEST_F(FaultsTest, DiskIsFull) {
  const std::string disk = Path("disk");
  ASSERT_EQ(mkdir(disk.c_str(), 0700), 0);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0) {
    GTEST_SKIP() << "cannot mount a small disk here: " << strerror(errno);
  }
  Command command = Recorded({"echoes"});
  command[3] = disk + "/tape.pcapng";
  const std::string errors = RunSession(command);
  EXPECT_EQ(errors, "midwire: warning: the recording ends here: " + disk +
                        "/tape.pcapng: No space left on device (the session goes on unrecorded)\n");
  const Taped taped = ReadTape(disk + "/tape.pcapng");
  EXPECT_EQ(taped.damaged + taped.torn, 0u);
  EXPECT_GT(taped.from_host().size(), 100'000u);
  umount2(disk.c_str(), MNT_DETACH);
}

TEST_F(FaultsTest, RemovedUnderneath) {
  const std::string errors =
      RunSession(Recorded({"echoes"}), {}, [this] { std::filesystem::remove(tape()); });
  EXPECT_EQ(errors,
            "midwire: warning: the tape was removed while it was written: " + tape() + "\n");
}

TEST_F(FaultsTest, NothingThatExistsIsOverwritten) {
  std::ofstream(tape()) << "precious";
  std::filesystem::create_symlink("/nowhere", Path("tape-2.pcapng"));
  EXPECT_EQ(RunSession(Recorded({"echoes"})), "midwire: warning: " + tape() +
                                                  " exists already: the tape is " +
                                                  Path("tape-3.pcapng") + "\n");
  std::string text;
  std::ifstream(tape()) >> text;
  EXPECT_EQ(text, "precious");
  EXPECT_EQ(ReadTape(Path("tape-3.pcapng")).from_host().size(), kSent);
}

TEST_F(FaultsTest, OnlyTheOwnerCanReadATape) {
  for (mode_t mask : {0000, 0022, 0777}) {
    RunSession(Recorded({"echoes"}), [mask] { umask(mask); });
    struct stat info;
    ASSERT_EQ(stat(tape().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, 0600u);
    std::filesystem::remove(tape());
  }
}

TEST_F(FaultsTest, RotationLosesNothing) {
  EXPECT_EQ(RunSession(Recorded({"echoes"}, {"--max-size", "256k"})), "");
  std::string bytes, name = tape();
  int parts = 0;
  while (!name.empty()) {
    const Taped taped = ReadTape(name);
    ++parts;
    EXPECT_EQ(taped.damaged + taped.torn, 0u);
    EXPECT_LE(std::filesystem::file_size(name), 513u << 10);
    EXPECT_EQ(taped.All<trace::SpawnEvent>().at(0).part, parts);
    bytes += taped.from_host();
    const auto ends = taped.All<trace::EndEvent>();
    ASSERT_EQ(ends.size(), 1u) << name;
    name = ends[0].next.empty() ? "" : Path(ends[0].next);
  }
  EXPECT_GT(parts, 8);
  EXPECT_EQ(bytes.size(), kSent);
}

TEST_F(FaultsTest, KeepRemovesTheOldestParts) {
  RunSession(Recorded({"echoes"}, {"--max-size", "256k", "--keep", "3"}));
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    files += entry.path().extension() == ".pcapng";
  }
  EXPECT_EQ(files, 3u);
  EXPECT_FALSE(std::filesystem::exists(tape()));
}

TEST_F(FaultsTest, AnotherFileThatHasTakenTheNameIsNotRemoved) {
  int error = 0;
  const auto ours = io::SystemAppendFiles()->Create(tape(), &error);
  std::filesystem::rename(tape(), Path("saved"));
  std::ofstream(tape()) << "another session's";
  io::SystemAppendFiles()->Remove(tape(), ours->identity());
  EXPECT_TRUE(std::filesystem::exists(tape()));
  io::SystemAppendFiles()->Remove(Path("saved"), ours->identity());
  EXPECT_FALSE(std::filesystem::exists(Path("saved")));
}

TEST_F(FaultsTest, WhatIsNoFileGetsNoTapeBesideIt) {
  std::filesystem::create_directory(Path("folder"));
  std::filesystem::create_symlink("/nowhere/at/all", Path("dangling"));
  for (const std::string& name : {Path("folder"), Path("dangling"), std::string("/dev/null")}) {
    Command command = Recorded({"echoes"});
    command[3] = name;
    EXPECT_NE(RunSession(command).find("cannot create the tape: " + name), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(name + "-2"));
  }
}

TEST_F(FaultsTest, SyncChangesNothing) {
  EXPECT_EQ(RunSession(Recorded({"echoes"}, {"--sync", "1ms"})), "");
  EXPECT_EQ(ReadTape(tape()).from_host().size(), kSent);
}

}  // namespace
}  // namespace midwire::proxy
