// Waits for a file to grow (show -f). Woken by inotify if the file system has it, else by a timer,
// and by Ctrl-C, which then ends the command in order.
#pragma once

#include <string>

namespace midwire::tools {

class Growth {
 public:
  explicit Growth(std::string path);
  ~Growth();
  Growth(const Growth&) = delete;
  Growth& operator=(const Growth&) = delete;

  // Returns when the file may have grown, at the latest after kPollMs, or at once on Ctrl-C.
  void Wait();
  // Whether the file exists and is empty: a recording has just begun. False for a missing file,
  // which opening it reports.
  bool IsEmpty() const;

 private:
  std::string path_;
  int inotify_ = -1;
};

// Whether Ctrl-C was pressed while a Growth existed.
bool Interrupted();

}  // namespace midwire::tools
