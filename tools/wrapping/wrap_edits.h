// The edits of one server. Called by wrap.cc only.
#pragma once

#include <string>
#include <vector>

#include "tools/wrapping/wrap.h"

namespace midwire::tools {

// `front`: midwire's path, for a plain server.
Result<std::vector<Edit>> EditsToWrap(const Config& config, const Server& server,
                                      const WrapOptions& options);
// For a server that is kWrapped or kByHand.
Result<std::vector<Edit>> EditsToUnwrap(const Config& config, const Server& server);

}  // namespace midwire::tools
