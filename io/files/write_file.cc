#include "io/files/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "io/files/file_sink.h"
#include "io/files/part_file.h"
#include "io/poll.h"

namespace midwire::io {
namespace {

// A dangling link is something, but not a file.
bool IsSomething(const std::string& path) {
  struct stat there;
  return lstat(path.c_str(), &there) == 0;
}

bool IsFile(const std::string& path) {
  struct stat there;
  return stat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode);
}

// errno, or 0.
int MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return chmod(path.c_str(), 0700) == 0 ? 0 : errno;
  return errno == EEXIST ? 0 : errno;
}

// As the kernel limits them.
constexpr int kMaxLinks = 40;

std::string FolderPrefixOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The name that a rename can replace: where the links of `path` lead. "": it must be written in
// place, because it is no regular file, or a link of /proc to an open file. Other writers of that
// file, such as our standard output, would go on with the old one.
std::string ReplaceableName(std::string path) {
  for (int i = 0; i < kMaxLinks; ++i) {
    struct stat there;
    if (lstat(path.c_str(), &there) != 0) return errno == ENOENT ? path : "";
    if (!S_ISLNK(there.st_mode)) return S_ISREG(there.st_mode) ? path : "";
    const std::string folder = FolderPrefixOf(path);
    struct statfs system;
    if (statfs(folder.empty() ? "." : folder.c_str(), &system) != 0) return "";
    if (system.f_type == PROC_SUPER_MAGIC) return "";
    char target[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), target, sizeof target);
    if (size <= 0) return "";
    const std::string to(target, static_cast<size_t>(size));
    path = to[0] == '/' ? to : folder + to;
  }
  return "";
}

// errno, or 0.
int WriteInPlace(const std::string& path, std::string_view text, unsigned mode) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return errno;
  int error = WriteAll(fd, text);
  if (close(fd) != 0 && error == 0) error = errno;
  return error;
}

// errno, or 0.
int Overwrite(const std::string& path, std::string_view text, unsigned mode) {
  const std::string name = ReplaceableName(path);
  struct stat old;
  const bool is_there = !name.empty() && stat(name.c_str(), &old) == 0;
  // A rename would ignore that the file is write-protected.
  if (name.empty() || (is_there && access(name.c_str(), W_OK) != 0)) {
    return WriteInPlace(path, text, mode);
  }
  const auto part = PartFile::Create(FolderPrefixOf(name), mode);
  if (!part) return is_there && errno != ENOSPC ? WriteInPlace(path, text, mode) : errno;
  if (is_there) {
    (void)!fchown(part->fd(), old.st_uid, old.st_gid);
    (void)fchmod(part->fd(), old.st_mode & 07777);
  }
  int error = WriteAll(part->fd(), text);
  const int late = part->EndWriting();
  if (error == 0) error = late;
  if (error != 0) return error;
  if (rename(part->name().c_str(), name.c_str()) == 0) {
    part->Renamed();
    return 0;
  }
  return errno == EBUSY ? WriteInPlace(path, text, mode) : errno;  // mounted
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

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {  // another process has set O_NONBLOCK
      PollSlot ready[] = {ForWrite(fd)};
      Poll(ready, kNever);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

bool WriteFile(const std::string& path, std::string_view text, unsigned mode) {
  errno = Overwrite(path, text, mode);
  return errno == 0;
}

Status WriteNewFile(const std::string& path, std::string_view bytes, unsigned mode) {
  const auto sink = FileSink::Create(path, mode);
  if (!sink) return sink.error();
  const Status written = (*sink)->Write(bytes);
  return written ? (*sink)->Close() : written;
}

Result<bool> KeepFile(const std::string& path, std::string_view bytes) {
  if (IsFile(path)) return false;
  if (IsSomething(path)) {
    return Error{"not a regular file", path, "remove it, or name another folder with -o"};
  }
  const Status kept = WriteNewFile(path, bytes);
  if (kept) return true;
  // Another process was faster.
  if (IsFile(path)) return false;
  return kept.error();
}

}  // namespace midwire::io
