// midwire wrap --in-place, and unwrap: plugins that a host finds as files in a folder.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;

// A plugin that looks for a file beside itself.
constexpr char kBesidePlugin[] = "#!/bin/sh\necho \"$(cat \"${0%/*}/beside\") $*\"\nexit 7\n";

class InPlaceTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::create_directories(Path("plugins"));
    Save("plugins/beside", "here");
    path_ = Save("plugins/it's", kBesidePlugin);
    chmod(path_.c_str(), 0750);
    ASSERT_EQ(stat(path_.c_str(), &old_), 0);
  }
  struct stat Now(const std::string& path) const {
    struct stat now = {};
    EXPECT_EQ(stat(path.c_str(), &now), 0) << path;
    return now;
  }
  // What the host gets of the plugin.
  Ran StartPlugin(const std::string& path, const std::string& argument) const {
    return Run({"record", "-o", Path("outer.pcapng"), "--", path, argument});
  }

  std::string path_;
  struct stat old_ = {};
};

TEST_F(InPlaceTest, LauncherStartsThePluginThroughMidwire) {
  const Ran wrap = Run({"wrap", "--in-place", path_});
  EXPECT_EQ(wrap.code, 0) << wrap.err;
  EXPECT_THAT(wrap.out, HasSubstr("undo     midwire unwrap --in-place '"));
  EXPECT_THAT(wrap.out, HasSubstr("it'\\''s'\n")) << "as a shell reads it";
  EXPECT_EQ(Now(path_).st_mode, old_.st_mode);
  EXPECT_NE(Now(path_).st_ino, old_.st_ino);

  const Ran ran = StartPlugin(path_, "a b");
  EXPECT_EQ(ran.out, "here a b\n");
  EXPECT_EQ(ran.code, 7);
  size_t tapes = 0;
  for (const auto& file : std::filesystem::directory_iterator(Path("midwire"))) {
    tapes += file.path().extension() == ".pcapng";
    EXPECT_THAT(file.path().filename(), testing::StartsWith("it-s-"));
  }
  EXPECT_EQ(tapes, 1u);
  EXPECT_THAT(Run({"list"}).out, HasSubstr("it's"));

  const std::string link = Path("link");
  ASSERT_EQ(symlink(path_.c_str(), link.c_str()), 0);
  EXPECT_EQ(StartPlugin(link, "").code, 7) << "through a link in another folder";
}

TEST_F(InPlaceTest, DryRunChangesNothing) {
  EXPECT_THAT(Run({"wrap", "--dry-run", "--in-place", path_}).out, HasSubstr("would rename "));
  EXPECT_EQ(Now(path_).st_ino, old_.st_ino);
  EXPECT_FALSE(std::filesystem::exists(Path("plugins/.it's.midwire")));
}

TEST_F(InPlaceTest, DryRunSaysWhatTheRunWouldSay) {
  EXPECT_EQ(Run({"unwrap", "--dry-run", "--in-place", path_}).out, "not wrapped: " + path_ + "\n");
  ASSERT_EQ(Run({"wrap", "--in-place", path_}).code, 0);
  EXPECT_EQ(Run({"wrap", "--dry-run", "--in-place", path_}).out,
            "already wrapped: " + path_ + "\n");
  EXPECT_THAT(Run({"unwrap", "--dry-run", "--in-place", path_}).out, HasSubstr("would rename "));
  EXPECT_NE(Now(path_).st_ino, old_.st_ino);
  EXPECT_EQ(Run({"wrap", "--dry-run", "--in-place", Path("none")}).code, 2);
}

TEST_F(InPlaceTest, SecondWrapChangesNothing) {
  ASSERT_EQ(Run({"wrap", "--in-place", path_}).code, 0);
  const auto first = Now(path_).st_ino;
  const Ran again = Run({"wrap", "--in-place", path_});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, "already wrapped: " + path_ + "\n");
  EXPECT_EQ(Now(path_).st_ino, first);
}

