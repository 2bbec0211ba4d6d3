// Loads the dialect that an option names: built in or a file. Called by the commands with
// --dialect.
#pragma once

#include <string>

#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// A built-in name takes precedence over a file (./NAME is always a file). A file may extend
// built-in dialects. Errors name the file and the place in it.
Result<wire::Dialect> LoadNamedDialect(const std::string& name_or_file, bool strict);
// The JSON of a dialect, as it was written.
Result<std::string> DialectText(const std::string& name_or_file);

}  // namespace midwire::tools
