// --before: a command of the user that runs before each run of the plugin, such as one that removes
// the files of the run before.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// Runs it by /bin/sh, without input; "": nothing. An error: it cannot be started, or ends with
// another status than 0.
Status RunBefore(const std::string& command);

}  // namespace midwire::tools
