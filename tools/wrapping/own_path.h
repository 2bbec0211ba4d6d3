// The absolute path of this program: what a host is given to start.
#pragma once

#include <limits.h>
#include <unistd.h>

#include <string>

namespace midwire::tools {

// "": unknown.
inline std::string OwnPath() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size <= 0 || size == sizeof path ? "" : std::string(path, static_cast<size_t>(size));
}

}  // namespace midwire::tools
