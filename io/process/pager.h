// A program that shows long output page by page, such as less. Called by tools/output when standard
// output is a terminal. It is a child of the same process group, so the terminal's signals reach
// it.
#pragma once

#include <sys/types.h>

#include <string>

namespace midwire::io {

class Pager {
 public:
  Pager() = default;
  ~Pager() { Finish(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // `command`: for the shell. False: it cannot be started.
  bool Start(const std::string& command);
  // What it reads; -1: it was not started.
  int fd() const { return fd_; }
  // Ends its input, and waits until the person has left it.
  void Finish();

 private:
  int fd_ = -1;
  pid_t pid_ = 0;
};

}  // namespace midwire::io
