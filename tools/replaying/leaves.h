// `replay --leaves`: lists how each leaf of the plugin's messages counts, and starts nothing.
#pragma once

#include "replay/load.h"

namespace midwire::tools {

// Prints to stdout, as text or as one JSON object. Returns the exit code.
int PrintLeaves(replay::Loaded* loaded, bool json);

}  // namespace midwire::tools
