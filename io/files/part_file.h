// A file while it is written, under a name that no command takes for a trace (.midwire-PID-N.part),
// until a rename gives it its own. The writer holds a lock, so what a killed process left is known
// from what is still written. Called by io/files/; RemoveAbandonedParts also by fuzz/live/ and
// tools/. Never removes the part of a process that runs.
#pragma once

#include <memory>
#include <string>

namespace midwire::io {

class PartFile {
 public:
  // `prefix`: the folder with its slash; "": the working directory. `mode`: less the umask.
  // nullptr: errno has the cause.
  static std::unique_ptr<PartFile> Create(const std::string& prefix, unsigned mode);
  // Removes the file, unless it was renamed.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& name() const { return name_; }
  int fd() const { return fd_; }
  // After the last write; fd() is for reading then, or -1 where the file cannot be read. Returns
  // errno of a write that failed late; 0: none.
  int EndWriting();
  // It has its own name.
  void Renamed() { name_.clear(); }

 private:
  PartFile(int fd, std::string name);

  int fd_;
  std::string name_;
};

// Removes the parts of killed processes from a folder; "": the working directory.
void RemoveAbandonedParts(const std::string& folder);

}  // namespace midwire::io
