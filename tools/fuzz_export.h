// Writes into a project what it needs to fuzz its own code for ever: two harnesses to fill in, a
// CMakeLists.txt for them, and what OSS-Fuzz and ClusterFuzzLite ask for. Called by
// `midwire fuzz --export`. Never writes over a file.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct ExportOptions {
  std::string project;  // its name; "": that of the folder
  std::string dialect;  // a built-in one, whose words and schemas the harnesses use; "": none
};

// The folder is made; what is there already as it would be written stays. An error: another file is
// in the way (then nothing was written), or one cannot be written. The result is the list of what
// was written, a line each, for people.
Result<std::string> ExportHarness(const std::string& folder, const ExportOptions& options);

}  // namespace midwire::tools
