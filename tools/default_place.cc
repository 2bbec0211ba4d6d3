#include "tools/default_place.h"

#include <cstdlib>

namespace midwire::tools {

Result<std::string> DefaultFolder() {
  // The specification: a path that is not absolute counts as not set.
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/midwire";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::string(home) + "/.local/state/midwire";
  return Error{"no place for tapes", "neither XDG_STATE_HOME nor HOME is set", "name a trace"};
}

}  // namespace midwire::tools
