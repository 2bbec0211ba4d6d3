// Writes the exact bytes of one stream of a trace to standard output: not decoded, not escaped, of
// any size. Called by `midwire show --raw`.
#pragma once

#include <string>

namespace midwire::tools {

// stream: "h2p", "p2h" or "stderr". Returns an exit code.
int WriteRaw(const std::string& path, const std::string& stream, bool follow);

}  // namespace midwire::tools
