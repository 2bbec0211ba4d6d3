// A new file that is whole or not there at all: traces, findings, reports. Never overwrites one.
#pragma once

#include <memory>
#include <string>

#include "wire/outcome/sink.h"

namespace midwire::io {

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

}  // namespace midwire::io
