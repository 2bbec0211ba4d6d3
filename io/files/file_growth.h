// Waits for a file to grow (`midwire show -f`): woken by inotify where the file system has it, by a
// clock where not, and by a signal that is caught (interrupt.h).
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
  // Whether it is a recording that has just begun: the file is there, nothing is in it yet. A file
  // that is not there is not empty; the caller opens it and reports what is wrong.
  bool IsEmpty() const;

 private:
  std::string path_;
  int inotify_ = -1;
};

}  // namespace midwire::io
