// midwire clean, on a folder of tapes.
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/eventually.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;

class CleanTest : public CommandTest {
 protected:
  // A tape in the default folder, last written so many days ago.
  std::string Tape(const std::string& name, int days) const {
    const std::string path = Path("midwire/" + name);
    EXPECT_EQ(Run({"record", "-o", path, "--", "true"}).code, 0);
    const auto written = std::filesystem::last_write_time(path) - std::chrono::hours(24 * days);
    std::filesystem::last_write_time(path, written);
    return path;
  }
  void SetUp() override {
    CommandTest::SetUp();
    std::filesystem::create_directories(Path("midwire"));
  }
};

TEST_F(CleanTest, RemovesOldTapesAndSaysSo) {
  const std::string old = Tape("old.pcapng", 31), fresh = Tape("fresh.pcapng", 29);
  Save("midwire/notes.txt", "mine");
  const Ran dry = Run({"clean", "--older", "30d", "--dry-run"});
  EXPECT_EQ(dry.code, 0);
  EXPECT_THAT(dry.out, HasSubstr("would remove " + old));
  EXPECT_TRUE(std::filesystem::exists(old));
  const Ran ran = Run({"clean", "--older", "30d"});
  EXPECT_THAT(ran.out, HasSubstr("removed " + old));
  EXPECT_THAT(ran.out, HasSubstr("1 tape, "));
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(fresh));
  EXPECT_TRUE(std::filesystem::exists(Path("midwire/notes.txt")));
}

TEST_F(CleanTest, TapeThatIsBeingWrittenStays) {
  const std::string path = Path("midwire/running.pcapng");
  const pid_t pid = Start({"record", "-o", path, "--", "sleep", "1000"});
  const bool recorded = Eventually([&] { return !ReadIfThere(path).empty(); });
  Ran ran;
  {
    // The fixture's out and err belong to the recording.
    const std::string command = "'" + MidwirePath() + "' clean --over 0 > " + Path("cleaned");
    ran.code = system(command.c_str());
  }
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ReadFile(Path("cleaned")), HasSubstr("0 tapes"));
  EXPECT_THAT(Run({"clean", "--over", "0"}).out, HasSubstr("removed " + path)) << "it has ended";
}

TEST_F(CleanTest, NothingIsRemovedIfOpenFilesCannotBeSeen) {
  const std::string tape = Tape("old.pcapng", 31);
  const std::string command =
      "sh -c \"ulimit -n 4; exec '" + MidwirePath() + "' clean --over 0\" 2> " + Path("err");
  EXPECT_EQ(WEXITSTATUS(system(command.c_str())), 2);
  EXPECT_THAT(ReadFile(Path("err")), HasSubstr("cannot tell which files are still being written"));
  EXPECT_TRUE(std::filesystem::exists(tape));
}

TEST_F(CleanTest, BeforeTheFirstSessionThereIsNothingToRemove) {
  std::filesystem::remove_all(Path("midwire"));
  const Ran ran = Run({"clean", "--older", "1d"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "0 tapes, 0 bytes\n");
}

TEST_F(CleanTest, SelectsNothingByItself) {
  EXPECT_EQ(Run({"clean"}).code, 2);
  EXPECT_EQ(Run({"clean", "--older", "old"}).code, 2);
  EXPECT_EQ(Run({"clean", "--over", "much"}).code, 2);
  EXPECT_EQ(Run({"clean", "--older", "1d", Path("none")}).code, 2);
}

}  // namespace
}  // namespace midwire::tools
