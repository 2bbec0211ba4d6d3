// A folder (mode 0700) that is removed with this object, or when a signal ends this run: for traces
// that only this run reads.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <string>

#include "io/files/removed_on_signal.h"

namespace midwire::tools {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    path_ = (std::filesystem::temp_directory_path(error) / "midwire-XXXXXX").string();
    if (error || mkdtemp(path_.data()) == nullptr) path_.clear();
    removed_.emplace(path_);
  }
  ~TemporaryFolder() { Remove(); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  void Remove() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    path_.clear();
    removed_.reset();
  }
  const std::string& path() const { return path_; }  // "": it could not be made

 private:
  std::string path_;
  std::optional<io::RemovedOnSignal> removed_;
};

}  // namespace midwire::tools
