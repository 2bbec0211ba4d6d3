#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/files.h"
#include "tools/fuzzing/export.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;

class FuzzExportTest : public testing::Test {
 protected:
  std::string Text(const std::string& path) const { return ReadFile(folder_ / path); }

  const TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(FuzzExportTest, WritesAProjectThatCanBeBuilt) {
  const auto written = ExportHarness((folder_ / "my plugin").string(), {});
  ASSERT_TRUE(written.ok());
  for (const char* path :
       {"fuzz/decoder_fuzz.cc", "fuzz/dispatcher_fuzz.cc", "fuzz/CMakeLists.txt", "fuzz/build.sh",
        "fuzz/fuzz.dict", ".clusterfuzzlite/Dockerfile", ".clusterfuzzlite/project.yaml",
        "oss-fuzz/project.yaml", "oss-fuzz/Dockerfile", ".github/workflows/cflite_pr.yml"}) {
    EXPECT_NE(written->find(std::string(path) + "\n"), std::string::npos) << path;
    EXPECT_GT(Text("my plugin/" + std::string(path)).size(), 10u) << path;
  }
  EXPECT_NE(Text("my plugin/.clusterfuzzlite/Dockerfile").find("$SRC/my-plugin"),
            std::string::npos);
  EXPECT_EQ(access((folder_ / "my plugin/fuzz/build.sh").c_str(), X_OK), 0);
  EXPECT_FALSE(fs::is_empty(folder_ / "my plugin/fuzz/seeds"));
}

TEST_F(FuzzExportTest, NoTextKeepsItsPlaceholders) {
  ASSERT_TRUE(ExportHarness(folder_.string(), {.project = "p", .dialect = "mcp"}).ok());
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), folder_).string();
    EXPECT_EQ(Text(path).find("@PROJECT@"), std::string::npos) << path;
    EXPECT_EQ(Text(path).find("@DIALECT@"), std::string::npos) << path;
  }
  EXPECT_NE(Text("fuzz/dispatcher_fuzz.cc").find("\"mcp\""), std::string::npos);
  EXPECT_NE(Text("fuzz/fuzz.dict").find("tools/list"), std::string::npos);
}

TEST_F(FuzzExportTest, OnlyWrittenFilesAreListed) {
  ASSERT_TRUE(ExportHarness(folder_.string(), {}).ok());
  fs::remove(folder_ / "fuzz/build.sh");
  EXPECT_EQ(*ExportHarness(folder_.string(), {}), "fuzz/build.sh\n");
  EXPECT_EQ(*ExportHarness(folder_.string(), {}), "");
}

TEST_F(FuzzExportTest, AnExistingFileStaysAndNothingIsWritten) {
  fs::create_directories(folder_ / "oss-fuzz");
  std::ofstream(folder_ / "oss-fuzz/project.yaml") << "mine";
  const auto written = ExportHarness(folder_.string(), {});
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().Text().find("oss-fuzz/project.yaml"), std::string::npos);
  EXPECT_EQ(Text("oss-fuzz/project.yaml"), "mine");
  EXPECT_FALSE(fs::exists(folder_ / "fuzz"));
}

TEST_F(FuzzExportTest, AFileInTheWayIsReportedBeforeAnythingIsWritten) {
  std::ofstream(folder_ / "oss-fuzz") << "a file where a folder is to be";
  ASSERT_FALSE(ExportHarness(folder_.string(), {}).ok());
  EXPECT_FALSE(fs::exists(folder_ / "fuzz"));
  fs::remove(folder_ / "oss-fuzz");
  ASSERT_TRUE(ExportHarness(folder_.string(), {}).ok());
  EXPECT_TRUE(fs::exists(folder_ / "oss-fuzz/project.yaml"));
  // What was filled in meanwhile stays.
  std::ofstream(folder_ / "fuzz/decoder_fuzz.cc") << "mine";
  EXPECT_FALSE(ExportHarness(folder_.string(), {}).ok());
  EXPECT_EQ(Text("fuzz/decoder_fuzz.cc"), "mine");
}

TEST_F(FuzzExportTest, ADialectThatIsNotBuiltIn) {
  const auto written = ExportHarness(folder_.string(), {.dialect = "klingon"});
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().Text().find("klingon"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace midwire::tools
