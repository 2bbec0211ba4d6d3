#include "io/files/file_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "io/files/part_file.h"
#include "io/files/replace_file.h"
#include "io/files/write_file.h"

namespace midwire::io {
namespace {

// Large enough that the cost of a write(2) is small compared with its bytes.
constexpr size_t kSinkBuffer = 256 * 1024;

std::string Reason(int error) { return std::strerror(error); }

Error Exists(const std::string& path) {
  return {"the output exists already", path, "choose another name, or remove it first"};
}

Error CannotCreate(const std::string& path) {
  return {"cannot create the output", path + ": " + Reason(errno), "name another file"};
}

// Where the file system cannot rename without overwriting, a second link does not overwrite either.
int RenameAsNew(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (link(from.c_str(), to.c_str()) != 0) return -1;
  (void)unlink(from.c_str());
  return 0;
}

class DescriptorSink : public FileSink {
 public:
  // `part`: nullptr for standard output. `replaces`: it is a version of a file that exists.
  DescriptorSink(std::string path, std::unique_ptr<PartFile> part, bool replaces)
      : path_(std::move(path)), part_(std::move(part)), replaces_(replaces) {
    buffer_.reserve(kSinkBuffer);
  }

  Status Write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > kSinkBuffer) {
      if (Status flushed = Flush(); !flushed) return flushed;
      if (bytes.size() >= kSinkBuffer) return WriteOut(bytes);
    }
    buffer_.append(bytes);
    return Ok{};
  }

  Result<std::string> SoFar() override {
    if (!part_) return Error{"cannot be read again", path_, "name a file"};
    if (Status flushed = Flush(); !flushed) return flushed.error();
    return part_->name();
  }

  Status Close() override {
    if (closed_) return Ok{};
    Status flushed = Flush();
    if (!part_) return flushed;
    closed_ = true;
    const int late = part_->EndWriting();
    if (late != 0 && flushed) flushed = Failed(late);
    if (!flushed) return flushed;
    if (replaces_) {
      Result<std::string> old = ReplaceFile(part_->name(), path_);
      if (!old) return old.error();
      old_name_ = std::move(*old);
    } else if (RenameAsNew(part_->name(), path_) != 0) {
      return errno == EEXIST ? Exists(path_) : Failed(errno);
    }
    part_->Renamed();
    return Ok{};
  }

  const std::string& old_name() const override { return old_name_; }

 private:
  Status Flush() {
    Status written = WriteOut(buffer_);
    buffer_.clear();
    return written;
  }

  Status WriteOut(std::string_view bytes) {
    const int error = WriteAll(part_ ? part_->fd() : STDOUT_FILENO, bytes);
    return error == 0 ? Status(Ok{}) : Failed(error);
  }

  Status Failed(int error) { return Error{"cannot write", path_, Reason(error)}; }

  const std::string path_;
  std::unique_ptr<PartFile> part_;
  const bool replaces_;
  bool closed_ = false;
  std::string buffer_, old_name_;
};

std::string FolderPrefix(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// Writes to a part beside `path`.
Result<std::unique_ptr<FileSink>> PartSink(const std::string& path, unsigned mode, bool replaces) {
  auto part = PartFile::Create(FolderPrefix(path), 0600);
  if (!part) return CannotCreate(path);
  // The umask may have removed too much: the owner must be able to read the file.
  (void)fchmod(part->fd(), mode);
  return std::unique_ptr<FileSink>(
      std::make_unique<DescriptorSink>(path, std::move(part), replaces));
}

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::Create(const std::string& path, unsigned mode) {
  if (path == "-") {
    return std::unique_ptr<FileSink>(
        std::make_unique<DescriptorSink>("standard output", nullptr, false));
  }
  struct stat there;
  if (lstat(path.c_str(), &there) == 0) return Exists(path);
  // Such as a name that is too long: the name of the part would not be.
  if (errno != ENOENT) return CannotCreate(path);
  return PartSink(path, mode, /*replaces=*/false);
}

Result<std::unique_ptr<FileSink>> FileSink::CreateVersion(const std::string& path) {
  RemoveAbandonedParts(FolderPrefix(path));
  return PartSink(path, 0600, /*replaces=*/true);
}

}  // namespace midwire::io
