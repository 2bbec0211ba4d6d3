// The hosts that are configured here and what they run, as text for people. Reads their files.
#pragma once

#include <string>

#include "tools/wrapping/servers.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// Text from a file or a plugin on a terminal: what looks like a secret is left out, the rest
// escaped.
std::string WithoutSecrets(const std::string& text);

// One configuration: the name of its host, if that is known, and its path, then a line per plugin.
Result<std::string> ConfigText(const std::string& path);

// Of each host that is configured here; "": none is.
std::string HostsText();

}  // namespace midwire::tools
