// A new file that is complete or absent: traces, findings, reports. Called by tools/, and by
// write_file.h for small files. Never overwrites a file: a previous version keeps a name.
#pragma once

#include <memory>
#include <string>

#include "wire/outcome/sink.h"

namespace midwire::io {

// "-" is standard output. A file is created 0600 (P8), or with another `mode` where it holds
// nothing of a session, and never overwritten: when `path` exists, that is an error. Until Close
// the file is a part (part_file.h) in the same folder, so that `path` is complete or absent.
// Destroyed without a Close it removes that file; only a kill leaves it behind. Standard output is
// only buffered.
class FileSink : public Sink {
 public:
  static Result<std::unique_ptr<FileSink>> Create(const std::string& path, unsigned mode = 0600);
  // A new version of the file `path`, which it replaces (replace_file.h) with Close. Until then,
  // `path` is as before; no other version that is written is in the way.
  static Result<std::unique_ptr<FileSink>> CreateVersion(const std::string& path);
  // The name under which what is written so far can be read, until Close. Not of standard output.
  virtual Result<std::string> SoFar() = 0;
  virtual Status Close() = 0;
  // Of a new version, after Close: the name that the previous one has now.
  virtual const std::string& old_name() const = 0;
};

}  // namespace midwire::io
