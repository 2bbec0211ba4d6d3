// midwire record --view: the viewer is a process of its own that the session does not notice.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>

#include "tests/eventually.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RecordViewTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    fs::create_directories(Path("bin"));
    // What a browser would do first is not of interest here.
    Save("bin/xdg-open", "#!/bin/sh\ncp \"$1\" " + Path("part") + "\nmv " + Path("part") + " " +
                             Path("redirect") + "\n");
    fs::permissions(Path("bin/xdg-open"), fs::perms::owner_all);
    path_ = getenv("PATH");
    setenv("PATH", (Path("bin") + ":" + path_).c_str(), 1);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    if (const pid_t viewer = Viewer(); viewer > 0) kill(viewer, SIGKILL);
  }

  // The process that views our tape; -1: none.
  pid_t Viewer() const {
    for (const fs::directory_entry& process : fs::directory_iterator("/proc")) {
      const std::string name = process.path().filename();
      if (name.find_first_not_of("0123456789") != name.npos) continue;
      const std::string words = ReadIfThere(process.path() / "cmdline");
      if (words.starts_with(std::string("midwire\0view", 12)) &&
          words.find(Path("one.pcapng")) != words.npos) {
        return std::stoi(name);
      }
    }
    return -1;
  }

  std::string path_;
};

TEST_F(RecordViewTest, TheViewerReadsTheTapeAndHasNothingOfTheSession) {
  const pid_t record = Start({"record", "--view", "-o", Path("one.pcapng"), "--", "sh", "-c",
                              "echo '{\"method\":\"hello\"}'; while [ ! -e " + Path("end") +
                                  " ]; do sleep 0.02; done; exit 7"});
  ASSERT_TRUE(Eventually([&] { return fs::exists(Path("redirect")); }));
  const pid_t viewer = Viewer();
  ASSERT_GT(viewer, 0);
  for (const fs::directory_entry& open :
       fs::directory_iterator("/proc/" + std::to_string(viewer) + "/fd")) {
    std::error_code gone;
    const std::string to = fs::read_symlink(open.path(), gone);
    EXPECT_THAT(to, testing::Not(HasSubstr("pipe:")));
    EXPECT_NE(to, Path("out"));
    EXPECT_NE(to, Path("err"));
  }
  EXPECT_NE(getpgid(viewer), getpgid(record));
  // Its death is not noticed.
  kill(viewer, SIGKILL);
  EXPECT_TRUE(Eventually([&] { return Viewer() < 0; }));
  Save("end", "");
  const Ran ran = Wait(record);
  EXPECT_EQ(ran.code, 7);
  EXPECT_EQ(ran.out, "{\"method\":\"hello\"}\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(RecordViewTest, TheViewerOutlivesTheSession) {
  ASSERT_EQ(Run({"record", "--view", "-o", Path("one.pcapng"), "--", "true"}).code, 0);
  ASSERT_TRUE(Eventually([&] { return fs::exists(Path("redirect")); }));
  EXPECT_GT(Viewer(), 0);
}

TEST_F(RecordViewTest, WithoutABrowserTheSessionIsTheSame) {
  fs::remove(Path("bin/xdg-open"));
  setenv("PATH", Path("bin").c_str(), 1);
  const Ran ran =
      Run({"record", "--view", "-o", Path("one.pcapng"), "--", "/bin/sh", "-c", "exit 3"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "");
}

}  // namespace
}  // namespace midwire::tools
