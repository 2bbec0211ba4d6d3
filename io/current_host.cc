#include "io/current_host.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace midwire::io {

CurrentHost GetCurrentHost() {
  const std::unique_ptr<char, decltype(&free)> cwd(getcwd(nullptr, 0), &free);
  const char* home = getenv("HOME");
  return {.cwd = cwd ? cwd.get() : "", .home = home ? home : "", .pid = getpid()};
}

}  // namespace midwire::io
