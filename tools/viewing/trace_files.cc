#include "tools/viewing/trace_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace midwire::tools {
namespace {

// Names that are remembered; with more of them, all get new ids.
constexpr size_t kMaxNames = 100'000;

bool IsTraceName(const std::string& name) {
  return !name.starts_with('.') && (name.ends_with(".pcapng") || name.ends_with(".jsonl"));
}

// "~/tapes" for what is in the user's home.
std::string Shown(const std::string& folder) {
  const char* home = getenv("HOME");
  const std::string prefix = home == nullptr ? "" : home;
  if (prefix.size() < 2 || !folder.starts_with(prefix)) return folder;
  const std::string rest = folder.substr(prefix.size());
  return rest.empty() || rest[0] == '/' ? "~" + rest : folder;
}

}  // namespace

OpenFile::~OpenFile() {
  if (fd_ >= 0) close(fd_);
}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Result<TraceFiles> TraceFiles::Of(const std::string& path) {
  struct stat there;
  if (stat(path.c_str(), &there) != 0) {
    return Error{"cannot open", path, std::strerror(errno)};
  }
  std::string folder = path, only;
  if (!S_ISDIR(there.st_mode)) {
    if (!S_ISREG(there.st_mode)) {
      return Error{"not a regular file", path, "save the trace to a file first"};
    }
    const size_t slash = path.rfind('/');
    folder = slash == path.npos ? "." : path.substr(0, slash + 1);
    only = slash == path.npos ? path : path.substr(slash + 1);
  }
  OpenFile opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return Error{"cannot open the folder", folder, std::strerror(errno)};
  TraceFiles files(std::move(opened), Shown(folder), only);
  files.Scan();
  return files;
}

bool TraceFiles::Look(const std::string& name, TraceFile* file) {
  struct stat there;
  const int flags = only_.empty() ? AT_SYMLINK_NOFOLLOW : 0;
  if (fstatat(folder_.fd(), name.c_str(), &there, flags) != 0 || !S_ISREG(there.st_mode)) {
    return false;
  }
  std::string& id = ids_[name];
  if (id.empty()) id = "t" + std::to_string(ids_.size());
  *file = {.id = id,
           .name = name,
           .device = there.st_dev,
           .inode = there.st_ino,
           .size = static_cast<uint64_t>(there.st_size),
           .modified_ns = there.st_mtim.tv_sec * 1'000'000'000 + there.st_mtim.tv_nsec};
  return true;
}

void TraceFiles::Scan() {
  files_.clear();
  more_ = 0;
  TraceFile file;
  if (!only_.empty()) {
    if (Look(only_, &file)) files_.push_back(std::move(file));
    return;
  }
  if (ids_.size() > kMaxNames) ids_.clear();
  // A descriptor of its own, whose position is at the start.
  const int fd = openat(folder_.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const folder = fd < 0 ? nullptr : fdopendir(fd);
  if (folder == nullptr) {
    if (fd >= 0) close(fd);
    return;
  }
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (IsTraceName(name) && Look(name, &file)) files_.push_back(std::move(file));
  }
  closedir(folder);
  std::sort(files_.begin(), files_.end(), [](const TraceFile& a, const TraceFile& b) {
    return std::pair(b.modified_ns, a.name) < std::pair(a.modified_ns, b.name);
  });
  if (files_.size() <= kMaxListed) return;
  more_ = files_.size() - kMaxListed;
  files_.resize(kMaxListed);
}

const TraceFile* TraceFiles::Find(std::string_view id) const {
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [&](const TraceFile& file) { return file.id == id; });
  return found == files_.end() ? nullptr : &*found;
}

OpenFile TraceFiles::Open(const TraceFile& file) const {
  const int follow = only_.empty() ? O_NOFOLLOW : 0;
  OpenFile opened(openat(folder_.fd(), file.name.c_str(),
                         O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | follow));
  struct stat there;
  if (!opened.ok() || fstat(opened.fd(), &there) != 0 || !S_ISREG(there.st_mode)) {
    return OpenFile();
  }
  return opened;
}

}  // namespace midwire::tools
