// Loads the dialect that an option names: built in or a file. Called by the commands with
// --dialect.
#pragma once

#include <string>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// A built-in name takes precedence over a file (./NAME is always a file). A file may extend
// built-in dialects. Errors name the file and the place in it.
Result<wire::Dialect> LoadNamedDialect(const std::string& name_or_file, bool strict);
// All of them, for detection.
std::vector<wire::Dialect> LoadBuiltInDialects(bool strict);

}  // namespace midwire::tools
