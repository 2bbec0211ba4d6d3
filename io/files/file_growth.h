// Waits for a file to grow (`midwire show -f`): woken by inotify where the file system supports it,
// by a timer otherwise, and by a signal that is caught (interrupt.h). Never reads the file.
#pragma once

#include <string>

namespace midwire::io {

class FileGrowth {
 public:
  explicit FileGrowth(std::string path);
  ~FileGrowth();
  FileGrowth(const FileGrowth&) = delete;
  FileGrowth& operator=(const FileGrowth&) = delete;

  // Returns when the file may have grown, after 200 ms at the latest, or at once when a signal
  // handler has run.
  void Wait();
  // Whether the file exists and is empty: a recording that has just begun. False for a missing
  // file; the caller opens it and reports the error.
  bool IsEmpty() const;

 private:
  std::string path_;
  int inotify_ = -1;
};

}  // namespace midwire::io
