// Where a trace's bytes come from and go to: the interfaces that let readers and writers be tested
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
  // Reads up to `size` bytes into `to`. 0: nothing more for now (a growing file may have more
  // later).
  virtual Result<size_t> Read(char* to, size_t size) = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status Write(std::string_view bytes) = 0;
};

// "-" is standard input. Refuses folders.
Result<std::unique_ptr<Source>> OpenSource(const std::string& path);
// "-" is standard output, which is only buffered. A file is created with mode 0600 (P8), or with
// another `mode` if it holds nothing of a session, and never overwritten: if `path` exists, that is
// an error. Until Close the file has a temporary name that no command takes for a trace
// (.midwire-XXXXXX.part, in the same folder), so `path` is complete or absent. Without a Close the
// temporary file is removed, except after a kill.
class FileSink : public Sink {
 public:
  static Result<std::unique_ptr<FileSink>> Create(const std::string& path, unsigned mode = 0600);
  virtual Status Close() = 0;
};

}  // namespace midwire::trace
