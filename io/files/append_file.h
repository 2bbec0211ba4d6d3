// Files that grow while a session runs, as a narrow seam: tests make every call fail. Errors are
// errno values, 0 is fine. The recorder (proxy/recorder.h) writes its tapes through it. An existing
// file is never opened, so none is overwritten (P8).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace midwire::io {

// Which file it is, whatever its name has become.
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
  // *error (EISDIR or EEXIST: what is there is no file, and a tape beside it would not be found).
  virtual std::unique_ptr<AppendFile> Create(const std::string& path, int* error) = 0;
  // Nothing when another file has that name by now: it may be another session's tape.
  virtual void Remove(const std::string& path, const FileIdentity& identity) = 0;
};

// tape.pcapng, "-2" -> tape-2.pcapng. Pure text.
std::string InsertBeforeExtension(const std::string& path, const std::string& text);
// tape.pcapng -> tape-2.pcapng: tried when the name before is taken.
std::string NextName(const std::string& path, int attempt);

// Real files. The object may be shared; it holds nothing.
AppendFiles* SystemAppendFiles();

}  // namespace midwire::io
