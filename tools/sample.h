// Files that are installed with midwire: the sample session, for a first look without a plugin, and
// the dissector for Wireshark. Called by commands with --sample, and by wireshark.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// The path of a file of midwire. `place`: from the command's folder to where it is installed.
Result<std::string> InstalledFile(const std::string& name, const std::string& place);
// Of one in share/midwire.
Result<std::string> InstalledFile(const std::string& name);
// The path of the sample's tape.
Result<std::string> SampleTrace();

}  // namespace midwire::tools
