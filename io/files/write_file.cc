#include "io/files/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "io/files/file_sink.h"
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

// As the kernel limits them.
constexpr int kMaxLinks = 40;
// Names tried for a part: others are left by killed processes of the same id.
constexpr int kMaxParts = 100;

std::string FolderPrefixOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The name that a rename can replace: where the links of `path` lead. "": it must be written in
// place, because it is no regular file, or a link of /proc to an open file: other writers of that
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

// Writes and closes. errno, or 0.
int WriteAndClose(int fd, std::string_view text) {
  int error = WriteAll(fd, text);
  if (close(fd) != 0 && error == 0) error = errno;
  return error;
}

int WriteInPlace(const std::string& path, std::string_view text, unsigned mode) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  return fd < 0 ? errno : WriteAndClose(fd, text);
}

// A file that no command takes for a trace (file_sink.h); -1: see errno.
int CreatePart(const std::string& folder, unsigned mode, std::string* name) {
  for (int i = 0; i < kMaxParts; ++i) {
    char part[40];
    snprintf(part, sizeof part, ".midwire-%d-%d.part", static_cast<int>(getpid()), i);
    *name = folder + part;
    const int fd = open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
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
  std::string part;
  const int fd = CreatePart(FolderPrefixOf(name), mode, &part);
  if (fd < 0) return is_there && errno != ENOSPC ? WriteInPlace(path, text, mode) : errno;
  if (is_there) {
    (void)!fchown(fd, old.st_uid, old.st_gid);
    (void)fchmod(fd, old.st_mode & 07777);
  }
  int error = WriteAndClose(fd, text);
  if (error == 0 && rename(part.c_str(), name.c_str()) == 0) return 0;
  const bool is_mounted = error == 0 && errno == EBUSY;
  if (error == 0) error = errno;
  unlink(part.c_str());
  return is_mounted ? WriteInPlace(path, text, mode) : error;
}

}  // namespace

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

Status KeepFile(const std::string& path, std::string_view bytes) {
  if (IsFile(path)) return Ok{};
  if (IsSomething(path)) {
    return Error{"not a regular file", path, "remove it, or name another folder with -o"};
  }
  const Status kept = WriteNewFile(path, bytes);
  // Another process was faster.
  if (!kept && IsFile(path)) return Ok{};
  return kept;
}

}  // namespace midwire::io
