#include "tools/sample.h"

#include <unistd.h>

#include <climits>

namespace midwire::tools {

// Beside the command (in a build folder), or where it is installed.
Result<std::string> InstalledFile(const std::string& name) {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  std::string folder(path, size > 0 ? static_cast<size_t>(size) : 0);
  folder.resize(folder.find_last_of('/') == folder.npos ? 0 : folder.rfind('/'));
  for (const char* place : {"/", MIDWIRE_DATA_PLACE}) {
    const std::string file = folder + place + name;
    if (access(file.c_str(), R_OK) == 0) return file;
  }
  return Error{"a file of midwire is missing", name, "install midwire with cmake --install"};
}

Result<std::string> SampleTrace() { return InstalledFile("sample.pcapng"); }

}  // namespace midwire::tools
