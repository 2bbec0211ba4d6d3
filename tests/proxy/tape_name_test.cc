// Names of tapes, and the default folder.
#include "proxy/tape_name.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/files.h"

namespace midwire::proxy {
namespace {

TEST(TapeNameTest, Placeholders) {
  const TapeNaming naming = {
      .unix_ns = 1'769'903'999'000'000'000, .pid = 42, .plugin = "/opt/my plugin\xc3\xa4.sh"};
  EXPECT_EQ(FillPlaceholders("{plugin}-{time}-{pid}.pcapng", naming),
            "my-plugin--.sh-20260131T235959Z-42.pcapng");
  EXPECT_EQ(FillPlaceholders("{pid}{pid}{other}{", naming), "4242{other}{");
}

TEST(TapeNameTest, APluginsNameCannotLeaveTheFolder) {
  EXPECT_EQ(FillPlaceholders("{plugin}", {.plugin = "a/b/.."}), "plugin");
  EXPECT_EQ(FillPlaceholders("{plugin}.pcapng", {.plugin = "a/"}), "plugin.pcapng");
}

TEST(TapeNameTest, UnknownPlaceholders) {
  EXPECT_EQ(UnknownPlaceholder("{plugin}/{time}-{date}-{x}"), "{date}");
  EXPECT_EQ(UnknownPlaceholder("{{Plugin}}"), "{Plugin}");
  EXPECT_EQ(UnknownPlaceholder("{plugin}-{time}-{pid}{}{a b}{"), "");
}

TEST(TapeNameTest, AHiddenPluginHasATapeThatIsSeen) {
  EXPECT_EQ(FillPlaceholders("{plugin}.pcapng", {.plugin = "/opt/.weather"}), "weather.pcapng");
  EXPECT_EQ(FillPlaceholders("{plugin}.pcapng", {.plugin = "..."}), "plugin.pcapng");
}

TEST(TapeNameTest, Parts) {
  EXPECT_EQ(PartName("a.b/tape.pcapng", 1), "a.b/tape.pcapng");
  EXPECT_EQ(PartName("a.b/tape.pcapng", 2), "a.b/tape.2.pcapng");
  EXPECT_EQ(PartName("a.b/tape", 3), "a.b/tape.3");
}

class DefaultFolderTest : public testing::Test {
 protected:
  DefaultFolderTest() {
    setenv("HOME", folder_.c_str(), 1);
    unsetenv("XDG_STATE_HOME");
  }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

TEST_F(DefaultFolderTest, IsMadeForTheOwnerAlone) {
  const mode_t old = umask(0);
  const auto folder = MakeDefaultFolder();
  umask(old);
  ASSERT_TRUE(folder);
  EXPECT_EQ(*folder, folder_ + "/.local/state/midwire");
  struct stat info;
  ASSERT_EQ(stat(folder->c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  EXPECT_TRUE(MakeDefaultFolder());  // again: it exists
}

TEST_F(DefaultFolderTest, StateHomeComesFirstUnlessItIsRelative) {
  setenv("XDG_STATE_HOME", (folder_ + "/state").c_str(), 1);
  EXPECT_EQ(*MakeDefaultFolder(), folder_ + "/state/midwire");
  setenv("XDG_STATE_HOME", "state", 1);
  EXPECT_EQ(*MakeDefaultFolder(), folder_ + "/.local/state/midwire");
  unsetenv("XDG_STATE_HOME");
}

TEST_F(DefaultFolderTest, ARelativeHomeIsNone) {
  setenv("HOME", "relative", 1);
  EXPECT_FALSE(MakeDefaultFolder());
}

TEST_F(DefaultFolderTest, AFileInTheWayIsReportedWithItsName) {
  setenv("HOME", "/dev/null", 1);
  const auto folder = MakeDefaultFolder();
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().Text().find("/dev/null/.local/state/midwire"), std::string::npos);
}

}  // namespace
}  // namespace midwire::proxy
