// Where midwire is: its own program, which a host is given to start, and the files that are
// installed with it, such as the sample session and the dissector for Wireshark. Called by
// commands.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// The absolute path of this program; "": unknown.
std::string OwnPath();
// The path of a file of midwire. `place`: from the command's folder to where it is installed.
Result<std::string> InstalledFile(const std::string& name, const std::string& place);
// Of one in share/midwire.
Result<std::string> InstalledFile(const std::string& name);
// The path of the sample's tape.
Result<std::string> SampleTrace();

}  // namespace midwire::tools
