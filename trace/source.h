// Where a trace's bytes come from: the seam that lets readers be tested without files, and with
// files that fail. Where they go to is midwire::Sink (wire/outcome/sink.h).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "wire/outcome/result.h"

namespace midwire::trace {

class Source {
 public:
  virtual ~Source() = default;
  // Reads up to `size` bytes into `to`. 0: nothing more for now (a growing file may have more
  // later).
  virtual Result<size_t> Read(char* to, size_t size) = 0;
};

// A regular file, for names that are not the user's own: never waits, as a named pipe would.
Result<std::unique_ptr<Source>> OpenRegularFile(const std::string& path);

// "-" is standard input. Refuses folders.
Result<std::unique_ptr<Source>> OpenSource(const std::string& path);

// What is left of the source, but not much more than `most` bytes: a longer text means that there
// is more.
Result<std::string> ReadUpTo(size_t most, Source* source);

}  // namespace midwire::trace
