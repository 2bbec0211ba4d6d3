// The sample session that is installed with midwire: for a first look without a plugin. Called by
// commands with --sample.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// The path of its tape.
Result<std::string> SampleTrace();

}  // namespace midwire::tools
