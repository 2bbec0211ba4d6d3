#include "io/files/folders.h"

#include <errno.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <system_error>

namespace midwire::io {
namespace {

// No file of this size takes so long to write.
constexpr std::chrono::seconds kPartAge{10};

// errno, or 0.
int MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return chmod(path.c_str(), 0700) == 0 ? 0 : errno;
  return errno == EEXIST ? 0 : errno;
}

}  // namespace

int MakeFolders(const std::string& path) {
  int first = 0;
  for (size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    const int error = MakeFolder(path.substr(0, at));
    // An error of a parent does not matter if the folder itself exists or can be created.
    if (error == 0 && at == std::string::npos) return 0;
    if (first == 0) first = error;
  }
  return first;
}

void RemoveAbandonedParts(const std::string& folder) {
  std::error_code unreadable, gone;
  const auto old = std::filesystem::file_time_type::clock::now() - kPartAge;
  for (const auto& file : std::filesystem::directory_iterator(folder, unreadable)) {
    const std::string name = file.path().filename();
    if (!name.starts_with(".midwire-") || !name.ends_with(".part")) continue;
    const auto written = file.last_write_time(gone);
    if (!gone && written < old) std::filesystem::remove(file.path(), gone);
  }
}

}  // namespace midwire::io
