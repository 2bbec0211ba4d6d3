// Where a trace's bytes come from and go to: the seams that let readers and writers be tested
// without files, and with files that fail.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::trace {

class Source {
 public:
  virtual ~Source() = default;
  // Up to `size` bytes into `to`. 0: nothing more for now (a growing file may give more later).
  virtual Result<size_t> Read(char* to, size_t size) = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status Write(std::string_view bytes) = 0;
};

// "-" is standard input. Refuses folders.
Result<std::unique_ptr<Source>> OpenSource(const std::string& path);
// "-" is standard output. A file is created 0600 (P8), or with another `mode` where it holds
// nothing of a session, and never overwritten: when `path` exists, that is an error. Until Close
// the file has a name that no command takes for a trace (.midwire-XXXXXX.part, in the same folder),
// so that `path` is whole or not there at all. Without a Close that is fine, nothing stays but
// after a kill. Standard output is only buffered.
class FileSink : public Sink {
 public:
  static Result<std::unique_ptr<FileSink>> Create(const std::string& path, unsigned mode = 0600);
  virtual Status Close() = 0;
};

}  // namespace midwire::trace
