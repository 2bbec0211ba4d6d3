// Files that grow while a session runs, behind an interface with which tests make every call fail.
// Errors are errno values; 0: no error. The recorder (proxy/recorder.h) writes its tapes through
// it. An existing file is never opened, so none is overwritten (P8).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace midwire::io {

// Identifies a file even after it was renamed.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

class AppendFile {
 public:
  virtual ~AppendFile() = default;
  virtual int Write(std::string_view bytes, size_t* written) = 0;  // one write(2)
  virtual int Truncate(uint64_t size) = 0;
  virtual int Sync() = 0;
  virtual bool Removed() const = 0;  // it has no name any more
  virtual const std::string& path() const = 0;
  virtual FileIdentity identity() const = 0;
};

class AppendFiles {
 public:
  virtual ~AppendFiles() = default;
  // A new file, 0600, at `path` or, when a file is there, at the next free name. nullptr: see
  // *error (EISDIR or EEXIST: what is there is not a file, and a tape under another name would not
  // be found).
  virtual std::unique_ptr<AppendFile> Create(const std::string& path, int* error) = 0;
  // Does nothing when another file has that name now: it may be another session's tape.
  virtual void Remove(const std::string& path, const FileIdentity& identity) = 0;
};

// tape.pcapng, "-2" -> tape-2.pcapng. Pure text.
std::string InsertBeforeExtension(const std::string& path, const std::string& text);
// tape.pcapng -> tape-2.pcapng: tried when the previous name is taken.
std::string NextName(const std::string& path, int attempt);

// Real files. The object has no state and may be shared.
AppendFiles* SystemAppendFiles();

}  // namespace midwire::io
