// The exact bytes of one stream of a trace on standard output: straight from the records, nothing
// decoded, nothing escaped, any size.
#pragma once

#include <string>

namespace midwire::tools {

// stream: "h2p", "p2h" or "stderr". Returns an exit code.
int WriteRaw(const std::string& path, const std::string& stream, bool follow);

}  // namespace midwire::tools
