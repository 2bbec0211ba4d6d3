#include "trace/source.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/files.h"

namespace midwire::trace {
namespace {

class SourceTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/trace"; }
  TemporaryFolder folder_;
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
  EXPECT_NE(OpenSource(folder_.path()).error().Text().find("folder"), std::string::npos);
  EXPECT_NE(OpenSource(path()).error().Text().find(path()), std::string::npos);
}

}  // namespace
}  // namespace midwire::trace
