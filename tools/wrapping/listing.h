// The hosts that are configured here and what they run, as text for people. Reads their files.
#pragma once

#include <string>

#include "tools/wrapping/servers.h"

namespace midwire::tools {

// Text from a file or a plugin on a terminal: what looks like a secret is left out, the rest
// escaped.
std::string WithoutSecrets(const std::string& text);

// Two lines or more per host; "": none is configured.
std::string HostsText();

}  // namespace midwire::tools
