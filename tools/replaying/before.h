// --before: a command of the user that runs before each start of the plugin, such as one that
// removes the files of the run before. Used by replay, fuzz and reduce.
#pragma once

#include <functional>
#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// Runs it by /bin/sh, without input; "": nothing. An error: it cannot be started, or ends with
// another status than 0.
Status RunBefore(const std::string& command);

// The same as a function, for fuzz::RunnerOptions; empty for "".
std::function<Status()> BeforeStarts(const std::string& command);

}  // namespace midwire::tools
