// The dialect that an option names: a built-in one, or a file of the user's own. Called by the
// commands with --dialect.
#pragma once

#include <string>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// The name of a built-in dialect wins over a file's (./NAME is always a file). A file may extend
// built-in ones. Errors name the file and the place in it.
Result<wire::Dialect> LoadNamedDialect(const std::string& name_or_file, bool strict);
// All of them, to detect one.
std::vector<wire::Dialect> LoadBuiltInDialects(bool strict);

}  // namespace midwire::tools
