// Where tapes lie when nobody says otherwise: $XDG_STATE_HOME/midwire, or ~/.local/state/midwire
// (XDG Base Directory Specification 0.8). Looks, never creates.
#pragma once

#include <string>

#include "wire/result.h"

namespace midwire::tools {

Result<std::string> DefaultFolder();

}  // namespace midwire::tools
