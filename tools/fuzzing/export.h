// Writes the files that a project needs to fuzz its own code continuously: two harnesses to fill
// in, a CMakeLists.txt, and the files for OSS-Fuzz and ClusterFuzzLite. Called by `midwire fuzz
// --export`. Never overwrites a file.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct ExportOptions {
  std::string project;  // its name; "": that of the folder
  std::string dialect;  // a built-in one, whose words and schemas the harnesses use; "": none
};

// Creates the folder. Existing files with the same contents stay. An error: a file with other
// contents is in the way (then nothing is written), or a file cannot be written. Returns the list
// of written files, one per line, for people.
Result<std::string> ExportHarness(const std::string& folder, const ExportOptions& options);

}  // namespace midwire::tools
