// What a plugin's command runs, as a name for people: `npx -y @scope/weather` is "weather", not
// "npx". Called for the names of tapes and by tools/ to list sessions. Pure.
#pragma once

#include <string>
#include <vector>

namespace midwire::proxy {

// The last path component of what is run; looks behind npx, uvx, `python -m`, `node SCRIPT` and
// similar programs. Not escaped. "": there is no command.
std::string PluginName(const std::vector<std::string>& argv);

}  // namespace midwire::proxy
