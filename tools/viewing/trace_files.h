// The traces that `midwire view` may show: the tapes and cassettes of one folder, or one file. The
// only code of the server that opens files; a request names them by ids that are made here, so it
// cannot name another file. Never follows a link out of the folder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

// A descriptor that is closed with it.
class OpenFile {
 public:
  explicit OpenFile(int fd = -1) : fd_(fd) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  OpenFile& operator=(OpenFile&& other) noexcept;
  int fd() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  // Names this very file, even after its name is that of another or of none.
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

struct TraceFile {
  std::string id, name;
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;
  bool IsSameAs(const TraceFile& other) const {
    return device == other.device && inode == other.inode;
  }
};

class TraceFiles {
 public:
  // A page with more lines is of no use; the newest are kept.
  static constexpr size_t kMaxListed = 1000;

  // `path`: a folder, or a file that may be a link.
  static Result<TraceFiles> Of(const std::string& path);

  // Reads the folder again. Newest first.
  void Scan();
  const std::vector<TraceFile>& files() const { return files_; }
  size_t more() const { return more_; }
  const TraceFile* Find(std::string_view id) const;
  // The file that has this name now; not ok: there is none, or it is no regular file.
  OpenFile Open(const TraceFile& file) const;
  const std::string& folder() const { return shown_; }  // for people

 private:
  TraceFiles(OpenFile folder, std::string shown, std::string only)
      : folder_(std::move(folder)), shown_(std::move(shown)), only_(std::move(only)) {}
  bool Look(const std::string& name, TraceFile* file);

  OpenFile folder_;
  std::string shown_;
  std::string only_;                        // "": all of the folder
  std::map<std::string, std::string> ids_;  // by name; kept when a file is gone
  std::vector<TraceFile> files_;
  size_t more_ = 0;
};

}  // namespace midwire::tools
