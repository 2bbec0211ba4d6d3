#include "trace/source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace midwire::trace {
namespace {

class SourceTest : public testing::Test {
 protected:
  SourceTest() {
    std::string name = testing::TempDir() + "midwire-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~SourceTest() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/trace"; }
  std::string folder_;
};

TEST_F(SourceTest, AFileIsReadToItsEndAndOnWhenItGrows) {
  std::ofstream file(path());
  file << "one" << std::flush;
  const auto source = OpenSource(path());
  ASSERT_TRUE(source.ok()) << source.error().Text();
  char bytes[16];
  ASSERT_EQ(*(*source)->Read(bytes, sizeof bytes), 3u);
  ASSERT_EQ(*(*source)->Read(bytes, sizeof bytes), 0u);
  file << "more" << std::flush;
  ASSERT_EQ(*(*source)->Read(bytes, sizeof bytes), 4u);
  EXPECT_EQ(std::string_view(bytes, 4), "more");
}

TEST_F(SourceTest, FoldersAndMissingFilesAreRefusedByName) {
  EXPECT_NE(OpenSource(folder_).error().Text().find("folder"), std::string::npos);
  EXPECT_NE(OpenSource(path()).error().Text().find(path()), std::string::npos);
}

}  // namespace
}  // namespace midwire::trace
