#include "io/files/edited_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "io/clock.h"
#include "io/files/part_file.h"
#include "io/files/write_file.h"

namespace midwire::io {
namespace {

// Names tried for a copy. More copies are hardly of use to anyone.
constexpr int kMaxNames = 100;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

void SetVersion(const struct stat& there, EditedFile* file) {
  file->device = there.st_dev;
  file->inode = there.st_ino;
  file->size = static_cast<uint64_t>(there.st_size);
  file->modified_ns = Nanoseconds(there.st_mtim);
  file->mode = there.st_mode & 07777;
  file->owner = there.st_uid;
  file->group = there.st_gid;
}

bool SameVersion(const struct stat& there, const EditedFile& file) {
  EditedFile now;
  SetVersion(there, &now);
  return S_ISREG(there.st_mode) && now.device == file.device && now.inode == file.inode &&
         now.size == file.size && now.modified_ns == file.modified_ns && now.mode == file.mode &&
         now.owner == file.owner && now.group == file.group;
}

// The bytes of a file that has at most `most`. errno, or 0; EFBIG: there are more.
int ReadAll(int fd, size_t most, std::string* bytes) {
  char buffer[64 * 1024];  // as much as fits into a pipe
  for (;;) {
    const ssize_t size = read(fd, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    if (size == 0) return 0;
    bytes->append(buffer, static_cast<size_t>(size));
    if (bytes->size() > most) return EFBIG;
  }
}

Error CannotWrite(const std::string& path, int error) {
  return {"cannot write", path, strerror(error)};
}

// A whole file beside `file`, on the disk, with its owner. Not yet with its mode: a host may start
// what is executable in its folder.
Result<std::unique_ptr<PartFile>> WritePart(const EditedFile& file, std::string_view bytes) {
  auto part = PartFile::Create(file.path.substr(0, file.path.rfind('/') + 1), 0600);
  if (!part) return CannotWrite(file.path, errno);
  int error = WriteAll(part->fd(), bytes);
  if (error == 0 && fchown(part->fd(), file.owner, file.group) != 0) error = errno;
  if (error == 0 && fsync(part->fd()) != 0 && errno != EINVAL) error = errno;
  const int late = part->EndWriting();
  if (error == 0) error = late;
  if (error != 0) return CannotWrite(file.path, error);
  return part;
}

void SyncFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

std::string CopyName(const std::string& path, int attempt) {
  return path + ".before-midwire" + (attempt < 2 ? "" : "." + std::to_string(attempt));
}

// Whether the regular file `path` has exactly these bytes.
bool HasBytes(const std::string& path, std::string_view bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat there;
  std::string found;
  const bool same = fstat(fd, &there) == 0 && S_ISREG(there.st_mode) &&
                    ReadAll(fd, bytes.size(), &found) == 0 && found == bytes;
  close(fd);
  return same;
}

}  // namespace

Result<EditedFile> CheckEditedFile(const std::string& path, unsigned names) {
  struct stat there;
  const auto refused = [&](std::string what, std::string remedy) {
    return Error{std::move(what), path, std::move(remedy)};
  };
  if (lstat(path.c_str(), &there) != 0) return refused("cannot read", strerror(errno));
  if (S_ISLNK(there.st_mode)) return refused("this is a link", "name the file that it leads to");
  if (!S_ISREG(there.st_mode)) return refused("this is not a regular file", "name a file");
  if (there.st_uid != geteuid()) {
    return refused("this file belongs to user " + std::to_string(there.st_uid),
                   "run midwire as that user");
  }
  if ((there.st_mode & S_IWUSR) == 0)
    return refused("this file is read-only", "chmod u+w it first");
  if (there.st_nlink > names) {
    return refused("this file has more than one name (hard links)",
                   "a new version would have one of them only");
  }
  EditedFile file;
  file.path = path;
  SetVersion(there, &file);
  return file;
}

Result<EditedFile> ReadEditedFile(const std::string& path, size_t most) {
  auto file = CheckEditedFile(path);
  if (!file) return file;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return Error{"cannot read", path, strerror(errno)};
  const int error = ReadAll(fd, most, &file->bytes);
  struct stat after;
  const bool same = fstat(fd, &after) == 0 && SameVersion(after, *file);
  close(fd);
  if (error != 0) return Error{"cannot read", path, strerror(error)};
  if (!same) return Error{"another program is writing this file", path, "try again"};
  return file;
}

std::vector<std::string> CopiesOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::set<std::string> there;
  std::error_code unreadable;
  for (const auto& file : std::filesystem::directory_iterator(FolderOf(path), unreadable)) {
    const std::string found = file.path().filename();
    if (found.starts_with(CopyName(name, 1))) there.insert(found);
  }
  std::vector<std::string> copies;
  for (int i = 1; i < kMaxNames; ++i) {
    if (there.contains(CopyName(name, i))) copies.push_back(CopyName(path, i));
  }
  return copies;
}

Result<KeptCopy> KeepCopy(const EditedFile& file) {
  for (const std::string& copy : CopiesOf(file.path)) {
    if (HasBytes(copy, file.bytes)) return KeptCopy{copy};
  }
  const auto part = WritePart(file, file.bytes);
  if (!part) return part.error();
  if (fchmod((*part)->fd(), file.mode) != 0) return CannotWrite(file.path, errno);
  int error = EEXIST;
  std::string copy;
  const char* const from = (*part)->name().c_str();
  for (int i = 1; i < kMaxNames && error == EEXIST; ++i) {
    copy = CopyName(file.path, i);
    error = renameat2(AT_FDCWD, from, AT_FDCWD, copy.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
  }
  if (error != 0) return CannotWrite(copy, error);
  (*part)->Renamed();
  return KeptCopy{copy, /*made=*/true};
}

Status ReplaceEditedFile(const EditedFile& file, std::string_view bytes) {
  const auto part = WritePart(file, bytes);
  if (!part) return part.error();
  struct stat there;
  if (lstat(file.path.c_str(), &there) != 0 || !SameVersion(there, file)) {
    return Error{"another program has changed the file meanwhile", file.path,
                 "it was left as it is now: try again"};
  }
  if (fchmod((*part)->fd(), file.mode) != 0 ||
      rename((*part)->name().c_str(), file.path.c_str()) != 0) {
    return CannotWrite(file.path, errno);
  }
  (*part)->Renamed();
  SyncFolder(FolderOf(file.path));
  return Ok{};
}

}  // namespace midwire::io
