// What identifies this process to a plugin: its working directory, the user's home directory and
// its pid. Called by the recorder and by the commands that play a host.
#pragma once

#include <cstdint>
#include <string>

namespace midwire::io {

struct CurrentHost {
  std::string cwd;   // "": it was removed, or must not be read
  std::string home;  // the value of HOME, which may be any text; "": not set
  int64_t pid = 0;
};
CurrentHost GetCurrentHost();

}  // namespace midwire::io
