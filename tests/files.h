// The folder of a test and the text of its files: what the fixtures of all rooms share.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace midwire {

// Where the folders of tests are. Tests write paths into lines of shells as they are, and into
// commands that midwire splits at blanks, so a TMPDIR with such characters is not used.
inline std::string TemporaryRoot() {
  const std::string root = testing::TempDir();
  return root.find_first_of(" \t\n'\"\\$`*?[;&|<>()") == root.npos ? root : "/tmp/";
}

// A new folder; it is removed with all in it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(TemporaryRoot() + "midwire-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "cannot make a folder: " << path_;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The text of a file; "" where there is none: for polling, and for processes that may have ended.
inline std::string ReadIfThere(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The text of a file. A file that cannot be read fails the test.
inline std::string ReadFile(const std::string& path) {
  EXPECT_TRUE(std::ifstream(path).is_open()) << "cannot read " << path;
  return ReadIfThere(path);
}

}  // namespace midwire