TEST_F(InPlaceTest, UnwrapGivesTheSameFileBack) {
  ASSERT_EQ(Run({"wrap", "--in-place", path_}).code, 0);
  EXPECT_EQ(Run({"unwrap", "--in-place", path_}).code, 0);
  const struct stat now = Now(path_);
  EXPECT_EQ(now.st_ino, old_.st_ino);
  EXPECT_EQ(now.st_mode, old_.st_mode);
  EXPECT_EQ(now.st_mtim.tv_nsec, old_.st_mtim.tv_nsec);
  EXPECT_EQ(now.st_nlink, 1u);
  EXPECT_EQ(ReadFile(path_), kBesidePlugin);
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(Path("plugins"))) {
    files += !file.path().empty();
  }
  EXPECT_EQ(files, 2u);
  EXPECT_EQ(Run({"unwrap", "--in-place", path_}).out, "not wrapped: " + path_ + "\n");
}

TEST_F(InPlaceTest, AKilledWrapIsCompletedOrUndone) {
  // The first step of wrap, and no more.
  const std::string aside = Path("plugins/.it's.midwire");
  ASSERT_EQ(link(path_.c_str(), aside.c_str()), 0);
  EXPECT_EQ(Run({"unwrap", "--in-place", path_}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(aside));
  EXPECT_EQ(ReadFile(path_), kBesidePlugin);
  ASSERT_EQ(link(path_.c_str(), aside.c_str()), 0);
  EXPECT_EQ(Run({"wrap", "--in-place", path_}).code, 0);
  EXPECT_EQ(Now(aside).st_ino, old_.st_ino);
  EXPECT_EQ(StartPlugin(path_, "x").out, "here x\n");
}

// Another run's half-done change looks like that of a killed run: what it left, two would remove.
TEST_F(InPlaceTest, WhileAnotherRunChangesTheFolderNothingIsChanged) {
  const int folder = open(Path("plugins").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(folder, LOCK_EX), 0);
  EXPECT_THAT(Run({"wrap", "--in-place", path_}).err, HasSubstr("another midwire changes plugins"));
  EXPECT_EQ(Now(path_).st_ino, old_.st_ino);
  ASSERT_EQ(flock(folder, LOCK_UN), 0);
  ASSERT_EQ(Run({"wrap", "--in-place", path_}).code, 0);
  ASSERT_EQ(flock(folder, LOCK_EX), 0);
  EXPECT_EQ(Run({"unwrap", "--in-place", path_}).code, 2);
  EXPECT_NE(Now(path_).st_ino, old_.st_ino);
  close(folder);
}

TEST_F(InPlaceTest, PluginThatWasReplacedSinceIsNotOverwritten) {
  ASSERT_EQ(Run({"wrap", "--in-place", path_}).code, 0);
  Save("plugins/it's", "new");
  for (const char* command : {"wrap", "unwrap"}) {
    const Ran ran = Run({command, "--in-place", path_});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("aside"));
    EXPECT_EQ(ReadFile(path_), "new");
  }
}

TEST_F(InPlaceTest, WhatIsNoPlainExecutableIsRefused) {
  const auto refused = [&](const std::string& path, const std::string& why) {
    const Ran ran = Run({"wrap", "--in-place", path});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr(why));
    EXPECT_EQ(ReadFile(path_), kBesidePlugin);
  };
  const std::string link = Path("plugins/link");
  ASSERT_EQ(symlink(path_.c_str(), link.c_str()), 0);
  refused(link, "this is a link");
  refused(Path("plugins"), "this is not a regular file");
  refused(Path("none"), "cannot read");
  chmod(path_.c_str(), 0640);
  refused(path_, "this file is not executable");
  chmod(path_.c_str(), 0550);
  refused(path_, "this file is read-only");
  chmod(path_.c_str(), 04750);
  refused(path_, "set-uid");
}

}  // namespace
}  // namespace midwire::tools
