// Where midwire is: its own program, which a host is given to start, and the files that are
// installed with it. One of these is the dissector for Wireshark. Called by commands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

// The absolute path of this program; "": unknown.
std::string OwnPath();
// The path of a file of midwire. `place`: from the command's folder to where it is installed.
Result<std::string> InstalledFile(const std::string& name, const std::string& place);
// Of one in share/midwire.
Result<std::string> InstalledFile(const std::string& name);
// The path of the sample's tape. Of a command that has no files: one of this process, which is gone
// when it ends.
Result<std::string> SampleTrace();

// The traces of a command that takes several: those named, or the sample, or the newest tape.
Status FindTraces(bool sample, std::vector<std::string>* traces);

// The sample's bytes, compiled in (cmake/embed_sample.cmake).
extern const unsigned char kSample[];
extern const size_t kSampleSize;

}  // namespace midwire::tools
