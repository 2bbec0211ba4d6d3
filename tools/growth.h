// Waits for a file to grow (show -f), woken by inotify where the file system has it, by a clock
// where not, and by Ctrl-C, which then ends the command in order instead of killing it.
#pragma once

#include <string>

namespace midwire::tools {

class Growth {
 public:
  explicit Growth(std::string path);
  ~Growth();
  Growth(const Growth&) = delete;
  Growth& operator=(const Growth&) = delete;

  // Returns when the file may have grown, after kPoll at the latest, or at once on Ctrl-C.
  void Wait();
  // A recording that has just begun: the file is there, nothing is in it yet. A file that is not
  // there is not empty; whoever opens it says what is wrong.
  bool IsEmpty() const;

 private:
  std::string path_;
  int inotify_ = -1;
};

// Ctrl-C was pressed while a Growth was there.
bool Interrupted();

}  // namespace midwire::tools
