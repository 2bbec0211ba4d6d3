// As whose the paths of a trace are read when it is compared with another. Called by diff and
// report.
#pragma once

#include <string>

#include "replay/host_mapper.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// The directories as which those of the other trace are read: the recorded ones, or for a portable
// trace today's. Standard input cannot be read twice: then paths stay as recorded.
Result<replay::HostIdentity> HostOfTrace(const std::string& path);

}  // namespace midwire::tools
