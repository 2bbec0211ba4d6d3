#include "io/files/stored_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "io/clock.h"

namespace midwire::io {
namespace {

using Identity = std::pair<uint64_t, uint64_t>;  // device and inode

// What processes have open. Those of other users cannot be looked at; they do not write our tapes.
std::set<Identity> OpenFiles() {
  std::set<Identity> open;
  std::error_code ignored;
  for (const auto& process : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = process.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code gone;
    std::filesystem::directory_iterator at(process.path() / "fd", gone), end;
    for (; !gone && at != end; at.increment(gone)) {
      struct stat there;
      if (stat(at->path().c_str(), &there) == 0 && S_ISREG(there.st_mode)) {
        open.insert({there.st_dev, there.st_ino});
      }
    }
  }
  return open;
}

std::string HeadOf(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return "";
  char head[kHeadBytes];
  const ssize_t size = read(fd, head, sizeof head);
  close(fd);
  return std::string(head, static_cast<size_t>(std::max<ssize_t>(size, 0)));
}

}  // namespace

Result<std::vector<StoredFile>> ListStored(const std::string& folder, std::string_view suffix) {
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error), end;
  if (error) return Error{"cannot read the folder", folder, error.message()};
  std::vector<StoredFile> files;
  for (; !error && at != end; at.increment(error)) {
    StoredFile file;
    file.path = at->path();
    struct stat there;
    if (!file.path.ends_with(suffix) || lstat(file.path.c_str(), &there) != 0) continue;
    if (!S_ISREG(there.st_mode) || there.st_uid != geteuid()) continue;
    file.device = there.st_dev;
    file.inode = there.st_ino;
    file.size = static_cast<uint64_t>(there.st_size);
    file.modified_ns = Nanoseconds(there.st_mtim);
    file.head = HeadOf(file.path);
    files.push_back(std::move(file));
  }
  // After the list: a file that is opened meanwhile counts as open.
  const std::set<Identity> open = OpenFiles();
  for (StoredFile& file : files) file.is_open = open.count({file.device, file.inode}) > 0;
  std::sort(files.begin(), files.end(),
            [](const StoredFile& a, const StoredFile& b) { return a.path < b.path; });
  return files;
}

Status CanSeeOpenFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator processes("/proc", error);
  if (!error) const std::filesystem::directory_iterator own("/proc/self/fd", error);
  if (!error) return Ok{};
  return Error{"cannot tell which files are still being written", "/proc: " + error.message(),
               "mount /proc, or raise the limit of open files"};
}

Status RemoveStored(const StoredFile& file) {
  struct stat there;
  if (lstat(file.path.c_str(), &there) != 0)
    return Error{"cannot remove", file.path, strerror(errno)};
  const bool same = there.st_dev == file.device && there.st_ino == file.inode &&
                    Nanoseconds(there.st_mtim) == file.modified_ns;
  if (!same) return Error{"changed meanwhile", file.path, "it was left there"};
  if (unlink(file.path.c_str()) != 0) return Error{"cannot remove", file.path, strerror(errno)};
  return Ok{};
}

}  // namespace midwire::io
